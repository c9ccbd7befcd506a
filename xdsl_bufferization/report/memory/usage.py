"""
The positions of a function: how much memory is live at each, and the loops around it.

Bodies of structured ops, which compute single elements, are loops that buffers can be in, but no
loops of the program that a chart would show. Linear in the positions, and in the nesting of loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from xdsl.ir import Operation

from xdsl_bufferization.buffers.program_points import Loop, ProgramPoints
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.report.formulas import (
    NONE,
    Formula,
    is_at_most,
    magnitude,
)
from xdsl_bufferization.report.memory.branches import without
from xdsl_bufferization.report.model import Buffer, LoopExtent, Span, Step, Usage
from xdsl_bufferization.report.source import Note, Source
from xdsl_bufferization.support.call_graph import within_function


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
