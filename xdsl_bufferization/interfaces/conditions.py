"""
Conditions that programs state, and the bounds that follow from them.

    %ok = arith.cmpi sle, %n, %c64 : index    // if it is true, %n is 64 at most
    cf.assert %ok, "too long"                 // after it, %ok is true
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.answers import ask, instance_of, sequence_of
from xdsl_bufferization.interfaces.registry import OpInterface


class UpperBound(NamedTuple):
    """`value`, a signed integer, is `number` at most."""

    value: SSAValue
    number: int


class ConditionOpInterface(OpInterface):
    """An op that does not return unless conditions hold, or whose result is a condition."""

    def conditions(self, op: Operation) -> Sequence[SSAValue]:
        """The values that are true if the op has run, or if its result is true."""
        return ()

    def upper_bound(self, op: Operation) -> UpperBound | None:
        """The bound that holds if the result is true; `None`, the default, if there is none."""
        return None

    def verify_answers(self, op: Operation) -> None:
        super().verify_answers(op)
        ask(self, "conditions", _VALUES, op)
        ask(self, "upper_bound", _BOUND, op)


_VALUES = sequence_of(SSAValue, "values")
_BOUND = instance_of(UpperBound, "an UpperBound").or_none()
