"""
The memory of functions on memrefs: when buffers are allocated, used, copied and freed, and how much
is live over time.

    %r = func.call @net(%x)   // @net: 49,152 bytes at once, and returns 16,384 of them as %r

During the call, 32,768 bytes are alive besides `%r`, which the caller has from then on. Functions
are read callees first, so that the peak of a callee is known. That of a recursive function, or
one without a body, is not: such calls are listed as not counted.

Buffers of branches that exclude each other are never live at the same time: a buffer is not live
in a branch that excludes its allocation. After the branches, the buffers of only one of them are
live: the branch with the most memory counts.

One part of an arena may hold several buffers one after the other, since common subexpression
elimination merges views at the same offset. A new buffer begins where another part has used the
same bytes in between.

Bodies of structured ops, which compute single elements, are loops that buffers can be in, but no
loops of the program that a chart would show. Takes time linear in the positions, and in the
nesting of loops.

One file of more than 600 lines: buffers, spans, branches and the sum of what is live read one
another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from sortedcontainers import SortedList
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xdsl_bufferization.interfaces.allocation import (
    AllocationOpInterface,
    AutomaticAllocationScope,
    allocated_by,
)
from xdsl_bufferization.interfaces.buffer_effects import BufferEffect
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface, is_loop
from xdsl_bufferization.interfaces.view_like import byte_shift_of, viewed_by
from xdsl_bufferization.memrefs.buffers.allocation_uses import (
    Allocation,
    LiveRanges,
    MemrefFlows,
)
from xdsl_bufferization.memrefs.buffers.program_points import (
    ExclusiveBranches,
    Loop,
    Path,
    ProgramPoints,
    path_of,
)
from xdsl_bufferization.memrefs.placement.arenas import ARENA_ATTRIBUTE
from xdsl_bufferization.report.model import (
    Arena,
    Buffer,
    BufferCopy,
    Ending,
    Kind,
    LoopExtent,
    MemoryFunction,
    Span,
    Step,
    Usage,
)
from xdsl_bufferization.report.source import (
    NONE,
    UNKNOWN,
    Formula,
    Note,
    Source,
    is_at_most,
    magnitude,
    number_of,
    without_unknown,
)
from xdsl_bufferization.support.attributes import argument_attribute, constant_integer
from xdsl_bufferization.support.call_graph import (
    functions_in,
    within_function,
)
from xdsl_bufferization.support.memref_types import without_casts
from xdsl_bufferization.support.names import op_name, printed_symbol
from xdsl_bufferization.support.polynomials import Polynomial
from xdsl_bufferization.support.regions import blocks_in_order, defining_op
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.tensors.costs.profile import live_sizes
from xdsl_bufferization.verification.copy_bound.program import executions


def memory_functions(
    module: ModuleOp,
    source: Source,
    functions: Iterable[Operation] | None = None,
    known: Mapping[Operation, MemoryFunction] = MappingProxyType({}),
) -> Mapping[Operation, MemoryFunction]:
    """
    The memory of these functions of a module, or of all that have a body, callees included;
    `known` is that of other functions.
    """
    flows = MemrefFlows(module)
    graph = flows.calls
    if functions is None:
        functions = (
            f for f in functions_in(module) if any(r.blocks for r in f.regions)
        )
    chosen = {*functions}
    found: dict[Operation, MemoryFunction] = {}
    callees = {f: memory for f, memory in known.items() if f not in graph.recursive}
    for function in graph.all_callees_first():
        if function in chosen:
            memory = _Reader(function, source, flows, callees).read()
            found[function] = memory
            if function not in graph.recursive:
                callees[function] = memory
    return found


@dataclass(frozen=True, slots=True)
class _Taken:
    """A memref that is a new buffer, or a part of an arena."""

    op: Operation
    memref: OpResult
    kind: Kind
    offset: Formula | None = None
    """The offset of a part of an arena, in bytes."""

    @property
    def memory(self) -> Kind | SSAValue:
        """The kind of memory, or the arena."""
        is_part = self.offset is not None
        return without_casts(self.op.operands[0]) if is_part else self.kind


class _Reader:
    """Collects the buffers of a function from its ops."""

    def __init__(
        self,
        function: Operation,
        source: Source,
        flows: MemrefFlows,
        callees: Mapping[Operation, MemoryFunction],
    ):
        self._function = function
        self._source = source
        self._uses = flows.uses(function)
        self._points = ProgramPoints(function)
        self._live_ranges = LiveRanges(self._uses.flow, self._points)
        self._end = len(self._points.at)
        self._note_of_loop = cache(self._described)
        self._branches = ExclusiveBranches()
        reached = self._uses.flow.position
        self._ops = [op for op in self._points.at if op is not None and op in reached]
        self._calls = [op for op in self._ops if isinstance(op, func.CallOp)]
        called = ((op, flows.calls.callee(op)) for op in self._calls)
        self._called: Mapping[Operation, MemoryFunction] = {
            op: callees[callee]
            for op, callee in called
            if callee is not None and callee in callees
        }
        """By call: the memory of the function that it calls, if it is known."""

    def read(self) -> MemoryFunction:
        """The report on the function."""
        taken = [taken for op in self._ops for taken in self._taken(op)]
        parts: defaultdict[Kind | SSAValue, list[_Taken]] = defaultdict(list)
        for part in taken:
            if part.offset is not None:
                parts[part.memory].append(part)
        held = {
            part: buffers
            for arena in parts.values()
            for part, buffers in zip(arena, self._parts(arena), strict=True)
        }
        made = [(t, b) for t in taken for b in held.get(t) or [self._buffer(t)]]
        buffers = [buffer for _, buffer in made]
        by_memory: defaultdict[Kind | SSAValue, list[int]] = defaultdict(list)
        given = Counter[Operation]()
        """By op: the bytes of known size of the buffers that it allocates."""
        for number, (t, buffer) in enumerate(made):
            by_memory[t.memory].append(number)
            given[t.op] += buffer.size or 0
        for numbers in by_memory.values():
            made_by = {number: made[number][0].op for number in numbers}
            buffers = self._with_gaps(buffers, made_by)
        for op, memory in self._called.items():
            buffers += self._during(op, memory, given[op])

        def usage_of_kind(kind: Kind) -> Usage:
            of_kind = [i for i, b in enumerate(buffers) if b.kind == kind]
            return _usage_of(buffers, of_kind, self._moment)

        def arena(memory: SSAValue) -> Arena:
            numbers = by_memory[memory]
            return Arena(
                self._source.value_name(memory),
                self._source.sizes.of_memory(memory),
                self._source.place(memory.op) if isinstance(memory, OpResult) else None,
                not isinstance(memory, OpResult),
                numbers,
                _usage_of(buffers, numbers, self._moment),
            )

        name = self._function.properties["sym_name"]
        positions = [op and self._source.position(op) for op in self._points.at]
        return MemoryFunction(
            name=name.data if isinstance(name, StringAttr) else "",
            place=self._source.place(self._function),
            positions=self._end,
            lines=[position and position[0] for position in positions],
            buffers=buffers,
            heap=usage_of_kind("heap"),
            stack=usage_of_kind("stack"),
            arenas=[arena(it) for it in by_memory if isinstance(it, SSAValue)],
            copies=[copy for op in self._ops for copy in self._copies(op)],
            calls=[
                Note(str(op.callee), self._source.place(op))
                for op in self._calls
                if op not in self._called
            ],
            loops=self._extents(),
        )

    def _during(
        self, op: Operation, memory: MemoryFunction, given: int
    ) -> Iterator[Buffer]:
        """
        The memory that is there during a call, by kind, besides the `given` bytes that the caller
        has from then on.
        """
        position, note = int(self._points.position(op)), self._note_of(op)
        span = Span(position, position + 1)
        may_be_more = (
            memory.heap.is_lower_bound
            or memory.stack.is_lower_bound
            or any(buffer.is_left for buffer in memory.buffers)
        )
        kinds: Sequence[tuple[Kind, Usage, int]] = (
            ("heap", memory.heap, given),
            ("stack", memory.stack, 0),
        )
        for kind, usage, there in kinds:
            size = (usage.peak.live_bytes if usage.peak else 0) - there
            if size > 0 or (kind == "heap" and may_be_more):
                yield Buffer(
                    name=printed_symbol(memory.name),
                    type="",
                    bytes=number_of(max(size, 0)),
                    kind=kind,
                    op=note.text,
                    place=note.place,
                    loops=self._loops_around(position),
                    ending="during the call",
                    taken=span,
                    used=span,
                    first_use=note,
                    last_use=note,
                    is_callee=True,
                    may_be_more=may_be_more,
                    in_parallel=self._is_in_parallel(op),
                )

    # New buffers

    def _taken(self, op: Operation) -> Iterator[_Taken]:
        """The op's results that are new buffers or parts of an arena."""
        memrefs = [result for result in op.results if is_memref_type(result.type)]
        if not memrefs:
            return
        model = AllocationOpInterface.of(op)
        if model is not None:
            kind = "heap" if model.is_freed(op) else "stack"
            yield from (_Taken(op, memref, kind) for memref in model.allocated(op))
        elif allocated := allocated_by(op):
            yield from (_Taken(op, memref, "heap") for memref in allocated)
        elif (offset := self._offset_in_arena(op)) is not None:
            yield _Taken(op, op.results[0], "arena", offset)
        elif op not in self._uses.flow.edges:
            given = [m for m in memrefs if not viewed_by(m) and self._is_given(op, m)]
            if given:
                # By the rules of deallocation, a returned buffer is not an argument of the call.
                self._uses.assume_new_results(op)
            yield from (_Taken(op, memref, "heap") for memref in given)

    def _is_given(self, op: Operation, result: OpResult) -> bool:
        """
        Whether a result, as of a call, is a buffer that the function has to free: it is freed, or
        is new memory of a callee that is handed on.
        """
        allocation = self._uses.allocation(op, result)
        memory = self._called.get(op)
        return allocation.is_freed or (
            allocation.is_returned
            and memory is not None
            and any(buffer.ending == "returned" for buffer in memory.buffers)
        )

    def _buffer(self, taken: _Taken) -> Buffer:
        """The report on a buffer on the heap or on the stack."""
        op = taken.op
        allocation = self._uses.allocation(op, taken.memref)
        allocated = int(self._points.position(op))
        touches = [*self._live_ranges.touches(allocation)]
        users = [t.op for t in touches if t.effect is not BufferEffect.FREE]
        buffer = self._describe(taken, allocation, users)
        if taken.kind == "stack":
            scope, start, end = self._scope(op), -1, self._end
            if scope is not None:
                start = self._points.position(scope) + 1
                end = self._points.end(scope) + 1
            around = self._points.loops_around(allocated)
            return replace(
                buffer,
                taken=Span(allocated, end),
                # A scope that is a loop starts itself there.
                piles_up=any(loop.first > start for loop in around),
            )
        frees = [*dict.fromkeys(t.op for t in touches if t.frees)]
        is_freed = buffer.ending == "freed"
        freed = _hull(self._spans(frees, allocated)) if is_freed else None
        span = Span(allocated, max(allocated, freed.end) if freed else self._end)
        loop, more = self._forwarding_loop(allocation)
        if loop is not None:
            span = Span(min(span.first, loop.first), max(span.end, loop.end))
        return replace(
            buffer,
            taken=span,
            frees=[self._note_of(free) for free in frees],
            loop=loop,
            more_at_once=more,
            piles_up=bool(buffer.loops) and not frees,
        )

    def _describe(
        self, taken: _Taken, allocation: Allocation, users: Sequence[Operation]
    ) -> Buffer:
        """The part of the report that is the same for all kinds of buffers."""
        op = taken.op
        allocated = int(self._points.position(op))
        used = _hull(self._spans(users, allocated))
        first = min(users, key=self._points.position, default=None)
        last = max(users, key=self._points.end, default=None)
        return Buffer(
            name=self._source.value_name(taken.memref),
            type=str(taken.memref.type),
            bytes=self._source.sizes.of_memory(taken.memref),
            kind=taken.kind,
            op=self._source.op_name(op),
            place=self._source.place(op),
            loops=self._loops_around(allocated),
            ending=_ending(taken.kind, allocation),
            taken=used or Span(allocated, allocated),
            used=used,
            first_use=first and self._note_of(first),
            last_use=last and self._note_of(last),
            in_parallel=self._is_in_parallel(op),
            offset_bytes=taken.offset,
            output_name=self._source.output_name(taken.memref),
        )

    def _spans(self, ops: Iterable[Operation], allocated: int) -> Sequence[Span]:
        """From the start to the end of each op, or of the loop that repeats it."""
        intervals = (self._live_ranges.interval(op, allocated) for op in ops)
        return [Span(first, last + 1) for first, last in intervals]

    def _forwarding_loop(self, allocation: Allocation) -> tuple[Span | None, int]:
        """
        The outermost loop that forwards the buffer to its next iteration, and the number of
        arguments in which it does.
        """
        allocated = int(self._points.position(allocation.op))
        carried = map(
            self._points.defined_at, self._live_ranges.loop_carried(allocation)
        )
        around = [
            [loop for loop in self._points.loops_around(allocated) if loop.first <= at]
            for at in carried
        ]
        forwarding = [loops[0] for loops in around if loops]
        outer = min(forwarding, key=lambda loop: loop.first, default=None)
        return outer and Span(outer.first, outer.last + 1), len(forwarding)

    def _is_in_parallel(self, op: Operation) -> bool:
        """Whether the op is in a parallel region."""
        return any(map(_is_parallel, [*within_function(op)][1:]))

    def _scope(self, op: Operation) -> Operation | None:
        """The op at whose end stack buffers are freed; `None` for the function."""
        return next(
            (
                above
                for above in [*within_function(op)][1:]
                if AutomaticAllocationScope.of(above) is not None or is_loop(above)
            ),
            None,
        )

    # Arenas and copies

    def _parts(self, taken: Sequence[_Taken]) -> Sequence[Sequence[Buffer]]:
        """For each part of an arena the buffers that it holds."""
        allocations = [self._uses.allocation(t.op, t.memref) for t in taken]
        users = [[t.op for t in self._live_ranges.touches(a)] for a in allocations]
        parts: list[Part] = []
        for part, ops in zip(taken, users, strict=True):
            size = self._source.sizes.of_memory(part.memref)
            parts.append(
                Part(
                    magnitude(part.offset),
                    None if size is None else magnitude(size),
                    self._spans(ops, int(self._points.position(part.op))),
                )
            )
        return [
            [
                self._describe(part, allocation, [ops[i] for i in uses])
                for uses in buffers or [()]
            ]
            for part, allocation, ops, buffers in zip(
                taken, allocations, users, buffers_of_parts(parts), strict=True
            )
        ]

    def _offset_in_arena(self, op: Operation) -> Formula | None:
        """
        The offset in bytes of a view in an arena of the function; `None` for other ops, and if it
        is not known.

            %part = memref.view %arena[%c64][] : memref<256xi8> to memref<8xf32>    // 64
        """
        shift = byte_shift_of(op)
        if shift is None or not self._is_arena(without_casts(op.operands[0])):
            return None
        if (offset := constant_integer(shift)) is not None:
            return number_of(offset)
        return self._source.sizes.number(shift)

    def _is_arena(self, memory: SSAValue) -> bool:
        """Whether the memref is allocated in the function, or an arena argument."""
        if not isinstance(memory, BlockArgument):
            return AllocationOpInterface.of(defining_op(memory)) is not None
        function, index = self._function, memory.index
        return (
            memory.block.parent_op() is function
            and argument_attribute(function, index, ARENA_ATTRIBUTE) is not None
        )

    def _copies(self, op: Operation) -> Iterator[BufferCopy]:
        model = CopyOpInterface.of(op)
        if model is None:
            return
        source = model.source(op)
        # The target of a clone is its result.
        target = op.results[0] if op.results else model.target(op)
        if is_memref_type(source.type) and is_memref_type(target.type):
            sizes = self._source.sizes
            yield BufferCopy(
                self._source.value_name(source),
                self._source.value_name(target),
                sizes.of_contents(source) or sizes.of_contents(target),
                op_name(op),
                self._source.place(op),
                self._loops_around(int(self._points.position(op))),
                executions(op),
            )

    # Notes and loops

    def _note_of(self, op: Operation) -> Note:
        return Note(self._source.op_name(op), self._source.place(op))

    def _moment(self, position: int) -> Note:
        """The op at the position; where a block starts or the function ends, the nearest one."""
        at = self._points.at
        nearest = (*at[position : position + 2], *reversed(at[:position]))
        return self._note_of(next(op for op in nearest if op is not None))

    def _loops_around(self, position: int) -> Sequence[Note]:
        """The loops around the position, the outermost first."""
        around = [*self._points.loops_around(position)]
        return [self._note_of_loop(loop) for loop in reversed(around)]

    def _extents(self) -> Sequence[LoopExtent]:
        """The loops, each before those within it, without bodies of structured ops."""
        depths: dict[Loop, int] = {}
        for position in range(self._end):
            around = [*self._points.loops_around(position)]
            for depth, loop in enumerate(reversed(around)):
                depths.setdefault(loop, depth)
        return [
            LoopExtent(self._note_of_loop(loop), Span(loop.first, loop.last + 1), depth)
            for loop, depth in depths.items()
            if not any(
                DestinationStyleOpInterface.of(around) is not None
                for op in [self._op_of(loop)]
                for around in (() if op is None else within_function(op))
            )
        ]

    def _op_of(self, loop: Loop) -> Operation | None:
        """The op before the loop: the loop itself if it has regions."""
        return self._points.at[loop.first - 1] if loop.first else None

    def _described(self, loop: Loop) -> Note:
        above = self._op_of(loop)
        if above is None or not above.regions:
            first = next(filter(None, self._points.at[loop.first :]))
            return Note("a loop of branches", self._source.place(first))
        text = self._source.op_name(above)
        if _is_parallel(above):
            text += ", whose runs may happen at the same time"
        return Note(text, self._source.place(above))

    # Branches

    def _with_gaps(
        self, buffers: Sequence[Buffer], made_by: Mapping[int, Operation]
    ) -> list[Buffer]:
        """
        The buffers, with the gaps in which they are not there: `made_by` has the op that
        allocates each buffer that may have any, by the index of the buffer.
        """
        paths: dict[int, Path] = {}
        gaps: dict[int, list[Span]] = {}
        for number, op in made_by.items():
            buffer = buffers[number]
            # If a loop may leave one, branches of its next iteration do not exclude it.
            leaves = buffer.loop is not None or buffer.ending != "freed"
            if not (buffer.loops and leaves) and (path := path_of(op)):
                paths[number] = path
                gaps[number] = [*self._excluding(buffer.taken, path)]
        there = (
            (span.first, span.end, Polynomial[int].of(number))
            for number in paths
            for span in _without(buffers[number].taken, _joined(gaps[number]))
        )
        moments = live_sizes(there, Polynomial[int]({}))
        for (position, live), (following, _) in pairwise([*moments]):
            # After branches, the buffers of those with less memory are not there.
            if len(alive := [*live.symbols]) > 1:
                counted = self._counted(buffers, paths, alive, 0)
                for number in {*alive} - {*counted}:
                    gaps[number].append(Span(int(position), int(following)))
        return [
            replace(buffer, gaps=_joined(gaps[number])) if number in gaps else buffer
            for number, buffer in enumerate(buffers)
        ]

    def _excluding(self, span: Span, path: Path) -> Iterator[Span]:
        """The parts of the span that are in branches outside of the path."""
        for branch in path:
            for block in self._branches.others(branch):
                if block.first_op is not None and block.last_op is not None:
                    first = int(self._points.position(block.first_op)) - 1
                    end = self._points.end(block.last_op) + 1
                    if first < span.end and span.first < end:
                        yield Span(max(first, span.first), min(end, span.end))

    def _counted(
        self,
        buffers: Sequence[Buffer],
        paths: Mapping[int, Path],
        alive: Iterable[int],
        depth: int,
    ) -> Sequence[int]:
        """
        Those of the buffers that are alive in the branches with the most memory, given that their
        paths agree up to this depth.
        """

        def size(numbers: Sequence[int]) -> tuple[int, int]:
            """The known bytes, and the number of buffers of unknown size."""
            sizes = [buffers[number].size for number in numbers]
            return sum(filter(None, sizes)), sizes.count(None)

        counted: list[int] = []
        branches: dict[Operation | Region, dict[Region | Block, list[int]]] = {}
        for number in alive:
            if len(paths[number]) == depth:
                counted.append(number)
            else:
                branch = paths[number][depth]
                taken = branches.setdefault(branch.of, {})
                taken.setdefault(branch.taken, []).append(number)
        for of, by_branch in branches.items():
            found: dict[Region | Block, Sequence[int]] = {
                taken: self._counted(buffers, paths, numbers, depth + 1)
                for taken, numbers in by_branch.items()
            }
            passed: list[Block] = []
            for block in blocks_in_order(of) if isinstance(of, Region) else ():
                # Control may pass several of the blocks.
                if block in found:
                    before = [
                        found[other]
                        for other in passed
                        if block in self._branches.reachable(other)
                    ]
                    most = max(before, key=size, default=())
                    found[block] = [*found[block], *most]
                    passed.append(block)
            counted += max(found.values(), key=size)
        return counted


