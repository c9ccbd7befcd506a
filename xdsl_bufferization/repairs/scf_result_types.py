"""Result types of scf ops without parentheses, and `scf.while` without any values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, UnrealizedConversionCastOp, i1
from xdsl.dialects.scf import ForOp, IfOp, WhileOp, YieldOp
from xdsl.dialects.utils import parse_assignment
from xdsl.ir import Attribute, Operation, Region
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.traits import SingleBlockImplicitTerminator, ensure_terminator
from xdsl.utils.exceptions import ParseError

_Assignment = tuple[Parser.UnresolvedArgument, UnresolvedOperand]


def _parse_types(parser: Parser) -> Sequence[Attribute]:
    """`(type, ...)`, or one type."""
    types = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_type
    )
    return [parser.parse_type()] if types is None else types


def _parse_iteration_arguments(
    parser: Parser,
) -> tuple[Sequence[_Assignment], Sequence[Attribute]]:
    """`iter_args(%a = %b, ...) -> (type, ...)`, or nothing."""
    if parser.parse_optional_keyword("iter_args") is None:
        return (), ()
    assignments = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parse_assignment(parser)
    )
    parser.parse_punctuation("->")
    position = parser.pos
    types = _parse_types(parser)
    if len(types) != len(assignments):
        parser.raise_error(
            f"{len(types)} types for {len(assignments)} iteration arguments",
            position,
            parser.pos,
        )
    return assignments, types


def _parse_for(cls: type[ForOp], parser: Parser) -> ForOp:
    variable = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    lower = parser.parse_unresolved_operand()
    parser.parse_keyword("to")
    upper = parser.parse_unresolved_operand()
    parser.parse_keyword("step")
    step = parser.parse_unresolved_operand()
    position = parser.pos
    assignments, types = _parse_iteration_arguments(parser)
    inits = parser.resolve_operands([init for _, init in assignments], types, position)
    arguments = [
        argument.resolve(type)
        for (argument, _), type in zip(assignments, types, strict=True)
    ]
    index: Attribute = IndexType()
    if parser.parse_optional_punctuation(":"):
        index = parser.parse_type()
    lower, upper, step = (
        parser.resolve_operand(bound, index) for bound in (lower, upper, step)
    )
    body = parser.parse_region((variable.resolve(index), *arguments))
    op = cls(lower, upper, step, inits, body)
    op.attributes |= parser.parse_optional_attr_dict()
    if not arguments:
        for trait in op.get_traits_of_type(SingleBlockImplicitTerminator):
            ensure_terminator(op, trait)
    return op


def _parse_if(cls: type[IfOp], parser: Parser) -> IfOp:
    condition = parser.parse_operand(i1)
    types: Sequence[Attribute] = ()
    if parser.parse_optional_punctuation("->"):
        types = _parse_types(parser)
    then = cls.parse_region_with_yield(parser)
    otherwise = Region()
    if parser.parse_optional_keyword("else"):
        otherwise = cls.parse_region_with_yield(parser)
    return cls(condition, types, then, otherwise, parser.parse_optional_attr_dict())


def _parse_while(cls: type[WhileOp], parser: Parser) -> WhileOp:
    position = parser.pos
    assignments = (
        parser.parse_optional_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_assignment(parser)
        )
        or []
    )
    parser.parse_punctuation(":")
    inputs = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_type
    )
    parser.parse_punctuation("->")
    outputs = _parse_types(parser)
    if len(inputs) != len(assignments):
        parser.raise_error(
            f"Mismatch between block argument count ({len(assignments)}) and operand "
            f"count ({len(inputs)})",
            position,
            parser.pos,
        )
    inits = parser.resolve_operands([init for _, init in assignments], inputs, position)
    arguments = [
        argument.resolve(type)
        for (argument, _), type in zip(assignments, inputs, strict=True)
    ]
    before = parser.parse_region(arguments)
    parser.parse_characters("do")
    after = parser.parse_region()
    op = cls(inits, outputs, before, after)
    attributes = parser.parse_optional_attr_dict_with_keyword()
    if attributes is not None:
        op.attributes |= attributes.data
    return op


def is_broken() -> bool:
    probe = """
%c, %f = "builtin.unrealized_conversion_cast"() : () -> (i1, f32)
%r = scf.if %c -> f32 {
  scf.yield %f : f32
} else {
  scf.yield %f : f32
}
"""
    context = Context()
    context.load_op(UnrealizedConversionCastOp)
    context.load_op(IfOp)
    context.load_op(YieldOp)
    try:
        Parser(context, probe).parse_module()
    except ParseError:
        return True
    return False


def mend() -> None:
    parsers: Sequence[tuple[type[Operation], Any]] = (
        (ForOp, classmethod(_parse_for)),
        (IfOp, classmethod(_parse_if)),
        (WhileOp, classmethod(_parse_while)),
    )
    for op, parse in parsers:
        setattr(op, "parse", parse)  # noqa: B010 # of another type
