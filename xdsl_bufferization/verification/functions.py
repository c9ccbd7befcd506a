"""
Checking the decisions of a module: function by function, callees first. Each check also
gives the function's summary, which says what calls of it do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, BlockArgument, Operation

from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    FunctionSummary,
    declared_summary,
    without_effects,
)
from xdsl_bufferization.support.call_graph import CallGraph
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.failures import checked, explained
from xdsl_bufferization.support.regions import blocks_in_order
from xdsl_bufferization.support.shaped_types import (
    is_tensor,
)
from xdsl_bufferization.verification.access_paths import (
    MemoryLocation,
    Relation,
    Root,
    Roots,
    relation,
)
from xdsl_bufferization.verification.overwrites import OverwriteAnalysis
from xdsl_bufferization.verification.problems import ForbiddenWrite, Violation
from xdsl_bufferization.verification.sources import Sources

IN_PLACE_ATTRIBUTE = "__inplace_operands_attr__"

Problem: TypeAlias = Violation | ForbiddenWrite


def check_decisions(
    module: ModuleOp,
    *,
    bufferize_function_boundaries: bool = False,
    allow_return_allocs_from_loops: bool = False,
) -> Sequence[Problem]:
    """
    The wrong in-place decisions of a module; none if every op reads what it should. The
    decisions are those in the attributes `__inplace_operands_attr__` of its ops, as
    `one-shot-bufferize{test-analysis-only}` of this package and of mlir-opt write them.

    The options are those that the decisions were taken with. Raises `BufferizationError` if
    a decision or a called function is missing, and `TypeError` for what is no module.
    """
    name = "check_decisions"
    with explained(name, checked(name, module, ModuleOp)):
        return _Check(
            module, bufferize_function_boundaries, allow_return_allocs_from_loops
        ).run()


@dataclass
class _Check:
    module: ModuleOp
    boundaries: bool
    allow_return_allocs_from_loops: bool

    def __post_init__(self) -> None:
        self.summaries: dict[func.FuncOp, FunctionSummary] = {}
        self.problems: dict[func.FuncOp, Sequence[Problem]] = {}
        # With function boundaries, modules within the module stay on tensors.
        self._left: set[Operation] = (
            {op for op in self.module.ops if isinstance(op, ModuleOp)}
            if self.boundaries
            else set()
        )
        self._calls = CallGraph(self.module, without=self._left)

    def run(self) -> Sequence[Problem]:
        for component in self._calls.callees_first():
            self._check_component(component)
        outside = self._analyze(self._calls.others)
        return [
            *(p for f in self._calls.functions for p in self.problems[f]),
            *outside.problems.values(),
        ]

    def _check_component(self, functions: Sequence[func.FuncOp]) -> None:
        """Check functions that call each other, until their summaries do not change."""
        changed = True
        while changed:
            changed = False
            for function in functions:
                summary = self._check_function(function)
                if summary != self.summaries.get(function):
                    self.summaries[function] = summary
                    changed = function in self._calls.recursive or changed

    def _check_function(self, function: func.FuncOp) -> FunctionSummary:
        self.problems[function] = ()
        if not function.body.blocks:
            return _with_donations(function, declared_summary(function))
        analysis = self._analyze([function])
        self.problems[function] = [*analysis.problems.values()]
        return _with_donations(function, _summary(function, analysis))

    def _analyze(self, scope: Sequence[Operation]) -> OverwriteAnalysis:
        sources = Sources(scope, _is_in_place, self._model_of, self._summary_of)
        return OverwriteAnalysis(sources, self.allow_return_allocs_from_loops)

    def _model_of(self, op: Operation) -> BufferizableOpInterface | None:
        if isinstance(op, func.CallOp) and not self.boundaries:
            return None
        return BufferizableOpInterface.of(op)

    def _summary_of(self, call: Operation) -> FunctionSummary | None:
        if not isinstance(call, func.CallOp):
            return None
        callee = self._calls.callee(call)
        if callee is None:
            raise BufferizationError(call, "calls a function that is not in the module")
        known = self.summaries.get(callee)
        return known or _with_donations(callee, without_effects(callee))


def _is_in_place(op: Operation, operand: int) -> bool:
    decisions = op.attributes.get(IN_PLACE_ATTRIBUTE)
    if isinstance(decisions, ArrayAttr):
        of_operands = decisions.data
        decision = of_operands[operand] if operand < len(of_operands) else None
        if isinstance(decision, StringAttr) and decision.data in ("true", "false"):
            return decision.data == "true"
    raise BufferizationError(
        op,
        f"has no in-place decision for operand #{operand}",
        hint="run one-shot-bufferize{test-analysis-only=true}, which writes "
        f"{IN_PLACE_ATTRIBUTE}",
    )


# Summaries -----------------------------------------------------------------------------


def _with_donations(function: func.FuncOp, summary: FunctionSummary) -> FunctionSummary:
    """The summary, but donated arguments are written where they are not returned anyway."""
    donated = {
        result: argument
        for result, argument in donated_arguments(function).items()
        if summary.equivalent[result] != argument
    }
    if not donated:
        return summary
    arguments = {*donated.values()} if function.body.blocks else set[int]()
    return summary._replace(
        writes=[w or i in arguments for i, w in enumerate(summary.writes)],
        returns=[
            [
                result
                for result in range(len(summary.equivalent))
                if donated.get(result) == argument
                or (result in returned and result not in donated)
            ]
            for argument, returned in enumerate(summary.returns)
        ],
        equivalent=[donated.get(i, e) for i, e in enumerate(summary.equivalent)],
        identical=[g for g in summary.identical if donated.keys().isdisjoint(g)],
    )


def _summary(function: func.FuncOp, analysis: OverwriteAnalysis) -> FunctionSummary:
    """The summary of a function that was analysed."""
    memory = analysis.memory
    outputs = len(function.function_type.outputs)
    locations: list[list[MemoryLocation]] = [[] for _ in range(outputs)]
    for block in blocks_in_order(function.body):
        last = block.last_op
        if last is not None and not last.successors and len(last.operands) == outputs:
            for index, value in enumerate(last.operands):
                if is_tensor(value):
                    locations[index].append(memory.location(value))
    roots: list[Roots] = [
        frozenset(root for location in of for root in location.roots)
        for of in locations
    ]
    arguments = [*function.args]
    shared = [(i, j) for i, j in combinations(range(outputs), 2) if roots[i] & roots[j]]
    return FunctionSummary(
        reads=[i in analysis.read_arguments for i in range(len(arguments))],
        writes=[is_tensor(a) and Root(a) in analysis.written for a in arguments],
        returns=[
            [i for i in range(outputs) if is_tensor(a) and Root(a) in roots[i]]
            for a in arguments
        ],
        equivalent=[
            _argument_at(of, function, type)
            for of, type in zip(locations, function.function_type.outputs, strict=True)
        ],
        writable=[analysis.read_only_definition(of) is None for of in roots],
        shared=shared,
        identical=[
            (i, j)
            for i, j in shared
            if len(locations[i]) == len(locations[j])
            and all(
                a.base is not None and a[:2] == b[:2]
                for a, b in zip(locations[i], locations[j], strict=True)
            )
        ],
        allocated=[
            all(analysis.sources.is_allocated(root.site) for root in of) for of in roots
        ],
    )


def _argument_at(
    locations: Sequence[MemoryLocation], function: func.FuncOp, type: Attribute
) -> int | None:
    """
    The argument, if all locations of a result of the type are the whole buffer of it, each element
    where the argument has it; perhaps after reshapes, in which elements keep their order:

        %1 = tensor.expand_shape %t [[0, 1]] output_shape [2, 4]
        %2 = tensor.collapse_shape %1 [[0, 1]]    // as %t
    """

    # With one unknown size at most, as many elements are of one shape.
    is_shape_known = (
        isinstance(type, TensorType) and type.get_shape().count(DYNAMIC_INDEX) <= 1
    )

    def is_whole(location: MemoryLocation, argument: BlockArgument) -> bool:
        return location.base is argument and (
            not location.path
            or (
                argument.type == type
                and is_shape_known
                and relation(location.path, ()) is Relation.SAME
            )
        )

    for argument in function.args:
        if locations and all(is_whole(location, argument) for location in locations):
            return argument.index
    return None