def _is_parallel(op: Operation) -> bool:
    """Whether the op has a parallel region."""
    model = RegionBranchOpInterface.of(op)
    return model is not None and any(
        model.is_parallel(op, region) for region in range(len(op.regions))
    )


def _ending(kind: Kind, allocation: Allocation) -> Ending:
    if kind == "arena":
        return "part of an arena"
    if kind == "stack":
        return "freed with the stack"
    leaves = allocation.is_returned or allocation.escapes
    if allocation.is_freed:
        return "freed or handed on" if leaves else "freed"
    if allocation.is_returned:
        return "returned"
    return "stored" if allocation.escapes else "never freed"


# Parts of arenas -------------------------------------------------------------------------


class Part(NamedTuple):
    """
    A range of bytes of an arena, and when it is used; of bytes that are known at run time, their
    `magnitude`.
    """

    offset: int
    size: int | None
    uses: Sequence[Span]


def buffers_of_parts(parts: Sequence[Part]) -> Sequence[Sequence[Sequence[int]]]:
    """For each part its buffers, each as the indices of its uses, in order."""
    found: list[list[list[int]]] = [[] for _ in parts]
    uses = sorted(
        (use.first, use.end, number, index)
        for number, part in enumerate(parts)
        for index, use in enumerate(part.uses)
    )
    open_parts: SortedList[tuple[int, int]] = SortedList()
    """The parts in use, by offset and index; no two of them share bytes."""
    for _, _, number, index in uses:
        offset, size, _ = parts[number]
        if size is None:
            # Its bytes are unknown, so all uses count as one buffer.
            found[number] = found[number] or [[]]
        elif (offset, number) not in open_parts:
            first = open_parts.bisect_left((offset, -1))
            if first:
                before, other = open_parts[first - 1]
                first -= before + (parts[other].size or 0) > offset
            del open_parts[first : open_parts.bisect_left((offset + size, -1))]
            open_parts.add((offset, number))
            found[number].append([])
        found[number][-1].append(index)
    return found


