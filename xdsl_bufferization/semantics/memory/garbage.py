"""
The contents of uninitialised memory: one of two patterns, so that a program whose result
depends on them gives different results with the two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.semantics.values import Array

_FIRST = (12, 10, 6, 14, 5, 8, 7)
_SECOND = (-14, -12, -10, -8, -7, -5, -6)
"""
Elements of one index differ, and not by a common factor; they are exact in all types of
floats, and neither too large nor too small to make a difference in a sum.
"""


class Garbage:
    """
    Fills uninitialised memory: of the first `second` ops that make such memory with the
    second pattern, of the others with the first.
    """

    def __init__(self, second: int = 0):
        self.sources: dict[Operation | None, int] = {}
        """The ops whose memory was filled, numbered in the order in which they first ran."""
        self._second = second

    @property
    def is_second(self) -> bool:
        """Whether the second pattern is in use."""
        return self._second > 0

    def __call__(
        self, data: Array, dtype: np.dtype[Any], source: Operation | None
    ) -> None:
        number = self.sources.setdefault(source, len(self.sources))
        is_second = number < self._second
        if dtype == np.bool_:
            data[...] = not is_second
            return
        if dtype.names:
            # The numbers of vectors.
            dtype = dtype[0].base
        # In unsigned types the second pattern wraps around.
        pattern = np.array(_SECOND if is_second else _FIRST).astype(dtype)
        elements = data.view(dtype)
        for i, value in enumerate(pattern):
            elements[i :: len(pattern)] = value


ALL = 1 << 62
"""More ops than any program has: the second pattern for all of them."""
