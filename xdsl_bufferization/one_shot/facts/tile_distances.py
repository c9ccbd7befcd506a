"""
How far tiles move from one iteration of a loop to the next.

A tile's offset in some dimension is a linear function of an induction variable, which grows
by the loop's step: the next tile starts behind this one if the growth is no less than its
size.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr

from xdsl_bufferization.dialects.scf.forall import ForallOp
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.one_shot.facts.linear import linear


class _InductionVariable(NamedTuple):
    value: SSAValue
    step: SSAValue | int


class _Range(NamedTuple):
    """A slice in one dimension."""

    offset: SSAValue | int
    size: SSAValue | int
    stride: SSAValue | int


def moves_on(loop: Operation, read: Slice, written: Slice) -> bool:
    """
    Whether no later iteration of the `scf.for` reads what an iteration writes; and of an
    `scf.forall`, no other iteration.
    """
    if len(read.offsets) != len(written.offsets):
        return False
    dimensions = [
        (_Range(*r), _Range(*w))
        for r, w in zip(
            zip(*read, strict=True), zip(*written, strict=True), strict=True
        )
    ]
    in_order = isinstance(loop, scf.ForOp)
    # Two iterations have different values of one variable, whichever that is.
    return all(
        any(
            _is_behind(read, written, variable)
            and (in_order or _is_behind(written, read, variable))
            for read, written in dimensions
        )
        for variable in _induction_variables(loop)
    )


def _induction_variables(loop: Operation) -> Iterator[_InductionVariable]:
    match loop:
        case scf.ForOp():
            yield _InductionVariable(loop.body.block.args[0], loop.step)
        case ForallOp():
            dynamic = iter(loop.dynamic_step)
            for value, step in zip(
                loop.induction_variables, loop.static_step.get_values(), strict=True
            ):
                yield _InductionVariable(
                    value, next(dynamic) if step == DYNAMIC_INDEX else step
                )
        case _:
            raise AssertionError(f"no loop: {loop.name}")


def _is_behind(later: _Range, earlier: _Range, variable: _InductionVariable) -> bool:
    """
    Whether the first range, for any larger value of the variable, starts at, or behind, the
    end of the second.
    """
    a, b = linear(later.offset), linear(earlier.offset)
    if (
        a.base is not variable.value
        or a.base is not b.base
        or a.factor != b.factor
        or a.factor <= 0
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
        and bound is not None
        and bound <= a.factor * step.constant + ahead
    )


def _upper_bound(size: SSAValue | int) -> int | None:
    """A number that the size does not exceed; `None` if none is known."""
    if isinstance(size, int):
        return size
    known = linear(size)
    if known.base is None:
        return known.constant
    match size.owner:
        case affine.MinOp() as op:
            results = op.map.data.results
            return min(
                (r.value for r in results if isinstance(r, AffineConstantExpr)),
                default=None,
            )
        case arith.MinSIOp(lhs=lhs, rhs=rhs):
            bounds = (linear(lhs), linear(rhs))
            return min((b.constant for b in bounds if b.base is None), default=None)
        case _:
            return None
