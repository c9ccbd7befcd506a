"""
Slices of one tensor that may have an element in common.

    %b = tensor.extract_slice %t[%i] [4] [1]      // [%i, %i + 4)
    %k = arith.addi %i, %c4
    %c = tensor.extract_slice %t[%k] [4] [1]      // [%i + 4, %i + 8): disjoint
    %d = tensor.extract_slice %t[%k] [4] [2]      // interleaves with no slice at %i of stride 1

Slices are disjoint if they are in one dimension. Offsets are linear functions of one value
(`linear.py`), and that value may be two numbers in two iterations:

    scf.for %i = %c0 to %n step %c4 {
      read %t[%i] [4], write %a[%i + 4] [4] // disjoint in one iteration, not in the next
      read %t[%i] [4], write %a[%i] [4]     // 4 elements, and %i grows by 4: never read again
      read %t[%i] [5], write %a[%i] [5]     // the next iteration reads %t[%i + 4], which is written
    }

Takes time in proportion to the rank, and to the induction variables of a loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
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


class When(Enum):
    """When two slices are accessed."""

    SAME_ITERATION = "in one iteration of all loops: a value is one number"
    ANY_ITERATIONS = "in any two iterations: a value may be two numbers"


def may_overlap(a: Slice, b: Slice, when: When | Operation) -> bool:
    """
    Whether two slices of one tensor may have an element in common. If `when` is a loop, `a` is
    accessed in a later iteration of it than `b`, or in any other if iterations run in parallel.
    """
    if len(a.offsets) != len(b.offsets):
        return True
    dimensions = zip(_ranges(a), _ranges(b), strict=True)
    if isinstance(when, When):
        same_values = when is When.SAME_ITERATION
        return not any(_are_disjoint(x, y, same_values) for x, y in dimensions)
    return not _moves_on(when, [*dimensions])


class _Range(NamedTuple):
    """A slice in one dimension."""

    offset: SSAValue | int
    size: SSAValue | int
    stride: SSAValue | int


def _ranges(part: Slice) -> Iterator[_Range]:
    return map(_Range, part.offsets, part.sizes, part.strides)


def _are_disjoint(a: _Range, b: _Range, same_values: bool) -> bool:
    start, other = linear(a.offset), linear(b.offset)
    if (
        start.base is not other.base
        or start.factor != other.factor
        or (start.base is not None and not same_values)
        or not (isinstance(a.stride, int) and a.stride > 0)
        or not (isinstance(b.stride, int) and b.stride > 0)
    ):
        return False
    distance = other.constant - start.constant
    if a.stride == b.stride and distance % a.stride:
        # The slices interleave.
        return True
    size, stride = (a.size, a.stride) if distance >= 0 else (b.size, b.stride)
    return isinstance(size, int) and (size - 1) * stride < abs(distance)


def _moves_on(loop: Operation, dimensions: list[tuple[_Range, _Range]]) -> bool:
    """
    Whether each induction variable, which grows by the loop's step, moves the first slice past
    the end of the second in some dimension.
    """
    variables = induction_variables(loop)
    if variables is None:
        return False
    model = BufferizableOpInterface.of(loop)
    in_order = model is not None and not model.is_parallel(loop, 0)
    # The first variable that differs between two iterations is larger in the later one.
    return all(
        any(
            _starts_after(a, b, variable)
            and (in_order or _starts_after(b, a, variable))
            for a, b in dimensions
        )
        for variable in variables
    )


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
