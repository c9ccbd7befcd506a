"""How many iterations loops have, where constants tell."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from xdsl_bufferization.support.attributes import constant_integer, integers
from xdsl_bufferization.support.names import op_name


def induction_numbers(loop: Operation) -> range | None:
    """
    The numbers that the induction variable of a `scf.for` takes; `None` if its bounds and step
    are no constants, or for other ops.
    """
    # Most short programs do not wait for xDSL's classes of loops.
    if op_name(loop) != "scf.for":
        return None
    lower, upper, step = map(constant_integer, loop.operands[:3])
    if lower is None or upper is None or step is None or step <= 0:
        return None
    return range(lower, upper, step)


def trip_count(loop: Operation) -> int | None:
    """How many iterations a loop has; `None` if that is not known."""
    if op_name(loop) in ("scf.forall", "scf.parallel"):
        return _points(loop)
    numbers = induction_numbers(loop)
    return None if numbers is None else len(numbers)


def _points(loop: Operation) -> int | None:
    """The points of an iteration space with static bounds."""
    bounds = [
        integers(loop, f"static{name}") for name in ("LowerBound", "UpperBound", "Step")
    ]
    lower, upper, step = bounds
    if not upper or DYNAMIC_INDEX in (*lower, *upper, *step):
        return None
    return prod(
        max(0, -((a - b) // s)) for a, b, s in zip(lower, upper, step, strict=True)
    )
