"""How vector ops with tensors bufferize."""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr, TensorType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
)
from xdsl_bufferization.interfaces.bufferizable import (
    AnalysisState,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.registry import answering, never, register_model
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.models.shared.destinations import UpdateModel
from xdsl_bufferization.models.shared.region_ops import ConditionalModel, YieldModel
from xdsl_bufferization.support.attributes import constant_integer
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import terminator_of
from xdsl_bufferization.support.shaped_types import is_tensor, ranked_shape


class ReadModel(BufferizableOpInterface):
    """`vector.transfer_read` and `vector.gather`: the same op on the buffer."""

    def read_part(self, op: Operation, operand: int) -> Slice | None:
        return _transferred(op, op.results[0].type, source=0, first_index=1)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        new_op = bufferizer.rebuild(op, bufferizer.operands(op), op.result_types)
        bufferizer.replace(op, new_op.results)


class WriteModel(UpdateModel):
    """An op that updates one tensor: the same op, without a result, on its buffer."""

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        operands = bufferizer.operands(op)
        bufferizer.rebuild(op, operands, ())
        bufferizer.replace(op, (operands[self.destination],))


class ScatterModel(WriteModel):
    """`vector.scatter`: writes some elements of its first operand."""

    destination = 0


class TransferWriteModel(WriteModel):
    """`vector.transfer_write`: reads its destination unless it overwrites all of it."""

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand != self.destination or not _overwrites(op)

    def written_part(self, op: Operation, operand: int) -> Slice | None:
        return _transferred(op, op.operands[0].type, source=1, first_index=2)


class MaskModel(ConditionalModel):
    """`vector.mask`: a tensor result is the tensor that the masked op updates."""

    has_exclusive_regions = never

    # It holds the masked op, and nothing else.
    takes_copies = never

    forwarded_types = answering(())

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        terminator = terminator_of(op.regions[0].block)
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
    """`vector.yield`: yields no tensors, which are in the buffers that were updated."""

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        bufferizer.rebuild(op, [v for v in op.operands if not is_tensor(v)], ())
        bufferizer.replace(op)


def _updated(value: SSAValue) -> SSAValue:
    """The tensor from outside of the region that is in the same buffer as `value`."""
    owner = value.owner
    if isinstance(owner, Operation):
        model = BufferizableOpInterface.of(owner)
        if isinstance(model, WriteModel):
            return owner.operands[model.destination]
    return value


def _transferred(
    op: Operation, vector: Attribute, *, source: int, first_index: int
) -> Slice | None:
    """
    A part of the tensor that holds all elements that a transfer reads or writes; `None` if
    its sizes are not known.
    """
    part = _smallest_part(op, vector, source, first_index)
    is_scalable = isinstance(vector, VectorType) and any(vector.get_scalable_dims())
    return None if is_scalable else part


def _smallest_part(
    op: Operation, vector: Attribute, source: int, first_index: int
) -> Slice | None:
    """That part; for a scalable vector with its smallest possible sizes."""
    type = op.operands[source].type
    permutation = op.properties.get("permutation_map")
    if (
        not isinstance(type, TensorType)
        or not isinstance(vector, VectorType)
        or not isinstance(permutation, AffineMapAttr)
    ):
        return None
    rank = len(ranked_shape(op.operands[source]))
    return Slice(
        tuple(op.operands[first_index : first_index + rank]),
        _sizes(vector, permutation.data),
        (1,) * rank,
    )


def _overwrites(op: Operation) -> bool:
    """Whether `vector.transfer_write` writes each element of its destination."""
    part = _smallest_part(op, op.operands[0].type, source=1, first_index=2)
    if part is None:
        return False
    shape = ranked_shape(op.operands[1])
    parent = op.parent_op()
    is_masked = len(op.operands) > 2 + len(shape) or (
        parent is not None and op_name(parent) == "vector.mask"
    )
    return (
        not is_masked
        and all(constant_integer(index) == 0 for index in op.operands[2:])
        and all(
            isinstance(size, int) and 0 <= known <= size
            for known, size in zip(shape, part.sizes, strict=True)
        )
    )


def _sizes(vector: VectorType[Attribute], permutation: AffineMap) -> tuple[int, ...]:
    """The size of the vector in each dimension of the tensor."""
    sizes = [1] * permutation.num_dims
    # The last dimensions of a vector may be those of the tensor's elements.
    for dim, size in zip(permutation.results, vector.get_shape(), strict=False):
        if isinstance(dim, AffineDimExpr):
            sizes[dim.position] = size
    return tuple(sizes)


class VectorEffects(BufferEffectsOpInterface):
    """An op with a result reads memory, one without a result writes it."""

    def effect(self, op: Operation, operand: int) -> BufferEffect:
        if op.regions:
            return BufferEffect.TOUCH
        return BufferEffect.READ if op.results else BufferEffect.WRITE


def register() -> None:
    """Register the models for the dialect's ops."""
    for name, model in (
        ("gather", ReadModel()),
        ("mask", MaskModel()),
        ("scatter", ScatterModel()),
        ("transfer_read", ReadModel()),
        ("transfer_write", TransferWriteModel()),
        ("yield", MaskYieldModel()),
    ):
        register_model(f"vector.{name}", model)
    register_model("vector.*", VectorEffects())
