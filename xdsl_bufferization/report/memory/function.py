"""
The buffers of a function on memrefs: when they are allocated, used, copied and freed.

Parts of arenas, and the buffers that they hold.

One part may hold several buffers one after the other, since common subexpression
elimination merges views at the same offset. A new buffer begins where another part has used
the same bytes in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sortedcontainers import SortedList
from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.buffers.allocation_uses import (
    Allocation,
    AllocationUses,
    LiveRanges,
)
from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.program_points import Loop, ProgramPoints
from xdsl_bufferization.interfaces.allocation import (
    AllocationOpInterface,
    AutomaticAllocationScope,
    allocated_by,
)
from xdsl_bufferization.interfaces.buffer_effects import BufferEffect
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.region_branch import is_loop
from xdsl_bufferization.interfaces.view_like import byte_shift_of, viewed_by
from xdsl_bufferization.placement.arenas import ARENA_ATTRIBUTE
from xdsl_bufferization.report.buffer_sizes import Formula, magnitude, number_of
from xdsl_bufferization.report.memory.usage import (
    Branches,
    CalleeMemory,
    Callees,
    Loops,
    Moments,
    is_parallel,
    usage_of,
)
from xdsl_bufferization.report.model import (
    Arena,
    Buffer,
    BufferCopy,
    Ending,
    Kind,
    MemoryFunction,
    Span,
)
from xdsl_bufferization.report.source import Note, Source
from xdsl_bufferization.support.attributes import argument_attributes, constant_integer
from xdsl_bufferization.support.call_graph import within_function
from xdsl_bufferization.support.memref_types import without_casts
from xdsl_bufferization.support.names import op_name, printed_symbol
from xdsl_bufferization.support.regions import defining_op
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.verification.copy_bound.repetitions import executions


def memory_function(
    function: Operation,
    source: Source,
    calls: CallEffects | None = None,
    callees: Callees | None = None,
) -> MemoryFunction:
    """
    The memory of a function without tensors; `calls` says what calls free and store, `callees`
    how much memory the functions that are called have.
    """
    return _Reader(function, source, calls or CallEffects(), callees).read()


def memory_functions(
    functions: Iterable[Operation], source: Source, calls: CallEffects, callees: Callees
) -> Mapping[Operation, MemoryFunction]:
    """The memory of functions without tensors, including their callees."""
    found: dict[Operation, MemoryFunction] = {}
    for function in callees.callees_first(functions):
        memory = found[function] = memory_function(function, source, calls, callees)
        callees.add(function, memory)
    return found


@dataclass(frozen=True, slots=True)
class _Taken:
    """A memref that is a new buffer, or a part of an arena."""

    op: Operation
    memref: OpResult
    kind: Kind

    @property
    def memory(self) -> Kind | SSAValue:
        """The kind of memory, or the arena."""
        if self.kind != "arena":
            return self.kind
        return without_casts(self.op.operands[0])


class _Reader:
    """Collects the buffers of a function from its ops."""

    def __init__(
        self,
        function: Operation,
        source: Source,
        calls: CallEffects,
        callees: Callees | None,
    ):
        self._callees = callees
        self._function = function
        self._source = source
        self._uses = AllocationUses(function, calls)
        self._points = ProgramPoints(function)
        self._live_ranges = LiveRanges(self._uses.flow, self._points)
        self._end = len(self._points.at)
        self._loops = Loops(self._points, source)
        self._types: dict[Attribute, str] = {}

    def read(self) -> MemoryFunction:
        """The report on the function."""
        reached = self._uses.flow.position
        ops = [op for op in self._points.at if op is not None and op in reached]
        taken = [taken for op in ops for taken in self._taken(op)]
        by_memory: dict[Kind | SSAValue, list[_Taken]] = {}
        for t in taken:
            by_memory.setdefault(t.memory, []).append(t)
        made: dict[_Taken, Sequence[Buffer]] = {}
        for memory, here in by_memory.items():
            is_arena = isinstance(memory, SSAValue)
            found = self._parts(here) if is_arena else [[self._buffer(t)] for t in here]
            made.update(zip(here, found, strict=True))
        buffers: list[Buffer] = []
        numbers: dict[_Taken, range] = {}
        given = Counter[Operation]()
        """By op: the bytes of known size of the buffers that it allocates."""
        for t in taken:
            numbers[t] = range(len(buffers), len(buffers) + len(made[t]))
            buffers += made[t]
            given[t.op] += sum(buffer.size or 0 for buffer in made[t])
        branches = Branches(self._points, self._live_ranges)
        for here in by_memory.values():
            made_by = {number: t.op for t in here for number in numbers[t]}
            buffers = branches.with_gaps(buffers, made_by)
        called = {
            op: memory
            for op in ops
            if (memory := self._memory_of_callee(op)) is not None
        }
        for op, memory in called.items():
            buffers += self._during(op, memory, given[op])
        moments = Moments(self._points, self._source)

        def usage_of_kind(kind: Kind):
            of_kind = [i for i, b in enumerate(buffers) if b.kind == kind]
            return usage_of(buffers, of_kind, moments)

        def arena(memory: SSAValue) -> Arena:
            parts = [i for part in by_memory[memory] for i in numbers[part]]
            return Arena(
                self._source.value_name(memory),
                self._bytes(memory),
                self._source.place(memory.op) if isinstance(memory, OpResult) else None,
                parts,
                usage_of(buffers, parts, moments),
            )

        name = self._function.properties["sym_name"]
        return MemoryFunction(
            name=name.data if isinstance(name, StringAttr) else "",
            place=self._source.place(self._function),
            positions=self._end,
            lines=moments.lines(self._end),
            buffers=buffers,
            heap=usage_of_kind("heap"),
            stack=usage_of_kind("stack"),
            arenas=[arena(it) for it in by_memory if isinstance(it, SSAValue)],
            copies=[copy for op in ops for copy in self._copies(op)],
            calls=[
                Note(str(op.callee), self._source.place(op))
                for op in ops
                if isinstance(op, func.CallOp) and op not in called
            ],
            loops=self._loops.extents(),
        )

    # Calls

    def _memory_of_callee(self, op: Operation) -> CalleeMemory | None:
        """The memory of the function that the op calls, if it is known."""
        return None if self._callees is None else self._callees.of(op)

    def _during(
        self, op: Operation, memory: CalleeMemory, given: int
    ) -> Iterator[Buffer]:
        """
        The memory that is there during a call, by kind, besides the `given` bytes that the caller
        has from then on.
        """
        position, note = int(self._points.position(op)), self._note_of(op)
        span = Span(position, position + 1)
        kinds: Sequence[tuple[Kind, int]] = (
            ("heap", memory.heap - given),
            ("stack", memory.stack),
        )
        for kind, size in kinds:
            if size > 0 or (kind == "heap" and memory.is_lower_bound):
                yield Buffer(
                    name=printed_symbol(memory.name),
                    type="",
                    bytes=number_of(max(size, 0)),
                    kind=kind,
                    op=note.text,
                    place=note.place,
                    loops=self._loops.around(position),
                    ending="during the call",
                    taken=span,
                    used=span,
                    first_use=note,
                    last_use=note,
                    frees=(),
                    is_callee=True,
                    may_be_more=memory.is_lower_bound,
                    in_parallel=self._is_in_parallel(op),
                )

    # New buffers

    def _taken(self, op: Operation) -> Iterator[_Taken]:
        """The op's results that are new buffers or parts of an arena."""
        if not any(is_memref_type(result.type) for result in op.results):
            return
        model = AllocationOpInterface.of(op)
        if model is not None:
            kind = "heap" if model.is_freed(op) else "stack"
            yield from (_Taken(op, memref, kind) for memref in model.allocated(op))
        elif allocated := allocated_by(op):
            yield from (_Taken(op, memref, "heap") for memref in allocated)
        elif offset_in_arena(op, self._function, self._source) is not None:
            yield _Taken(op, op.results[0], "arena")
        elif op not in self._uses.flow.edges:
            yield from self._given(op)

    def _given(self, op: Operation) -> Iterator[_Taken]:
        """The results, as of a call, that are buffers which the function has to free."""
        given = [
            _Taken(op, result, "heap")
            for result in op.results
            if is_memref_type(result.type)
            and not viewed_by(result)
            and self._is_given(op, result)
        ]
        if given:
            # By the rules of deallocation, a returned buffer is not an argument of the call.
            self._uses.assume_new_results(op)
        return iter(given)

    def _is_given(self, op: Operation, result: OpResult) -> bool:
        """Whether a result is freed, or is new memory of a callee that is handed on."""
        allocation = self._uses.allocation(op, result)
        memory = self._memory_of_callee(op)
        is_new = memory is not None and memory.returned > 0
        return allocation.is_freed or (allocation.is_returned and is_new)

    # Live ranges

    def _buffer(self, taken: _Taken) -> Buffer:
        """The report on a buffer on the heap or on the stack."""
        op = taken.op
        allocation = self._uses.allocation(op, taken.memref)
        allocated = int(self._points.position(op))
        touches = [*self._live_ranges.touches(allocation)]
        users = [t.op for t in touches if t.effect is not BufferEffect.FREE]
        buffer = self._describe(taken, allocation, users)
        if taken.kind == "stack":
            scope = self._scope(op)
            return replace(
                buffer,
                taken=Span(allocated, self._after(scope)),
                piles_up=any(
                    scope is None or self._is_within(loop, scope)
                    for loop in self._points.loops_around(allocated)
                ),
            )
        frees = [*dict.fromkeys(t.op for t in touches if t.frees)]
        span = self._span(frees, allocated, buffer.ending)
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

    def _is_within(self, loop: Loop, scope: Operation) -> bool:
        """Whether the loop is inside the scope, and is not the scope itself."""
        first, last = self._points.position(scope) + 1, self._points.end(scope)
        return (
            first <= loop.first
            and loop.last <= last
            and ((first, last) != (loop.first, loop.last))
        )

    def _describe(
        self, taken: _Taken, allocation: Allocation, users: Sequence[Operation]
    ) -> Buffer:
        """The part of the report that is the same for all kinds of buffers."""
        op = taken.op
        allocated = int(self._points.position(op))
        used = self._hull(users, allocated)
        return Buffer(
            name=self._source.value_name(taken.memref),
            type=self._type(taken.memref.type),
            bytes=self._bytes(taken.memref),
            kind=taken.kind,
            op=self._source.op_name(op),
            place=self._source.place(op),
            loops=self._loops.around(allocated),
            ending=_ending(taken.kind, allocation),
            taken=used or Span(allocated, allocated),
            used=used,
            first_use=self._note(min(users, key=self._points.position, default=None)),
            last_use=self._note(max(users, key=self._points.end, default=None)),
            frees=(),
            in_parallel=self._is_in_parallel(op),
            output_name=self._source.output_name(taken.memref),
        )

    def _span(self, frees: Sequence[Operation], allocated: int, ending: Ending) -> Span:
        """When a heap buffer is allocated."""
        if ending != "freed":
            return Span(allocated, self._end)
        hull = self._hull(frees, allocated)
        return Span(allocated, max(allocated, hull.end) if hull else self._end)

    def _hull(self, ops: Sequence[Operation], allocated: int) -> Span | None:
        """From the first to the last of the ops, or of the loops that repeat them."""
        if not ops:
            return None
        intervals = [self._live_ranges.interval(op, allocated) for op in ops]
        return Span(min(i[0] for i in intervals), max(i[1] for i in intervals) + 1)

    def _forwarding_loop(self, allocation: Allocation) -> tuple[Span | None, int]:
        """
        The outermost loop that forwards the buffer to its next iteration, and the number of
        arguments in which it does.
        """
        allocated = self._points.position(allocation.op)
        found: Span | None = None
        number = 0
        for argument in self._live_ranges.loop_carried(allocation):
            start = int(self._points.defined_at(argument))
            for loop in self._points.loops_around(start):
                if loop.first <= allocated <= loop.last:
                    number += 1
                    if found is None or loop.first < found.first:
                        found = Span(loop.first, loop.last + 1)
                    break
        return found, number

    def _is_in_parallel(self, op: Operation) -> bool:
        """Whether the op is in a parallel region."""
        return any(map(is_parallel, [*within_function(op)][1:]))

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

    def _after(self, scope: Operation | None) -> int:
        return self._end if scope is None else self._points.end(scope) + 1

    # Arenas and copies

    def _parts(self, taken: Sequence[_Taken]) -> Sequence[Sequence[Buffer]]:
        """For each part of an arena the buffers that it holds."""
        allocations = [self._uses.allocation(t.op, t.memref) for t in taken]
        users = [[t.op for t in self._live_ranges.touches(a)] for a in allocations]
        parts: list[Part] = []
        offsets: list[Formula] = []
        for part, ops in zip(taken, users, strict=True):
            allocated = int(self._points.position(part.op))
            spans = [self._hull([op], allocated) for op in ops]
            offset = offset_in_arena(part.op, self._function, self._source)
            assert offset is not None
            offsets.append(offset)
            size = self._bytes(part.memref)
            parts.append(
                Part(
                    magnitude(offset),
                    None if size is None else magnitude(size),
                    [s for s in spans if s is not None],
                )
            )
        return [
            [
                replace(
                    self._describe(part, allocation, [ops[i] for i in uses]),
                    offset_bytes=offset,
                )
                for uses in buffers or [()]
            ]
            for part, allocation, ops, offset, buffers in zip(
                taken, allocations, users, offsets, buffers_of_parts(parts), strict=True
            )
        ]

    def _copies(self, op: Operation) -> Iterator[BufferCopy]:
        model = CopyOpInterface.of(op)
        if model is None:
            return
        source = model.source(op)
        # The target of a clone is its result.
        target = op.results[0] if op.results else model.target(op)
        if is_memref_type(source.type) and is_memref_type(target.type):
            sizes, name = self._source.sizes, self._source.value_name
            yield BufferCopy(
                self._source.value_name(source),
                self._source.value_name(target),
                sizes.of_contents(source, name) or sizes.of_contents(target, name),
                op_name(op),
                self._source.place(op),
                self._loops.around(int(self._points.position(op))),
                executions(op),
            )

    def _bytes(self, memref: SSAValue) -> Formula | None:
        """The bytes of a memref in the names of the program."""
        return self._source.sizes.of_memory(memref, self._source.value_name)

    # Notes

    def _note(self, op: Operation | None) -> Note | None:
        return None if op is None else self._note_of(op)

    def _note_of(self, op: Operation) -> Note:
        return Note(self._source.op_name(op), self._source.place(op))

    def _type(self, type: Attribute) -> str:
        if (text := self._types.get(type)) is None:
            text = self._types[type] = str(type)
        return text


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


