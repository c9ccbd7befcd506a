"""
Clamps of an induction variable to bounds that it keeps anyway.

    scf.for %l = %c0 to %c12 step %c1 : i32 {
      %i = arith.index_cast %l : i32 to index
      %a = arith.maxsi %i, %c0 : index
      %b = arith.minsi %a, %c11 : index      // always the number that %l is

Front ends clamp the offset of each slice whose bounds they do not know (`jax.lax.dynamic_slice`).
Bounds and step of the loop have to be constants. A constant of 10 instead of 11 makes `%b`
another number in the last iteration, so `%b` stays what it is.

Takes constant time: no more than `MAX_CLAMPS` ops are looked through.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.index_arithmetic import Clamp, clamp_of
from xdsl_bufferization.interfaces.loop_like import induction_variable
from xdsl_bufferization.support.limits import MAX_CLAMPS


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
        if len(clamps) == MAX_CLAMPS:
            MAX_CLAMPS.met()
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
