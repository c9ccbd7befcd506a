"""
The sizes and `index` values that an op computes, as polynomials over those of its operands.

Unlike `interfaces/reify.py` the answers insert no ops. MLIR's ValueBoundsOpInterface is the
reference; it gives linear constraints, which cannot express the product of two sizes.

Source: https://mlir.llvm.org/docs/Interfaces/

Ops that compute integers, such as the offsets of slices.

    %b = arith.addi %a, %c4        // linear in %a: 1 * %a + 4
    %c = affine.min (d0) -> (8, 64 - d0) (%a)    // no more than 8
    %d = arith.maxsi %a, %c0       // %a, clamped to 0 and above
    %e = arith.cmpi sle, %a, %c9   // if it is true, %a is 9 at most
    cf.assert %e                   // after it, %e is true

So analyses compare offsets (`linear`), and bound sizes, without knowing any op. Each answer takes
constant time.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple, TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.registry import (
    OpInterface,
    Questions,
    answers,
    instance_of,
    sequence_of,
)
from xdsl_bufferization.support.attributes import constant_integer
from xdsl_bufferization.support.limits import MAX_INDEX_OPS
from xdsl_bufferization.support.polynomials import Polynomial
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    is_tensor_type,
    shape_of,
)


class Symbol(NamedTuple):
    """The size of a ranked tensor or memref in a dimension, or an integer value itself."""

    value: SSAValue
    dimension: int | None = None
    """The dimension; `None` for an integer."""


Expression: TypeAlias = Polynomial[Symbol]


class SizesOpInterface(OpInterface):
    """An op that computes sizes, or numbers that may be sizes."""

    @abstractmethod
    def size(
        self, op: Operation, result: OpResult, dimension: int | None
    ) -> Expression | None:
        """
        The size of the result in the dynamic dimension, or the result itself, an integer, if
        `dimension` is `None`; in terms of the op's operands. `None` if it is unknown.

        Arithmetic may be taken not to overflow: what overflows is no size.
        """


def size_of(value: SSAValue, dimension: int) -> Expression | None:
    """The size of the value in the dimension; `None` if it has no such dimension."""
    shape = shape_or_none(value)
    if shape is None or not 0 <= dimension < len(shape):
        return None
    size = shape[dimension]
    if size == DYNAMIC_INDEX:
        return Expression.of(Symbol(value, dimension))
    return Expression.constant(size)


def size_like(symbol: Symbol, value: SSAValue) -> Expression | None:
    """The size of the value in the symbol's dimension, or the integer itself."""
    if symbol.dimension is None:
        return number_of(value)
    return size_of(value, symbol.dimension)


def number_of(value: SSAValue) -> Expression:
    """The integer value."""
    constant = constant_integer(value)
    if constant is None:
        return Expression.of(Symbol(value))
    return Expression.constant(constant)


def shape_or_none(value: SSAValue) -> tuple[int, ...] | None:
    """The shape of a tensor or memref; `None` if it is neither, or has no rank."""
    type = value.type
    return shape_of(type) if is_tensor_type(type) or is_memref_type(type) else None


class LinearForm(NamedTuple):
    """`factor * base + constant`; without a base, the number `constant`."""

    base: SSAValue | None
    factor: int
    constant: int

    @property
    def number(self) -> int | None:
        """The number, if it is one."""
        return self.constant if self.base is None else None

    def minus(self, other: LinearForm) -> int | None:
        """The difference, if it does not depend on the base."""
        if self.base is other.base and self.factor == other.factor:
            return self.constant - other.constant
        return None


class Clamp(NamedTuple):
    """`value`, or the bound that it exceeds: `lower` if it is less, `upper` if it is more."""

    value: SSAValue
    lower: int | None = None
    upper: int | None = None


class IndexArithmeticOpInterface(OpInterface):
    """
    An op with one result, an integer. MLIR has `ValueBoundsOpInterface` and
    `InferIntRangeInterface`.
    """

    def linear(self, op: Operation) -> LinearForm | None:
        """
        The result as a linear function of one operand, or a number; `None`, the default, if it
        has no such form.
        """
        return None

    def clamp(self, op: Operation) -> Clamp | None:
        """
        The operand and the constants that the op clamps it to; without bounds, the op is a cast
        that keeps every number that fits into the result's type. `None`, the default, for other
        ops.
        """
        return None

    def upper_bound(self, op: Operation) -> int | None:
        """A number that the result does not exceed; `None`, the default, if none is known."""
        return None

    questions: ClassVar[Questions] = answers(
        linear=instance_of(LinearForm, "a LinearForm").or_none(),
        clamp=instance_of(Clamp, "a Clamp").or_none(),
        upper_bound=instance_of(int, "an integer").or_none(),
    )


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

    questions: ClassVar[Questions] = answers(
        conditions=sequence_of(SSAValue, "values"),
        upper_bound=instance_of(UpperBound, "an UpperBound").or_none(),
    )


def linear_in_operand(value: SSAValue) -> LinearForm | None:
    """
    The value as a linear function of one operand of the op that computes it, or a number; `None`
    if it has no such form.
    """
    if (op := _arithmetic_op(value)) is not None:
        return IndexArithmeticOpInterface.expect(op).linear(op)
    number = constant_integer(value)
    return None if number is None else LinearForm(None, 0, number)


def linear(
    number: SSAValue | int,
    step: Callable[[SSAValue], LinearForm | None] = linear_in_operand,
) -> LinearForm:
    """
    The number as a linear function of the earliest value that it is traced back to, a `step` at a
    time. No more than `MAX_INDEX_OPS` are taken.
    """
    if isinstance(number, int):
        return LinearForm(None, 0, number)
    form = LinearForm(number, 1, 0)
    for _ in MAX_INDEX_OPS.steps():
        if form.base is None or (inner := step(form.base)) is None:
            break
        factor = form.factor * inner.factor
        constant = form.factor * inner.constant + form.constant
        form = LinearForm(inner.base if factor else None, factor, constant)
    return form


def clamp_of(value: SSAValue) -> Clamp | None:
    """The clamp or cast that computes the value, if one does."""
    op = _arithmetic_op(value)
    return None if op is None else IndexArithmeticOpInterface.expect(op).clamp(op)


def upper_bound_of(value: SSAValue | int) -> int | None:
    """A number that the value does not exceed; `None` if none is known."""
    if (number := linear(value).number) is not None or isinstance(value, int):
        return number
    if (op := _arithmetic_op(value)) is not None:
        return IndexArithmeticOpInterface.expect(op).upper_bound(op)
    return None


def _arithmetic_op(value: SSAValue) -> Operation | None:
    """The op that computes the value, if it has `IndexArithmeticOpInterface`."""
    op = value.owner
    if isinstance(op, Operation) and IndexArithmeticOpInterface.of(op) is not None:
        return op
    return None
