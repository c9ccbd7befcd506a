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
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    UnrankedTensorType,
    i64,
)
from xdsl.dialects.utils.dynamic_index_list import DynamicIndexList
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import Redefinition
from xdsl_bufferization.support.shaped_types import Tensor as AnyTensor
from xdsl_bufferization.support.shaped_types import ranked_shape
from xdsl_bufferization.support.xdsl_releases import VerificationContext


@irdl_op_definition
class PadOp(Redefinition, tensor.PadOp):
    """
    A tensor with elements added around it; xDSL's op, also where the result says more of its
    sizes than follows from the sizes of the source and the padding.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorpad-tensorpadop
    """

    name = "tensor.pad"

    source = operand_def(base(TensorType[Attribute]))
    low = var_operand_def(IndexType)
    high = var_operand_def(IndexType)
    static_low = prop_def(DenseArrayBase.constr(i64))
    static_high = prop_def(DenseArrayBase.constr(i64))
    nofold = opt_prop_def(UnitAttr)
    region = region_def("single_block")
    result = result_def(TensorType[Attribute])

    assembly_format = (
        "$source (`nofold` $nofold^)? "
        "`low` `` custom<DynamicIndexList>($low, $static_low) "
        "`high` `` custom<DynamicIndexList>($high, $static_high) "
        "$region attr-dict `:` type($source) `to` type($result)"
    )

    custom_directives = (DynamicIndexList,)

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


@irdl_op_definition
class ReshapeOp(Redefinition, tensor.ReshapeOp):
    """
    The same elements in another shape, whose sizes are the elements of `shape`; xDSL's op,
    for dynamic sizes and unranked tensors too.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorreshape-tensorreshapeop
    """

    name = "tensor.reshape"

    source = operand_def()
    shape = operand_def(TensorType[AnySignlessIntegerType | IndexType])
    result = result_def()

    assembly_format = (
        "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        shape: SSAValue | Operation,
        result_type: Attribute,
    ):
        IRDLOperation.__init__(
            self, operands=(source, shape), result_types=(result_type,)
        )

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
