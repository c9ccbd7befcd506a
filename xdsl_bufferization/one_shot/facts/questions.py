"""
Questions that models ask before they answer.

An answer that a model gives without a question depends on its op only, and holds as long as the
op stays as it is. One that it gives after questions depends on the tensors that it has asked
about, too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.bufferizable import AnswerT
from xdsl_bufferization.interfaces.nothing_known import Remembering
from xdsl_bufferization.one_shot.facts.records import OpInfo


class NotingQuestions(Remembering):
    """Notes the questions that are asked of it in the record of the op that they are for."""

    _consulted: list[SSAValue] | None = None
    """The tensors that the model that is being asked has asked about; `None` without questions."""

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        self.note(a, b)
        return a is b

    def once(self, question: Hashable, answer: Callable[[], AnswerT]) -> AnswerT:
        self.note()
        return super().once(question, answer)

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
