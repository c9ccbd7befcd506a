"""
Ops of vector that xDSL lacks: those that compute with or rearrange elements, and those with a mask
and the memory or tensor that they access.

Source: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Self

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    VectorType,
    i64,
)
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from xdsl_bufferization.dialects.shared.redefinition import (
    PureOp,
    read_in_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import inferred, parse_names

_S, _T = VarConstraint("_S", AnyAttr()), VarConstraint("_T", AnyAttr())
"""Any type; those with the same variable in an op are equal."""
_ADD = CombiningKindAttr(CombiningKindFlag.ADD)
_IN_ATTR_DICT = (ParsePropInAttrDict(),)


@irdl_op_definition
class ShapeCastOp(PureOp):
    """
    The elements of a vector in another shape.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorshape_cast-vectorshapecastop
    """

    name = "vector.shape_cast"

    source = operand_def()
    result = result_def()

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"


@irdl_op_definition
class TypeCastOp(PureOp):
    """
    A memref as one of a single vector.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectortype_cast-vectortypecastop
    """

    name = "vector.type_cast"

    memref = operand_def()
    result = result_def()

    assembly_format = "$memref attr-dict `:` type($memref) `to` type($result)"


@irdl_op_definition
class ExtractStridedSliceOp(PureOp):
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

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"


@irdl_op_definition
class InsertStridedSliceOp(PureOp):
    """
    The vector `dest` with a slice replaced.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorinsert_strided_slice-vectorinsertstridedsliceop
    """

    name = "vector.insert_strided_slice"

    value_to_store = operand_def()
    dest = operand_def(_T)
    result = result_def(_T)
    offsets = prop_def(ArrayAttr)
    strides = prop_def(ArrayAttr)

    irdl_options = _IN_ATTR_DICT

    assembly_format = (
        "$value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` "
        "type($result)"
    )


@irdl_op_definition
class StepOp(PureOp):
    """
    The vector of the numbers from 0 on.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorstep-vectorstepop
    """

    name = "vector.step"

    result = result_def()

    assembly_format = "attr-dict `:` type($result)"


@irdl_op_definition
class InterleaveOp(PureOp):
    """
    The elements of two vectors in turn, along the last dimension.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorinterleave-vectorinterleaveop
    """

    name = "vector.interleave"

    lhs = operand_def(_T)
    rhs = operand_def(_T)
    result = result_def()

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"


@irdl_op_definition
class DeinterleaveOp(PureOp):
    """
    The even and the odd elements of a vector, along the last dimension.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectordeinterleave-vectordeinterleaveop
    """

    name = "vector.deinterleave"

    source = operand_def()
    res1 = result_def(_T)
    res2 = result_def(_T)

    assembly_format = "$source attr-dict `:` type($source) `->` type($res1)"


@irdl_op_definition
class ScalableInsertOp(PureOp):
    """
    The scalable vector `dest` with a subvector replaced.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorscalableinsert-vectorscalableinsertop
    """

    name = "vector.scalable.insert"

    value_to_store = operand_def()
    dest = operand_def(_T)
    pos = prop_def(IntegerAttr[I64])
    res = result_def(_T)

    assembly_format = (
        "$value_to_store `,` $dest `[` $pos `]` attr-dict `:` type($value_to_store) "
        "`into` type($dest)"
    )


@irdl_op_definition
class ScalableExtractOp(PureOp):
    """
    A subvector of a scalable vector.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorscalableextract-vectorscalableextractop
    """

    name = "vector.scalable.extract"

    source = operand_def()
    pos = prop_def(IntegerAttr[I64])
    res = result_def()

    assembly_format = (
        "$source `[` $pos `]` attr-dict `:` type($res) `from` type($source)"
    )


@irdl_op_definition
class TransposeOp(PureOp):
    """
    A vector with its dimensions permuted.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectortranspose-vectortransposeop
    """

    name = "vector.transpose"

    vector = operand_def()
    permutation = prop_def(DenseArrayBase.constr(i64))
    result = result_def()

    assembly_format = (
        "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"
    )


@irdl_op_definition
class ConstantMaskOp(PureOp):
    """
    A mask that is set below a constant bound in each dimension.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorconstant_mask-vectorconstantmaskop
    """

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    result = result_def()

    assembly_format = "$mask_dim_sizes attr-dict `:` type($result)"


@irdl_op_definition
class MultiDimReductionOp(PureOp):
    """
    The reduction of a vector over some of its dimensions, combined with `acc`.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectormulti_reduction-vectormultidimreductionop
    """

    name = "vector.multi_reduction"

    source = operand_def()
    acc = operand_def(_T)
    kind = prop_def(CombiningKindAttr)
    reduction_dims = prop_def(DenseArrayBase.constr(i64))
    dest = result_def(_T)

    assembly_format = (
        "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` "
        "type($source) `to` type($dest)"
    )


@irdl_op_definition
class ScanOp(PureOp):
    """
    The prefix reductions of a vector along a dimension, and the reduction of all.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorscan-vectorscanop
    """

    name = "vector.scan"

    source = operand_def(_S)
    initial_value = operand_def(_T)
    kind = prop_def(CombiningKindAttr)
    reduction_dim = prop_def(IntegerAttr.constr(i64))
    inclusive = prop_def(BoolAttr)
    dest = result_def(_S)
    accumulated_value = result_def(_T)

    irdl_options = (ParsePropInAttrDict(),)

    assembly_format = (
        "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` "
        "type($initial_value)"
    )


@irdl_op_definition
class VectorScaleOp(PureOp):
    """
    The multiple by which scalable vectors are longer than their minimum.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorvscale-vectorvectorscaleop
    """

    name = "vector.vscale"

    res = result_def(IndexType())

    assembly_format = "attr-dict"


@irdl_op_definition
class OuterProductOp(PureOp):
    """
    The outer product of two vectors, combined with `acc`, if there is one.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorouterproduct-vectorouterproductop
    """

    name = "vector.outerproduct"

    lhs = operand_def()
    rhs = operand_def()
    acc = opt_operand_def()
    kind = prop_def(CombiningKindAttr, default_value=_ADD)
    result = result_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        names = parse_names(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        lhs = parser.parse_type()
        parser.parse_punctuation(",")
        rhs = parser.parse_type()
        if not isinstance(lhs, VectorType):
            parser.raise_error(f"{lhs} is no vector", position, parser.pos)
        result = _product(lhs, rhs)
        types: Sequence[Attribute] = (lhs, rhs, result)[: len(names)]
        operands = parser.resolve_operands(names, types, position)
        return cls.build(
            operands=(*operands[:2], operands[2:]),
            result_types=(result,),
            properties={"kind": attributes.pop("kind", _ADD)},
            attributes=attributes,
        )


def _product(lhs: VectorType[Attribute], rhs: Attribute) -> Attribute:
    """The type of the outer product of a vector with another or a number."""
    if not isinstance(rhs, VectorType):
        return lhs
    return VectorType(
        lhs.element_type,
        (*lhs.get_shape(), *rhs.get_shape()),
        ArrayAttr((*lhs.scalable_dims, *rhs.scalable_dims)),
    )


@irdl_op_definition
class FromElementsOp(PureOp):
    """
    A vector of the given elements, in row-major order.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorfrom_elements-vectorfromelementsop
    """

    name = "vector.from_elements"

    elements = var_operand_def(_T)
    dest = result_def(VectorType.constr(_T))

    assembly_format = "$elements attr-dict `:` type($dest)"


@read_in_custom_form(
    "$source attr-dict `:` type($source) "
    "custom<Elements>(ref(type($source)), type($elements))",
    Elements=inferred(
        lambda types: [
            type.element_type
            for type in types
            if isinstance(type, VectorType)
            for _ in range(prod(type.get_shape()))
        ]
    ),
)
@irdl_op_definition
class ToElementsOp(PureOp):
    """
    The elements of a vector, in row-major order.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorto_elements-vectortoelementsop
    """

    name = "vector.to_elements"

    source = operand_def(VectorType)
    elements = var_result_def()


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


OPS = [
    CompressStoreOp,
    ConstantMaskOp,
    DeinterleaveOp,
    ExpandLoadOp,
    ExtractStridedSliceOp,
    FromElementsOp,
    GatherOp,
    InsertStridedSliceOp,
    InterleaveOp,
    MultiDimReductionOp,
    OuterProductOp,
    ScalableExtractOp,
    ScalableInsertOp,
    ScanOp,
    ScatterOp,
    ShapeCastOp,
    StepOp,
    ToElementsOp,
    TransposeOp,
    TypeCastOp,
    VectorScaleOp,
]
