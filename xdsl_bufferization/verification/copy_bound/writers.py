"""
Copies for ops that overwrite contents that are still needed.

    %a = linalg.add ins(%x) outs(%t)     // uses up what is in the place of %t
    %b = linalg.mul ins(%x) outs(%t)     // needs it, too: one copy is forced
    %x = tensor.extract %t[%j]           // forces none, as it may run before both

An op that needs the contents of its init, and overwrites it, uses these contents up. They are in
one place to begin with. Each further op forces a copy, and one more is forced if the contents are
still needed after it, or if the memory must not be written. An op counts as "after" only if
operands require that order:

    %a = linalg.exp ins(%x) outs(%e)
    %b = linalg.exp ins(%a) outs(%e)    // after %a in every order
    %c = linalg.exp ins(%x) outs(%e)    // in either order with %a

The last `MAX_LATER_READERS` readers of each tensor's memory are known; the search for dependences
visits no more than `MAX_DEPENDENT_OPS` ops.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.support.call_graph import is_function_argument
from xdsl_bufferization.support.limits import MAX_DEPENDENT_OPS, MAX_LATER_READERS
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import defining_op
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.support.xdsl_releases import linalg_abstract_ops
from xdsl_bufferization.verification.access_paths import (
    AccessPath,
    Relation,
    relation,
    slice_step,
)
from xdsl_bufferization.verification.copy_bound.forced import (
    CopiesByRoot,
    ForcedCopy,
    Program,
    of_disjoint_parts,
    total,
)
from xdsl_bufferization.verification.copy_bound.links import (
    Link,
    LinkKind,
    Links,
    Operand,
)
from xdsl_bufferization.verification.copy_bound.places import is_writable
from xdsl_bufferization.verification.copy_bound.repetitions import executions


@dataclass(frozen=True, slots=True)
class _Writer:
    """An op that needs the contents of an operand, and overwrites them."""

    operand: Operand
    path: AccessPath
    """To the operand, from the root of its place."""
    written: AccessPath
    """To what is overwritten, from there."""
    size: int
    """The bytes that it needs."""
    destroys: bool
    """Whether it overwrites what is valuable, so that nothing cheap makes it good."""
    operands: tuple[Operand, ...]
    """The operands at which it may be copied."""

    @property
    def is_whole(self) -> bool:
        """Whether it overwrites all of the operand."""
        return self.path == self.written


@dataclass(frozen=True, slots=True)
class _Reader:
    """An op that needs contents, in whatever place."""

    operand: Operand
    path: AccessPath
    """To what it reads, from the root of its place."""
    needs_all: bool
    """Whether it needs all of that, and not a part that is not known."""
    size: int
    """The bytes that it needs."""
    operands: tuple[Operand, ...]
    """The operands of the links between the root and what it reads."""

    def needs(self, written: AccessPath) -> bool:
        """Whether it needs something of what is overwritten."""
        within = Relation.SAME, Relation.INSIDE
        return relation(self.path, written) in within or (
            self.needs_all and relation(written, self.path) in within
        )


class Writers:
    """The copies that are forced by ops that overwrite what is still needed."""

    def __init__(self, program: Program):
        self._program = program
        self._dependences = _Dependences(program.links)
        self._writers: dict[SSAValue, list[_Writer]] = defaultdict(list)
        last = partial[deque[_Reader]](deque, maxlen=MAX_LATER_READERS)
        self._readers: dict[SSAValue, deque[_Reader]] = defaultdict(last)
        for op in program.links.ops:
            for operand in program.links.operands(op):
                self._gather(operand)

    def forced(self) -> CopiesByRoot:
        """The copies."""
        found: dict[SSAValue, Sequence[ForcedCopy]] = {}
        for root, writers in self._writers.items():
            by_part: dict[AccessPath, list[_Writer]] = defaultdict(list)
            for writer in writers:
                by_part[writer.path].append(writer)
            found[root] = of_disjoint_parts(
                {part: self._of_part(root, of) for part, of in by_part.items()}
            )
        return found

    def _gather(self, operand: Operand) -> None:
        program = self._program
        link = program.links.link(operand)
        root, path = program.places.of(operand.value)
        views = program.places.views(operand.value)
        part = None
        if link is not None and link.kind is LinkKind.UPDATE:
            part = link.part
            size = program.contents.moved(link)
            if (
                size
                and program.is_beside(operand)
                and not self._may_leave_as_is(link, root)
            ):
                written = path if part is None else (*path, slice_step(part))
                destroys = program.contents.is_lost(link)
                writer = _Writer(
                    operand, path, written, size, destroys, (operand, *views)
                )
                self._writers[root].append(writer)
        if part is None and (link is None or link.kind is not LinkKind.VIEW):
            size = program.contents.used(operand)
            if size:
                read = program.links.read_parts.get(operand)
                readers = self._readers[root]
                MAX_LATER_READERS.exceeded_by(len(readers) + 1)
                readers.append(
                    _Reader(
                        operand,
                        path if read is None else (*path, slice_step(read)),
                        read is not None or program.contents.needs_all(operand),
                        size,
                        views if link is None else (*views, operand),
                    )
                )

    def _may_leave_as_is(self, link: Link, root: SSAValue) -> bool:
        """Whether what an op inserts may be there already."""
        op = link.operand.op
        if not isinstance(link.part, Slice):
            return False
        insertion = SubsetInsertionOpInterface.of(op)
        inserted = op.operands[0 if insertion is None else insertion.source_operand(op)]
        if is_tensor(inserted):
            return self._program.places.of(inserted).root is root
        if isinstance(inserted, BlockArgument):
            return not is_function_argument(inserted)
        # Loaded from there, perhaps.
        return any(map(is_tensor, defining_op(inserted).operands))

    def _of_part(
        self, root: SSAValue, writers: Sequence[_Writer]
    ) -> Sequence[ForcedCopy]:
        kept: list[ForcedCopy] = []
        used_up: list[_Writer] = []
        partial: list[ForcedCopy] = []
        for writer in writers:
            copy = self._of_writer(root, writer)
            if copy is not None:
                (kept if writer.is_whole else partial).append(copy)
            elif writer.is_whole:
                used_up.append(writer)
        # One of the ops may run last, and change the contents in place: the largest, at best.
        used_up.sort(key=lambda writer: writer.size)
        reason = "several ops change it, and each needs it as it was"
        kept += [_copy(writer, reason, used_up[-1]) for writer in used_up[:-1]]
        # One copy serves all ops that change parts, one after the other.
        one = sorted(partial, key=lambda copy: copy.total)[-1:]
        return max(kept, one, key=total)

    def _of_writer(self, root: SSAValue, writer: _Writer) -> ForcedCopy | None:
        """The copy that is forced whatever other ops overwrite."""
        op = writer.operand.op
        if not is_writable(root):
            return _copy(
                writer,
                f"{op_name(op)} changes it, and its memory must not be written",
            )
        if not writer.destroys:
            return None
        readers = {
            reader.operand.op: reader
            for reader in reversed(self._readers[root])
            if reader.needs(writer.written)
            and (reader.operand.op is not op or _reads_what_it_writes(reader, writer))
        }
        if (reader := readers.get(op)) is not None:
            reason = f"{op_name(op)} changes it while it still needs it as it was"
        else:
            later = self._dependences.one_that_must_follow(readers, op)
            if later is None:
                return None
            reader = readers[later]
            reason = (
                f"{op_name(op)} changes it, and {op_name(later)} needs it as it was, in "
                "whatever order"
            )
        return _copy(writer, reason, reader)


def _copy(
    writer: _Writer, reason: str, other: _Writer | _Reader | None = None
) -> ForcedCopy:
    """A copy for the writer, or for the other op that needs the contents."""
    operands, size, times = writer.operands, writer.size, executions(writer.operand.op)
    if other is not None:
        operands, size = (*operands, *other.operands), min(size, other.size)
    return ForcedCopy(operands, size, times, reason)


def _reads_what_it_writes(reader: _Reader, writer: _Writer) -> bool:
    """
    Whether the op of both needs elements after it has overwritten them, if it overwrites
    what it reads.
    """
    op = writer.operand.op
    model = BufferizableOpInterface.of(op)
    return (
        isinstance(op, linalg_abstract_ops.LinalgStructuredOperation)
        and reader.operand != writer.operand
        and reader.operand.value is writer.operand.value
        and model is not None
        and not model.is_elementwise(op, reader.operand.index, writer.operand.index)
    )


class _Dependences:
    """The dependences between the ops of a program."""

    def __init__(self, links: Links):
        self._links = links
        self._positions = {op: position for position, op in enumerate(links.ops)}

    def one_that_must_follow(
        self, ops: Iterable[Operation], first: Operation
    ) -> Operation | None:
        """
        One of the ops that runs after `first` in every order: it ends a block that `first`
        is in, or needs what that computes. It is not looked for long.
        """
        self._left: int = MAX_DEPENDENT_OPS
        seen: set[Operation] = set()
        for op in ops:
            if op is not first and (_ends(op, first) or self._needs(op, first, seen)):
                return op
        if not self._left:
            MAX_DEPENDENT_OPS.met()
        return None

    def _needs(self, op: Operation, first: Operation, seen: set[Operation]) -> bool:
        start = self._positions[first]
        pending = [op]
        while pending and self._left:
            self._left -= 1
            for value in self._needed(pending.pop()):
                owner = value.owner
                if owner is first:
                    return True
                if isinstance(owner, Block):
                    owner = owner.parent_op()
                    if owner is None:
                        continue
                if owner not in seen and self._positions.get(owner, -1) > start:
                    seen.add(owner)
                    pending.append(owner)
        return False

    def _needed(self, op: Operation) -> Iterator[SSAValue]:
        """
        The operands that the op cannot do without. If it needs a part of a tensor only, another
        tensor may have that part.
        """
        for index, value in enumerate(op.operands):
            if not is_tensor(value):
                yield value
                continue
            operand = Operand(op, index)
            link = self._links.link(operand)
            if link is not None:
                if link.part is None or link.kind is LinkKind.PART:
                    yield value
            elif self._links.read_parts.get(operand, ...) is None:
                yield value


def _ends(op: Operation, first: Operation) -> bool:
    """Whether the op ends the block that `first` is in, or one around it."""
    if not op.has_trait(IsTerminator, value_if_unregistered=False):
        return False
    return (
        op.parent is not None and op.parent.find_ancestor_op_in_block(first) is not None
    )
