"""
Ops of tensor that xDSL lacks: gathers, scatters, and other element types.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, TensorType, UnitAttr, i64
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from xdsl_bufferization.dialects.shared.constraints import ANY_TENSOR
from xdsl_bufferization.dialects.shared.syntax import Integers


@irdl_op_definition
class BitcastOp(IRDLOperation):
    """
    A tensor with its elements' bits read as another type.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorbitcast-tensorbitcastop
    """

    name = "tensor.bitcast"

    source = operand_def(ANY_TENSOR)
    dest = result_def(ANY_TENSOR)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"


@irdl_op_definition
class GatherOp(IRDLOperation):
    """
    The slices of a tensor at a tensor of indices.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorgather-tensorgatherop
    """

    name = "tensor.gather"

    source = operand_def(TensorType)
    indices = operand_def(TensorType)
    gather_dims = prop_def(DenseArrayBase.constr(i64))
    unique = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    traits = traits_def(Pure())
    custom_directives = (Integers,)

    assembly_format = (
        "$source `[` $indices `]` `gather_dims` `(` custom<Integers>($gather_dims) `)` "
        "(`unique` $unique^)? attr-dict `:` functional-type(operands, results)"
    )


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """
    The tensor `dest` with the slices at a tensor of indices replaced.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorscatter-tensorscatterop
    """

    name = "tensor.scatter"

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    indices = operand_def(TensorType)
    scatter_dims = prop_def(DenseArrayBase.constr(i64))
    unique = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    traits = traits_def(Pure())
    custom_directives = (Integers,)

    assembly_format = (
        "$source `into` $dest `[` $indices `]` `scatter_dims` `(` "
        "custom<Integers>($scatter_dims) `)` (`unique` $unique^)? attr-dict `:` "
        "functional-type(operands, results)"
    )


INDEXING_OPS = [BitcastOp, GatherOp, ScatterOp]
