"""The custom syntax of affine ops, in parts: maps with operands, and expressions of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.parser.affine_parser import AffineParser
from xdsl.printer import Printer

from xdsl_bufferization.support.attributes import known_attribute

_SUM, _PRODUCT, _ATOM = range(3)
"""How tightly an expression binds."""


class ValueExpressions(AffineParser):
    """
    Affine expressions of values, as `%i + symbol(%j) * 2`, whose values are the operands of
    one map. A value that comes again is the dimension or symbol that it was.
    """

    def __init__(self, parser: Parser):
        # Both parsers go on in the same place of the text.
        super().__init__(parser._parser_state)
        self._parser = parser
        self._expressions: list[AffineExpr] = []
        self._known: dict[tuple[str, int], AffineExpr] = {}
        """By name and number of the value."""
        self._dimensions: list[UnresolvedOperand] = []
        self._symbols: list[UnresolvedOperand] = []

    def parse(self) -> None:
        """One expression."""
        self._expressions.append(self._parse_affine_expr(self._parse_optional_value))

    def _parse_optional_value(self) -> AffineExpr | None:
        """A dimension `%i`, or a symbol `symbol(%j)`."""
        parser = self._parser
        if parser.parse_optional_keyword("symbol"):
            with parser.in_parens():
                value = parser.parse_unresolved_operand("value expected")
            return self._expression(value, self._symbols, AffineExpr.symbol)
        value = parser.parse_optional_unresolved_operand()
        if value is None:
            return None
        return self._expression(value, self._dimensions, AffineExpr.dimension)

    def _expression(
        self,
        value: UnresolvedOperand,
        values: list[UnresolvedOperand],
        make: Callable[[int], AffineExpr],
    ) -> AffineExpr:
        key = value.operand_name, value.index
        if key not in self._known:
            self._known[key] = make(len(values))
            values.append(value)
        return self._known[key]

    def result(self) -> tuple[AffineMapAttr, Sequence[UnresolvedOperand]]:
        """The map of what was parsed, and its operands."""
        dimensions, symbols = self._dimensions, self._symbols
        map = AffineMap(len(dimensions), len(symbols), tuple(self._expressions))
        return AffineMapAttr(map), (*dimensions, *symbols)


@irdl_custom_directive
class MapOfValues(CustomDirective):
    """`[%i + 1, symbol(%j) * 2]`."""

    map: AttributeVariable
    operands: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        expressions = ValueExpressions(parser)
        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, expressions.parse)
        map, operands = expressions.result()
        self.map.set(state, map)
        self.operands.set(state, operands)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        map = known_attribute(op, self.map.name, AffineMapAttr).data
        with printer.in_square_brackets():
            printer.print_list(
                map.results,
                lambda result: print_expression(
                    printer, result, map.num_dims, self.operands.get(op)
                ),
            )


def print_expression(
    printer: Printer,
    expression: AffineExpr,
    dimensions: int,
    operands: Sequence[SSAValue],
    binding: int = _SUM,
) -> None:
    """Prints an expression of a map whose operands are its dimensions, then its symbols."""

    def print_part(part: AffineExpr, binding: int) -> None:
        print_expression(printer, part, dimensions, operands, binding)

    match expression:
        case AffineConstantExpr(value=value):
            printer.print_string(str(value))
        case AffineDimExpr(position=position):
            printer.print_ssa_value(operands[position])
        case AffineSymExpr(position=position):
            printer.print_string("symbol(")
            printer.print_ssa_value(operands[dimensions + position])
            printer.print_string(")")
        case AffineBinaryOpExpr(kind=kind, lhs=lhs, rhs=rhs):
            own = _SUM if kind is AffineBinaryOpKind.Add else _PRODUCT
            needs_parentheses = own < binding
            if needs_parentheses:
                printer.print_string("(")
            print_part(lhs, own)
            negative = _negated(rhs) if own == _SUM else None
            if negative is None:
                printer.print_string(f" {kind.get_token()} ")
                print_part(rhs, own if own == _SUM else _ATOM)
            else:
                printer.print_string(" - ")
                print_part(negative, _PRODUCT)
            if needs_parentheses:
                printer.print_string(")")
        case _:
            raise ValueError(f"{expression} is no affine expression")


def _negated(expression: AffineExpr) -> AffineExpr | None:
    """The negation of a summand such as `-4` or `d0 * -1`; `None` of others."""
    match expression:
        case AffineConstantExpr(value=value) if value < 0:
            return AffineConstantExpr(-value)
        case AffineBinaryOpExpr(
            kind=AffineBinaryOpKind.Mul, lhs=lhs, rhs=AffineConstantExpr(value=-1)
        ):
            return lhs
        case _:
            return None


def parse_operands_of_map(parser: Parser) -> Sequence[UnresolvedOperand]:
    """The dimensions and symbols in `(%i)[%j]`; each part is optional."""
    return [
        operand
        for delimiter in (parser.Delimiter.PAREN, parser.Delimiter.SQUARE)
        for operand in parser.parse_optional_comma_separated_list(
            delimiter, parser.parse_unresolved_operand
        )
        or ()
    ]


@irdl_custom_directive
class AppliedMap(CustomDirective):
    """`affine_map<...>(%i)[%j]`."""

    map: AttributeVariable
    operands: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        position = parser.pos
        map = parser.parse_attribute()
        if not isinstance(map, AffineMapAttr):
            parser.raise_error("Expected affine map attr", position, parser.pos)
        self.map.set(state, map)
        self.operands.set(state, parse_operands_of_map(parser))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        map = known_attribute(op, self.map.name, AffineMapAttr)
        dimensions, operands = map.data.num_dims, self.operands.get(op)
        self.map.print(printer, state, op)
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(operands[:dimensions], printer.print_operand)
        if len(operands) > dimensions:
            with printer.in_square_brackets():
                printer.print_list(operands[dimensions:], printer.print_operand)
