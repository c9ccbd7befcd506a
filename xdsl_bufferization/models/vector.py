"""How vector ops with tensors bufferize."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    IntegerAttr,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.traits import ConstantLike

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    is_tensor,
)
from xdsl_bufferization.interfaces.registry import op_name, register_model
from xdsl_bufferization.models.region_ops import ConditionalModel, YieldModel
from xdsl_bufferization.transforms.bufferizer import Bufferizer


class ReadModel(BufferizableOpInterface):
    """`vector.transfer_read` and other ops that read tensors: the same op on buffers."""

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        new_op = bufferizer.rebuild(op, bufferizer.operands(op), op.result_types)
        bufferizer.replace(op, new_op.results)


class WriteModel(BufferizableOpInterface):
    """
    `vector.transfer_write` and other ops that update one tensor: the same op, without a
    result, on the tensor's buffer.
    """

    def __init__(self, destination: int):
        object.__setattr__(self, "destination", destination)

    destination: int
    """The index of the operand that is updated."""

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand != self.destination or not _overwrites(op, operand)

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand == self.destination

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(op.results[0]),) if operand == self.destination else ()

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        operands = bufferizer.operands(op)
        bufferizer.rebuild(op, operands, ())
        bufferizer.replace(op, (operands[self.destination],))


class MaskModel(ConditionalModel):
    """`vector.mask`: a tensor result is what the op that it masks updates."""

    def has_exclusive_regions(self, op: Operation) -> bool:
        return False

    def takes_copies(self, op: Operation) -> bool:
        # It holds the masked op, and nothing else.
        return False

    def types_handed_over(
        self, op: Operation, terminator: Operation
    ) -> Sequence[Attribute]:
        return ()

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        terminator = op.regions[0].block.last_op
        assert terminator is not None
        results = [
            bufferizer.buffer(_updated(value)) if is_tensor(value) else None
            for value in terminator.operands
        ]
        kept = [result for result in op.results if not is_tensor(result)]
        new_op = bufferizer.rebuild(
            op, bufferizer.operands(op), [result.type for result in kept]
        )
        others = iter(new_op.results)
        bufferizer.replace(op, [r or next(others) for r in results])


class MaskYieldModel(YieldModel):
    """`vector.yield`: tensors are in their buffers, which need not be yielded."""

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        bufferizer.rebuild(op, [v for v in op.operands if not is_tensor(v)], ())
        bufferizer.replace(op)


def _updated(value: SSAValue) -> SSAValue:
    """The tensor from outside of the region whose buffer `value` is."""
    owner = value.owner
    if isinstance(owner, Operation):
        model = BufferizableOpInterface.of(owner)
        if isinstance(model, WriteModel):
            return owner.operands[model.destination]
    return value


def _overwrites(op: Operation, destination: int) -> bool:
    """Whether a transfer writes each element of its destination."""
    vector, type = op.operands[0].type, op.operands[destination].type
    return (
        op_name(op) == "vector.transfer_write"
        and isinstance(vector, VectorType)
        and isinstance(type, TensorType)
        and tuple(vector.get_shape()) == tuple(type.get_shape())
        and not any(scalable.value.data for scalable in vector.scalable_dims)
        # No mask, no part of the vector that is out of bounds, no transposition.
        and len(op.operands) == 2 + len(type.get_shape())
        and all(map(_is_zero, op.operands[2:]))
        and op.properties.get("in_bounds") == _all_in_bounds(type.get_num_dims())
        and op.properties.get("permutation_map")
        == AffineMapAttr(AffineMap.identity(type.get_num_dims()))
    )


def _all_in_bounds(rank: int) -> Attribute:
    return ArrayAttr([BoolAttr.from_bool(True)] * rank)


def _is_zero(index: SSAValue) -> bool:
    value = ConstantLike.get_constant_value(index)
    return isinstance(value, IntegerAttr) and value.value.data == 0


def register() -> None:
    """Register the models for the dialect's ops."""
    for name, model in (
        ("gather", ReadModel()),
        ("load", ReadModel()),
        ("mask", MaskModel()),
        ("maskedload", ReadModel()),
        ("scatter", WriteModel(0)),
        ("transfer_read", ReadModel()),
        ("transfer_write", WriteModel(1)),
        ("yield", MaskYieldModel()),
    ):
        register_model(f"vector.{name}", model)
