"""
Functions and calls: the order in which functions are analysed, and what a call does.

A function is analysed before its callers, which then know from its *summary* which of its
arguments it reads, writes and returns.

Source: https://mlir.llvm.org/docs/Bufferization/#function-boundaries
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.bufferizable import FunctionSummary
from xdsl_bufferization.one_shot.decisions.alias_sets import AliasSet
from xdsl_bufferization.one_shot.decisions.analysis import OneShotAnalysis
from xdsl_bufferization.support.call_graph import returns_of
from xdsl_bufferization.support.shaped_types import is_tensor_type


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
