"""
Affine ops with a map: their attributes, which xDSL loses, and the dimensions of their maps,
which it takes for symbols; and ops that xDSL lacks.

Source: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, cast

from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    BoolAttr,
    DenseArrayBase,
    IndexType,
    UnitAttr,
    i64,
)
from xdsl.dialects.utils import parse_dynamic_index_list_without_types
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.affine.syntax import AppliedMap, MapOfValues
from xdsl_bufferization.dialects.shared.redefinition import (
    PureOp,
    read_in_custom_form,
    with_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import (
    PrefetchingOp,
    parse_indices,
    parse_types,
    prefetching,
)
from xdsl_bufferization.host import releases
from xdsl_bufferization.host.printing import has_attributes, print_in_generic_form_if
from xdsl_bufferization.host.releases import parse_operand

_PAREN = Parser.Delimiter.PAREN


_ACCESS = "custom<MapOfValues>($map, $indices) attr-dict `:`"


@with_custom_form(
    "custom<AppliedMap>($map, $mapOperands) attr-dict",
    AppliedMap=AppliedMap,
)
class ApplyOp(affine.ApplyOp):
    """
    A map applied to indices; xDSL's op, with attributes.

    https://mlir.llvm.org/docs/Dialects/Affine/#affineapply-affineaffineapplyop
    """


@with_custom_form(
    "custom<AppliedMap>($map, $arguments) attr-dict",
    AppliedMap=AppliedMap,
)
class MinOp(affine.MinOp):
    """
    The least result of a map applied to indices; xDSL's op, with attributes.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinemin-affineaffineminop
    """


@with_custom_form(f"$memref {_ACCESS} type($memref)", MapOfValues=MapOfValues)
class LoadOp(affine.LoadOp):
    """
    A load at the results of a map; xDSL's op, whose values are dimensions of the map unless
    they are marked as symbols, and with attributes.

    https://mlir.llvm.org/docs/Dialects/Affine/#affineload-affineaffineloadop
    """


@with_custom_form(
    f"$value `,` $memref {_ACCESS} type($memref)", MapOfValues=MapOfValues
)
class StoreOp(affine.StoreOp):
    """
    A store at the results of a map; see `LoadOp`.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinestore-affineaffinestoreop
    """


@with_custom_form(
    f"$memref {_ACCESS} type($memref) `,` type($result)",
    MapOfValues=MapOfValues,
)
class VectorLoadOp(releases.VectorLoadOp):
    """
    A load of a vector at the results of a map; see `LoadOp`.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinevector_load-affineaffinevectorloadop
    """


@with_custom_form(
    f"$value `,` $memref {_ACCESS} type($memref) `,` type($value)",
    MapOfValues=MapOfValues,
)
class VectorStoreOp(releases.VectorStoreOp):
    """
    A store of a vector at the results of a map; see `LoadOp`.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinevector_store-affineaffinevectorstoreop
    """


_ALL = ApplyOp, LoadOp, MinOp, StoreOp, VectorLoadOp, VectorStoreOp
MAP_OPS = [op for op in cast("Sequence[type]", _ALL) if issubclass(op, IRDLOperation)]
"""The redefinitions of this module, without ops that the release lacks."""


def _loses_in_custom_form(op: Operation) -> bool:
    """Whether the access has attributes, or values marked as symbols: xDSL reads neither."""
    map = op.properties["map"]
    return has_attributes(op) or (
        isinstance(map, AffineMapAttr) and map.data.num_symbols > 0
    )


print_in_generic_form_if(has_attributes, [ApplyOp.name, MinOp.name])
print_in_generic_form_if(
    _loses_in_custom_form, [op.name for op in MAP_OPS if op not in (ApplyOp, MinOp)]
)


def _parse_basis(parser: Parser) -> tuple[Sequence[SSAValue], Attribute]:
    names, static = parse_dynamic_index_list_without_types(
        parser, DYNAMIC_INDEX, delimiter=_PAREN
    )
    dynamic = [parser.resolve_operand(name, IndexType()) for name in names]
    return dynamic, DenseArrayBase.from_list(i64, static)


@read_in_custom_form(
    "custom<AppliedMap>($map, $arguments) attr-dict", AppliedMap=AppliedMap
)
@irdl_op_definition
class MaxOp(PureOp):
    """
    The maximum of the results of an affine map.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinemax-affineaffinemaxop
    """

    name = "affine.max"

    arguments = var_operand_def(IndexType())
    result = result_def(IndexType())
    map = prop_def(AffineMapAttr)

    def verify_(self) -> None:
        map = self.map.data
        if len(self.arguments) != map.num_dims + map.num_symbols:
            raise VerifyException("expected an operand for each dimension and symbol")


@prefetching("custom<MapOfValues>($map, $indices)", MapOfValues=MapOfValues)
@irdl_op_definition
class PrefetchOp(PrefetchingOp):
    """
    A hint that an element of a memref, at an affine index, will be read or written soon.

    https://mlir.llvm.org/docs/Dialects/Affine/#affineprefetch-affineaffineprefetchop
    """

    name = "affine.prefetch"

    map = prop_def(AffineMapAttr)


@irdl_op_definition
class DelinearizeIndexOp(PureOp):
    """
    The multi-index of a linear index into a shape, which is the basis.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinedelinearize_index-affineaffinedelinearizeindexop
    """

    name = "affine.delinearize_index"

    linear_index = operand_def(IndexType())
    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))
    multi_index = var_result_def(IndexType())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        index = parse_operand(parser, IndexType())
        parser.parse_keyword("into")
        dynamic, static = _parse_basis(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parse_types(parser)
        return cls.build(
            operands=(index, dynamic),
            result_types=(types,),
            properties={"static_basis": static},
            attributes=attributes,
        )


@irdl_op_definition
class LinearizeIndexOp(PureOp):
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

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        is_disjoint = parser.parse_optional_keyword("disjoint") is not None
        indices = parse_indices(parser)
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
