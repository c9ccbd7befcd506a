"""
The positions of a function: how much memory is live at each, and the loops around it.

Bodies of structured ops, which compute single elements, are loops that buffers can be in, but no
loops of the program that a chart would show. Linear in the positions, and in the nesting of loops.

The memory that called functions have while they run, besides what they return.

    %r = func.call @net(%x)   // @net: 49,152 bytes at once, and returns 16,384 of them as %r

During the call, 32,768 bytes are alive besides `%r`, which the caller has from then on.

Functions are reported on callees first, so that the peak of a callee is known. That of a recursive
function, or one without a body, is not: such calls are listed as not counted. Takes time linear in
the calls.

Buffers of branches that exclude each other, and so are never live at the same time.

A buffer is not live in a branch that excludes its allocation. After the branches, the buffers of
only one of them are live: the branch with the most memory counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region

from xdsl_bufferization.buffers.allocation_uses import LiveRanges
from xdsl_bufferization.buffers.program_points import (
    ExclusiveBranches,
    Loop,
    Path,
    ProgramPoints,
    path_of,
)
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.report.buffer_sizes import (
    NONE,
    Formula,
    is_at_most,
    magnitude,
)
from xdsl_bufferization.report.model import (
    Buffer,
    LoopExtent,
    MemoryFunction,
    Span,
    Step,
    Usage,
)
from xdsl_bufferization.report.source import Note, Source
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    functions_in,
    within_function,
)
from xdsl_bufferization.support.regions import blocks_in_order


class Loops:
    """The loops of a function, with notes."""

    def __init__(self, points: ProgramPoints, source: Source):
        self._points = points
        self._source = source
        self._notes: dict[Loop, Note] = {}

    def around(self, position: int) -> Sequence[Note]:
        """The loops around the position, the outermost first."""
        loops = [*self._points.loops_around(position)]
        return [self._note(loop) for loop in reversed(loops)]

    def extents(self) -> Sequence[LoopExtent]:
        """The loops, each before those within it, without bodies of structured ops."""
        depths: dict[Loop, int] = {}
        for position in range(len(self._points.at)):
            around = [*self._points.loops_around(position)]
            if around and around[0] not in depths:
                for depth, loop in enumerate(reversed(around)):
                    depths.setdefault(loop, depth)
        return [
            LoopExtent(self._note(loop), Span(loop.first, loop.last + 1), depth)
            for loop, depth in depths.items()
            if not self._is_of_structured_op(loop)
        ]

    def _is_of_structured_op(self, loop: Loop) -> bool:
        above = self._op(loop)
        return above is not None and any(
            DestinationStyleOpInterface.of(around) is not None
            for around in within_function(above)
        )

    def _op(self, loop: Loop) -> Operation | None:
        """The op before the loop: the loop itself if it has regions."""
        return self._points.at[loop.first - 1] if loop.first else None

    def _note(self, loop: Loop) -> Note:
        if (note := self._notes.get(loop)) is None:
            note = self._notes[loop] = self._described(loop)
        return note

    def _described(self, loop: Loop) -> Note:
        above = self._op(loop)
        if above is None or not above.regions:
            first = next(filter(None, self._points.at[loop.first :]))
            return Note("a loop of branches", self._source.place(first))
        text = self._source.op_name(above)
        if is_parallel(above):
            text += ", whose runs may happen at the same time"
        return Note(text, self._source.place(above))


def is_parallel(op: Operation) -> bool:
    """Whether the op has a parallel region."""
    model = RegionBranchOpInterface.of(op)
    return model is not None and any(
        model.is_parallel(op, region) for region in range(len(op.regions))
    )


class Moments:
    """The ops at the positions of a function, with their lines in the program."""

    def __init__(self, points: ProgramPoints, source: Source):
        self._points = points
        self._source = source

    def note(self, position: int) -> Note:
        """The op at the position; where a block starts or the function ends, the nearest one."""
        at = self._points.at
        after = (op for op in at[position : position + 2] if op is not None)
        op = next(after, None) or next(op for op in reversed(at) if op is not None)
        return Note(self._source.op_name(op), self._source.place(op))

    def lines(self, positions: int) -> Sequence[int | None]:
        """The line of the op at each position."""
        places = [op and self._source.place(op) for op in self._points.at[:positions]]
        return [place.line if place is not None else None for place in places]


def usage_of(
    buffers: Sequence[Buffer], numbers: Sequence[int], moments: Moments
) -> Usage:
    """How much memory the buffers with these indices use at each position."""
    chosen = [buffers[number] for number in numbers]
    if not chosen:
        return Usage((), None, (), (), 0, False)
    steps = [
        Step(
            position,
            live,
            unknown,
            moments.note(position),
        )
        for position, live, unknown in _sweep(chosen, _taken)
    ]
    index = max(
        range(len(steps)),
        key=lambda i: (magnitude(steps[i].bytes), steps[i].unknown),
    )
    peak = steps[index]
    others, has_more = _other_peaks(steps, peak)
    following = steps[index + 1 : index + 2] or [peak]
    then = Span(peak.position, max(following[0].position, peak.position + 1))
    alive = [
        n for n in numbers if any(_overlap(s, then) for s, _ in _taken(buffers[n]))
    ]
    alive.sort(key=lambda n: -magnitude(buffers[n].bytes))
    return Usage(
        steps=steps,
        peak=peak,
        alive=alive,
        idle=[
            n
            for n in alive
            if not any(_overlap(s, then) for s, _ in _needed(buffers[n]))
        ],
        needed_bytes=max(
            live.terms.get(frozenset(), 0) for _, live, _ in _sweep(chosen, _needed)
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
    if all(step.bytes.number is not None for step in steps):
        return (), False
    others: list[Step] = []
    for step in sorted(steps, key=lambda step: -magnitude(step.bytes)):
        if not any(is_at_most(step.bytes, o.bytes) for o in (peak, *others)):
            if len(others) == _MAX_PEAKS:
                return others, True
            others.append(step)
    return others, False


_MAX_PEAKS = 3
"""The most steps beside the peak: each needs most memory for some sizes."""


_Spans: TypeAlias = "Iterable[tuple[Span, int]]"
"""Ranges of positions, each with how many times the buffer counts there."""


def _sweep(
    buffers: Sequence[Buffer], spans: Callable[[Buffer], _Spans]
) -> Iterator[tuple[int, Formula, int]]:
    """
    Each position at which something changes, with the live bytes from there on, and the
    number of live buffers of unknown size.
    """
    changes: dict[int, tuple[Formula, int]] = {0: (NONE, 0)}
    for buffer in buffers:
        size = buffer.bytes
        for span, count in spans(buffer):
            for position, number in ((span.first, count), (span.end, -count)):
                live, unknown = changes.get(position, (NONE, 0))
                if size is None:
                    unknown += number
                else:
                    live += size.times(number)
                changes[position] = live, unknown
    live, total_unknown = NONE, 0
    for position in sorted(changes):
        more, unknown = changes[position]
        live += more
        total_unknown += unknown
        yield position, live, total_unknown


def _taken(buffer: Buffer) -> _Spans:
    """When the buffer is allocated."""
    if buffer.taken.first < buffer.taken.end:
        yield from _allocated(buffer, buffer.taken)
        yield from _in_loop(buffer)


def _needed(buffer: Buffer) -> _Spans:
    """When the buffer is used, in the function or, if it escapes, after it."""
    leaves = buffer.ending in ("returned", "stored", "freed or handed on")
    if buffer.used is not None or leaves:
        used = buffer.used or buffer.taken
        end = max(used.end, buffer.taken.end) if leaves else used.end
        yield from _allocated(buffer, Span(used.first, end))
        yield from _in_loop(buffer)


def _allocated(buffer: Buffer, span: Span) -> _Spans:
    """The parts of the span that are not in branches without the buffer."""
    yield from ((part, 1) for part in without(span, buffer.gaps))


def _in_loop(buffer: Buffer) -> _Spans:
    if buffer.loop is not None:
        yield buffer.loop, buffer.more_at_once


def _overlap(a: Span, b: Span) -> bool:
    return a.first < b.end and b.first < a.end


class CalleeMemory(NamedTuple):
    """The most bytes that a function has at once."""

    name: str
    heap: int
    stack: int
    returned: int
    """The buffers that it allocates and returns."""
    is_lower_bound: bool
    """Whether it may have more: see `Usage`."""


class Callees:
    """The memory of the functions reported on so far."""

    def __init__(self, module: ModuleOp):
        self._graph = CallGraph(module)
        self._module = module
        self._memory: dict[Operation, CalleeMemory] = {}

    def callees_first(self, functions: Iterable[Operation]) -> Sequence[Operation]:
        """These functions, each after those that it calls, unless they are recursive."""
        chosen = {*functions}
        order = [f for component in self._graph.callees_first() for f in component]
        every: Mapping[Operation, None] = dict.fromkeys(
            (*order, *functions_in(self._module))
        )
        return [function for function in every if function in chosen]

    def add(self, function: Operation, memory: MemoryFunction) -> None:
        """Take note of the memory of a function, which may be called by those that follow."""
        if function in self._graph.recursive:
            return
        usages = memory.heap, memory.stack
        self._memory[function] = CalleeMemory(
            memory.name,
            _peak(memory.heap),
            _peak(memory.stack),
            sum(b.ending == "returned" for b in memory.buffers),
            any(usage.is_lower_bound for usage in usages)
            or any(map(_is_left, memory.buffers)),
        )

    def of(self, op: Operation) -> CalleeMemory | None:
        """The memory of the function that the op calls; `None` if that is not known."""
        callee = self._graph.callee(op) if isinstance(op, func.CallOp) else None
        return None if callee is None else self._memory.get(callee)


def _peak(usage: Usage) -> int:
    return 0 if usage.peak is None else usage.peak.live_bytes


def _is_left(buffer: Buffer) -> bool:
    """Whether the buffer may still be there, after the function, without being returned."""
    return buffer.ending in ("stored", "never freed", "freed or handed on")


class Branches:
    """The branches of a function."""

    def __init__(self, points: ProgramPoints, live_ranges: LiveRanges):
        self._points = points
        self._live_ranges = live_ranges
        self._branches = ExclusiveBranches()

    def with_gaps(
        self, buffers: Sequence[Buffer], made_by: Mapping[int, Operation]
    ) -> list[Buffer]:
        """
        The buffers, with the gaps in which they are not there: `made_by` has the op that
        allocates each buffer that may have any, by the index of the buffer.
        """
        paths: dict[int, Path] = {}
        for number, op in made_by.items():
            buffer = buffers[number]
            # If a loop may leave one, branches of its next iteration do not exclude it.
            leaves = buffer.loop is not None or buffer.ending != "freed"
            if not (buffer.loops and leaves) and (path := path_of(op)):
                paths[number] = path
        gaps = {
            number: [*self._excluding(buffers[number].taken, path)]
            for number, path in paths.items()
        }
        for number, span in self._outweighed(buffers, paths, gaps):
            gaps[number].append(span)
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
                    end = self._live_ranges.points.end(block.last_op) + 1
                    if first < span.end and span.first < end:
                        yield Span(max(first, span.first), min(end, span.end))

    # After branches

    def _outweighed(
        self,
        buffers: Sequence[Buffer],
        paths: Mapping[int, Path],
        gaps: Mapping[int, Sequence[Span]],
    ) -> Iterator[tuple[int, Span]]:
        """The spans in which buffers of other branches are there, each with a buffer."""
        events: dict[int, list[tuple[int, bool]]] = {}
        for number in paths:
            for span in without(buffers[number].taken, _joined(gaps[number])):
                events.setdefault(span.first, []).append((number, True))
                events.setdefault(span.end, []).append((number, False))
        alive: dict[int, None] = {}
        for position, following in pairwise(sorted(events)):
            for number, is_there in sorted(
                events[position], key=lambda event: event[1]
            ):
                if is_there:
                    alive[number] = None
                else:
                    alive.pop(number)
            if len(alive) > 1:
                counted = self._counted(buffers, paths, [*alive], 0)
                for number in alive.keys() - counted:
                    yield number, Span(position, following)

    def _counted(
        self,
        buffers: Sequence[Buffer],
        paths: Mapping[int, Path],
        alive: Sequence[int],
        depth: int,
    ) -> Sequence[int]:
        """
        Those of the buffers that are alive in the branches with the most memory, given that their
        paths agree up to this depth.
        """
        counted = [number for number in alive if len(paths[number]) == depth]
        branches: dict[Operation | Region, dict[Region | Block, list[int]]] = {}
        for number in alive:
            if len(paths[number]) > depth:
                branch = paths[number][depth]
                taken = branches.setdefault(branch.of, {})
                taken.setdefault(branch.taken, []).append(number)
        for of, by_branch in branches.items():
            counted += self._largest(
                of,
                {
                    taken: self._counted(buffers, paths, numbers, depth + 1)
                    for taken, numbers in by_branch.items()
                },
                lambda numbers: _size([buffers[number] for number in numbers]),
            )
        return counted

    def _largest(
        self,
        of: Operation | Region,
        by_branch: Mapping[Region | Block, Sequence[int]],
        size: Callable[[Sequence[int]], tuple[int, int]],
    ) -> Sequence[int]:
        """The most memory that branches of the same op or region have at the same time."""
        if isinstance(of, Operation):
            return max(by_branch.values(), key=size)
        best: dict[Block, Sequence[int]] = {}
        for block in blocks_in_order(of):
            if (numbers := by_branch.get(block)) is not None:
                before = [
                    n for b, n in best.items() if block in self._branches.reachable(b)
                ]
                best[block] = [*numbers, *max(before, key=size, default=())]
        return max(best.values(), key=size)


def _size(buffers: Sequence[Buffer]) -> tuple[int, int]:
    """The known bytes, and the number of buffers of unknown size."""
    sizes = [buffer.size for buffer in buffers]
    return sum(filter(None, sizes)), sizes.count(None)


def _joined(spans: Iterable[Span]) -> Sequence[Span]:
    """The spans in order; those that touch or overlap are one."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: span.first):
        if joined and span.first <= joined[-1].end:
            joined[-1] = Span(joined[-1].first, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def without(span: Span, gaps: Sequence[Span]) -> Iterator[Span]:
    """The parts of the span that are not in the gaps, which are in order."""
    first = span.first
    for gap in gaps:
        if first < gap.first < span.end:
            yield Span(first, gap.first)
        first = max(first, gap.end)
    if first < span.end:
        yield Span(first, span.end)
