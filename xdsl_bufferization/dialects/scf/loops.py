"""
`scf.parallel`, which xDSL reads in generic form only, with `scf.reduce`; and
`scf.execute_region`, where xDSL loses attributes.

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import SingleBlockImplicitTerminator, ensure_terminator

from xdsl_bufferization.dialects.scf.canonicalization import EXECUTE_REGION_TRAITS
from xdsl_bufferization.dialects.shared.structured_syntax import parse_result_types
from xdsl_bufferization.dialects.shared.syntax import (
    parse_typed_operands,
    print_typed_operands,
)
from xdsl_bufferization.support.xdsl_releases import parse_operand


class ParallelOp(scf.ParallelOp):
    """
    Loops whose iterations may run in parallel; xDSL's op, which is read in custom form, too,
    and printed in generic form.

    https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfparallel-scfparallelop
    """

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        paren = parser.Delimiter.PAREN

        def parse_indices() -> Sequence[SSAValue]:
            return parser.parse_comma_separated_list(
                paren, lambda: parse_operand(parser, IndexType())
            )

        arguments = [
            argument.resolve(IndexType())
            for argument in parser.parse_comma_separated_list(
                paren, lambda: parser.parse_argument(expect_type=False)
            )
        ]
        parser.parse_punctuation("=")
        lower = parse_indices()
        parser.parse_keyword("to")
        upper = parse_indices()
        parser.parse_keyword("step")
        steps = parse_indices()
        position = parser.pos
        names = ()
        if parser.parse_optional_keyword("init"):
            names = parser.parse_comma_separated_list(
                paren, parser.parse_unresolved_operand
            )
        types: Sequence[Attribute] = parse_result_types(parser)
        inits = parser.resolve_operands(names, types, position)
        op = cls(lower, upper, steps, parser.parse_region(arguments), inits)
        op.attributes |= parser.parse_optional_attr_dict()
        for trait in op.get_traits_of_type(SingleBlockImplicitTerminator):
            ensure_terminator(op, trait)
        return op


class ExecuteRegionOp(scf.ExecuteRegionOp):
    """
    A region that runs once; xDSL's op, without losing attributes.

    https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfexecute_region-scfexecuteregionop
    """

    traits = EXECUTE_REGION_TRAITS

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        op = cls(parse_result_types(parser), parser.parse_region())
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        if self.outs:
            printer.print_string(" -> ")
            with printer.in_parens():
                printer.print_list(self.outs.types, printer.print_attribute)
        printer.print_string(" ")
        printer.print_region(self.region, print_entry_block_args=False)
        printer.print_op_attributes(self.attributes)


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
