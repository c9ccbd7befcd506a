"""
Whether a call returns memory as its callers expect: what they have to free, or donated.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl_bufferization.semantics.checking.execution import Run
from xdsl_bufferization.semantics.checking.report import Problem, ProblemKind
from xdsl_bufferization.semantics.memory.buffers import Kind, MemRef
from xdsl_bufferization.semantics.values import Value
from xdsl_bufferization.support.donation import donated_arguments


def donation_problem(name: str, run: Run, inputs: Sequence[Value]) -> Problem | None:
    """The problem if a result is not the argument that is donated for it."""
    for result, argument in donated_arguments(run.function).items():
        returned, donated = run.returned[result], run.arguments[argument].value
        if isinstance(returned, MemRef) and not returned.is_same_view(donated):
            return Problem(
                ProblemKind.OWNERSHIP,
                name,
                f"result {result} is not argument {argument}, which is donated for it",
                run.function,
                [("allocated by", returned.buffer.allocated_by)],
                inputs,
            )
    return None


def memory_problem(name: str, run: Run, inputs: Sequence[Value]) -> Problem | None:
    """The problem if callers cannot free the memory that they own, or if memory leaks."""
    donated = donated_arguments(run.function)
    for i, buffer in run.returned_memory:
        if buffer.kind is Kind.HEAP or i in donated:
            continue
        return Problem(
            ProblemKind.OWNERSHIP,
            name,
            f"result {i} is {buffer.kind.value} memory, which the caller cannot free",
            run.function,
            [("allocated by", buffer.allocated_by)],
            inputs,
        )
    leaked = list(run.memory.leaks(run.returned_buffers))
    if not leaked:
        return None
    nbytes = sum(buffer.data.size for buffer in leaked)
    sources = dict.fromkeys(buffer.allocated_by for buffer in leaked)
    return Problem(
        ProblemKind.LEAK,
        name,
        f"1 buffer of {nbytes} bytes is never freed"
        if len(leaked) == 1
        else f"{len(leaked)} buffers of together {nbytes} bytes are never freed",
        next(iter(sources)),
        [("allocated by", op) for op in list(sources)[1:6]],
        inputs,
    )
