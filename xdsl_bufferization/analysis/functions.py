"""
Functions and calls: the order in which functions are analysed, and what a call does.

A function is analysed before its callers, which then know from its *summary* which of its
arguments it reads, writes and returns.

Source: https://mlir.llvm.org/docs/Bufferization/#function-boundaries
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.traits import SymbolTable

from xdsl_bufferization.analysis.alias_sets import AliasSet
from xdsl_bufferization.analysis.one_shot import OneShotAnalysis
from xdsl_bufferization.diagnostics import BufferizationError
from xdsl_bufferization.interfaces.bufferizable import (
    FunctionSummary,
    has_tensor_semantics,
)
from xdsl_bufferization.shaped_types import is_tensor_type
from xdsl_bufferization.walk import blocks_in_order, walk

_Node = TypeVar("_Node", bound=Hashable)


def is_return(op: Operation) -> bool:
    """
    Whether the op, of whatever dialect, ends a function and gives the function's results.
    """
    function = op.parent_op()
    return (
        isinstance(function, func.FuncOp)
        and op.next_op is None
        and not op.successors
        and not op.results
        and (
            isinstance(op, func.ReturnOp)
            or [*op.operand_types] == [*function.function_type.outputs]
        )
    )


def returns_of(function: func.FuncOp) -> Iterator[Operation]:
    """The ops that end the function, at the end of blocks that can be reached."""
    for block in blocks_in_order(function.body):
        if (last := block.last_op) is not None and is_return(last):
            yield last


def summarize(function: func.FuncOp, analysis: OneShotAnalysis) -> FunctionSummary:
    """What the analysed function does to its arguments."""
    values = analysis.program.values
    find = analysis.alias_sets.find
    outputs = len(function.function_type.outputs)
    writable = [True] * outputs
    returned: dict[AliasSet, list[int]] = {}
    by_result: list[list[SSAValue]] = [[] for _ in range(outputs)]
    return_ops = [*returns_of(function)]
    for return_op in return_ops:
        for index, value in enumerate(return_op.operands):
            if (info := values.get(value)) is not None:
                alias_set = find(info)
                of_set = returned.setdefault(alias_set, [])
                if index not in of_set:
                    of_set.append(index)
                by_result[index].append(value)
                writable[index] &= analysis.writability.read_only(info) is None
    reads: list[bool] = []
    writes: list[bool] = []
    returns: list[list[int]] = []
    equivalent: list[int | None] = [None] * outputs
    for argument in function.args:
        info = values.get(argument)
        aliasing = [] if info is None else returned.get(find(info), [])
        reads.append(info is not None and info.is_read)
        writes.append(info is not None and analysis.is_written(info))
        returns.append(aliasing)
        for index in aliasing:
            if all(analysis.is_equivalent(argument, v) for v in by_result[index]):
                equivalent[index] = argument.index
    shared = [tuple(group) for group in returned.values() if len(group) > 1]
    identical = [
        group
        for group in shared
        if all(
            analysis.is_equivalent(op.operands[group[0]], op.operands[index])
            for op in return_ops
            for index in group
        )
    ]
    return FunctionSummary(
        reads, writes, returns, equivalent, writable, shared, identical
    )


def nothing_known(function: func.FuncOp) -> FunctionSummary:
    """
    Where the search for what a recursive function does starts: its calls of itself do
    nothing.
    """
    inputs, outputs = (
        len(types)
        for types in (function.function_type.inputs, function.function_type.outputs)
    )
    return FunctionSummary(
        [False] * inputs,
        [False] * inputs,
        [[] for _ in range(inputs)],
        [None] * outputs,
        [True] * outputs,
    )


def joined(a: FunctionSummary, b: FunctionSummary) -> FunctionSummary:
    """What a function may do of which both are known to happen."""
    shared = _joined_groups([*a.shared, *b.shared])
    return FunctionSummary(
        [x or y for x, y in zip(a.reads, b.reads, strict=True)],
        [x or y for x, y in zip(a.writes, b.writes, strict=True)],
        [sorted({*x, *y}) for x, y in zip(a.returns, b.returns, strict=True)],
        [
            x if x == y else None
            for x, y in zip(a.equivalent, b.equivalent, strict=True)
        ],
        [x and y for x, y in zip(a.writable, b.writable, strict=True)],
        shared,
        [
            group
            for group in shared
            if all(
                group in summary.identical
                or all(set(group).isdisjoint(other) for other in summary.shared)
                for summary in (a, b)
            )
        ],
    )


def _joined_groups(groups: Iterable[Sequence[int]]) -> Sequence[Sequence[int]]:
    """The groups, those with a member in common united."""
    by_member: dict[int, set[int]] = {}
    for group in groups:
        united = set(group).union(*(by_member.get(m, ()) for m in group))
        by_member.update(dict.fromkeys(united, united))
    return sorted({tuple(sorted(group)) for group in by_member.values()})


def assume(function: func.FuncOp) -> FunctionSummary:
    """
    What a function without a body may do: anything, but for what the attribute
    `bufferization.access` of an argument tells.
    """
    inputs, outputs = function.function_type.inputs, function.function_type.outputs
    access = [_declared_access(function, i) for i in range(len(inputs))]
    results = [i for i, type in enumerate(outputs) if is_tensor_type(type)]
    return FunctionSummary(
        ["read" in declared for declared in access],
        ["write" in declared for declared in access],
        [results if is_tensor_type(type) else [] for type in inputs],
        [None] * len(outputs),
        [True] * len(outputs),
    )


def _declared_access(function: func.FuncOp, argument: int) -> Sequence[str]:
    attributes = function.arg_attrs
    if attributes is not None and argument < len(attributes):
        declared = attributes.data[argument].data.get("bufferization.access")
        if isinstance(declared, StringAttr):
            return declared.data.split("-")
    return ("read", "write")


class CallGraph:
    """The functions of a module and of modules nested in it, and who calls whom."""

    def __init__(self, module: Operation):
        self._functions: dict[tuple[Operation | None, str], func.FuncOp] = {}
        self._tables: dict[func.FuncOp, Operation | None] = {}
        self.recursive: set[func.FuncOp] = set()
        """Functions that may call themselves; known once `callees_first` is."""
        self.others: list[Operation] = []
        """The outermost ops that are not within a function."""
        pending = [module]
        while pending:
            table = pending.pop()
            for op in [
                op for region in table.regions for b in region.blocks for op in b.ops
            ]:
                if isinstance(op, func.FuncOp):
                    self._functions[table, op.sym_name.data] = op
                    self._tables[op] = table
                elif op.has_trait(
                    SymbolTable, value_if_unregistered=_holds_functions(op)
                ):
                    pending.append(op)
                else:
                    self.others.append(op)

    def callee(self, call: Operation) -> func.FuncOp | None:
        """The function that a `func.call` calls, if its symbol can be resolved."""
        name = cast(func.CallOp, call).callee.string_value()
        table = call.parent_op()
        while table is not None:
            if (function := self._functions.get((table, name))) is not None:
                return function
            table = table.parent_op()
        return None

    def callees_first(self) -> Sequence[Sequence[func.FuncOp]]:
        """
        The functions, each after those that it passes tensors to or gets tensors from;
        those that call each other in a circle together.

        Raises `BufferizationError` if a function that is called is not in the module.
        """
        callees: dict[func.FuncOp, dict[func.FuncOp, None]] = {}
        for function in self._tables:
            called = callees[function] = dict[func.FuncOp, None]()
            for op in walk([function]):
                if isinstance(op, func.CallOp) and has_tensor_semantics(op):
                    callee = self.callee(op)
                    if callee is None:
                        raise BufferizationError(
                            op, "calls a function that is not in the module"
                        )
                    called[callee] = None
        position = {function: index for index, function in enumerate(callees)}
        components = [
            sorted(functions, key=position.__getitem__)
            for functions in strongly_connected_components(callees)
        ]
        for functions in components:
            if len(functions) > 1 or functions[0] in callees[functions[0]]:
                self.recursive.update(functions)
        return components


def _holds_functions(op: Operation) -> bool:
    return any(
        isinstance(nested, func.FuncOp)
        for region in op.regions
        for block in region.blocks
        for nested in block.ops
    )


def strongly_connected_components(
    graph: Mapping[_Node, Mapping[_Node, None]],
) -> Sequence[Sequence[_Node]]:
    """
    The nodes that can be reached from each other, each set after those that it leads to.

    Source: Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972
    """
    number: dict[_Node, int] = {}
    lowest: dict[_Node, int] = {}
    open_: dict[_Node, None] = {}
    components: list[list[_Node]] = []
    for root in graph:
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        open_[root] = None
        path = [(root, iter(graph[root]))]
        while path:
            node, successors = path[-1]
            successor = next(successors, None)
            if successor is None:
                path.pop()
                if path:
                    parent = path[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[node])
                if lowest[node] == number[node]:
                    component: list[_Node] = []
                    while node in open_:
                        component.append(open_.popitem()[0])
                    components.append(component[::-1])
            elif successor not in number:
                number[successor] = lowest[successor] = len(number)
                open_[successor] = None
                path.append((successor, iter(graph[successor])))
            elif successor in open_:
                lowest[node] = min(lowest[node], number[successor])
    return components
