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
from xdsl.printer import Printer

from xdsl_bufferization.support.xdsl_releases import parse_operand

_SUM, _PRODUCT, _ATOM = range(3)
"""How tightly an expression binds."""


_DIVISIONS = {
    kind.get_token(): kind
    for kind in (
        AffineBinaryOpKind.CeilDiv,
        AffineBinaryOpKind.FloorDiv,
        AffineBinaryOpKind.Mod,
    )
}
"""The operators that are keywords, and bind as tightly as `*`."""


@dataclass
class ValueExpressions:
    """
    Affine expressions of values, as `%i + symbol(%j) * 2`, whose values are the operands of
    one map. A value that comes again is the dimension or symbol that it was.

        sum     ::= product ((`+` | `-`) product)*
        product ::= factor ((`*` | `floordiv` | `ceildiv` | `mod`) factor)*
        factor  ::= `-` factor | `(` sum `)` | `symbol` `(` value `)` | value | integer
    """

    parser: Parser
    expressions: list[AffineExpr] = field(default_factory=list[AffineExpr])
    _known: dict[tuple[str, int], AffineExpr] = field(
        default_factory=dict[tuple[str, int], AffineExpr]
    )
    """By name and number of the value."""
    _dimensions: list[UnresolvedOperand] = field(
        default_factory=list[UnresolvedOperand]
    )
    _symbols: list[UnresolvedOperand] = field(default_factory=list[UnresolvedOperand])

    def parse(self) -> None:
        """One expression."""
        self.expressions.append(self._sum())

    def _sum(self) -> AffineExpr:
        result = self._product()
        while True:
            if self.parser.parse_optional_punctuation("+"):
                result += self._product()
            elif self.parser.parse_optional_punctuation("-"):
                result -= self._product()
            else:
                return result

    def _product(self) -> AffineExpr:
        parser, result = self.parser, self._factor()
        while True:
            position = parser.pos
            kind = AffineBinaryOpKind.Mul
            if parser.parse_optional_punctuation("*") is None:
                # Not all releases have `parse_optional_keyword_in`.
                words = map(parser.parse_optional_keyword, _DIVISIONS)
                name = next(filter(None, words), None)
                if name is None:
                    return result
                kind = _DIVISIONS[name]
            right = self._factor()
            try:
                result = AffineExpr.binary(kind, result, right)
            except NotImplementedError as error:
                parser.raise_error(str(error), position, parser.pos)

    def _factor(self) -> AffineExpr:
        parser = self.parser
        if parser.parse_optional_punctuation("-"):
            return -self._factor()
        if parser.parse_optional_punctuation("("):
            result = self._sum()
            parser.parse_punctuation(")", " in affine expression")
            return result
        if parser.parse_optional_keyword("symbol"):
            with parser.in_parens():
                value = parser.parse_unresolved_operand("value expected")
            return self._expression(value, self._symbols, AffineExpr.symbol)
        value = parser.parse_optional_unresolved_operand()
        if value is not None:
            return self._expression(value, self._dimensions, AffineExpr.dimension)
        number = parser.parse_optional_integer(
            allow_boolean=False, allow_negative=False
        )
        if number is None:
            parser.raise_error("Expected primary expression")
        return AffineExpr.constant(number)

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

    def result(self) -> tuple[AffineMapAttr, Sequence[SSAValue]]:
        """The map of what was parsed, and its operands."""
        map = AffineMap(
            len(self._dimensions), len(self._symbols), tuple(self.expressions)
        )
        operands = [
            self.parser.resolve_operand(value, IndexType())
            for value in (*self._dimensions, *self._symbols)
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


def parse_operands_of_map(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    """The dimensions and symbols in `(%i)[%j]`; each part is optional."""

    def parse_index() -> SSAValue:
        return parse_operand(parser, IndexType())

    dimensions = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, parse_index
    )
    symbols = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, parse_index
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
