"""
Comparing what a program computes before and after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from xdsl_bufferization.semantics.execution import Output, Run
from xdsl_bufferization.semantics.values import Array, Value


@dataclass(frozen=True)
class Reference:
    """What the program before computes."""

    inputs: Sequence[Value]
    outputs: Sequence[Value]
    defined: Sequence[Array | None]
    """For each output, which elements are; `None` if all are."""

    @staticmethod
    def of(inputs: Sequence[Value], first: Run, second: Run) -> Reference:
        outputs = [output.contents for output in first.outputs]
        defined: list[Array | None] = []
        for a, b in zip(outputs, second.outputs, strict=True):
            if a is b.contents:
                defined.append(None)
            elif np.shape(a) != np.shape(b.contents):
                defined.append(np.zeros(np.shape(a), np.bool_))
            else:
                agree = ~differ(a, b.contents)
                defined.append(None if agree.all() else agree)
        return Reference(inputs, outputs, defined)

    def difference(self, number: int, output: Output) -> tuple[int, ...] | None:
        """The first index at which the output is different; `()` if its shape is."""
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


def differ(a: Value, b: Value) -> Array:
    """Where two arrays of a shape differ; NaNs are equal, and so are zeros."""
    a, b = np.asarray(a), np.asarray(b)
    different = np.asarray(a != b)
    if a.dtype.kind not in "biu" and different.any():
        # A NaN is what is not equal to itself, in all types.
        different &= ~(np.asarray(a != a) & np.asarray(b != b))
    return different


def same(a: Value, b: Value) -> bool:
    """Whether two scalars are equal; `None` is none."""
    if a is None or b is None:
        return a is b
    return not differ(a, b).any()
