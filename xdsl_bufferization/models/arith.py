"""How arith ops bufferize."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.host.literals import splat_number
from xdsl_bufferization.host.releases import linalg_ops
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.interfaces.contents import (
    ForwardingOpInterface,
    RematerializationOpInterface,
    empty_like,
)
from xdsl_bufferization.interfaces.registry import (
    always,
    answering,
    never,
    register_model,
)
from xdsl_bufferization.interfaces.sizes import (
    Clamp,
    ConditionOpInterface,
    IndexArithmeticOpInterface,
    UpperBound,
)
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.memrefs.sizes.arithmetic import LinearArithmetic
from xdsl_bufferization.models.shared.allocations import (
    InMemorySpaceOfSource,
    cast_elements,
)
from xdsl_bufferization.support.attributes import constant_integer, known_attribute
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.shaped_types import is_tensor


class ConstantModel(BufferizableOpInterface):
    """`arith.constant`: a read-only `memref.global`."""

    is_writable = never

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        value = op.properties["value"]
        bufferizer.replace(op, [bufferizer.global_constant(op, value)])


class SplatRematerialization(RematerializationOpInterface):
    """A constant with one number for all elements: an empty tensor is filled."""

    def bytes_read(self, op: Operation) -> int | None:
        return None if _splat(op) is None else 0

    def rematerialize(self, op: Operation, builder: Builder) -> SSAValue:
        element = _splat(op)
        assert element is not None
        result = op.results[0]
        scalar = builder.insert(arith.ConstantOp(element)).result
        fill = linalg_ops.FillOp(
            (scalar,), (empty_like(result, builder),), (result.type,)
        )
        return builder.insert(fill).results[0]


def _splat(op: Operation) -> IntegerAttr | FloatAttr | None:
    """The number that all elements of the constant are, if `linalg.fill` takes it."""
    value = op.properties["value"]
    if not isinstance(value, DenseIntOrFPElementsAttr) or not isinstance(
        value.type, TensorType
    ):
        return None
    return splat_number(value)


class SelectModel(BufferizableOpInterface, ForwardingOpInterface):
    """`arith.select` with an `i1` condition: one of two buffers."""

    forwarded = answering((1, 2))

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        if is_tensor(op.operands[0]):
            raise BufferizationError(
                op,
                "cannot be bufferized with a tensor as its condition",
                hint="run convert-elementwise-to-linalg first",
            )

    reads = never

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(op.results[0], definite=False),)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        true_type, false_type = map(types.buffer_type, op.operands[1:])
        return types.common_type(value, (true_type, false_type))

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        condition, *values = op.operands
        target = bufferizer.buffer_type(op.results[0])
        true_value, false_value = (
            bufferizer.buffer_of_type(value, target) for value in values
        )
        bufferizer.replace(
            op, [bufferizer.insert(arith.SelectOp(condition, true_value, false_value))]
        )


class IndexCastModel(InMemorySpaceOfSource):
    """
    `arith.index_cast` and `arith.index_castui` on tensors: a new buffer.

    mlir-opt makes it an op on memrefs, which it cannot lower any further.
    """

    allocates = always

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        def cast_element(element: SSAValue, wanted: Attribute) -> Operation:
            return type(op).create(
                operands=(element,),
                result_types=(wanted,),
                properties=op.properties.copy(),
            )

        cast_elements(op, cast_element, bufferizer)


# Integers ------------------------------------------------------------------------------


class IndexCastArithmetic(IndexArithmeticOpInterface):
    """`arith.index_cast` to `index`: keeps every number of 64 bits or less."""

    def clamp(self, op: Operation) -> Clamp | None:
        (number,) = op.operands
        is_kept = isinstance(number.type, IntegerType) and number.type.width.data <= 64
        is_index = isinstance(op.results[0].type, IndexType)
        return Clamp(number) if is_index and is_kept else None


class MaxArithmetic(IndexArithmeticOpInterface):
    """`arith.maxsi` of a value and a constant."""

    def clamp(self, op: Operation) -> Clamp | None:
        clamped = _value_and_constant(op)
        return None if clamped is None else Clamp(clamped[0], lower=clamped[1])


class MinArithmetic(IndexArithmeticOpInterface):
    """`arith.minsi` of a value and a constant."""

    def clamp(self, op: Operation) -> Clamp | None:
        clamped = _value_and_constant(op)
        return None if clamped is None else Clamp(clamped[0], upper=clamped[1])

    def upper_bound(self, op: Operation) -> int | None:
        return _least_constant(op)


class UnsignedMinArithmetic(IndexArithmeticOpInterface):
    """`arith.minui`: a bound that is not negative is one for signed numbers, too."""

    def upper_bound(self, op: Operation) -> int | None:
        bound = _least_constant(op)
        return None if bound is None or bound < 0 else bound


class Comparison(ConditionOpInterface):
    """`arith.cmpi` of a value and a constant; a bound that is not negative is signed, too."""

    def upper_bound(self, op: Operation) -> UpperBound | None:
        clamped = _value_and_constant(op)
        if clamped is None:
            return None
        value, number = clamped
        bounds = _BOUNDS if value is op.operands[0] else _BOUNDS_OF_RIGHT
        predicate = known_attribute(op, "predicate", IntegerAttr).value.data
        if (bound := bounds.get(predicate)) is None:
            return None
        is_signed, distance = bound
        is_valid = is_signed or number >= 0
        return UpperBound(value, number - distance) if is_valid else None


_EQUAL, _LESS, _AT_MOST = (True, 0), (True, 1), (True, 0)
"""Whether the predicate is signed, and how far the bound is below the right operand."""
_LESS_UNSIGNED, _AT_MOST_UNSIGNED = (False, 1), (False, 0)
_BOUNDS = {0: _EQUAL, 2: _LESS, 3: _AT_MOST, 6: _LESS_UNSIGNED, 7: _AT_MOST_UNSIGNED}
"""Predicates that bound the left operand: eq, slt, sle, ult, ule."""
_BOUNDS_OF_RIGHT = {
    0: _EQUAL,
    4: _LESS,
    5: _AT_MOST,
    8: _LESS_UNSIGNED,
    9: _AT_MOST_UNSIGNED,
}
"""The same for the right operand: eq, sgt, sge, ugt, uge."""


class Conjunction(ConditionOpInterface):
    """`arith.andi` of conditions."""

    def conditions(self, op: Operation) -> Sequence[SSAValue]:
        return op.operands if op.results[0].type == i1 else ()


def _least_constant(op: Operation) -> int | None:
    constants = map(constant_integer, op.operands)
    return min((c for c in constants if c is not None), default=None)


def _value_and_constant(op: Operation) -> tuple[SSAValue, int] | None:
    """The operands of an op, if one of them is a constant."""
    a, b = op.operands
    if (number := constant_integer(b)) is not None:
        return a, number
    return None if (number := constant_integer(a)) is None else (b, number)


def register() -> None:
    """Register the models for the dialect's ops."""
    register_model("arith.andi", Conjunction())
    register_model("arith.cmpi", Comparison())
    register_model("arith.constant", ConstantModel())
    register_model("arith.constant", SplatRematerialization())
    register_model("arith.index_cast", IndexCastModel())
    register_model("arith.index_cast", IndexCastArithmetic())
    register_model("arith.index_castui", IndexCastModel())
    register_model("arith.maxsi", MaxArithmetic())
    register_model("arith.minsi", MinArithmetic())
    register_model("arith.minui", UnsignedMinArithmetic())
    register_model("arith.select", SelectModel())
    register_model("arith.select", ViewLikeOpInterface())
    for name in ("addi", "muli", "subi"):
        register_model(f"arith.{name}", LinearArithmetic())
