"""Which copies are forced, by the bound of each function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from xdsl.ir import Operation

from xdsl_bufferization.report.model import Verdict
from xdsl_bufferization.verification.copy_bound.bound import CopyBound
from xdsl_bufferization.verification.copy_bound.forced import ForcedCopy
from xdsl_bufferization.verification.copy_bound.links import Operand


class CopyVerdict(NamedTuple):
    """What the bound says of one copy; see `Copy`."""

    name: Verdict
    reason: str = ""


class Verdicts:
    """
    The verdicts on the copies that a bufferization of the program makes, by the bounds of
    its functions.
    """

    def __init__(self, bounds: Mapping[Operation, CopyBound]):
        self._bounds = bounds
        self.forced: Mapping[Operation, int] = {
            function: bound.size
            for function, bound in self._bounds.items()
            if bound.copies
        }
        """By function: the bytes that are forced; functions without are left out."""
        self._left: dict[Operand, dict[int, ForcedCopy]] = {}
        """By operand and identity: the forced copies that none made so far is one of."""
        for bound in self._bounds.values():
            for copy in bound.copies:
                for operand in copy.operands:
                    self._left.setdefault(operand, {})[id(copy)] = copy

    def of(
        self, function: Operation, op: Operation, index: int | None, size: int | None
    ) -> CopyVerdict:
        """The verdict on a copy of `size` bytes that is made for an operand of the op."""
        bound = self._bounds.get(function)
        if bound is None or index is None or size is None:
            return CopyVerdict("unknown")
        operand = Operand(op, index)
        copy = next(iter(self._left.get(operand, {}).values()), None)
        if copy is None:
            return CopyVerdict("avoidable", bound.why_avoidable(operand))
        for other in copy.operands:
            self._left[other].pop(id(copy), None)
        return CopyVerdict("forced", copy.reason)
