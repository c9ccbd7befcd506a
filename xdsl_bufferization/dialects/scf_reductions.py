"""
`scf.reduce`, which xDSL reads in custom form only with one reduction.

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfreduce-scfreduceop
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from xdsl_bufferization.dialects.syntax import (
    parse_typed_operands,
    print_typed_operands,
)


class ReduceOp(scf.ReduceOp):
    """Reductions of results of a `scf.parallel`; xDSL's op, with several of them, too."""

    def print(self, printer: Printer) -> None:
        if self.args:
            print_typed_operands(printer, self.args)
            printer.print_string(" ")
        printer.print_list(self.reductions, printer.print_region)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operands: list[SSAValue] = []
        if parser.parse_optional_punctuation("("):
            operands += parse_typed_operands(parser)
        regions: list[Region] = []
        while operands and (not regions or parser.parse_optional_punctuation(",")):
            region = parser.parse_region()
            if not region.blocks:
                region.add_block(Block())
            regions.append(region)
        op = cls(operands, regions)
        op.attributes |= parser.parse_optional_attr_dict()
        return op
