"""
Copies for ops that overwrite contents that are still needed.

    %a = tensor.insert %f into %t[%i]    // uses up what is in the place of %t
    %b = tensor.insert %g into %t[%i]    // needs it, too: one copy is forced
    %x = tensor.extract %t[%j]           // forces none, as it may run before both

An op that needs the contents of its init, and overwrites it, uses these contents up. They are in
one place to begin with. Each further op forces a copy, and one more is forced if the contents are
still needed after it, or if the memory must not be written. An op counts as "after" only if
operands require that order.

`_Readers` has the ops that need contents of a tensor's memory, or of a part of it:

    %x = tensor.extract %t[%i]                  // reads within %t, and within no known slice of it
    %s = tensor.extract_slice %t[0] [4] [1]
    %y = linalg.exp ins(%s) outs(%e)            // needs all of the place %t[0] [4], within %t

By place, the last readers first; of one place no more than `MAX_LATER_READERS`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod

from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.host.releases import linalg_abstract_ops
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.support.call_graph import is_function_argument
from xdsl_bufferization.support.limits import MAX_LATER_READERS
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import block_of, defining_op
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.verification.access_paths import (
    AccessPath,
    loop_of_regions,
    path_after_iteration,
    slice_step,
)
from xdsl_bufferization.verification.copy_bound.forced import (
    ForcedCopy,
    of_disjoint_parts,
    total,
)
from xdsl_bufferization.verification.copy_bound.links import Link, LinkKind, Operand
from xdsl_bufferization.verification.copy_bound.program import (
    Place,
    Program,
    executions,
    is_writable,
    loops_between,
)


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
    also: tuple[Operand, ...] = ()
    """Further operands at which it may be copied."""

    @property
    def is_whole(self) -> bool:
        """Whether it overwrites all of the operand."""
        return self.path == self.written

    @property
    def operands(self) -> tuple[Operand, ...]:
        return (self.operand, *self.also)


class Writers:
    """The copies that are forced by ops that overwrite what is still needed."""

    def __init__(self, program: Program):
        self._program = program
        self._writers: dict[SSAValue, list[_Writer]] = defaultdict(list)
        self._readers = _Readers()
        for operand in program.links.operands:
            self._gather(operand)
        self._carried = [
            argument
            for argument in program.links.sources
            if isinstance(argument, BlockArgument) and argument in self._writers
        ]

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
                destroys = program.contents.is_lost(link)
                writer = _Writer(operand, path, written, size, destroys, views)
                self._writers[root].append(writer)
        if part is None and (link is None or link.kind is not LinkKind.VIEW):
            size = program.contents.used(operand)
            if size:
                between = (*views, operand) if link is not None else views
                read = program.links.read_parts.get(operand)
                self._readers.add(
                    Place(root, path if read is None else (*path, slice_step(read))),
                    _Reader(operand, size, between),
                    needs_all=read is not None
                    or size == program.sizes.of(operand.value),
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
            if argument in self._program.links.targets.get(operand, ()):
                root, path = self._program.places.of(value)
                views = self._program.places.views(value)
                written = (*path, *inner.written)
                also = (*inner.operands, *views)
                self._writers[root].append(
                    _Writer(operand, path, written, inner.size, inner.destroys, also)
                )

    # Forced copies -----------------------------------------------------------------------

    def _of_root(self, root: SSAValue) -> Sequence[ForcedCopy]:
        by_part: dict[AccessPath, list[_Writer]] = defaultdict(list)
        for writer in self._writers[root]:
            by_part[writer.path].append(writer)
        return of_disjoint_parts(
            {part: self._of_part(root, writers) for part, writers in by_part.items()}
        )

    def _of_part(
        self, root: SSAValue, writers: Sequence[_Writer]
    ) -> Sequence[ForcedCopy]:
        kept: list[ForcedCopy] = []
        used_up: list[_Writer] = []
        partial: list[ForcedCopy] = []
        writers = [
            writer
            for writer in writers
            if loops_between(writer.operand.op, block_of(root)) is not None
        ]
        for writer in writers:
            copy = self._of_writer(root, writer)
            if not writer.is_whole:
                partial += [] if copy is None else [copy]
            elif copy is not None:
                kept.append(copy)
            else:
                used_up.append(writer)
        kept += _all_but_one(root, used_up)
        # One copy serves all ops that change parts, one after the other.
        one = sorted(partial, key=lambda copy: copy.total)[-1:]
        return max(kept, one, self._at_once(root, writers), key=total)

    def _at_once(
        self, root: SSAValue, writers: Sequence[_Writer]
    ) -> Sequence[ForcedCopy]:
        """The copies for ops whose results one op needs together, perhaps with the root."""
        by_user: dict[Operation, dict[object, _Writer]] = defaultdict(dict)
        for writer in sorted(writers, key=lambda writer: writer.size, reverse=True):
            link = self._program.links.link(writer.operand)
            if link is not None and link.kind is LinkKind.UPDATE:
                op = writer.operand.op
                # Of ops that may do the same one will do.
                same = op_name(op), *op.operands
                for user in self._program.users_of_all(link.result):
                    by_user[user].setdefault(same, writer)
        needs_root = self._program.users_of_all(root)
        best: Sequence[ForcedCopy] = ()
        for user, together in by_user.items():
            first, *others = together.values()
            needed = (first, *others) if user in needs_root else others
            copies = [
                ForcedCopy(
                    (*writer.operands, *first.operands),
                    writer.size,
                    self._program.changes(root, writer.path, writer.operand.op),
                    f"{op_name(user)} needs several versions of it at once",
                )
                for writer in needed
            ]
            best = max(best, copies, key=total)
        return best

    def _of_writer(self, root: SSAValue, writer: _Writer) -> ForcedCopy | None:
        """The copy that is forced whatever other ops overwrite."""
        op = writer.operand.op
        if writer.is_whole:
            times = executions(op)
        else:
            times = self._program.changes(root, writer.path, op)
        if not is_writable(root):
            reason = f"{op_name(op)} changes it, and its memory must not be written"
            return ForcedCopy(writer.operands, writer.size, times, reason)
        if not writer.destroys:
            return None
        readers = {
            reader.operand.op: reader
            for reader in self._readers.overlapping(root, writer.written)
            if reader.operand.op is not op or _reads_what_it_writes(reader, writer)
        }
        if (reader := readers.get(op)) is not None:
            reason = f"{op_name(op)} changes it while it still needs it as it was"
        else:
            later = self._program.one_that_must_follow(readers, op)
            if later is None:
                return None
            reader = readers[later]
            reason = (
                f"{op_name(op)} changes it, and {op_name(later)} needs it as it was, in "
                "whatever order"
            )
        return ForcedCopy(
            (*writer.operands, *reader.operands),
            min(writer.size, reader.size),
            times,
            reason,
        )


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


def _all_but_one(root: SSAValue, writers: Iterable[_Writer]) -> Iterator[ForcedCopy]:
    """The copies for all ops but the last to run, which is the largest, at best."""
    known: list[tuple[_Writer, int]] = []
    for writer in sorted(writers, key=lambda writer: writer.size, reverse=True):
        op = writer.operand.op
        # Other loops change other parts in each iteration.
        counts = [
            trip_count(loop)
            for loop in loops_between(op, block_of(root)) or ()
            if path_after_iteration(writer.path, loop_of_regions(loop)) == writer.path
        ]
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


@dataclass(frozen=True, slots=True)
class _Reader:
    """An op that needs contents, in whatever place."""

    operand: Operand
    size: int
    """The bytes that it needs."""
    operands: tuple[Operand, ...]
    """The operands of the links between the root and what it reads."""


class _Readers:
    """The readers of all places of a program, which are added in the order of the text."""

    def __init__(self) -> None:
        last = partial[deque[_Reader]](deque, maxlen=MAX_LATER_READERS)
        self._at: dict[Place, deque[_Reader]] = defaultdict(last)
        self._within: dict[Place, deque[_Reader]] = defaultdict(last)

    def add(self, place: Place, reader: _Reader, *, needs_all: bool) -> None:
        """Add an op that needs all contents of the place, or some of them."""
        if needs_all:
            _append(self._at[place], reader)
        for length in range(len(place.path) + 1):
            _append(self._within[Place(place.root, place.path[:length])], reader)

    def overlapping(self, root: SSAValue, path: AccessPath) -> Iterator[_Reader]:
        """
        _Readers of what is within the place, or of all that is around it; the last ones
        first.
        """
        yield from reversed(self._within.get(Place(root, path), ()))
        for length in reversed(range(len(path))):
            yield from reversed(self._at.get(Place(root, path[:length]), ()))


def _append(readers: deque[_Reader], reader: _Reader) -> None:
    MAX_LATER_READERS.exceeded_by(len(readers) + 1)
    readers.append(reader)
