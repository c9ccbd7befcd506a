"""The answers that a model gets about a program that is not analysed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, cast

from xdsl_bufferization.interfaces.bufferizable import AnalysisState, AnswerT


class _NothingKnown(AnalysisState):
    """Gives the answers that are given without an analysis."""


NOTHING_KNOWN: Final = _NothingKnown()
"""The state of a program that is not analysed."""


class MemoizingState(AnalysisState):
    """Knows nothing either, but what it has been told, of a program that does not change."""

    def __init__(self) -> None:
        self._answers: dict[Hashable, object] = {}

    def memoize(self, key: Hashable, compute: Callable[[], AnswerT]) -> AnswerT:
        if key not in self._answers:
            self._answers[key] = compute()
        return cast(AnswerT, self._answers[key])
