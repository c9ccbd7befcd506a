"""
Checking the decisions of a module: function by function, callees first as far as there is
such an order; what a call does is what the called function was found to do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    FunctionSummary,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.shaped_types import (
    has_tensor_semantics,
    is_tensor,
    is_tensor_type,
)
from xdsl_bufferization.support.walk import blocks_in_order, walk
from xdsl_bufferization.verification.memory import MemoryMap
from xdsl_bufferization.verification.places import Place, Root, Roots
from xdsl_bufferization.verification.problems import ForbiddenWrite, Violation
from xdsl_bufferization.verification.sources import Sources
from xdsl_bufferization.verification.versions import Versions

IN_PLACE_ATTRIBUTE = "__inplace_operands_attr__"

Problem: TypeAlias = Violation | ForbiddenWrite


def check_decisions(
    module: ModuleOp,
    *,
    bufferize_function_boundaries: bool = False,
    allow_return_allocs_from_loops: bool = False,
) -> Sequence[Problem]:
    """
    What is wrong with the in-place decisions that are written on the module's ops, in
    `__inplace_operands_attr__` as `one-shot-bufferize{test-analysis-only}` of this package
    and of mlir-opt write them; nothing if every op reads what it should.

    The options are those that the decisions were taken with. Raises `BufferizationError` if
    a decision is missing, or a called function.
    """
    return _Check(
        module, bufferize_function_boundaries, allow_return_allocs_from_loops
    ).run()


@dataclass
class _Check:
    module: ModuleOp
    boundaries: bool
    loops_may_return_allocs: bool
    summaries: dict[func.FuncOp, FunctionSummary] = field(
        default_factory=dict[func.FuncOp, FunctionSummary], init=False
    )
    problems: dict[func.FuncOp, Sequence[Problem]] = field(
        default_factory=dict[func.FuncOp, Sequence[Problem]], init=False
    )
    _functions: dict[tuple[Operation | None, str], func.FuncOp] = field(
        default_factory=dict[tuple["Operation | None", str], func.FuncOp], init=False
    )

    def run(self) -> Sequence[Problem]:
        functions = [op for op in walk([self.module]) if isinstance(op, func.FuncOp)]
        self._functions = {(f.parent_op(), f.sym_name.data): f for f in functions}
        callers: dict[func.FuncOp, set[func.FuncOp]] = {f: set() for f in functions}
        if self.boundaries:
            for function in functions:
                for callee in self._callees(function):
                    callers[callee].add(function)
        pending = dict.fromkeys(_callees_first(functions, callers))
        while pending:
            function = next(iter(pending))
            del pending[function]
            summary = self._check_function(function)
            if summary != self.summaries.get(function):
                self.summaries[function] = summary
                pending.update(dict.fromkeys(callers[function]))
        outside = [op for op in self.module.ops if not _holds_functions(op)]
        return [
            *(problem for f in functions for problem in self.problems.get(f, ())),
            *self._follow(outside).problems.values(),
        ]

    def _callees(self, function: func.FuncOp) -> Iterator[func.FuncOp]:
        for op in walk([function]):
            if isinstance(op, func.CallOp) and has_tensor_semantics(op):
                yield self._callee(op)

    def _callee(self, call: Operation) -> func.FuncOp:
        name = cast(SymbolRefAttr, call.properties["callee"]).string_value()
        table = call.parent_op()
        while table is not None:
            if (function := self._functions.get((table, name))) is not None:
                return function
            table = table.parent_op()
        raise BufferizationError(call, "calls a function that is not in the module")

    def _summary_of(self, call: Operation) -> FunctionSummary | None:
        if not isinstance(call, func.CallOp):
            return None
        callee = self._callee(call)
        known = self.summaries.get(callee)
        return _nothing_known(callee) if known is None else known

    def _model_of(self, op: Operation) -> BufferizableOpInterface | None:
        if isinstance(op, func.CallOp) and not self.boundaries:
            return None
        return BufferizableOpInterface.of(op)

    def _check_function(self, function: func.FuncOp) -> FunctionSummary:
        if not function.body.blocks:
            return _declared(function)
        versions = self._follow([function])
        self.problems[function] = [*versions.problems.values()]
        return _summary(function, versions)

    def _follow(self, scope: Sequence[Operation]) -> Versions:
        sources = Sources(scope, _is_in_place, self._model_of, self._summary_of)
        allocs = self.loops_may_return_allocs
        memory = MemoryMap(sources, allow_return_allocs_from_loops=allocs)
        versions = Versions(sources, memory, allocs)
        versions.run(scope)
        return versions


def _holds_functions(op: Operation) -> bool:
    return isinstance(op, func.FuncOp) or op.has_trait(
        SymbolTable, value_if_unregistered=False
    )


def _is_in_place(op: Operation, operand: int) -> bool:
    decisions = op.attributes.get(IN_PLACE_ATTRIBUTE)
    if isinstance(decisions, ArrayAttr):
        decision = cast(ArrayAttr[Attribute], decisions).data[operand]
        if isinstance(decision, StringAttr) and decision.data in ("true", "false"):
            return decision.data == "true"
    raise BufferizationError(
        op,
        f"has no in-place decision for operand #{operand}",
        hint="run one-shot-bufferize{test-analysis-only=true}, which writes "
        f"{IN_PLACE_ATTRIBUTE}",
    )


def _callees_first(
    functions: Sequence[func.FuncOp], callers: dict[func.FuncOp, set[func.FuncOp]]
) -> list[func.FuncOp]:
    """Each function after those that it calls, but for circles."""
    order: dict[func.FuncOp, None] = {}
    for start in functions:
        # The callers of a function come behind all that are found from it.
        stack = [(start, iter(callers[start]))]
        seen = {start}
        while stack:
            function, rest = stack[-1]
            if function in order:
                stack.pop()
                continue
            for caller in rest:
                if caller not in order and caller not in seen:
                    seen.add(caller)
                    stack.append((caller, iter(callers[caller])))
                    break
            else:
                order[function] = None
                stack.pop()
    return [*order][::-1]


# What functions do ----------------------------------------------------------------------


def _nothing_known(function: func.FuncOp) -> FunctionSummary:
    """Where the search starts for functions that call themselves."""
    inputs, outputs = map(
        len, (function.function_type.inputs, function.function_type.outputs)
    )
    return FunctionSummary(
        reads=[False] * inputs,
        writes=[False] * inputs,
        returns=[[] for _ in range(inputs)],
        equivalent=[None] * outputs,
        writable=[True] * outputs,
    )


def _declared(function: func.FuncOp) -> FunctionSummary:
    """What a function without a body may do, as far as it is declared."""
    inputs, outputs = function.function_type.inputs, function.function_type.outputs
    access: list[str] = []
    for index in range(len(inputs)):
        declared = None
        if function.arg_attrs is not None:
            declared = function.arg_attrs.data[index].data.get("bufferization.access")
        access.append(
            declared.data if isinstance(declared, StringAttr) else "read-write"
        )
    tensors = [i for i, type in enumerate(outputs) if is_tensor_type(type)]
    return FunctionSummary(
        reads=["read" in a for a in access],
        writes=["write" in a for a in access],
        returns=[tensors if is_tensor_type(type) else [] for type in inputs],
        equivalent=[None] * len(outputs),
        writable=[True] * len(outputs),
    )


def _summary(function: func.FuncOp, versions: Versions) -> FunctionSummary:
    """What the function was found to do."""
    memory = versions.memory
    outputs = len(function.function_type.outputs)
    places: list[list[Place]] = [[] for _ in range(outputs)]
    for block in blocks_in_order(function.body):
        last = block.last_op
        if last is not None and not last.successors and len(last.operands) == outputs:
            for index, value in enumerate(last.operands):
                if is_tensor(value):
                    places[index].append(memory.place(value))
    roots: list[Roots] = [
        frozenset(root for place in of for root in place.roots) for of in places
    ]
    arguments = [*function.args]
    shared = [
        (i, j)
        for i in range(outputs)
        for j in range(i + 1, outputs)
        if roots[i] & roots[j]
    ]
    return FunctionSummary(
        reads=[i in versions.read_arguments for i in range(len(arguments))],
        writes=[is_tensor(a) and Root(a) in versions.written for a in arguments],
        returns=[
            [i for i in range(outputs) if is_tensor(a) and Root(a) in roots[i]]
            for a in arguments
        ],
        equivalent=[_argument_at(of, function) for of in places],
        writable=[not versions.is_read_only(of) for of in roots],
        shared=shared,
        identical=[
            (i, j)
            for i, j in shared
            if len(places[i]) == len(places[j])
            and all(
                a.base is not None and a[:2] == b[:2]
                for a, b in zip(places[i], places[j], strict=True)
            )
        ],
    )


def _argument_at(places: Sequence[Place], function: func.FuncOp) -> int | None:
    """The argument whose buffer all the places are."""
    for argument in function.args:
        if places and all(p.base is argument and not p.path for p in places):
            return argument.index
    return None
