"""
`tensor.pad` and `tensor.reshape`; xDSL refuses static sizes that follow from dynamic ones, and
shapes of dynamic size or rank.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnySignlessIntegerType,
    IndexType,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    base,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import (
    refined,
    with_custom_form,
)
from xdsl_bufferization.support.shaped_types import Tensor as AnyTensor
from xdsl_bufferization.support.shaped_types import ranked_shape
from xdsl_bufferization.support.xdsl_releases import VerificationContext


@refined()
class PadOp(tensor.PadOp):
    """
    A tensor with elements added around it; xDSL's op, also where the result says more of its
    sizes than follows from the sizes of the source and the padding.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorpad-tensorpadop
    """

    def verify_(self) -> None:
        source = ranked_shape(self.source)
        lows, highs = self.static_low.get_values(), self.static_high.get_values()
        result = self.result.type.get_shape()
        if len(lows) != len(highs):
            raise VerifyException(
                f"pad sizes low ({len(lows)}) and high ({len(highs)}) must have an equal "
                "number of dimensions"
            )
        if len(lows) != len(source):
            raise VerifyException(
                f"number of pad sizes ({len(lows)}) must equal number of dimensions in "
                f"source tensor ({len(source)})"
            )
        if len(result) != len(source):
            raise VerifyException("source and result must have the same rank")
        arguments = len(self.region.block.args)
        if arguments != len(source):
            raise VerifyException(
                "region must have an arg for each dimension of the source tensor "
                f"({len(source)}) but region has ({arguments})"
            )
        for dimension, (size, low, high, wanted) in enumerate(
            zip(source, lows, highs, result, strict=True)
        ):
            known = DYNAMIC_INDEX not in (size, low, high)
            if known and wanted != size + low + high:
                raise VerifyException(
                    f"dimension {dimension} of the result must be {size + low + high}, "
                    "by the sizes of source and padding"
                )


_TENSOR = base(TensorType[Attribute])


@with_custom_form(
    "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
)
@refined(
    {
        "source": AnyAttr(),
        "shape": base(TensorType[AnySignlessIntegerType | IndexType]),
        "result": AnyAttr(),
    }
)
class ReshapeOp(tensor.ReshapeOp):
    """
    The same elements in another shape, whose sizes are the elements of `shape`; xDSL's op,
    for dynamic sizes and unranked tensors too.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorreshape-tensorreshapeop
    """

    def verify_(self) -> None:
        for value in (self.source, self.result):
            if not isinstance(value.type, UnrankedTensorType):
                _TENSOR.verify(value.type, VerificationContext())
        source = cast(AnyTensor, self.source.type)
        result = cast(AnyTensor, self.result.type)
        if source.element_type != result.element_type:
            raise VerifyException(
                "element types of source and result tensor types should be the same: "
                f"{source} and {result}"
            )
        lengths = ranked_shape(self.shape)
        if len(lengths) != 1:
            raise VerifyException("shape tensor must have a rank one")
        if not isinstance(result, TensorType):
            return
        if (
            isinstance(source, TensorType)
            and source.has_static_shape()
            and result.has_static_shape()
            and prod(source.get_shape()) != prod(result.get_shape())
        ):
            raise VerifyException(
                "source and result tensor should have the same number of elements: "
                f"{source} and {result}"
            )
        if lengths[0] != result.get_num_dims():
            raise VerifyException(
                "length of shape operand differs from the result's tensor rank"
            )
