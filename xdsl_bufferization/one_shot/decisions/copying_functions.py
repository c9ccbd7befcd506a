"""What a function does of which every write works on a copy."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import BlockArgument, SSAValue

from xdsl_bufferization.interfaces.bufferizable import FunctionSummary
from xdsl_bufferization.one_shot.decisions.analysis import AlwaysCopyAnalysis
from xdsl_bufferization.support.call_graph import returns_of


def summarize_copying(
    function: func.FuncOp, analysis: AlwaysCopyAnalysis
) -> FunctionSummary:
    """
    What the function, which has a body, does to its arguments.

    It writes them only where an op can not be given a copy instead.
    """
    values = analysis.program.values
    arguments = [*function.args]
    written = {
        value
        for operand in analysis.program.operands()
        if operand.writes and analysis.is_in_place(operand)
        for value in analysis.memory_of(operand.value.value)
    }
    outputs = len(function.function_type.outputs)
    memory: list[set[SSAValue]] = [set() for _ in range(outputs)]
    for return_op in returns_of(function):
        for index, value in enumerate(return_op.operands):
            if value in values:
                memory[index] |= analysis.memory_of(value)
    return FunctionSummary(
        reads=[a in values and values[a].is_read for a in arguments],
        writes=[a in written for a in arguments],
        returns=[[i for i in range(outputs) if a in memory[i]] for a in arguments],
        equivalent=[None] * outputs,
        writable=[all(_is_writable(v, analysis) for v in m) for m in memory],
        shared=[
            (i, j)
            for i in range(outputs)
            for j in range(i + 1, outputs)
            if memory[i] & memory[j]
        ],
    )


def _is_writable(value: SSAValue, analysis: AlwaysCopyAnalysis) -> bool:
    info = analysis.program.values[value]
    owner = info.region.parent if isinstance(value, BlockArgument) else info.owner
    return (
        owner is not None
        and owner.model is not None
        and owner.model.is_writable(owner.op, value, analysis.program)
    )
