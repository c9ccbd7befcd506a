"""
xDSL's `scf` dialect with `scf.forall` and its terminator, which it lacks, and with custom
syntax of `scf.parallel`.

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/

`scf.for`, `scf.if` and `scf.while`, for which MLIR writes less than xDSL reads; `scf.parallel`,
which xDSL reads in generic form only, with `scf.reduce`; and `scf.execute_region`, where xDSL
loses attributes.

Canonicalization of `scf.for` and `scf.execute_region`: ops that no dialect defines are no
constants, and a region that yields nothing is not inlined.

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/

`scf.forall` and its terminator, which xDSL lacks.

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfforall-scfforallop
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnregisteredOp,
    i1,
    i64,
)
from xdsl.dialects.utils import (
    parse_dynamic_index_list_without_types,
    verify_dynamic_index_list,
)
from xdsl.dialects.utils.dynamic_index_list import get_dynamic_index_list
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    NoTerminator,
    Pure,
    RecursivelySpeculatable,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
    ensure_terminator,
)
from xdsl.utils.exceptions import VerifyException

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
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.host.printing import has_attributes, print_in_generic_form_if
from xdsl_bufferization.host.releases import loses_attributes, parse_operand
from xdsl_bufferization.interfaces.parallel_combining import ParallelCombiningOpTrait
from xdsl_bufferization.support.attributes import dynamic_index_fields


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


_PAREN = Parser.Delimiter.PAREN


@irdl_op_definition
class ForallOp(IRDLOperation):
    """
    A loop nest whose iterations may run in parallel, and in any order.

    Each result is the output at the same position, updated with what the terminator's ops
    insert into it in each iteration.

    https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfforall-scfforallop
    """

    name = "scf.forall"

    dynamic_lower_bound = var_operand_def(IndexType())
    dynamic_upper_bound = var_operand_def(IndexType())
    dynamic_step = var_operand_def(IndexType())
    outputs = var_operand_def(TensorType)
    static_lower_bound = prop_def(
        DenseArrayBase.constr(i64), prop_name="staticLowerBound"
    )
    static_upper_bound = prop_def(
        DenseArrayBase.constr(i64), prop_name="staticUpperBound"
    )
    static_step = prop_def(DenseArrayBase.constr(i64), prop_name="staticStep")
    mapping = opt_prop_def(ArrayAttr)
    body = region_def("single_block")
    res = var_result_def(TensorType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = lazy_traits_def(
        lambda: (
            RecursiveMemoryEffect(),
            RecursivelySpeculatable(),
            SingleBlockImplicitTerminator(InParallelOp),
        )
    )

    def __init__(
        self,
        lower_bound: Sequence[SSAValue | int],
        upper_bound: Sequence[SSAValue | int],
        step: Sequence[SSAValue | int],
        outputs: Sequence[SSAValue | Operation],
        body: Region,
        mapping: ArrayAttr[Attribute] | None = None,
    ):
        names = "staticLowerBound", "staticUpperBound", "staticStep"
        bounds = lower_bound, upper_bound, step
        dynamic, static = dynamic_index_fields(names, bounds)
        super().__init__(
            operands=(*dynamic, outputs),
            result_types=([SSAValue.get(output).type for output in outputs],),
            properties={**static, "mapping": mapping},
            regions=(body,),
        )
        if not body.blocks:
            body.add_block(Block())
        last_op = body.block.last_op
        if last_op is None or not last_op.has_trait(
            IsTerminator, value_if_unregistered=False
        ):
            body.block.add_op(InParallelOp())

    @property
    def rank(self) -> int:
        """The number of induction variables."""
        return len(self.static_upper_bound)

    @property
    def induction_variables(self) -> Sequence[BlockArgument]:
        """The body's arguments that are the indices of the iteration."""
        return self.body.block.args[: self.rank]

    @property
    def shared_outputs(self) -> Sequence[BlockArgument]:
        """The body's arguments for the outputs, with their contents before the loop."""
        return self.body.block.args[self.rank :]

    def verify_(self) -> None:
        self._verify_bounds()
        arguments = self.body.block.args
        expected = self.rank + len(self.outputs)
        if len(arguments) != expected:
            raise VerifyException(
                f"the body must have {expected} arguments, one for each induction "
                f"variable and one for each output, but has {len(arguments)}"
            )
        if any(argument.type != IndexType() for argument in self.induction_variables):
            raise VerifyException("induction variables must be of type index")
        for place, (output, argument) in enumerate(
            zip(self.outputs, self.shared_outputs, strict=True)
        ):
            if output.type != argument.type:
                raise VerifyException(
                    f"output #{place} is of type {output.type}, but the body's argument "
                    f"for it of type {argument.type}"
                )
        if tuple(self.outputs.types) != tuple(self.res.types):
            raise VerifyException("results must have the types of the outputs")
        if self.mapping is not None and len(self.mapping) not in (0, self.rank):
            raise VerifyException(
                f"the mapping must have {self.rank} elements, one for each induction "
                f"variable, but has {len(self.mapping)}"
            )

    def _verify_bounds(self) -> None:
        for role, static, dynamic in (
            ("lower bound", self.static_lower_bound, self.dynamic_lower_bound),
            ("upper bound", self.static_upper_bound, self.dynamic_upper_bound),
            ("step", self.static_step, self.dynamic_step),
        ):
            verify_dynamic_index_list(
                static.get_values(), dynamic, DYNAMIC_INDEX, f" in the {role}"
            )
            if len(static) != self.rank:
                raise VerifyException(
                    f"the {role} has {len(static)} elements, but the upper bound "
                    f"{self.rank}"
                )

    @classmethod
    def parse(cls, parser: Parser) -> ForallOp:
        variables = parse_induction_variables(parser)
        if parser.parse_optional_keyword("in"):
            upper = _parse_list(parser)
            lower = [0] * len(upper)
            step = [1] * len(upper)
        else:
            parser.parse_punctuation("=")
            lower = _parse_list(parser)
            parser.parse_keyword("to")
            upper = _parse_list(parser)
            parser.parse_keyword("step")
            step = _parse_list(parser)
        outputs: Sequence[SSAValue] = ()
        arguments: Sequence[Parser.Argument] = ()
        if parser.parse_optional_keyword("shared_outs"):
            shared = parse_assignments(parser)
            types = parse_result_types(parser)
            outputs, arguments = resolve_assignments(parser, shared, types)
        body = parser.parse_region((*variables, *arguments))
        attributes = parser.parse_optional_attr_dict()
        mapping = attributes.pop("mapping", None)
        if mapping is not None and not isinstance(mapping, ArrayAttr):
            parser.raise_error("the mapping must be an array")
        op = cls(lower, upper, step, outputs, body, mapping)
        op.attributes |= attributes
        return op


