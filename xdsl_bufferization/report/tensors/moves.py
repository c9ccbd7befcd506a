"""
Reasons for moves that are left, in words, with advice to the author of the program.

    %t = linalg.transpose ins(%x) ...     // move to %t: func.call (line 2) takes it
    %r = func.call @product(%t)           // help: let it take %x

The reason is the obstacle that `eliminate-moves` met. Constant time for each move, after one pass
over the obstacles.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.report.source import Note
from xdsl_bufferization.report.tensors.codes import Code
from xdsl_bufferization.report.tensors.reasons import Explainer, Explanation
from xdsl_bufferization.report.tensors.trial import Trial
from xdsl_bufferization.support.call_graph import is_call, is_return
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import passes_tensors_to_regions
from xdsl_bufferization.tensors.eliminate_moves.obstacles import (
    Encoded,
    HasDestination,
    LivesLonger,
    MayShareAlready,
    NoSuchMap,
    Obstacle,
    OneMoveEach,
    Overwritten,
    ReaderCallsLibrary,
    ReaderNotStructured,
    ReaderWrites,
    ResultWritten,
    UsedAsMemref,
    UsedInOtherBlock,
)
from xdsl_bufferization.tensors.eliminate_moves.readers import takes_any_map


class _Words(NamedTuple):
    """An `Explanation` without the code."""

    reason: str
    notes: Sequence[Note] = ()
    advice: Sequence[str] = ()


class MoveExplainer:
    """Words for the moves of a program that are left."""

    def __init__(self, trial: Trial, explainer: Explainer):
        self._trial = trial
        self._explainer = explainer

    def explain(self, op: Operation, source: SSAValue) -> Explanation:
        """Why a move of the source is left."""
        obstacle = self._obstacle(op)
        if obstacle is not None:
            words = self._words(op, self._trial.value_name(source), obstacle)
            return Explanation(Code.of(obstacle), *words)
        if self._trial.left_moves.has_run:
            return Explanation(
                Code.NOT_ELIMINATED, "a pass after eliminate-moves makes it"
            )
        return Explanation(
            Code.NOT_ELIMINATED,
            "the options leave eliminate-moves out",
            (),
            ("Let bufferize run eliminate-moves, with eliminate-copies=true.",),
        )

    def _obstacle(self, op: Operation) -> Obstacle | None:
        by_op, by_origin = self._obstacles
        origin = self._trial.origin(op)
        return by_op.get(op) or (None if origin is None else by_origin.get(origin))

    @cached_property
    def _obstacles(
        self,
    ) -> tuple[dict[Operation, Obstacle], dict[Operation, Obstacle]]:
        """By op of the clone, and by op of the program: why it is left."""
        by_op = self._trial.left_moves
        # Later passes may have put other ops in the place of moves.
        by_origin = {
            origin: obstacle
            for op, obstacle in by_op.items()
            if (origin := self._trial.origin(op)) is not None
        }
        return by_op, by_origin

    def _words(self, op: Operation, source: str, obstacle: Obstacle) -> _Words:
        match obstacle:
            case ReaderNotStructured(reader):
                return self._not_structured(source, reader)
            case ReaderWrites(reader):
                return self._at(
                    reader,
                    "written here",
                    f"{self._named(reader)} starts from it, and writes it: whatever fills its "
                    "destination writes as many bytes",
                )
            case ReaderCallsLibrary(reader):
                return self._at(
                    reader,
                    "read here",
                    f"{self._named(reader)} calls a library function, which takes its "
                    "operands as they are",
                    f"Without library_call, it reads {source} through an indexing map.",
                )
            case NoSuchMap(reader):
                return self._no_such_map(source, reader)
            case OneMoveEach(reader):
                return self._at(
                    reader,
                    "one of them",
                    "several ops read it, and one move for each of them would take its place",
                )
            case UsedInOtherBlock(user):
                return self._at(
                    user,
                    "used here",
                    f"{self._named(user)} uses it in another block",
                    f"Move {self._named(op)} to the block in which it is used.",
                )
            case _:
                return self._about_memory(source, obstacle)

    def _about_memory(self, source: str, obstacle: Obstacle) -> _Words:
        match obstacle:
            case Overwritten(writer):
                named = self._named(writer)
                return self._at(
                    writer,
                    "the memory may be written from here on",
                    f"the memory of {source} may be overwritten, by {named}, before the "
                    "result is read for the last time",
                    f"Write the ops that read the result before {named}, if they can run "
                    "before it.",
                )
            case ResultWritten(writer):
                return self._at(
                    writer,
                    "written here",
                    f"{self._named(writer)} writes it, and {source} is needed as it was",
                )
            case LivesLonger(more_bytes):
                more = (
                    "may be larger"
                    if more_bytes is None
                    else f"is {more_bytes:,} bytes larger"
                )
                return _Words(
                    f"the memory of {source} would have to live longer, and {more}"
                )
            case HasDestination(init):
                return _Words(
                    f"its destination {self._trial.value_name(init)} is not a tensor.empty, "
                    "so the elements are moved to that memory",
                    (),
                    (
                        "If they need not be there, give it a tensor.empty as "
                        "destination.",
                    ),
                )
            case Encoded(value):
                return _Words(
                    f"the type of {self._trial.value_name(value)} has an encoding, which may "
                    "say how its elements are in memory"
                )
            case UsedAsMemref():
                return _Words(f"ops on memrefs access the memory of {source}")
            case MayShareAlready():
                return _Words(f"it may be in the memory of {source} already")
            case _:
                raise AssertionError(obstacle)

    def _not_structured(self, source: str, reader: Operation) -> _Words:
        name, named = op_name(reader), self._named(reader)
        mark = "needed here"
        if is_return(reader):
            way = f"If callers can read {source} in its own order, return that."
            return self._at(reader, mark, f"{named} returns it", way)
        if reader.has_trait(IsTerminator, value_if_unregistered=False):
            way = f"Hand on {source}, and move the elements where they are read."
            return self._at(reader, mark, f"{named} hands it on", way)
        if is_call(reader):
            way = f"Let the function take {source}, or inline it."
            return self._at(reader, mark, f"{named} gives it to a function", way)
        if passes_tensors_to_regions(reader):
            way = f"Give it {source}, and move the elements where they are read."
            return self._at(reader, mark, f"{named} takes it into its regions", way)
        if SubsetInsertionOpInterface.of(reader) is not None:
            return self._at(reader, mark, f"{named} puts it into another tensor")
        why = f"{named} has no indexing maps by which it could read {source}"
        if DestinationStyleOpInterface.of(reader) is None:
            return self._at(reader, mark, why)
        way = f"Write {name} as a linalg.generic, if it can be one."
        return self._at(reader, mark, why, way)

    def _no_such_map(self, source: str, reader: Operation) -> _Words:
        name, named = op_name(reader), self._named(reader)
        style = DestinationStyleOpInterface.of(reader)
        if style is None:
            return self._at(
                reader,
                "needed here",
                f"{named} needs dimensions next to each other that are not so in {source}",
            )
        if takes_any_map(reader):
            return self._at(
                reader,
                "needed here",
                f"the sizes of some loops of {named} follow from this tensor alone",
            )
        return self._at(
            reader,
            "needed here",
            f"{named} can read {source} only with its dimensions in another order",
            f"Write {name} as a linalg.generic.",
        )

    def _at(self, op: Operation, mark: str, reason: str, *advice: str) -> _Words:
        """The reason, with a note at an op, unless that is not in the text."""
        place = self._trial.place(op) if self._is_written(op) else None
        return _Words(reason, () if place is None else (Note(mark, place),), advice)

    def _named(self, op: Operation) -> str:
        """The op's name, and its line if it is in the text."""
        return self._explainer.named(op) if self._is_written(op) else op_name(op)

    def _is_written(self, op: Operation) -> bool:
        """Whether the op is in the text, and not only another one whose work it does."""
        origin = self._trial.origin(op)
        return origin is not None and op_name(origin) == op_name(op)
