"""What models are told while a program is analysed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import AnalysisState, AnswerT
from xdsl_bufferization.interfaces.function_summary import FunctionSummary

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

    def once(self, question: Hashable, answer: Callable[[], AnswerT]) -> AnswerT:
        return self.program.once(question, answer)


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
