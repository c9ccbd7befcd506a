"""
Ops of vector that xDSL lacks, and that an assembly format describes.

Source: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I64, ArrayAttr, IntegerAttr
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

_IN_ATTR_DICT = (ParsePropInAttrDict(),)


@irdl_op_definition
class ShapeCastOp(IRDLOperation):
    """
    The elements of a vector in another shape.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorshape_cast-vectorshapecastop
    """

    name = "vector.shape_cast"

    source = operand_def()
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"


@irdl_op_definition
class TypeCastOp(IRDLOperation):
    """
    A memref as one of a single vector.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectortype_cast-vectortypecastop
    """

    name = "vector.type_cast"

    memref = operand_def()
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = "$memref attr-dict `:` type($memref) `to` type($result)"


@irdl_op_definition
class ExtractStridedSliceOp(IRDLOperation):
    """
    A slice of a vector.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorextract_strided_slice-vectorextractstridedsliceop
    """

    name = "vector.extract_strided_slice"

    source = operand_def()
    result = result_def()
    offsets = prop_def(ArrayAttr)
    sizes = prop_def(ArrayAttr)
    strides = prop_def(ArrayAttr)

    irdl_options = _IN_ATTR_DICT
    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"


@irdl_op_definition
class InsertStridedSliceOp(IRDLOperation):
    """
    The vector `dest` with a slice replaced.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorinsert_strided_slice-vectorinsertstridedsliceop
    """

    name = "vector.insert_strided_slice"

    value_to_store = operand_def()
    _T: ClassVar = VarConstraint("_T", AnyAttr())
    dest = operand_def(_T)
    result = result_def(_T)
    offsets = prop_def(ArrayAttr)
    strides = prop_def(ArrayAttr)

    irdl_options = _IN_ATTR_DICT
    traits = traits_def(Pure())

    assembly_format = (
        "$value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` "
        "type($result)"
    )


@irdl_op_definition
class StepOp(IRDLOperation):
    """
    The vector of the numbers from 0 on.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorstep-vectorstepop
    """

    name = "vector.step"

    result = result_def()

    traits = traits_def(Pure())

    assembly_format = "attr-dict `:` type($result)"


@irdl_op_definition
class InterleaveOp(IRDLOperation):
    """
    The elements of two vectors in turn, along the last dimension.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorinterleave-vectorinterleaveop
    """

    name = "vector.interleave"

    _T: ClassVar = VarConstraint("_T", AnyAttr())
    lhs = operand_def(_T)
    rhs = operand_def(_T)
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"


@irdl_op_definition
class DeinterleaveOp(IRDLOperation):
    """
    The even and the odd elements of a vector, along the last dimension.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectordeinterleave-vectordeinterleaveop
    """

    name = "vector.deinterleave"

    source = operand_def()
    _T: ClassVar = VarConstraint("_T", AnyAttr())
    res1 = result_def(_T)
    res2 = result_def(_T)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `->` type($res1)"


@irdl_op_definition
class ScalableInsertOp(IRDLOperation):
    """
    The scalable vector `dest` with a subvector replaced.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorscalableinsert-vectorscalableinsertop
    """

    name = "vector.scalable.insert"

    value_to_store = operand_def()
    _T: ClassVar = VarConstraint("_T", AnyAttr())
    dest = operand_def(_T)
    pos = prop_def(IntegerAttr[I64])
    res = result_def(_T)

    traits = traits_def(Pure())

    assembly_format = (
        "$value_to_store `,` $dest `[` $pos `]` attr-dict `:` type($value_to_store) "
        "`into` type($dest)"
    )


@irdl_op_definition
class ScalableExtractOp(IRDLOperation):
    """
    A subvector of a scalable vector.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorscalableextract-vectorscalableextractop
    """

    name = "vector.scalable.extract"

    source = operand_def()
    pos = prop_def(IntegerAttr[I64])
    res = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$source `[` $pos `]` attr-dict `:` type($res) `from` type($source)"
    )


SIMPLE_OPS = [
    DeinterleaveOp,
    ExtractStridedSliceOp,
    InsertStridedSliceOp,
    InterleaveOp,
    ScalableExtractOp,
    ScalableInsertOp,
    ShapeCastOp,
    StepOp,
    TypeCastOp,
]
