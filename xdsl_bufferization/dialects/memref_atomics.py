"""
Ops of memref that change an element by a region, or promise that memory is not shared.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from typing import Self, cast

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import (
    HasParent,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.support.xdsl_releases import parse_operand


@irdl_op_definition
class GenericAtomicRMWOp(IRDLOperation):
    """
    Changes an element at once to what the region yields for it; the result is that.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefgeneric_atomic_rmw-memrefgenericatomicrmwop
    """

    name = "memref.generic_atomic_rmw"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    atomic_body = region_def("single_block")
    result = result_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_(self) -> None:
        element_type = cast("MemRefType[Attribute]", self.memref.type).element_type
        types = (*self.atomic_body.block.arg_types, self.result.type)
        if types != (element_type, element_type):
            raise VerifyException(
                f"the result and the argument of the region must be of type {element_type}"
            )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parse_operand(parser, IndexType())
        )
        parser.parse_punctuation(":")
        position = parser.pos
        type = parser.parse_type()
        if not isinstance(type, MemRefType):
            parser.raise_error("memref type expected", position, parser.pos)
        type = cast("MemRefType[Attribute]", type)
        region = parser.parse_region()
        return cls.build(
            operands=(parser.resolve_operand(name, type), indices),
            result_types=(type.element_type,),
            attributes=parser.parse_optional_attr_dict(),
            regions=(region,),
        )


@irdl_op_definition
class AtomicYieldOp(IRDLOperation):
    """
    The terminator of `memref.generic_atomic_rmw`, with the element to store.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefatomic_yield-memrefatomicyieldop
    """

    name = "memref.atomic_yield"

    result = operand_def()

    assembly_format = "$result attr-dict `:` type($result)"

    traits = traits_def(HasParent(GenericAtomicRMWOp), IsTerminator(), Pure())


@irdl_op_definition
class DistinctObjectsOp(IRDLOperation):
    """
    The same memrefs, with the promise that no two of them share memory.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefdistinct_objects-memrefdistinctobjectsop
    """

    name = "memref.distinct_objects"

    memrefs = var_operand_def(MemRefType)
    distinct = var_result_def(MemRefType)

    traits = traits_def(Pure())

    def verify_(self) -> None:
        if not self.memrefs:
            raise VerifyException("expected at least one memref")
        if self.operand_types != self.result_types:
            raise VerifyException("the results must have the types of the operands")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        names = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_type
        )
        return cls.build(
            operands=(parser.resolve_operands(names, types, position),),
            result_types=(types,),
            attributes=attributes,
        )
