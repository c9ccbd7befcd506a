"""
The sizes of an op's results as values.

Source: MLIR's ReifyRankedShapedTypeOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.builder import Builder
from xdsl.dialects import arith, memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.registry import OpInterface, register_model

Size: TypeAlias = SSAValue | int
"""How many elements a dimension has: a number if known, else a value of type `index`."""


class ReifyRankedShapedTypeOpInterface(OpInterface):
    """Tells the sizes of ranked results from the operands, without the results."""

    @abstractmethod
    def reify(self, op: Operation, builder: Builder) -> Sequence[Sequence[Size]]:
        """
        For each tensor or memref among the results the sizes of its dimensions.

        Ops are inserted where needed; the builder has to be in front of `op`, or where
        the operands of `op` still exist.
        """


def sizes_of(value: SSAValue, builder: Builder) -> Sequence[Size]:
    """
    The sizes of a ranked tensor or memref.

    Raises `ValueError` if it is neither.
    """
    type = value.type
    if not isinstance(type, TensorType | MemRefType):
        raise ValueError(f"expected a ranked tensor or memref, got {type}")
    shape = cast(TensorType[Attribute] | MemRefType[Attribute], type).get_shape()
    dim_op = tensor.DimOp if isinstance(value.type, TensorType) else memref.DimOp
    sizes: list[Size] = []
    for index, size in enumerate(shape):
        if size == DYNAMIC_INDEX:
            position = builder.insert(
                arith.ConstantOp.from_int_and_width(index, IndexType())
            )
            sizes.append(builder.insert(dim_op(value, position)).result)
        else:
            sizes.append(size)
    return sizes


def with_dynamic(shape: Sequence[int], dynamic: Sequence[SSAValue]) -> Sequence[Size]:
    """The shape with its unknown sizes replaced by the values, in order."""
    values = iter(dynamic)
    return [next(values) if size == DYNAMIC_INDEX else size for size in shape]


class SizesOfInits(ReifyRankedShapedTypeOpInterface):
    """Each result has the sizes of the init to which it is tied."""

    def reify(self, op: Operation, builder: Builder) -> Sequence[Sequence[Size]]:
        style = DestinationStyleOpInterface.of(op)
        return [
            sizes_of(op.operands[init], builder)
            for init in (style.inits(op) if style else ())
            if isinstance(op.operands[init].type, TensorType)
        ]


@dataclass(frozen=True)
class SizesFromOperands(ReifyRankedShapedTypeOpInterface):
    """The operands from `first` on are the unknown sizes."""

    first: int = 0

    def reify(self, op: Operation, builder: Builder) -> Sequence[Sequence[Size]]:
        shape = cast(TensorType[Attribute], op.results[0].type).get_shape()
        return (with_dynamic(shape, op.operands[self.first :]),)


# Models for xDSL's ops, by name: so ops that xDSL does not define are served, too.

register_model("linalg.*", SizesOfInits())
register_model("tensor.insert", SizesOfInits())
register_model("tensor.insert_slice", SizesOfInits())
register_model("tensor.empty", SizesFromOperands())
register_model("tensor.generate", SizesFromOperands())
register_model("tensor.splat", SizesFromOperands(first=1))
