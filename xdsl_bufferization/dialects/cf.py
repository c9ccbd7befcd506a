"""
xDSL's `cf` dialect, with the weights of branches.

Source: https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, Self, cast

from xdsl.dialects import cf
from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.irdl import IRDLOperation, OpDef, OptPropertyDef
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    FormatProgram,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from xdsl_bufferization.dialects.superset import superset


@irdl_custom_directive
class Weights(CustomDirective):
    """` weights([1, 2])`, or nothing."""

    numbers: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword("weights") is None:
            return
        with parser.in_parens():
            numbers = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, parser.parse_integer
            )
        self.numbers.set(state, DenseArrayBase.from_list(i32, numbers))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        numbers = cast("DenseArrayBase[Any] | None", self.numbers.get(op))
        if numbers is None:
            return
        printer.print_string(" weights")
        with printer.in_parens(), printer.in_square_brackets():
            printer.print_list(numbers.get_values(), printer.print_int)


_DEFINITION = replace(
    cf.ConditionalBranchOp.get_irdl_definition(),
    assembly_format=(
        "$cond custom<Weights>($branch_weights) `,` "
        "$then_block (`(` $then_arguments^ `:` type($then_arguments) `)`)? `,` "
        "$else_block (`(` $else_arguments^ `:` type($else_arguments) `)`)? attr-dict"
    ),
    custom_directives={"Weights": Weights},
    properties={
        **cf.ConditionalBranchOp.get_irdl_definition().properties,
        "branch_weights": OptPropertyDef(DenseArrayBase.constr(i32)),
    },
    accessor_names={"branch_weights": ("branch_weights", "property")},
)


@cache
def _program() -> FormatProgram:
    return FormatProgram.from_str(_DEFINITION.assembly_format or "", _DEFINITION)


class ConditionalBranchOp(cf.ConditionalBranchOp):
    """
    One of two branches; xDSL's op, with weights.

    https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/#cfcond_br-cfcondbranchop
    """

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        return _DEFINITION

    def verify_(self) -> None:
        _DEFINITION.verify(self)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return _program().parse(parser, cls)

    def print(self, printer: Printer) -> None:
        _program().print(printer, self)


Cf = superset(cf.Cf, replacing=[ConditionalBranchOp])
