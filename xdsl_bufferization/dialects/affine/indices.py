"""
Ops of affine that xDSL lacks.

Source: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    BoolAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.dialects.utils import parse_dynamic_index_list_without_types
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.affine.maps import parse_map_op
from xdsl_bufferization.dialects.affine.syntax import parse_map_of_values
from xdsl_bufferization.dialects.shared.access_attributes import parse_hints
from xdsl_bufferization.support.xdsl_releases import parse_operand

_PAREN = Parser.Delimiter.PAREN


def _parse_basis(parser: Parser) -> tuple[Sequence[SSAValue], Attribute]:
    names, static = parse_dynamic_index_list_without_types(
        parser, DYNAMIC_INDEX, delimiter=_PAREN
    )
    dynamic = [parser.resolve_operand(name, IndexType()) for name in names]
    return dynamic, DenseArrayBase.from_list(i64, static)


@irdl_op_definition
class MaxOp(IRDLOperation):
    """
    The maximum of the results of an affine map.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinemax-affineaffinemaxop
    """

    name = "affine.max"

    arguments = var_operand_def(IndexType())
    result = result_def(IndexType())
    map = prop_def(AffineMapAttr)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return parse_map_op(cls, parser)

    def verify_(self) -> None:
        map = self.map.data
        if len(self.arguments) != map.num_dims + map.num_symbols:
            raise VerifyException("expected an operand for each dimension and symbol")


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """
    A hint that an element of a memref, at an affine index, will be read or written soon.

    https://mlir.llvm.org/docs/Dialects/Affine/#affineprefetch-affineaffineprefetchop
    """

    name = "affine.prefetch"

    memref = operand_def()
    indices = var_operand_def(IndexType())
    map = prop_def(AffineMapAttr)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr.constr(i32), prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_unresolved_operand()
        map, indices = parse_map_of_values(parser)
        hints = parse_hints(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.build(
            operands=(parser.resolve_operand(name, parser.parse_type()), indices),
            properties={**hints, "map": map},
            attributes=attributes,
        )


@irdl_op_definition
class DelinearizeIndexOp(IRDLOperation):
    """
    The multi-index of a linear index into a shape, which is the basis.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinedelinearize_index-affineaffinedelinearizeindexop
    """

    name = "affine.delinearize_index"

    linear_index = operand_def(IndexType())
    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))
    multi_index = var_result_def(IndexType())

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        index = parse_operand(parser, IndexType())
        parser.parse_keyword("into")
        dynamic, static = _parse_basis(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_type
        )
        return cls.build(
            operands=(index, dynamic),
            result_types=(types,),
            properties={"static_basis": static},
            attributes=attributes,
        )


@irdl_op_definition
class LinearizeIndexOp(IRDLOperation):
    """
    The linear index of a multi-index into a shape, which is the basis.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinelinearize_index-affineaffinelinearizeindexop
    """

    name = "affine.linearize_index"

    multi_index = var_operand_def(IndexType())
    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))
    disjoint = opt_prop_def(UnitAttr | BoolAttr)
    linear_index = result_def(IndexType())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        is_disjoint = parser.parse_optional_keyword("disjoint") is not None
        indices = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parse_operand(parser, IndexType())
        )
        parser.parse_keyword("by")
        dynamic, static = _parse_basis(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.build(
            operands=(indices, dynamic),
            result_types=(parser.parse_type(),),
            properties={
                "disjoint": UnitAttr() if is_disjoint else None,
                "static_basis": static,
            },
            attributes=attributes,
        )
