"""
`scf.for`, `scf.if` and `scf.while`, for which MLIR writes less than xDSL reads; `scf.parallel`,
which xDSL reads in generic form only, with `scf.reduce`; and `scf.execute_region`, where xDSL
loses attributes.

Canonicalization of `scf.for` and `scf.execute_region`: ops that no dialect defines are no
constants, and a region that yields nothing is not inlined.

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, UnregisteredOp, i1
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.printer import Printer
from xdsl.traits import SingleBlockImplicitTerminator, ensure_terminator

from xdsl_bufferization.dialects.shared.redefinition import canonicalized_by
from xdsl_bufferization.dialects.shared.syntax import (
    parse_assignments,
    parse_block,
    parse_induction_variables,
    parse_result_types,
    parse_typed_operands,
    print_typed_operands,
    resolve_assignments,
)
from xdsl_bufferization.support.xdsl_releases import loses_attributes, parse_operand


def is_right_for(op: Operation) -> bool:
    """Whether xDSL's patterns may be applied to the op."""
    if isinstance(op, scf.ForOp):
        # An unregistered op has all traits, so that xDSL takes it for a constant, and moves it
        # out of the loop, whatever its effects are.
        return not any(isinstance(nested, UnregisteredOp) for nested in op.body.ops)
    if isinstance(op, scf.ExecuteRegionOp):
        # Of any terminator xDSL takes the operands for the results, and erases it.
        block = op.region.first_block
        last = None if block is None else block.last_op
        return isinstance(last, scf.YieldOp) and (
            [*last.operand_types] == [*op.result_types]
        )
    return True


class _WhereRight(RewritePattern):
    """A pattern of xDSL's, for the ops that it is right for."""

    def __init__(self, pattern: RewritePattern):
        self._pattern = pattern

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if is_right_for(op):
            self._pattern.match_and_rewrite(op, rewriter)


def _for_patterns() -> tuple[RewritePattern, ...]:
    """xDSL's patterns, but ops that no dialect defines stay in the loop."""
    from xdsl.transforms.canonicalization_patterns import scf as patterns

    loops = _WhereRight(patterns.RehoistConstInLoops())
    return patterns.SimplifyTrivialLoops(), loops


def _execute_region_patterns() -> tuple[RewritePattern, ...]:
    """xDSL's pattern, for regions that end with what they yield."""
    from xdsl.transforms.canonicalization_patterns import scf as patterns

    return (_WhereRight(patterns.SingleBlockExecuteInliner()),)


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

        arguments = parse_induction_variables(parser)
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
        _ensure_terminator(op)
        return op


def _ensure_terminator(op: Operation) -> None:
    for trait in op.get_traits_of_type(SingleBlockImplicitTerminator):
        ensure_terminator(op, trait)


class ExecuteRegionOp(scf.ExecuteRegionOp):
    """
    A region that runs once; xDSL's op, without losing attributes.

    https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfexecute_region-scfexecuteregionop
    """

    traits = canonicalized_by(scf.ExecuteRegionOp, _execute_region_patterns)

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
            region = parse_block(parser)
            regions.append(region)
        op = cls(operands, regions)
        op.attributes |= parser.parse_optional_attr_dict()
        return op


_FOR_LOSES_ATTRIBUTES = loses_attributes(scf.ForOp)


class ForOp(scf.ForOp):
    """
    A loop; xDSL's op, whose only result type needs no parentheses.

    https://mlir.llvm.org/docs/Dialects/SCFDialect/#scffor-scfforop
    """

    traits = canonicalized_by(scf.ForOp, _for_patterns)

    def print(self, printer: Printer) -> None:
        super().print(printer)
        if _FOR_LOSES_ATTRIBUTES:
            printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        variable = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        lower = parser.parse_unresolved_operand()
        parser.parse_keyword("to")
        upper = parser.parse_unresolved_operand()
        parser.parse_keyword("step")
        step = parser.parse_unresolved_operand()
        inits: Sequence[SSAValue] = ()
        arguments: Sequence[Parser.Argument] = ()
        if parser.parse_optional_keyword("iter_args"):
            assignments = parse_assignments(parser)
            types = parse_result_types(parser)
            inits, arguments = resolve_assignments(parser, assignments, types)
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
            _ensure_terminator(op)
        return op


class IfOp(scf.IfOp):
    """
    One of two regions; xDSL's op, whose only result type needs no parentheses.

    https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfif-scfifop
    """

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        condition = parse_operand(parser, i1)
        types = parse_result_types(parser)
        then = cls.parse_region_with_yield(parser)
        otherwise = Region()
        if parser.parse_optional_keyword("else"):
            otherwise = cls.parse_region_with_yield(parser)
        return cls(condition, types, then, otherwise, parser.parse_optional_attr_dict())


class WhileOp(scf.WhileOp):
    """
    A loop with a condition; xDSL's op. Here it may have no iteration arguments, and its only
    result type needs no parentheses.

    https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfwhile-scfwhileop
    """

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        assignments = parse_assignments(parser)
        parser.parse_punctuation(":")
        inputs = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_type
        )
        outputs = parse_result_types(parser)
        inits, arguments = resolve_assignments(parser, assignments, inputs)
        before = parser.parse_region(arguments)
        parser.parse_characters("do")
        after = parser.parse_region()
        op = cls(inits, outputs, before, after)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        if attributes is not None:
            op.attributes |= attributes.data
        return op
