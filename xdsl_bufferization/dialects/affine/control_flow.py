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
from xdsl.printer import Printer
from xdsl.traits import RecursivelySpeculatable, RecursiveMemoryEffect

from xdsl_bufferization.dialects.superset import Redefinition
from xdsl_bufferization.repairs.affine_syntax import (
    parse_operands_of_map,
    print_operands_of_map,
)
from xdsl_bufferization.repairs.linalg_operands import (
    parse_result_types,
    print_result_types,
)


def with_terminator(region: Region) -> Region:
    """The region, ended by an `affine.yield` that may have been left out."""
    if not region.blocks:
        region.add_block(Block())
    last_op = region.block.last_op
    if not isinstance(last_op, affine.YieldOp):
        region.block.add_op(affine.YieldOp.get())
    return region


def can_omit_terminator(region: Region) -> bool:
    """Whether the `affine.yield` at the end need not be written."""
    last_op = region.block.last_op
    return last_op is not None and not last_op.operands and not last_op.attributes


@irdl_op_definition
class IfOp(Redefinition, affine.IfOp):
    """One of two regions, by conditions on indices; xDSL's op, with a custom syntax."""

    name = "affine.if"

    args = var_operand_def(IndexType)
    res = var_result_def()
    condition = prop_def(AffineSetAttr)
    then_region = region_def("single_block")
    else_region = region_def()

    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    def verify_(self) -> None:
        """The constraints of the fields are all there is to verify."""

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.condition)
        print_operands_of_map(printer, self.condition.data.num_dims, self.args)
        print_result_types(printer, self.res.types)
        printer.print_string(" ")
        self._print_region(printer, self.then_region)
        if self.else_region.blocks:
            printer.print_string(" else ")
            self._print_region(printer, self.else_region)
        printer.print_op_attributes(self.attributes)

    def _print_region(self, printer: Printer, region: Region) -> None:
        printer.print_region(
            region,
            print_empty_block=False,
            print_block_terminators=not can_omit_terminator(region),
        )

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
