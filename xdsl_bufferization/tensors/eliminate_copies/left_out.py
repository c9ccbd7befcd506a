"""
The edits that the next attempt leaves out, function by function.

In each function that is worse, more is left out from round to round: few of the edits that may be
to blame; again, of those that are left; all that may be to blame; and all that is not
`eliminate-empty-tensors`, if that has made it worse, too. So the number of attempts is bounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from xdsl.dialects import func

from xdsl_bufferization.tensors.edits import Edit, EditKind
from xdsl_bufferization.tensors.eliminate_copies.baseline import Baseline
from xdsl_bufferization.tensors.eliminate_copies.blame import Blame, OperandPlace

ROUNDS = 4
"""Rounds of leaving out edits, for each function."""


class LeftOut:
    """
    The edits that are left out. `copied` are the operands that are copied if no edit is made.
    """

    def __init__(self, baseline: Baseline, copied: AbstractSet[OperandPlace]):
        self._baseline = baseline
        self._copied = copied
        self._rounds: dict[func.FuncOp, int] = {}
        self.edits: set[Edit] = set()

    def add(self, blames: Mapping[func.FuncOp, Blame]) -> bool:
        """Leave out more edits of functions that are worse; returns whether there are any."""
        return any(
            [self._add(f, b.new_copies(self._copied)) for f, b in blames.items()]
        )

    def _add(self, function: func.FuncOp, blame: Blame) -> bool:
        while (number := self._rounds.get(function, 0)) < ROUNDS:
            self._rounds[function] = number + 1
            if new := self._in_round(number, function, blame) - self.edits:
                self.edits |= new
                return True
        return False

    def _in_round(
        self, number: int, function: func.FuncOp, blame: Blame
    ) -> AbstractSet[Edit]:
        limits = self._baseline.limits[function].peaks
        if number < ROUNDS - 2:
            return blame.smallest(limits)
        if number < ROUNDS - 1:
            return blame.all(limits)
        if function not in self._baseline.made_worse:
            return frozenset()
        return {e for e in blame.edits if e.kind is not EditKind.IN_DESTINATION}
