"""
Donated arguments in the summary of a function: the results that are in their memory, whatever
the function computes them from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import func

from xdsl_bufferization.interfaces.function_summary import FunctionSummary
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.shaped_types import is_tensor_like


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
