"""
Comparison of what a program computes before and after passes, why it computes something else, and
whether a call returns memory as its callers expect: what they have to free, or donated.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.semantics.checking.execution import Output, Run, output_at
from xdsl_bufferization.semantics.checking.report import ProblemKind
from xdsl_bufferization.semantics.checking.signatures import Correspondence
from xdsl_bufferization.semantics.errors import ExecutionError
from xdsl_bufferization.semantics.memory.buffers import Kind, MemRef
from xdsl_bufferization.semantics.memory.memory import ALL, Garbage
from xdsl_bufferization.semantics.values import Array, Value
from xdsl_bufferization.support.donation import donated_arguments


class WrongResultError(ExecutionError):
    """The program after gives other results, or leaves memory otherwise, than it should."""

    def __init__(
        self,
        kind: ProblemKind,
        message: str,
        op: Operation | None,
        related: Sequence[tuple[str, Operation | None]] = (),
        difference: Sequence[Any] = (),
    ):
        super().__init__(message, op, related)
        self.kind = kind
        self.difference = difference
        """Output, index, expected and actual element of the `Problem`, as far as there are any."""


@dataclass(frozen=True)
class Reference:
    """The results of the program before the passes."""

    inputs: Sequence[Value]
    outputs: Sequence[Value]
    defined: Sequence[Array | None]
    """For each output, which elements are defined; `None` if all are."""
    same_memref: Sequence[Container[int] | None] = ()
    """For each result that is a memref, the indices of the equivalent arguments."""

    @staticmethod
    def of(inputs: Sequence[Value], first: Run, second: Run) -> Reference:
        pairs = list(zip(first.outputs, second.outputs, strict=True))
        outputs = [output.contents for output, _ in pairs]
        defined = [_defined(a, b) for a, b in pairs]
        same_memref = [_same_memref(value, first) for value in first.returned]
        return Reference(inputs, outputs, defined, same_memref)

    def difference(self, number: int, output: Output) -> tuple[int, ...] | None:
        """The first index at which the output differs; `()` if its shape does."""
        expected = np.asarray(self.outputs[number])
        actual = np.asarray(output.contents)
        if expected.shape != actual.shape:
            return ()
        different = differ(expected, actual)
        defined = self.defined[number]
        if defined is not None:
            different &= defined
        if not different.any():
            return None
        first = np.unravel_index(different.argmax(), different.shape)
        return tuple(int(i) for i in first)


def narrowed(
    correspondence: Correspondence, run: Run, reference: Reference
) -> Correspondence:
    """
    The correspondence, without the arguments that do not hold a dropped result after the
    run; the run's outputs become those at the first positions that are left.
    """
    for result in correspondence.dropped:
        positions = [
            position
            for position in correspondence.positions[result]
            if reference.difference(result, output_at(run, position, result)) is None
        ]
        correspondence = correspondence.narrowed(
            result, positions or correspondence.positions[result][:1]
        )
        run.outputs[result] = output_at(
            run, correspondence.positions[result][0], result
        )
    return correspondence


def _same_memref(value: Value, run: Run) -> Container[int] | None:
    if not isinstance(value, MemRef):
        return None
    return {
        i
        for i, argument in enumerate(run.arguments)
        if isinstance(argument.value, MemRef) and argument.value.is_same_view(value)
    }


def _defined(a: Output, b: Output) -> Array | None:
    """Which elements of the output are equal in both runs; `None` if all are."""
    if np.shape(a.contents) != np.shape(b.contents):
        return np.zeros(np.shape(a.contents), np.bool_)
    defined: Array | None = None
    if a.contents is not b.contents:
        defined = ~differ(a.contents, b.contents)
    if a.unspecified is not None:
        defined = ~a.unspecified if defined is None else defined & ~a.unspecified
    return None if defined is None or defined.all() else defined


def differ(a: Value, b: Value) -> Array:
    """Where two arrays of one shape differ; NaNs are equal, and so are all zeros."""
    a, b = np.asarray(a), np.asarray(b)
    different = np.asarray(a != b)
    if a.dtype.kind not in "biu" and different.any():
        # In all types, only NaNs are unequal to themselves.
        different &= ~(np.asarray(a != a) & np.asarray(b != b))
    return different


def same(a: Value, b: Value) -> bool:
    """Whether two scalars are equal; `None` only equals itself."""
    if a is None or b is None:
        return a is b
    return not differ(a, b).any()


def explained_difference(
    run: Run, reference: Reference, number: int, index: tuple[int, ...]
) -> WrongResultError:
    """
    The error for output `number` of a run of the program after, which differs at the index, or,
    if that is `()`, in its shape.
    """
    output, expected = run.outputs[number], reference.outputs[number]
    if np.shape(output.contents) != np.shape(expected):
        return WrongResultError(
            ProblemKind.DIFFERENCE,
            f"{output.name} has shape {list(np.shape(expected))} before, "
            f"{list(np.shape(output.contents))} after",
            run.function,
            difference=[output.name],
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
    return WrongResultError(
        kind,
        message,
        (source[0] if source is not None else None) or run.function,
        _history(run, number, index),
        [output.name, index, want, have],
    )


def _history(
    run: Run, number: int, index: tuple[int, ...]
) -> Sequence[tuple[str, Operation | None]]:
    """The op that wrote the element last, and the op that allocated its memory."""
    try:
        run = run.again(Garbage(), trace=True)
    except ExecutionError:
        return ()
    memref = run.outputs[number].memref
    if memref is None:
        return ()
    return (
        ("written last by", run.memory.last_writer(memref, index)),
        ("in memory allocated by", memref.buffer.allocated_by),
    )


def _uninitialised_source(
    run: Run, number: int, index: tuple[int, ...]
) -> tuple[Operation | None] | None:
    """
    The op whose uninitialised memory the element of the output depends on, in a tuple;
    `None` if there is none. It is found by binary search for the first op whose other
    garbage changes the element.
    """

    def element(garbage: Garbage) -> Value:
        try:
            array = np.asarray(run.again(garbage).outputs[number].contents)
        except ExecutionError:
            return None
        return array[index] if _is_inside(index, array) else None

    first = Garbage()
    start = element(first)
    sources = list(first.sources)
    if same(start, element(Garbage(ALL))):
        return None
    low, high = 0, len(sources)
    while high - low > 1:
        middle = (low + high) // 2
        if same(start, element(Garbage(middle))):
            low = middle
        else:
            high = middle
    return (sources[low],) if sources else None


def _is_inside(index: tuple[int, ...], array: Array) -> bool:
    return len(index) == array.ndim and all(
        i < size for i, size in zip(index, array.shape, strict=True)
    )


def check_donations(run: Run) -> None:
    """Raises `WrongResultError` if a result is not the argument that is donated for it."""
    for result, argument in donated_arguments(run.function).items():
        returned, donated = run.returned[result], run.arguments[argument].value
        if isinstance(returned, MemRef) and not returned.is_same_view(donated):
            raise WrongResultError(
                ProblemKind.OWNERSHIP,
                f"result {result} is not argument {argument}, which is donated for it",
                run.function,
                [("allocated by", returned.buffer.allocated_by)],
            )


def check_ownership(run: Run) -> None:
    """
    Raises `WrongResultError` if callers cannot free the memory that they own, or if memory leaks.
    """
    donated = donated_arguments(run.function)
    for i, buffer in run.returned_memory:
        if buffer.kind is not Kind.HEAP and i not in donated:
            raise WrongResultError(
                ProblemKind.OWNERSHIP,
                f"result {i} is {buffer.kind.value} memory, which the caller cannot free",
                run.function,
                [("allocated by", buffer.allocated_by)],
            )
    if leaked := list(run.memory.leaks(run.returned_buffers)):
        nbytes = sum(buffer.data.size for buffer in leaked)
        first, *others = dict.fromkeys(buffer.allocated_by for buffer in leaked)
        raise WrongResultError(
            ProblemKind.LEAK,
            f"1 buffer of {nbytes} bytes is never freed"
            if len(leaked) == 1
            else f"{len(leaked)} buffers of together {nbytes} bytes are never freed",
            first,
            [("allocated by", op) for op in others[:5]],
        )
