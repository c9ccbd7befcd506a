"""
Bytes of tensors and of parts of them.

A tensor of unknown size counts as 0 bytes, so that all numbers are lower bounds:

    %s = tensor.insert %x into %t[%i] : tensor<?xf32>
    %o = tensor.extract %t[%j] : tensor<?xf32>    // needs %t, of 0 bytes

To ask only whether there is a copy, `UNKNOWN_IS_LARGE` counts it as more bytes than any tensor of
known size has. Numbers of bytes then mean nothing, except that `is_of_unknown_size` tells those
that no known size bounds. Constant time.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.shaped_types import ranked_shape

_LARGE = 1 << 62
"""The bytes of a tensor of unknown size with `UNKNOWN_IS_LARGE`."""
_MAX_ELEMENT = 64
"""No element of a tensor of unknown size is taken for larger, in bytes."""


def size_of(value: SSAValue) -> int:
    """The bytes of a tensor; 0 if they are unknown."""
    return bytes_of_contents(value) or 0


@dataclass(frozen=True, slots=True)
class Sizes:
    """The bytes of tensors, where those of unknown size have `unknown` bytes."""

    unknown: int

    def of(self, value: SSAValue) -> int:
        """The bytes of a tensor."""
        size = bytes_of_contents(value)
        return self.unknown if size is None else size

    def outside(self, part: Slice, whole: SSAValue) -> int:
        """The bytes of a tensor that are not in the part of it, at least."""
        sizes = [size for size in part.sizes if isinstance(size, int)]
        if len(sizes) < len(part.sizes):
            return 0
        size = bytes_of_contents(whole)
        if size is None:
            return max(0, self.unknown - _MAX_ELEMENT * prod(sizes))
        if not size:
            return 0
        element = size // prod(ranked_shape(whole))
        return max(0, size - element * prod(sizes))


UNKNOWN_IS_NOTHING = Sizes(0)
UNKNOWN_IS_LARGE = Sizes(_LARGE)


def is_of_unknown_size(size: int) -> bool:
    """Whether a number of bytes, with `UNKNOWN_IS_LARGE`, is that of a part of unknown size."""
    return size > _LARGE // 2


def common(a: int, b: int, whole: int) -> int:
    """How many bytes two parts of something have in common, at least."""
    return max(0, a + b - whole) if a and b else 0
