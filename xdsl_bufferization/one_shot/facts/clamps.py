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

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.support.attributes import constant_integer
from xdsl_bufferization.support.trip_counts import induction_numbers

MAX_CLAMPS = 4
"""A value behind more casts and clamps is not looked at."""


def induction_range(value: SSAValue) -> range | None:
    """
    The numbers that an induction variable of a `scf.for` takes, if its bounds and its step are
    constants and it takes any; `None` for other values.
    """
    if not isinstance(value, BlockArgument) or value.index:
        return None
    loop = value.block.parent_op()
    return None if loop is None else induction_numbers(loop) or None


def unclamped(value: SSAValue) -> SSAValue:
    """
    The induction variable that the value always equals, as a number, behind casts to `index`
    and clamps; or else the value.
    """
    clamps: list[tuple[Operation, int]] = []
    variable = value
    for _ in range(MAX_CLAMPS):
        match variable.owner:
            case arith.IndexCastOp(input=source) if isinstance(
                variable.type, IndexType
            ):
                # To the width of `index`, which the range of the variable fits into.
                variable = source
            case arith.MaxSIOp() | arith.MinSIOp() as op:
                clamped, bound = op.lhs, constant_integer(op.rhs)
                if bound is None:
                    clamped, bound = op.rhs, constant_integer(op.lhs)
                if bound is None:
                    return value
                clamps.append((op, bound))
                variable = clamped
            case _:
                break
    numbers = induction_range(variable)
    if numbers is None or any(_changes(op, bound, numbers) for op, bound in clamps):
        return value
    return variable


def _changes(clamp: Operation, bound: int, numbers: range) -> bool:
    """Whether a clamp gives another number than it gets."""
    if isinstance(clamp, arith.MaxSIOp):
        return numbers[0] < bound
    return numbers[-1] > bound
