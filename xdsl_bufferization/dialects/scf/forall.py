"""
`scf.forall` and its terminator, which xDSL lacks.

Source: https://mlir.llvm.org/docs/Dialects/SCFDialect/#scfforall-scfforallop
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnregisteredOp,
    i64,
)
from xdsl.dialects.utils import (
    parse_dynamic_index_list_without_types,
    split_dynamic_index_list,
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
from xdsl.traits import (
    HasParent,
    IsTerminator,
    NoTerminator,
    Pure,
    RecursivelySpeculatable,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.scf.control_flow import ExecuteRegionOp, ReduceOp
from xdsl_bufferization.dialects.shared.syntax import (
    parse_assignments,
    parse_block,
    parse_induction_variables,
    parse_result_types,
    resolve_assignments,
)
from xdsl_bufferization.interfaces.parallel_combining import ParallelCombiningOpTrait
from xdsl_bufferization.support.printing import has_attributes, print_in_generic_form_if

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
        bounds = [
            split_dynamic_index_list(values, DYNAMIC_INDEX)
            for values in (lower_bound, upper_bound, step)
        ]
        lower, upper, steps = (
            DenseArrayBase.from_list(i64, static) for static, _ in bounds
        )
        super().__init__(
            operands=(*(dynamic for _, dynamic in bounds), outputs),
            result_types=([SSAValue.get(output).type for output in outputs],),
            properties={
                "staticLowerBound": lower,
                "staticUpperBound": upper,
                "staticStep": steps,
                "mapping": mapping,
            },
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
