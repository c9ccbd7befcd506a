"""
xDSL's `cf` dialect, with the weights of branches, whose operands are verified.

Source: https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, cast

from xdsl.dialects import cf
from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation, OptPropertyDef
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import refined, with_custom_form
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.host.printing import (
    has_unknown_properties,
    print_in_generic_form_if,
)


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


@with_custom_form(
    "$cond custom<Weights>($branch_weights) `,` "
    "$then_block (`(` $then_arguments^ `:` type($then_arguments) `)`)? `,` "
    "$else_block (`(` $else_arguments^ `:` type($else_arguments) `)`)? attr-dict",
    Weights=Weights,
)
@refined(properties={"branch_weights": OptPropertyDef(DenseArrayBase.constr(i32))})
class ConditionalBranchOp(cf.ConditionalBranchOp):
    """
    One of two branches; xDSL's op, with weights.

    https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/#cfcond_br-cfcondbranchop
    """

    @property
    def branch_weights(self) -> Attribute | None:
        """The weights of the branches, which say how often either is taken."""
        return self.properties.get("branch_weights")

    def verify_(self) -> None:
        _verify_forwarded(self, self.then_block, self.then_arguments)
        _verify_forwarded(self, self.else_block, self.else_arguments)


class BranchOp(cf.BranchOp):
    """
    A branch; xDSL's op, with what it forwards verified.

    https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/#cfbr-cfbranchop
    """

    def verify_(self) -> None:
        _verify_forwarded(self, self.successor, self.arguments)


class SwitchOp(cf.SwitchOp):
    """
    One of several branches; xDSL's op, with what it forwards verified.

    https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/#cfswitch-cfswitchop
    """

    def verify_(self) -> None:
        _verify_forwarded(self, self.default_block, self.default_operands)
        sizes = self.case_operand_segments.get_values()
        if len(sizes) != len(self.case_blocks) or sum(sizes) != len(self.case_operands):
            raise VerifyException(
                f"case_operand_segments of '{self.name}' do not fit its cases"
            )
        operands = iter(self.case_operands)
        for block, size in zip(self.case_blocks, sizes, strict=True):
            _verify_forwarded(self, block, [*islice(operands, size)])


def _verify_forwarded(op: Operation, block: Block, values: Sequence[SSAValue]) -> None:
    """Raise `VerifyException` if the block does not take the values."""
    wanted = [argument.type for argument in block.args]
    found = [value.type for value in values]
    if wanted != found:
        raise VerifyException(
            f"'{op.name}' forwards ({', '.join(map(str, found))}) to a block that takes "
            f"({', '.join(map(str, wanted))})"
        )


print_in_generic_form_if(has_unknown_properties, [ConditionalBranchOp.name])

EXTENSION = Extension([BranchOp, ConditionalBranchOp, SwitchOp])