# Usage over time -------------------------------------------------------------------------

_Spans: TypeAlias = "Iterable[tuple[Span, int]]"
"""Ranges of positions, each with how many times the buffer counts there."""

_MAX_PEAKS = 3
"""The most steps beside the peak: each needs most memory for some sizes."""


def _usage_of(
    buffers: Sequence[Buffer], numbers: Sequence[int], moment: Callable[[int], Note]
) -> Usage:
    """How much memory the buffers with these indices use at each position."""
    chosen = [buffers[number] for number in numbers]
    if not chosen:
        return Usage((), None, (), (), 0, False)
    steps = [
        Step(int(position), *without_unknown(live), moment(int(position)))
        for position, live in _live(chosen, taken_spans)
    ]
    peak = max(steps, key=lambda step: (magnitude(step.bytes), step.unknown))
    others, has_more = _other_peaks(steps, peak)
    following = (s.position for s in steps if s.position > peak.position)
    then = Span(peak.position, next(following, peak.position + 1))

    def is_there(number: int, spans: Callable[[Buffer], _Spans]) -> bool:
        return any(
            s.first < then.end and then.first < s.end for s, _ in spans(buffers[number])
        )

    alive = [n for n in numbers if is_there(n, taken_spans)]
    alive.sort(key=lambda n: -magnitude(buffers[n].bytes))
    return Usage(
        steps=steps,
        peak=peak,
        alive=alive,
        idle=[n for n in alive if not is_there(n, _needed)],
        needed_bytes=max(
            live.terms.get(frozenset(), 0) for _, live in _live(chosen, _needed)
        ),
        is_lower_bound=has_more
        or any(
            b.piles_up or b.in_parallel or b.may_be_more or b.bytes is None
            for b in chosen
        )
        # Which of several branches has the most memory is known at run time.
        or (any(b.gaps for b in chosen) and any(b.size is None for b in chosen)),
        other_peaks=others,
    )


