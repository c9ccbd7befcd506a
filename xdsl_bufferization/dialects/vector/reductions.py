"""
Ops of vector that xDSL lacks, and that reduce, multiply or rearrange elements.

Source: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar, Self

from xdsl.dialects.builtin import (
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
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import Pure

from xdsl_bufferization.dialects.shared.syntax import Integers

_ADD = CombiningKindAttr(CombiningKindFlag.ADD)
_INTEGERS = (Integers,)


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """
    A vector with its dimensions permuted.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectortranspose-vectortransposeop
    """

    name = "vector.transpose"

    vector = operand_def()
    permutation = prop_def(DenseArrayBase.constr(i64))
    result = result_def()

    traits = traits_def(Pure())
    custom_directives = _INTEGERS

    assembly_format = (
        "$vector `,` custom<Integers>($permutation) attr-dict `:` type($vector) `to` "
        "type($result)"
    )


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """
    A mask that is set below a constant bound in each dimension.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorconstant_mask-vectorconstantmaskop
    """

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    result = result_def()

    traits = traits_def(Pure())
    custom_directives = _INTEGERS

    assembly_format = "custom<Integers>($mask_dim_sizes) attr-dict `:` type($result)"


@irdl_op_definition
class MultiDimReductionOp(IRDLOperation):
    """
    The reduction of a vector over some of its dimensions, combined with `acc`.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectormulti_reduction-vectormultidimreductionop
    """

    name = "vector.multi_reduction"

    _T: ClassVar = VarConstraint("_T", AnyAttr())
    source = operand_def()
    acc = operand_def(_T)
    kind = prop_def(CombiningKindAttr)
    reduction_dims = prop_def(DenseArrayBase.constr(i64))
    dest = result_def(_T)

    traits = traits_def(Pure())
    custom_directives = _INTEGERS

    assembly_format = (
        "$kind `,` $source `,` $acc attr-dict custom<Integers>($reduction_dims) `:` "
        "type($source) `to` type($dest)"
    )


@irdl_op_definition
class ScanOp(IRDLOperation):
    """
    The prefix reductions of a vector along a dimension, and the reduction of all.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorscan-vectorscanop
    """

    name = "vector.scan"

    _S: ClassVar = VarConstraint("_S", AnyAttr())
    _T: ClassVar = VarConstraint("_T", AnyAttr())
    source = operand_def(_S)
    initial_value = operand_def(_T)
    kind = prop_def(CombiningKindAttr)
    reduction_dim = prop_def(IntegerAttr.constr(i64))
    inclusive = prop_def(BoolAttr)
    dest = result_def(_S)
    accumulated_value = result_def(_T)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())

    assembly_format = (
        "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` "
        "type($initial_value)"
    )


@irdl_op_definition
class VectorScaleOp(IRDLOperation):
    """
    The multiple by which scalable vectors are longer than their minimum.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorvscale-vectorvectorscaleop
    """

    name = "vector.vscale"

    res = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = "attr-dict"


@irdl_op_definition
class OuterProductOp(IRDLOperation):
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

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        names = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
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
class FromElementsOp(IRDLOperation):
    """
    A vector of the given elements, in row-major order.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorfrom_elements-vectorfromelementsop
    """

    name = "vector.from_elements"

    _T: ClassVar = VarConstraint("_T", AnyAttr())
    elements = var_operand_def(_T)
    dest = result_def(VectorType.constr(_T))

    traits = traits_def(Pure())

    assembly_format = "$elements attr-dict `:` type($dest)"


@irdl_op_definition
class ToElementsOp(IRDLOperation):
    """
    The elements of a vector, in row-major order.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectorto_elements-vectortoelementsop
    """

    name = "vector.to_elements"

    source = operand_def(VectorType)
    elements = var_result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        type = parser.parse_type()
        if not isinstance(type, VectorType):
            parser.raise_error(f"{type} is no vector", position, parser.pos)
        return cls.build(
            operands=(parser.resolve_operand(name, type),),
            result_types=([type.element_type] * prod(type.get_shape()),),
            attributes=attributes,
        )


REDUCTIONS = [
    ConstantMaskOp,
    FromElementsOp,
    MultiDimReductionOp,
    OuterProductOp,
    ScanOp,
    ToElementsOp,
    TransposeOp,
    VectorScaleOp,
]