@irdl_op_definition
class InParallelOp(IRDLOperation):
    """
    The terminator of `scf.forall`, with the ops that update its outputs in each iteration.

    https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfforallin_parallel-scfinparallelop
    """

    name = "scf.forall.in_parallel"

    region = region_def("single_block")

    traits = traits_def(HasParent(ForallOp), IsTerminator(), NoTerminator(), Pure())

    def __init__(self, region: Region | None = None):
        super().__init__(regions=(Region(Block()) if region is None else region,))

    def verify_(self) -> None:
        for op in self.region.block.ops:
            if not isinstance(op, UnregisteredOp) and not op.has_trait(
                ParallelCombiningOpTrait
            ):
                raise VerifyException(
                    "may only have ops that update an output of the loop, but has "
                    f"{op.name}"
                )

    @classmethod
    def parse(cls, parser: Parser) -> InParallelOp:
        region = parse_block(parser)
        op = cls(region)
        op.attributes |= parser.parse_optional_attr_dict()
        return op


def _parse_list(parser: Parser) -> list[SSAValue | int]:
    dynamic, static = parse_dynamic_index_list_without_types(
        parser, DYNAMIC_INDEX, delimiter=_PAREN
    )
    return get_dynamic_index_list(
        static,
        [parser.resolve_operand(value, IndexType()) for value in dynamic],
        DYNAMIC_INDEX,
    )


print_in_generic_form_if(has_attributes, [ExecuteRegionOp.name])
print_in_generic_form_if(
    lambda op: has_attributes(op) or len(op.regions) > 1, [ReduceOp.name]
)

EXTENSION = Extension(
    [
        ExecuteRegionOp,
        ForOp,
        ForallOp,
        IfOp,
        InParallelOp,
        ParallelOp,
        ReduceOp,
        WhileOp,
    ]
)