def _other_peaks(steps: Sequence[Step], peak: Step) -> tuple[Sequence[Step], bool]:
    """The steps that may have more live bytes than the peak, and whether some are left out."""
    others: list[Step] = []
    if any(step.bytes.number is None for step in steps):
        for step in sorted(steps, key=lambda step: -magnitude(step.bytes)):
            if not any(is_at_most(step.bytes, o.bytes) for o in (peak, *others)):
                if len(others) == _MAX_PEAKS:
                    return others, True
                others.append(step)
    return others, False


def _live(
    buffers: Sequence[Buffer], spans: Callable[[Buffer], _Spans]
) -> Iterator[tuple[float, Formula]]:
    """Each position at which something changes, with the live bytes from there on."""
    ranges = (
        (span.first, span.end, (buffer.bytes or UNKNOWN).times(number))
        for buffer in buffers
        for span, number in spans(buffer)
    )
    return live_sizes(chain([(0, 0, NONE)], ranges), NONE)


def taken_spans(buffer: Buffer) -> _Spans:
    """When the buffer is allocated."""
    if buffer.taken.first < buffer.taken.end:
        yield from _counts(buffer, buffer.taken)


def _needed(buffer: Buffer) -> _Spans:
    """When the buffer is used, in the function or, if it escapes, after it."""
    leaves = buffer.ending in ("returned", "stored", "freed or handed on")
    if buffer.used is not None or leaves:
        used = buffer.used or buffer.taken
        end = max(used.end, buffer.taken.end) if leaves else used.end
        yield from _counts(buffer, Span(used.first, end))


def _counts(buffer: Buffer, span: Span) -> _Spans:
    """The parts of the span that are not in branches without the buffer, and its loop."""
    yield from ((part, 1) for part in _without(span, buffer.gaps))
    if buffer.loop is not None:
        yield buffer.loop, buffer.more_at_once


def _hull(spans: Sequence[Span]) -> Span | None:
    """From the first start to the last end of the spans, if there are any."""
    if not spans:
        return None
    return Span(min(span.first for span in spans), max(span.end for span in spans))


def _joined(spans: Iterable[Span]) -> Sequence[Span]:
    """The spans in order; those that touch or overlap are one."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: span.first):
        if joined and span.first <= joined[-1].end:
            joined[-1] = Span(joined[-1].first, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def _without(span: Span, gaps: Sequence[Span]) -> Iterator[Span]:
    """The parts of the span that are not in the gaps, which are in order."""
    first = span.first
    for gap in gaps:
        if first < gap.first < span.end:
            yield Span(first, gap.first)
        first = max(first, gap.end)
    if first < span.end:
        yield Span(first, span.end)
