"""
Integers as linear functions `factor * base + constant` of one value.

    %b = arith.addi %i, %c4
    %c = affine.apply (d0) -> (d0 * 2) (%b)    // 2 * %i + 8

Offsets of slices are compared in this form: that of `%b` is four more than that of `%i`,
whatever `%i` is.

Front ends clamp the offset of each slice whose bounds they do not know (`jax.lax.dynamic_slice`).
Clamps to bounds that an induction variable keeps anyway are looked through:

    scf.for %l = %c0 to %c12 step %c1 : i32 {
      %i = arith.index_cast %l : i32 to index
      %a = arith.maxsi %i, %c0 : index
      %b = arith.minsi %a, %c11 : index      // always the number that %l is

Bounds and step of the loop have to be constants. A constant of 10 instead of 11 makes `%b`
another number in the last iteration, so `%b` stays what it is.

Takes constant time: no more than `MAX_INDEX_OPS` ops and `MAX_CLAMPS` clamps are looked through.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.index_arithmetic import (
    Clamp,
    LinearForm,
    clamp_of,
    linear_in_operand,
)
from xdsl_bufferization.interfaces.loop_like import induction_variable
from xdsl_bufferization.support.limits import MAX_CLAMPS, MAX_INDEX_OPS


def linear(value: SSAValue | int) -> LinearForm:
    """The value as a linear function of the earliest value that it is traced back to."""
    if isinstance(value, int):
        return LinearForm(None, 0, value)
    base = value
    factor, constant = 1, 0
    for _ in MAX_INDEX_OPS.steps():
        step = _step(base)
        if step is None:
            break
        base = step.base
        factor, constant = factor * step.factor, factor * step.constant + constant
        if base is None or not factor:
            return LinearForm(None, 0, constant)
    return LinearForm(base, factor, constant)


def _step(value: SSAValue) -> LinearForm | None:
    """The value in terms of an operand of its op, or of the induction variable that it is."""
    form = linear_in_operand(value)
    if form is not None or clamp_of(value) is None:
        return form
    variable = unclamped(value)
    return None if variable is value else LinearForm(variable, 1, 0)


def induction_range(value: SSAValue) -> range | None:
    """
    The numbers that an induction variable takes, if the bounds and the step of its loop are
    constants and it takes any; `None` for other values.
    """
    variable = induction_variable(value)
    return None if variable is None else variable.numbers or None


def unclamped(value: SSAValue) -> SSAValue:
    """
    The induction variable that the value always equals, as a number, after casts to `index`
    and clamps; or else the value.
    """
    clamps: list[Clamp] = []
    variable = value
    while (clamp := clamp_of(variable)) is not None:
        if MAX_CLAMPS.exceeded_by(len(clamps) + 1):
            return value
        clamps.append(clamp)
        variable = clamp.value
    numbers = induction_range(variable)
    if numbers is None or any(_changes(clamp, numbers) for clamp in clamps):
        return value
    return variable


def _changes(clamp: Clamp, numbers: range) -> bool:
    """Whether the clamp changes one of the numbers."""
    return (clamp.lower is not None and numbers[0] < clamp.lower) or (
        clamp.upper is not None and numbers[-1] > clamp.upper
    )
