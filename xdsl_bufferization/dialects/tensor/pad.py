"""
`tensor.pad`; xDSL's verifier refuses static sizes that follow from dynamic ones.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.utils.dynamic_index_list import DynamicIndexList
from xdsl.ir import Attribute
from xdsl.irdl import (
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure, SingleBlockImplicitTerminator
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import Redefinition


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
    traits = traits_def(Pure(), SingleBlockImplicitTerminator(tensor.YieldOp))

    def verify_(self) -> None:
        source = cast(TensorType[Attribute], self.source.type).get_shape()
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
