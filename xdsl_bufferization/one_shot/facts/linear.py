"""
Integers as linear functions `factor * base + constant` of one value.

    %b = arith.addi %i, %c4
    %c = affine.apply (d0) -> (d0 * 2) (%b)    // 2 * %i + 8

Offsets of slices are compared in this form: that of `%b` is four more than that of `%i`,
whatever `%i` is. Takes constant time: no more than `MAX_INDEX_OPS` ops are looked through.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.index_arithmetic import (
    LinearForm,
    clamp_of,
    linear_in_operand,
)
from xdsl_bufferization.support.limits import MAX_INDEX_OPS


def linear(value: SSAValue | int) -> LinearForm:
    """The value as a linear function of the earliest value that it is traced back to."""
    if isinstance(value, int):
        return LinearForm(None, 0, value)
    base = value
    factor, constant = 1, 0
    for _ in range(MAX_INDEX_OPS):
        step = _step(base)
        if step is None:
            break
        base = step.base
        factor, constant = factor * step.factor, factor * step.constant + constant
        if base is None or not factor:
            return LinearForm(None, 0, constant)
    else:
        MAX_INDEX_OPS.met()
    return LinearForm(base, factor, constant)


def _step(value: SSAValue) -> LinearForm | None:
    """The value in terms of an operand of its op, or of the induction variable that it is."""
    form = linear_in_operand(value)
    if form is not None or clamp_of(value) is None:
        return form
    # Most short programs clamp nothing.
    from xdsl_bufferization.one_shot.facts.clamps import unclamped

    variable = unclamped(value)
    return None if variable is value else LinearForm(variable, 1, 0)
