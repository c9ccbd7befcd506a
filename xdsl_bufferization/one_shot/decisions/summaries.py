"""
Summaries of functions: what a call does to its operands.

    func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
      %r = tensor.insert %f into %t[%i]    // in place
      func.return %r

    // %t: read, written, returned as result 0, which is equivalent to it; %u: nothing
    %0 = func.call @f(%a, %b)              // reads and writes %a, and %0 is in its buffer

A function is analysed before its callers, which ask for its summary. A recursive function
is analysed as if its calls of itself did nothing, and again with what has been found,
until nothing is added.

Source: https://mlir.llvm.org/docs/Bufferization/#function-boundaries

A result is in the memory of the argument that is donated for it, whatever the function computes it
from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from xdsl.dialects import func
from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.bufferizable import (
    FunctionSummary,
    declared_summary,
    without_effects,
)
from xdsl_bufferization.one_shot.decisions.alias_sets import AliasSet
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.records import ValueInfo
from xdsl_bufferization.support.call_graph import returns_of
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.shaped_types import is_tensor_like


def summarize(function: func.FuncOp, analysis: OneShotAnalysis) -> FunctionSummary:
    """The effects of the function, which has been analysed, on its arguments."""
    has_body = bool(function.body.blocks)
    return with_donated_arguments(
        function,
        _of_analysed(function, analysis) if has_body else declared_summary(function),
    )


def _of_analysed(function: func.FuncOp, analysis: OneShotAnalysis) -> FunctionSummary:
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
        writes.append(info is not None and analysis.writability.is_written(info))
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
    given = _given([values[v] for of in by_result for v in of], analysis)
    return FunctionSummary(
        reads,
        writes,
        returns,
        equivalent,
        writable,
        [all(values[v] not in given for v in of) for of in by_result],
        shared,
        identical,
    )


def _given(
    returned: Iterable[ValueInfo], analysis: OneShotAnalysis
) -> Collection[ValueInfo]:
    """The tensors that may be in memory which the function does not allocate."""
    memory = analysis.writability
    return memory.targets_of(
        source
        for source in memory.sources_of(returned)
        # A block argument with sources is in their memory.
        if (source.owner or not source.sources)
        and not analysis.is_allocation(source.value)
    )


def nothing_known(function: func.FuncOp) -> FunctionSummary:
    """The summary of a recursive function before it is analysed."""
    return with_donated_arguments(function, without_effects(function))


def joined(a: FunctionSummary, b: FunctionSummary) -> FunctionSummary:
    """The summary of a function that may do all that either of two summaries says."""
    shared = joined_groups([*a.shared, *b.shared])
    return FunctionSummary(
        [x or y for x, y in zip(a.reads, b.reads, strict=True)],
        [x or y for x, y in zip(a.writes, b.writes, strict=True)],
        [sorted({*x, *y}) for x, y in zip(a.returns, b.returns, strict=True)],
        [
            x if x == y else None
            for x, y in zip(a.equivalent, b.equivalent, strict=True)
        ],
        [x and y for x, y in zip(a.writable, b.writable, strict=True)],
        [x and y for x, y in zip(a.allocated, b.allocated, strict=True)],
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
        a.donated,
    )


def with_donated_arguments(
    function: func.FuncOp, summary: FunctionSummary
) -> FunctionSummary:
    """
    The summary of a function that copies each result to the argument donated for it, unless
    it is there already.
    """
    outputs = function.function_type.outputs.data
    donated = donated_arguments(function)
    copied = {
        result: argument
        for result, argument in donated.items()
        if is_tensor_like(outputs[result]) and summary.equivalent[result] != argument
    }
    summary = summary._replace(donated=donated)
    if not copied:
        return summary
    # A function without a body says itself what it writes.
    overwritten = set(copied.values()) if function.body.blocks else set[int]()
    # Other results may have to be copied from there to new memory before.
    moved = {
        argument: [i for i in summary.returns[argument] if i not in donated]
        for argument in overwritten
    }
    changed = {*copied, *(i for results in moved.values() for i in results)}
    shared = joined_groups(
        [
            *summary.shared,
            *(
                (result, *moved.get(argument, ()))
                for result, argument in copied.items()
            ),
        ]
    )
    return summary._replace(
        writes=[w or i in overwritten for i, w in enumerate(summary.writes)],
        returns=[
            [
                result
                for result in range(len(outputs))
                if copied.get(result, argument) == argument
                and (result in copied or result in returned)
            ]
            for argument, returned in enumerate(summary.returns)
        ],
        equivalent=[
            copied.get(result, None if result in changed else argument)
            for result, argument in enumerate(summary.equivalent)
        ],
        writable=[w or i in copied for i, w in enumerate(summary.writable)],
        shared=shared,
        identical=[
            group
            for group in summary.identical
            if group in shared and changed.isdisjoint(group)
        ],
    )


def joined_groups(groups: Iterable[Sequence[int]]) -> Sequence[Sequence[int]]:
    """The groups, but those with a common member joined to one."""
    by_member: dict[int, set[int]] = {}
    for group in groups:
        united = set(group).union(*(by_member.get(m, ()) for m in group))
        by_member.update(dict.fromkeys(united, united))
    return sorted(
        {tuple(sorted(group)) for group in by_member.values() if len(group) > 1}
    )
