"""Why a program computes something else after the passes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.semantics.checking.comparison import Reference, same
from xdsl_bufferization.semantics.checking.execution import Run
from xdsl_bufferization.semantics.checking.report import Problem, ProblemKind
from xdsl_bufferization.semantics.memory.garbage import ALL, Garbage
from xdsl_bufferization.semantics.values import Array, Value


def explain_difference(
    name: str,
    run: Run,
    reference: Reference,
    number: int,
    index: tuple[int, ...],
) -> Problem:
    """
    The problem with output `number` of a run of the program after, which differs at the
    index, or, if that is `()`, in its shape.
    """
    output, expected = run.outputs[number], reference.outputs[number]
    if np.shape(output.contents) != np.shape(expected):
        return Problem(
            ProblemKind.DIFFERENCE,
            name,
            f"{output.name} has shape {list(np.shape(expected))} before, "
            f"{list(np.shape(output.contents))} after",
            run.function,
            inputs=reference.inputs,
            output=output.name,
        )
    want, have = np.asarray(expected)[index], np.asarray(output.contents)[index]
    where = f" at {list(index)}" if index else ""
    source = _uninitialised_source(run, number, index)
    if source is None:
        kind = ProblemKind.DIFFERENCE
        message = f"{output.name}{where} is {want!s} before, {have!s} after"
    else:
        kind = ProblemKind.UNINITIALISED
        message = (
            f"{output.name}{where} is {want!s} before, and after it depends on memory "
            "that is not initialised"
        )
    return Problem(
        kind,
        name,
        message,
        (source[0] if source is not None else None) or run.function,
        _history(run, number, index),
        reference.inputs,
        output.name,
        index,
        want,
        have,
    )


def _history(
    run: Run,
    number: int,
    index: tuple[int, ...],
) -> Sequence[tuple[str, Operation | None]]:
    """The op that wrote the element last, and the op that allocated its memory."""
    run = run.again(Garbage(), trace=True)
    if run.fault is not None:
        return ()
    memref = run.outputs[number].memref
    if memref is None:
        return ()
    return (
        ("written last by", run.memory.last_writer(memref, index)),
        ("in memory allocated by", memref.buffer.allocated_by),
    )


def _uninitialised_source(
    run: Run,
    number: int,
    index: tuple[int, ...],
) -> tuple[Operation | None] | None:
    """
    The op whose uninitialised memory the element of the output depends on, in a tuple;
    `None` if there is none. It is found by binary search for the first op whose other
    garbage changes the element.
    """

    def element(second: int) -> tuple[Value, Run]:
        again = run.again(Garbage(second))
        if again.fault is not None:
            return None, again
        array = np.asarray(again.outputs[number].contents)
        return (array[index] if _is_inside(index, array) else None), again

    start, first = element(0)
    sources = list(first.garbage.sources)
    end, _ = element(ALL)
    if same(start, end):
        return None
    low, high = 0, len(sources)
    while high - low > 1:
        middle = (low + high) // 2
        if same(start, element(middle)[0]):
            low = middle
        else:
            high = middle
    return (sources[low],) if sources else None


def _is_inside(index: tuple[int, ...], array: Array) -> bool:
    return len(index) == array.ndim and all(
        i < size for i, size in zip(index, array.shape, strict=True)
    )
