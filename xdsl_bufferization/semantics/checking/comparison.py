"""Comparison of what a program computes before and after passes."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np

from xdsl_bufferization.semantics.checking.execution import Output, Run, output_at
from xdsl_bufferization.semantics.checking.signatures import Correspondence
from xdsl_bufferization.semantics.memory.buffers import MemRef
from xdsl_bufferization.semantics.values import Array, Value


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
