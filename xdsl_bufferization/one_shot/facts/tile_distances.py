"""
How far tiles move from one iteration of a loop to the next.

    scf.for %i = %c0 to %n step %c4 {
      read %t[%i] [4], write %a[%i] [4]   // 4 elements, and %i grows by 4: never read again
      read %t[%i] [5], write %a[%i] [5]   // the next iteration reads %t[%i + 4], which is written
    }

A tile's offset in some dimension is a linear function of an induction variable, which grows
by the loop's step: the next tile starts after the end of this one if the growth is no less than
its size. Takes time in proportion to the dimensions and the induction variables.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.index_arithmetic import upper_bound_of
from xdsl_bufferization.interfaces.loop_like import (
    InductionVariable,
    induction_variables,
)
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.one_shot.facts.linear import linear


class _Range(NamedTuple):
    """A slice in one dimension."""

    offset: SSAValue | int
    size: SSAValue | int
    stride: SSAValue | int


def moves_on(loop: Operation, read: Slice, written: Slice) -> bool:
    """
    Whether no later iteration of the loop reads what an iteration writes; and if iterations
    run in parallel, no other iteration.
    """
    variables = induction_variables(loop)
    if variables is None or len(read.offsets) != len(written.offsets):
        return False
    dimensions = [
        (_Range(*r), _Range(*w))
        for r, w in zip(
            zip(*read, strict=True), zip(*written, strict=True), strict=True
        )
    ]
    in_order = _runs_in_order(loop)
    # The first variable that differs between two iterations is larger in the later one.
    return all(
        any(
            _starts_after(read, written, variable)
            and (in_order or _starts_after(written, read, variable))
            for read, written in dimensions
        )
        for variable in variables
    )


def _runs_in_order(loop: Operation) -> bool:
    model = BufferizableOpInterface.of(loop)
    return model is not None and not model.is_parallel(loop, 0)


def _starts_after(later: _Range, earlier: _Range, variable: InductionVariable) -> bool:
    """
    Whether the first range, for any larger value of the variable, starts at, or after, the
    end of the second.
    """
    a, b = linear(later.offset), linear(earlier.offset)
    if (
        a.base is not variable.value
        or a.base is not b.base
        or a.factor != b.factor
        or a.factor <= 0
        or variable.step is None
        or not isinstance(later.stride, int)
        or later.stride < 1
        or earlier.stride != 1
    ):
        return False
    ahead = a.constant - b.constant
    if earlier.size is variable.step:
        return ahead >= 0
    step, bound = linear(variable.step), _upper_bound(earlier.size)
    return (
        step.base is None
        and step.constant > 0
        and bound is not None
        and bound <= a.factor * step.constant + ahead
    )


def _upper_bound(size: SSAValue | int) -> int | None:
    """A number that the size does not exceed; `None` if none is known."""
    if isinstance(size, int):
        return size
    known = linear(size)
    return upper_bound_of(size) if known.base is not None else known.constant
