"""
`tensor.pad`, of which xDSL's verifier refuses static sizes that follow from dynamic ones.

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

from xdsl_bufferization.dialects.superset import Redefinition


@irdl_op_definition
class PadOp(Redefinition, tensor.PadOp):
    """
    A tensor with elements added around it; xDSL's op, also where the result says more of its
    sizes than follows from those of the source and the padding.

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
        ranks = {len(lows), len(highs), len(result), len(self.region.block.args)}
        if ranks != {len(source)}:
            raise VerifyException(
                "source, result, low and high padding, and arguments of the region must be "
                f"one for each of the {len(source)} dimensions"
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
