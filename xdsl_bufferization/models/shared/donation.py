"""
The results that a function returns in donated arguments, which are copied there if need be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.bufferizable import Decisions, ForwardedCopy
from xdsl_bufferization.support.call_graph import returns_of
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.shaped_types import is_tensor


def copies_to_donated_arguments(
    function: func.FuncOp, decisions: Decisions
) -> Sequence[ForwardedCopy]:
    """
    The copies after which each return has the results of donated arguments in the memory of
    these, and all others in memory that those copies do not overwrite.

    Raises `BufferizationError` if a tensor that has to be copied has no rank.
    """
    donations = donated_arguments(function)
    if not donations or not function.body.blocks:
        return ()
    donated = {result: function.args[i] for result, i in donations.items()}
    return [
        copy
        for return_op in returns_of(function)
        for copy in _copies(return_op, donated, decisions)
    ]


def _copies(
    return_op: Operation, donated: Mapping[int, SSAValue], decisions: Decisions
) -> Iterator[ForwardedCopy]:
    overwritten = {
        result: argument
        for result, argument in donated.items()
        if is_tensor(argument)
        and not _is_there(return_op.operands[result], argument, decisions)
    }
    for result, value in enumerate(return_op.operands):
        if not overwritten or not is_tensor(value):
            continue
        destination = overwritten.get(result)
        # Copies are made in the order of the results, but those to new memory before.
        before = {
            argument
            for other, argument in overwritten.items()
            if other < result or destination is None
        }
        is_lost = not before.isdisjoint(decisions.memory_of(value))
        if destination is None and (result in donated or not is_lost):
            continue
        if isinstance(value.type, UnrankedTensorType):
            raise BufferizationError(
                return_op,
                f"returns result #{result} in other memory than that of the argument "
                "donated for it, or for another result, and cannot copy a tensor of "
                "unknown rank",
                related=[("the function", return_op.parent_op())],
                hint="cast the tensor to a ranked type",
            )
        yield ForwardedCopy(
            return_op, result, destination, destination is not None and is_lost
        )


def _is_there(value: SSAValue, argument: SSAValue, decisions: Decisions) -> bool:
    """
    Whether the tensor is in the memory of the argument, and stays there when functions that
    it comes from have to return a copy, as their arguments are not donated.
    """
    if not decisions.is_equivalent(argument, value):
        return False
    pending, seen = [value], {value}
    while pending:
        value = pending.pop()
        if isinstance(value, OpResult) and isinstance(value.op, func.CallOp):
            summary = decisions.summary_of(value.op)
            if summary is None or value.index not in summary.donated:
                return False
        for source in decisions.sources_of(value):
            if source not in seen and decisions.is_equivalent(argument, source):
                seen.add(source)
                pending.append(source)
    return True
