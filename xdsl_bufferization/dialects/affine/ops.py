"""
Affine ops with a map: their attributes, which xDSL loses, and the dimensions of their maps,
which it takes for symbols; and ops that xDSL lacks.

Source: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, cast

from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    BoolAttr,
    DenseArrayBase,
    IndexType,
    MemRefType,
    UnitAttr,
    VectorType,
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
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.affine.syntax import (
    parse_map_of_values,
    parse_operands_of_map,
    print_map_of_values,
    print_operands_of_map,
)
from xdsl_bufferization.dialects.shared.redefinition import PureOp
from xdsl_bufferization.dialects.shared.syntax import (
    PrefetchingOp,
    parse_indices,
    parse_types,
)
from xdsl_bufferization.support import xdsl_releases
from xdsl_bufferization.support.attributes import known_attribute
from xdsl_bufferization.support.printing import has_attributes, print_in_generic_form_if
from xdsl_bufferization.support.xdsl_releases import parse_operand

_PAREN = Parser.Delimiter.PAREN


class _MapOp(Operation):
    """`affine_map<...>(%i)[%j] {...}`, the syntax of `affine.apply`, `min` and `max`."""

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        position = parser.pos
        map = parser.parse_attribute()
        if not isinstance(map, AffineMapAttr):
            parser.raise_error("Expected affine map attr", position, parser.pos)
        dimensions, symbols = parse_operands_of_map(parser)
        return cls.create(
            operands=(*dimensions, *symbols),
            result_types=(IndexType(),),
            properties={"map": map},
            attributes=parser.parse_optional_attr_dict(),
        )


def _print_map_op(self: Operation, printer: Printer) -> None:
    map = known_attribute(self, "map", AffineMapAttr)
    printer.print_string(" ")
    printer.print_attribute(map)
    printer.print_string(" ")
    print_operands_of_map(printer, map.data.num_dims, self.operands)
    printer.print_op_attributes(self.attributes)


class _AccessOp(Operation):
    """
    `%memref[%i] {...} : type`, the syntax of loads and stores: `%value, ` precedes that in a store,
    and `, type` follows for a vector.
    """

    @classmethod
    def _is_of_vectors(cls) -> bool:
        return issubclass(cls, xdsl_releases.VectorLoadOp | xdsl_releases.VectorStoreOp)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        *stored, memref = self.operands[: 1 if self.results else 2]
        for value in stored:
            printer.print_ssa_value(value)
            printer.print_string(", ")
        printer.print_ssa_value(memref)
        map = known_attribute(self, "map", AffineMapAttr)
        indices = self.operands[1 + len(stored) :]
        print_map_of_values(printer, map.data, indices)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(memref.type)
        if self._is_of_vectors():
            printer.print_string(", ")
            printer.print_attribute((*stored, *self.results)[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        name = None
        if issubclass(cls, affine.StoreOp | xdsl_releases.VectorStoreOp):
            name = parser.parse_unresolved_operand()
            parser.parse_punctuation(",")
        memref = parser.parse_unresolved_operand()
        map, indices = parse_map_of_values(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        type = parser.parse_type()
        if not isinstance(type, MemRefType):
            parser.raise_error("memref type expected", position, parser.pos)
        value_type = type.element_type
        if cls._is_of_vectors():
            parser.parse_punctuation(",")
            position = parser.pos
            value_type = parser.parse_type()
            if value_type.name != VectorType.name:
                parser.raise_error(
                    f"Expected {cls.name} to {'return' if name is None else 'store'} a vector, "
                    f"but found: {value_type}",
                    position,
                    parser.pos,
                )
        stored = () if name is None else (parser.resolve_operand(name, value_type),)
        return cls.create(
            operands=(*stored, parser.resolve_operand(memref, type), *indices),
            result_types=() if stored else (value_type,),
            properties={"map": map},
            attributes=attributes,
        )


class ApplyOp(_MapOp, affine.ApplyOp):
    """
    A map applied to indices; xDSL's op, with attributes.

    https://mlir.llvm.org/docs/Dialects/Affine/#affineapply-affineaffineapplyop
    """

    print = _print_map_op


class MinOp(_MapOp, affine.MinOp):
    """
    The least result of a map applied to indices; xDSL's op, with attributes.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinemin-affineaffineminop
    """

    print = _print_map_op


class LoadOp(_AccessOp, affine.LoadOp):
    """
    A load at the results of a map; xDSL's op, whose values are dimensions of the map unless
    they are marked as symbols, and with attributes.

    https://mlir.llvm.org/docs/Dialects/Affine/#affineload-affineaffineloadop
    """


class StoreOp(_AccessOp, affine.StoreOp):
    """
    A store at the results of a map; see `LoadOp`.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinestore-affineaffinestoreop
    """


class VectorLoadOp(_AccessOp, xdsl_releases.VectorLoadOp):
    """
    A load of a vector at the results of a map; see `LoadOp`.

    https://mlir.llvm.org/docs/Dialects/Affine/#affinevector_load-affineaffinevectorloadop
    """


class VectorStoreOp(_AccessOp, xdsl_releases.VectorStoreOp):
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


@irdl_op_definition
class MaxOp(_MapOp, PureOp):
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


@irdl_op_definition
class PrefetchOp(PrefetchingOp):
    """
    A hint that an element of a memref, at an affine index, will be read or written soon.

    https://mlir.llvm.org/docs/Dialects/Affine/#affineprefetch-affineaffineprefetchop
    """

    name = "affine.prefetch"

    map = prop_def(AffineMapAttr)

    @classmethod
    def parse_position(
        cls, parser: Parser
    ) -> tuple[Sequence[SSAValue], dict[str, Attribute]]:
        map, indices = parse_map_of_values(parser)
        return indices, {"map": map}


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
