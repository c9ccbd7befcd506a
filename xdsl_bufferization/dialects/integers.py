"""`custom<Integers>($name)` in an assembly format: an array of integers written `[1, 0]`."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer


@irdl_custom_directive
class Integers(CustomDirective):
    """Integers in square brackets."""

    numbers: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        numbers = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_integer
        )
        self.numbers.set(state, DenseArrayBase.from_list(i64, numbers))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        numbers = cast("DenseArrayBase[Any]", self.numbers.get(op))
        with printer.in_square_brackets():
            printer.print_list(numbers.get_values(), printer.print_int)
        state.should_emit_space = True
        state.last_was_punctuation = False