def offset_in_arena(
    op: Operation, function: Operation, source: Source
) -> Formula | None:
    """
    The offset in bytes of a view in an arena of the function; `None` for other ops, and if it is
    not known.

        %part = memref.view %arena[%c64][] : memref<256xi8> to memref<8xf32>    // 64
    """
    shift = byte_shift_of(op)
    if shift is None or not _is_arena(op.operands[0], function):
        return None
    if (offset := constant_integer(shift)) is not None:
        return number_of(offset)
    return source.sizes.number(shift, source.value_name)


def _is_arena(value: SSAValue, function: Operation) -> bool:
    """Whether the memref is allocated in the function, or an arena argument."""
    memory = without_casts(value)
    if not isinstance(memory, BlockArgument):
        return AllocationOpInterface.of(defining_op(memory)) is not None
    attributes = argument_attributes(function)
    return (
        bool(attributes)
        and memory.block.parent_op() is function
        and ARENA_ATTRIBUTE in attributes[memory.index]
    )


@dataclass(frozen=True, slots=True)
class Part:
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
        part = parts[number]
        if part.size is None:
            # Its bytes are unknown, so all uses count as one buffer.
            found[number] = found[number] or [[]]
            found[number][0].append(index)
            continue
        key = part.offset, number
        if key not in open_parts:
            end = part.offset + part.size
            for other in _sharing(part.offset, end, parts, open_parts):
                open_parts.remove(other)
            open_parts.add(key)
            found[number].append([])
        found[number][-1].append(index)
    return found


def _sharing(
    start: int,
    end: int,
    parts: Sequence[Part],
    open_parts: SortedList[tuple[int, int]],
) -> Sequence[tuple[int, int]]:
    """The open parts that share bytes with those from `start` to `end`."""
    first = open_parts.bisect_left((start, -1))
    if first:
        offset, number = open_parts[first - 1]
        if offset + (parts[number].size or 0) > start:
            first -= 1
    stop = open_parts.bisect_left((end, -1))
    return [open_parts[i] for i in range(first, stop)]
