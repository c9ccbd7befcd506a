"""
Ops of memref that access elements in other ways than loads and stores, and scopes of allocas.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from typing import ClassVar, Self

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    AnyFloatConstr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    SignlessIntegerConstraint,
    i32,
    i64,
)
from xdsl.ir import Block
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from xdsl_bufferization.dialects.atomic_kinds import parse_name
from xdsl_bufferization.dialects.prefetch_hints import parse_hints
from xdsl_bufferization.dialects.redefinition import Redefinition
from xdsl_bufferization.dialects.structured_syntax import parse_result_types
from xdsl_bufferization.support.xdsl_releases import parse_operand


@irdl_op_definition
class AtomicRMWOp(Redefinition, memref.AtomicRMWOp):
    """
    Changes an element at once; xDSL's op, which is read in custom form, too, and printed in
    generic form.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefatomic_rmw-memrefatomicrmwop
    """

    name = "memref.atomic_rmw"

    T: ClassVar = VarConstraint("T", AnyFloatConstr | SignlessIntegerConstraint)

    value = operand_def(T)
    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    kind = prop_def(IntegerAttr.constr(i64))
    result = result_def(T)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_(self) -> None:
        """The constraints of the fields are all there is to verify."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        kind = parse_name(parser)
        position = parser.pos
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        name = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parse_operand(parser, IndexType())
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_type
        )
        operands = parser.resolve_operands((value, name), types, position)
        return cls.build(
            operands=(*operands, indices),
            result_types=parse_result_types(parser),
            properties={"kind": kind},
            attributes=attributes,
        )


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """
    A hint that an element of a memref will be read or written soon.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefprefetch-memrefprefetchop
    """

    name = "memref.prefetch"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr.constr(i32), prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parse_operand(parser, IndexType())
        )
        hints = parse_hints(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.build(
            operands=(parser.resolve_operand(name, parser.parse_type()), indices),
            properties=hints,
            attributes=attributes,
        )


class AllocaScopeOp(memref.AllocaScopeOp):
    """
    A region whose allocas live as long as it runs; xDSL's op, which is read in custom form,
    too, and printed in generic form.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefalloca_scope-memrefallocascopeop
    """

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        types = parse_result_types(parser)
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        last = region.blocks[-1]
        if not isinstance(last.last_op, memref.AllocaScopeReturnOp):
            last.add_op(memref.AllocaScopeReturnOp.build(operands=((),)))
        return cls.build(
            result_types=(types,),
            attributes=parser.parse_optional_attr_dict(),
            regions=(region,),
        )
