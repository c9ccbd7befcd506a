"""
The loops of a function: what the report calls them, and from where to where they go.

Bodies of structured ops, which compute single elements, are loops that buffers can be in, but no
loops of the program that a chart would show. Linear in the positions, and in the nesting of loops.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from xdsl_bufferization.buffers.program_points import Loop, ProgramPoints
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.report.model import LoopExtent, Span
from xdsl_bufferization.report.source import Note, Places
from xdsl_bufferization.support.call_graph import is_function


class Loops:
    """The loops of a function, with notes."""

    def __init__(self, points: ProgramPoints, source: Places):
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
        while above is not None and not is_function(above):
            if DestinationStyleOpInterface.of(above) is not None:
                return True
            above = above.parent_op()
        return False

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


def is_loop(op: Operation) -> bool:
    """Whether the op has a repetitive region."""
    model = RegionBranchOpInterface.of(op)
    return model is not None and any(
        model.is_repetitive(op, region) for region in range(len(op.regions))
    )
