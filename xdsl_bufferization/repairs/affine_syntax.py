"""The custom syntax of affine ops, in parts: maps with operands, and expressions of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import AffineMapAttr, IndexType
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
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.parser.affine_parser import AffineParser
from xdsl.printer import Printer
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

_SUM, _PRODUCT, _ATOM = range(3)
"""How tightly an expression binds."""


@dataclass
class ValueExpressions:
    """
    Affine expressions of values, as `%i + symbol(%j) * 2`, whose values are the operands of
    one map. A value that comes again is the dimension or symbol that it was.
    """

    parser: Parser
    expressions: list[AffineExpr] = field(default_factory=list[AffineExpr])
    _known: dict[str, AffineExpr] = field(default_factory=dict[str, AffineExpr])
    _dimensions: list[Span] = field(default_factory=list[Span])
    _symbols: list[Span] = field(default_factory=list[Span])

    def parse(self) -> None:
        """One expression."""
        parser = AffineParser(self.parser._parser_state)  # pyright: ignore[reportPrivateUsage]

        def parse_value() -> AffineExpr | None:
            if parser.parse_optional_keyword("symbol"):
                with parser.in_parens():
                    span = parser._parse_token(  # pyright: ignore[reportPrivateUsage]
                        MLIRTokenKind.PERCENT_IDENT, "value expected"
                    ).span
                return self._expression(span, self._symbols, AffineExpr.symbol)
            token = parser._parse_optional_token(MLIRTokenKind.PERCENT_IDENT)  # pyright: ignore[reportPrivateUsage]
            if token is None:
                return None
            return self._expression(token.span, self._dimensions, AffineExpr.dimension)

        self.expressions.append(parser._parse_affine_expr(parse_value))  # pyright: ignore[reportPrivateUsage]

    def _expression(
        self, span: Span, spans: list[Span], make: Callable[[int], AffineExpr]
    ) -> AffineExpr:
        if span.text not in self._known:
            self._known[span.text] = make(len(spans))
            spans.append(span)
        return self._known[span.text]

    def result(self) -> tuple[AffineMapAttr, Sequence[SSAValue]]:
        """The map of what was parsed, and its operands."""
        map = AffineMap(
            len(self._dimensions), len(self._symbols), tuple(self.expressions)
        )
        operands = [
            self.parser.resolve_operand(UnresolvedOperand(span, 0), IndexType())
            for span in (*self._dimensions, *self._symbols)
        ]
        return AffineMapAttr(map), operands


def parse_map_of_values(parser: Parser) -> tuple[AffineMapAttr, Sequence[SSAValue]]:
    """`[%i + 1, symbol(%j) * 2]`."""
    expressions = ValueExpressions(parser)
    parser.parse_comma_separated_list(parser.Delimiter.SQUARE, expressions.parse)
    return expressions.result()


def print_map_of_values(
    printer: Printer, map: AffineMap, operands: Sequence[SSAValue]
) -> None:
    """Prints `[%i + 1, symbol(%j) * 2]`."""

    def print_result(expression: AffineExpr) -> None:
        print_expression(printer, expression, map.num_dims, operands)

    with printer.in_square_brackets():
        printer.print_list(map.results, print_result)


def print_expression(
    printer: Printer,
    expression: AffineExpr,
    dimensions: int,
    operands: Sequence[SSAValue],
    binding: int = _SUM,
) -> None:
    """Prints an expression of a map whose operands are first those of its dimensions."""

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
    """What a summand such as `-4` or `d0 * -1` is the negative of."""
    match expression:
        case AffineConstantExpr(value=value) if value < 0:
            return AffineConstantExpr(-value)
        case AffineBinaryOpExpr(
            kind=AffineBinaryOpKind.Mul, lhs=lhs, rhs=AffineConstantExpr(value=-1)
        ):
            return lhs
        case _:
            return None


def parse_operands_of_map(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    """The dimensions and symbols in `(%i)[%j]`, of which each part is optional."""

    def parse_operand() -> SSAValue:
        return parser.parse_operand(IndexType())

    dimensions = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, parse_operand
    )
    symbols = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, parse_operand
    )
    return dimensions or [], symbols or []


def print_operands_of_map(
    printer: Printer, dimensions: int, operands: Sequence[SSAValue]
) -> None:
    """Prints `(%i)[%j]`."""
    with printer.in_parens():
        printer.print_list(operands[:dimensions], printer.print_operand)
    if len(operands) > dimensions:
        with printer.in_square_brackets():
            printer.print_list(operands[dimensions:], printer.print_operand)
