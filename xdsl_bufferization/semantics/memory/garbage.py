"""
What uninitialised memory holds: one of two patterns, so that a program which depends on it
computes one thing with the one and another with the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.semantics.values import (
    Array,
)

_FIRST = (12, 10, 6, 14, 5, 8, 7)
_SECOND = (-14, -12, -10, -8, -7, -5, -6)
"""
Different in each element, also by more than a factor; exact in all types of floats; and
neither so large nor so small that what they are added to does not matter.
"""


class Garbage:
    """
    Fills memory for the ops that ask for it: those of the first `second` ones with the
    second pattern, the others with the first.
    """

    def __init__(self, second: int = 0):
        self.sources: dict[Operation | None, int] = {}
        """The ops whose memory was filled, numbered in the order of their first time."""
        self._second = second

    @property
    def is_second(self) -> bool:
        """Whether any ops get the second pattern."""
        return self._second > 0

    def __call__(
        self, data: Array, dtype: np.dtype[Any], source: Operation | None
    ) -> None:
        number = self.sources.setdefault(source, len(self.sources))
        is_second = number < self._second
        if dtype == np.bool_:
            data[...] = not is_second
            return
        # Unsigned types take the second pattern modulo their width.
        pattern = np.array(_SECOND if is_second else _FIRST).astype(dtype)
        elements = data.view(dtype)
        for i, value in enumerate(pattern):
            elements[i :: len(pattern)] = value


ALL = 1 << 62
"""As many ops as there are."""
