"""
Reasons for moves that are left, in words, with advice to the author of the program.

    %t = linalg.transpose ins(%x) ...     // move to %t: func.call (line 2) takes it
    %r = func.call @product(%t)           // help: let it take %x

The reason is the obstacle that `eliminate-moves` met. Constant time for each move, after one pass
over the obstacles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.subset import SubsetInsertionOpInterface
from xdsl_bufferization.report.source import Note
from xdsl_bufferization.report.tensors.codes import Code
from xdsl_bufferization.report.tensors.reasons import Advice, Explainer, Explanation
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
    """
    Words about an obstacle: `{op}` is the op that the obstacle is about, with its line,
    `{name}` without it, `{value}` the tensor, `{source}` and `{move}` those of the move.
    """

    reason: str
    advice: str = ""
    mark: str = "needed here"
    """The text at the op."""


_WORDS: Mapping[type[Obstacle], _Words] = {
    ReaderWrites: _Words(
        "{op} starts from it, and writes it: whatever fills its destination writes as many bytes",
        mark="written here",
    ),
    ReaderCallsLibrary: _Words(
        "{op} calls a library function, which takes its operands as they are",
        "Without library_call, it reads {source} through an indexing map.",
        "read here",
    ),
    OneMoveEach: _Words(
        "several ops read it, and one move for each of them would take its place",
        mark="one of them",
    ),
    UsedInOtherBlock: _Words(
        "{op} uses it in another block",
        "Move {move} to the block in which it is used.",
        "used here",
    ),
    Overwritten: _Words(
        "the memory of {source} may be overwritten, by {op}, before the result is read for the "
        "last time",
        "Write the ops that read the result before {op}, if they can run before it.",
        "the memory may be written from here on",
    ),
    ResultWritten: _Words(
        "{op} writes it, and {source} is needed as it was", mark="written here"
    ),
    LivesLonger: _Words(
        "the memory of {source} would have to live longer, and {more} larger"
    ),
    HasDestination: _Words(
        "its destination {value} is not a tensor.empty, so the elements are moved to that memory",
        "If they need not be there, give it a tensor.empty as destination.",
    ),
    Encoded: _Words(
        "the type of {value} has an encoding, which may say how its elements are in memory"
    ),
    UsedAsMemref: _Words("ops on memrefs access the memory of {source}"),
    MayShareAlready: _Words("it may be in the memory of {source} already"),
}


def _ends_block(op: Operation) -> bool:
    return op.has_trait(IsTerminator, value_if_unregistered=False)


def _has_destination(op: Operation) -> bool:
    return DestinationStyleOpInterface.of(op) is not None


_NO_MAPS = "{op} has no indexing maps by which it could read {source}"

_READERS: Mapping[
    type[Obstacle], Sequence[tuple[Callable[[Operation], object], _Words]]
] = {
    ReaderNotStructured: (
        (
            is_return,
            _Words(
                "{op} returns it",
                "If callers can read {source} in its own order, return that.",
            ),
        ),
        (
            _ends_block,
            _Words(
                "{op} hands it on",
                "Hand on {source}, and move the elements where they are read.",
            ),
        ),
        (
            is_call,
            _Words(
                "{op} gives it to a function",
                "Let the function take {source}, or inline it.",
            ),
        ),
        (
            passes_tensors_to_regions,
            _Words(
                "{op} takes it into its regions",
                "Give it {source}, and move the elements where they are read.",
            ),
        ),
        (
            SubsetInsertionOpInterface.of,
            _Words("{op} puts it into another tensor"),
        ),
        (
            _has_destination,
            _Words(_NO_MAPS, "Write {name} as a linalg.generic, if it can be one."),
        ),
        (bool, _Words(_NO_MAPS)),
    ),
    NoSuchMap: (
        (
            lambda op: not _has_destination(op),
            _Words(
                "{op} needs dimensions next to each other that are not so in {source}"
            ),
        ),
        (
            takes_any_map,
            _Words("the sizes of some loops of {op} follow from this tensor alone"),
        ),
        (
            bool,
            _Words(
                "{op} can read {source} only with its dimensions in another order",
                "Write {name} as a linalg.generic.",
            ),
        ),
    ),
}
"""Words for obstacles that depend on the op: the first for which the predicate holds."""


class MoveExplainer:
    """Words for the moves of a program that are left."""

    def __init__(self, trial: Trial, explainer: Explainer):
        self._trial = trial
        self._explainer = explainer

    def explain(self, op: Operation, source: SSAValue) -> Explanation:
        """Why a move of the source is left."""
        origin = self._trial.origin(op)
        # Later passes may have put other ops in the place of moves.
        obstacle = self._obstacles.get(op) or self._obstacles.get(origin or op)
        if obstacle is not None:
            return self._about(obstacle, op, source)
        if self._trial.left_moves.has_run:
            return Explanation(
                Code.NOT_ELIMINATED, "a pass after eliminate-moves makes it"
            )
        return Explanation(
            Code.NOT_ELIMINATED,
            "the options leave eliminate-moves out",
            advice=Advice(
                ("Let bufferize run eliminate-moves, with eliminate-copies=true.",)
            ),
        )

    @cached_property
    def _obstacles(self) -> Mapping[Operation, Obstacle]:
        """By op of the clone, and by op of the program: why it is left."""
        found = dict(self._trial.left_moves)
        for op, obstacle in [*found.items()]:
            if (origin := self._trial.origin(op)) is not None:
                found[origin] = obstacle
        return found

    def _about(
        self, obstacle: Obstacle, move: Operation, source: SSAValue
    ) -> Explanation:
        names = {
            "source": self._trial.value_name(source),
            "move": self._explainer.named(move),
        }
        notes: Sequence[Note] = ()
        code, words = Code.of(obstacle), _WORDS.get(type(obstacle))
        readers = _READERS.get(type(obstacle), ())
        match obstacle:
            case (Operation() as op,):
                words = words or next(it for holds, it in readers if holds(op))
                if self._trial.origin(op) is self._trial.origin(move):
                    # The move is several ops now.
                    names["op"] = names["name"] = op_name(op)
                else:
                    names["op"] = self._explainer.named(op)
                    names["name"] = self._trial.op_name(op)
                    if (place := self._trial.place(op)) is not None:
                        notes = (Note(words.mark, place),)
            case (SSAValue() as value,):
                names["value"] = self._trial.value_name(value)
            case LivesLonger(more):
                names["more"] = "may be" if more is None else f"is {more:,} bytes"
            case _:
                pass
        assert words is not None
        advice = words.advice and words.advice.format(**names)
        return Explanation(
            code,
            words.reason.format(**names),
            notes,
            Advice((advice,) if advice else ()),
        )
