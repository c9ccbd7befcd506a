"""
`affine.if`, which xDSL reads in generic form only.

Source: https://mlir.llvm.org/docs/Dialects/Affine/#affineif-affineaffineifop
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineSetAttr, IndexType
from xdsl.ir import Block, Region
from xdsl.irdl import (
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import RecursivelySpeculatable, RecursiveMemoryEffect

from xdsl_bufferization.dialects.affine.syntax import parse_operands_of_map
from xdsl_bufferization.dialects.shared.redefinition import Redefinition
from xdsl_bufferization.dialects.shared.structured_syntax import parse_result_types


def with_terminator(region: Region) -> Region:
    """The region, ended by an `affine.yield` that may have been left out."""
    if not region.blocks:
        region.add_block(Block())
    last_op = region.block.last_op
    if not isinstance(last_op, affine.YieldOp):
        region.block.add_op(affine.YieldOp.get())
    return region


@irdl_op_definition
class IfOp(Redefinition, affine.IfOp):
    """
    One of two regions, by conditions on indices; xDSL's op, which is read in custom form,
    too, and printed in generic form.
    """

    name = "affine.if"

    args = var_operand_def(IndexType)
    res = var_result_def()
    condition = prop_def(AffineSetAttr)
    then_region = region_def("single_block")
    else_region = region_def()

    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    def verify_(self) -> None:
        """The constraints of the fields are all there is to verify."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        condition = parser.parse_attribute()
        if not isinstance(condition, AffineSetAttr):
            parser.raise_error("affine set expected", position, parser.pos)
        dimensions, symbols = parse_operands_of_map(parser)
        result_types = parse_result_types(parser)
        then_region, else_region = with_terminator(parser.parse_region()), Region()
        if parser.parse_optional_keyword("else"):
            else_region = with_terminator(parser.parse_region())
        return cls.build(
            operands=((*dimensions, *symbols),),
            result_types=(result_types,),
            properties={"condition": condition},
            attributes=parser.parse_optional_attr_dict(),
            regions=(then_region, else_region),
        )
