"""
What donated arguments add to the summary of a function: which results are in their memory,
whatever the function computes them from.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from xdsl.dialects import func

from xdsl_bufferization.interfaces.bufferizable import FunctionSummary
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.shaped_types import is_tensor_type


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
        if is_tensor_type(outputs[result]) and summary.equivalent[result] != argument
    }
    summary = replace(summary, donated=donated)
    if not copied:
        return summary
    # A function without a body says itself what it writes.
    overwritten = set(copied.values()) if function.body.blocks else set[int]()
    moved = {
        result
        for argument in overwritten
        for result in summary.returns[argument]
        if result not in donated
    }
    """Other results, which may have to be copied to new memory before."""
    shared = _without(copied, summary.shared)
    return replace(
        summary,
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
            copied.get(result, None if result in moved else argument)
            for result, argument in enumerate(summary.equivalent)
        ],
        writable=[w or i in copied for i, w in enumerate(summary.writable)],
        shared=shared,
        identical=[
            group
            for group in _without(copied, summary.identical)
            if group in shared and moved.isdisjoint(group)
        ],
    )


def _without(
    results: Container[int], groups: Iterable[Sequence[int]]
) -> Sequence[Sequence[int]]:
    """The groups without these results."""
    rest = (tuple(i for i in group if i not in results) for group in groups)
    return [group for group in rest if len(group) > 1]
