"""
Ops of vector that xDSL lacks, with a mask and the memory or tensor that they access.

Source: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

_IN_ATTR_DICT = (ParsePropInAttrDict(),)
_ALIGNMENT = IntegerAttr.constr(i64)


@irdl_op_definition
class GatherOp(IRDLOperation):
    """
    Elements loaded at a vector of indices where the mask is set, others of `pass_thru`.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorgather-vectorgatherop
    """

    name = "vector.gather"

    base = operand_def()
    offsets = var_operand_def(IndexType())
    indices = operand_def()
    mask = operand_def()
    pass_thru = operand_def()
    alignment = opt_prop_def(_ALIGNMENT)
    result = result_def()

    irdl_options = _IN_ATTR_DICT
    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` "
        "type($base) `,` type($indices) `,` type($mask) `,` type($pass_thru) `into` "
        "type($result)"
    )


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """
    A store of elements at a vector of indices, where the mask is set.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorscatter-vectorscatterop
    """

    name = "vector.scatter"

    base = operand_def()
    offsets = var_operand_def(IndexType())
    indices = operand_def()
    mask = operand_def()
    value_to_store = operand_def()
    alignment = opt_prop_def(_ALIGNMENT)
    result = opt_result_def()

    irdl_options = _IN_ATTR_DICT
    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store attr-dict "
        "`:` type($base) `,` type($indices) `,` type($mask) `,` type($value_to_store) "
        "(`->` type($result)^)?"
    )


@irdl_op_definition
class ExpandLoadOp(IRDLOperation):
    """
    Consecutive elements loaded to where the mask is set, others of `pass_thru`.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorexpandload-vectorexpandloadop
    """

    name = "vector.expandload"

    base = operand_def()
    indices = var_operand_def(IndexType())
    mask = operand_def()
    pass_thru = operand_def()
    alignment = opt_prop_def(_ALIGNMENT)
    result = result_def()

    irdl_options = _IN_ATTR_DICT
    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` "
        "type($mask) `,` type($pass_thru) `into` type($result)"
    )


@irdl_op_definition
class CompressStoreOp(IRDLOperation):
    """
    A store of the elements where the mask is set, to consecutive addresses.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorcompressstore-vectorcompressstoreop
    """

    name = "vector.compressstore"

    base = operand_def()
    indices = var_operand_def(IndexType())
    mask = operand_def()
    value_to_store = operand_def()
    alignment = opt_prop_def(_ALIGNMENT)

    irdl_options = _IN_ATTR_DICT
    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base) "
        "`,` type($mask) `,` type($value_to_store)"
    )


MEMORY_OPS = [CompressStoreOp, ExpandLoadOp, GatherOp, ScatterOp]
