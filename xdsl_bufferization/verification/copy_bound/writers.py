"""
Copies for ops that overwrite contents that are still needed.

An op that needs what is in its init, and overwrites it, uses up these contents. They are in
one place to begin with; for each further op there has to be a copy, and one more if the
contents are still needed behind it, or if the memory must not be written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import BlockArgument, OpResult, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.verification.access_paths import (
    AccessPath,
    Relation,
    relation,
    slice_step,
)
from xdsl_bufferization.verification.copy_bound.forced import (
    ForcedCopy,
    of_disjoint_parts,
)
from xdsl_bufferization.verification.copy_bound.links import Link, LinkKind, Operand
from xdsl_bufferization.verification.copy_bound.places import (
    is_argument,
    is_writable,
)
from xdsl_bufferization.verification.copy_bound.program import Program
from xdsl_bufferization.verification.copy_bound.repetitions import (
    executions,
    loops_between,
    trip_count,
)

_MANY = 8
"""No more readers are looked at for one op that writes."""


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
    also: tuple[Operand, ...] = ()
    """Further operands at which it may be copied."""

    @property
    def is_whole(self) -> bool:
        """Whether it overwrites all of the operand."""
        return self.path == self.written

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.operand, *self.also)


@dataclass(frozen=True, slots=True)
class _Reader:
    """An op that needs contents, in whatever place."""

    operand: Operand
    path: AccessPath
    size: int
    operands: tuple[Operand, ...]
    """The operands of the links between the root and what it reads."""


class Writers:
    """The copies that are forced by ops that overwrite what is still needed."""

    def __init__(self, program: Program):
        self._program = program
        self._writers: dict[SSAValue, list[_Writer]] = defaultdict(list)
        self._readers: dict[SSAValue, list[_Reader]] = defaultdict(list)
        for op in program.links.ops:
            for operand in program.links.operands(op):
                self._gather(operand)
        self._carried = self._carried_arguments()

    def forced(self) -> dict[SSAValue, Sequence[ForcedCopy]]:
        """By the tensor that is overwritten: the copies."""
        found: dict[SSAValue, Sequence[ForcedCopy]] = {}
        # What a loop overwrites in the first iteration depends on the copies within.
        for argument in reversed(self._carried):
            found[argument] = self._of_root(argument)
            self._overwrite_inits(argument, found[argument])
        for root in [*self._writers]:
            if root not in found:
                found[root] = self._of_root(root)
        return found

    # Gathering ---------------------------------------------------------------------------

    def _gather(self, operand: Operand) -> None:
        program = self._program
        link = program.links.link(operand)
        root, path = program.places.of(operand.value)
        views = program.places.views(operand.value)
        part = None if link is None or link.kind is not LinkKind.UPDATE else link.part
        if link is not None and link.kind is LinkKind.UPDATE:
            size = program.contents.moved(link)
            if size and not self._may_leave_as_is(link, root):
                written = path if part is None else (*path, slice_step(part))
                writer = _Writer(operand, path, written, size, views)
                self._writers[root].append(writer)
        if part is None and (link is None or link.kind is not LinkKind.VIEW):
            size = program.contents.used(operand)
            if size:
                between = (*views, operand) if link is not None else views
                self._readers[root].append(_Reader(operand, path, size, between))

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
            return not is_argument(inserted)
        # Loaded from there, perhaps.
        assert isinstance(inserted, OpResult)
        return any(map(is_tensor, inserted.op.operands))

    def _carried_arguments(self) -> Sequence[BlockArgument]:
        sources = self._program.forwarding.sources
        return [
            argument
            for op in self._program.links.ops
            for region in op.regions
            for block in region.blocks
            for argument in block.args
            if argument in sources and argument in self._writers
        ]

    def _overwrite_inits(
        self, argument: BlockArgument, copies: Sequence[ForcedCopy]
    ) -> None:
        """A loop that overwrites what it carries overwrites its init, the first time."""
        copied = {operand for copy in copies for operand in copy.operands[:1]}
        writers = [
            writer
            for writer in self._writers[argument]
            if writer.operand not in copied
            and writer.operand.op.parent is argument.block
            and not writer.path
        ]
        loop = argument.block.parent_op()
        if not writers or loop is None or trip_count(loop) == 0:
            return
        inner = max(writers, key=lambda writer: (writer.is_whole, writer.size))
        for index, value in enumerate(loop.operands):
            operand = Operand(loop, index)
            if argument in self._program.forwarding.targets.get(operand, ()):
                root, path = self._program.places.of(value)
                views = self._program.places.views(value)
                written = (*path, *inner.written)
                also = (*inner.operands, *views)
                self._writers[root].append(
                    _Writer(operand, path, written, inner.size, also)
                )

    # Forced copies -----------------------------------------------------------------------

    def _of_root(self, root: SSAValue) -> Sequence[ForcedCopy]:
        by_part: dict[AccessPath, list[_Writer]] = defaultdict(list)
        for writer in self._writers[root]:
            by_part[writer.path].append(writer)
        readers = sorted(
            self._readers[root],
            key=lambda reader: self._program.dependences.position(reader.operand.op),
            reverse=True,
        )
        return of_disjoint_parts(
            {
                part: self._of_part(root, writers, readers)
                for part, writers in by_part.items()
            }
        )

    def _of_part(
        self, root: SSAValue, writers: Sequence[_Writer], readers: Sequence[_Reader]
    ) -> Sequence[ForcedCopy]:
        kept: list[ForcedCopy] = []
        used_up: list[_Writer] = []
        partial: list[ForcedCopy] = []
        for writer in writers:
            if loops_between(writer.operand.op, block_of(root)) is None:
                continue
            copy = self._of_writer(root, writer, readers)
            if not writer.is_whole:
                partial += [] if copy is None else [copy]
            elif copy is not None:
                kept.append(copy)
            else:
                used_up.append(writer)
        kept += _all_but_one(root, used_up)
        # One copy serves all ops that change parts, one after the other.
        return kept or sorted(partial, key=lambda copy: copy.total)[-1:]

    def _of_writer(
        self, root: SSAValue, writer: _Writer, readers: Sequence[_Reader]
    ) -> ForcedCopy | None:
        """The copy that is forced whatever other ops overwrite."""
        op = writer.operand.op
        if writer.is_whole:
            times = executions(op)
        else:
            times = self._program.changes(root, writer.path, op)
        if not is_writable(root):
            reason = f"{op_name(op)} changes it, and its memory must not be written"
            return ForcedCopy(writer.operands, writer.size, times, reason)
        later = [reader for reader in readers if _overlap(reader.path, writer.written)]
        for reader in later[:_MANY]:
            reason = self._why_both(writer, reader)
            if reason:
                return ForcedCopy(
                    (*writer.operands, *reader.operands),
                    min(writer.size, reader.size),
                    times,
                    reason,
                )
        return None

    def _why_both(self, writer: _Writer, reader: _Reader) -> str:
        """Why the reader needs what was there before the writer; empty if it may not."""
        op, other = writer.operand.op, reader.operand.op
        if other is op:
            model = BufferizableOpInterface.of(op)
            if (
                isinstance(op, LinalgStructuredOperation)
                and reader.operand != writer.operand
                and reader.operand.value is writer.operand.value
                and model is not None
                and not model.is_elementwise(
                    op, reader.operand.index, writer.operand.index
                )
            ):
                return f"{op_name(op)} changes it while it still needs it as it was"
            return ""
        if self._program.dependences.must_follow(other, op):
            return (
                f"{op_name(op)} changes it, and {op_name(other)} needs it as it was, in "
                "whatever order"
            )
        return ""


def _all_but_one(root: SSAValue, writers: Iterable[_Writer]) -> Iterator[ForcedCopy]:
    """The copies for ops of which the last to run needs none: the largest, at best."""
    known: list[tuple[_Writer, int]] = []
    for writer in sorted(writers, key=lambda writer: writer.size, reverse=True):
        op = writer.operand.op
        loops = loops_between(op, block_of(root))
        assert loops is not None
        counts = [trip_count(loop) for loop in loops]
        if None in counts:
            yield ForcedCopy(
                writer.operands,
                writer.size,
                executions(op),
                f"{op_name(op)} changes it in each iteration, and needs it as it was",
            )
        else:
            known.append((writer, prod(n for n in counts if n is not None)))
    others = len(known) > 1
    for index, (writer, count) in enumerate(known):
        op = writer.operand.op
        around = executions(op) // count if count else 0
        needed = count if index else count - 1
        if needed > 0:
            yield ForcedCopy(
                # The last to run may be another one.
                (*writer.operands, *known[0][0].operands),
                writer.size,
                around * needed,
                "several ops change it, and each needs it as it was"
                if others
                else f"{op_name(op)} changes it in each iteration, and needs it as it "
                "was",
            )


def _overlap(a: AccessPath, b: AccessPath) -> bool:
    """Whether one of the parts is within the other."""
    within = (Relation.SAME, Relation.INSIDE)
    return relation(a, b) in within or relation(b, a) in within
