"""
The questions of models while a program is analysed, and their answers.

An answer that a model gives without a question depends on its op only, and holds as long as the
op stays as it is. One that it gives after questions depends on the tensors that it has asked
about, too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import AnalysisState, AnswerT
from xdsl_bufferization.interfaces.function_summary import FunctionSummary
from xdsl_bufferization.interfaces.nothing_known import MemoizingState
from xdsl_bufferization.one_shot.facts.records import OpInfo

ProgramT = TypeVar("ProgramT", bound=AnalysisState)


class ProgramState(AnalysisState, Generic[ProgramT]):
    """The answers of a program, for an analysis that knows more than the program."""

    def __init__(self, program: ProgramT):
        self.program = program

    def is_value_read(self, value: SSAValue) -> bool:
        return self.program.is_value_read(value)

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        return self.program.summary_of(call)

    def possible_origins(
        self, value: SSAValue, within: Operation
    ) -> frozenset[SSAValue]:
        return self.program.possible_origins(value, within)

    def memoize(self, key: Hashable, compute: Callable[[], AnswerT]) -> AnswerT:
        return self.program.memoize(key, compute)


class KnownEquivalences(ProgramState[AnalysisState]):
    """The answers of a program, given which tensors are equivalent."""

    def __init__(
        self,
        program: AnalysisState,
        are_equivalent: Callable[[SSAValue, SSAValue], bool],
    ):
        super().__init__(program)
        self._are_equivalent = are_equivalent

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        return self._are_equivalent(a, b)


class RecordingState(MemoizingState):
    """Notes the questions that are asked of it in the record of the op that they are for."""

    _consulted: list[SSAValue] | None = None
    """The tensors that the model that is being asked has asked about; `None` without questions."""

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        self.note(a, b)
        return a is b

    def memoize(self, key: Hashable, compute: Callable[[], AnswerT]) -> AnswerT:
        self.note()
        return super().memoize(key, compute)

    def note(self, *values: SSAValue) -> None:
        """Note that a model has asked about these tensors, or about the program."""
        if self._consulted is None:
            self._consulted = []
        self._consulted += values

    def ask(self, info: OpInfo, question: Callable[[], AnswerT]) -> AnswerT:
        """The answer of the op's model to a question."""
        self._consulted = None
        answer = question()
        self.note_consulted(info)
        return answer

    def forget_consulted(self, info: OpInfo) -> None:
        """Forget all that the op's model has asked."""
        self._consulted = None
        info.is_known, info.consulted = True, None

    def note_consulted(self, info: OpInfo) -> None:
        """Note what the op's model has asked since."""
        if self._consulted is not None:
            info.is_known = False
            info.consulted = {*(info.consulted or ()), *self._consulted}
