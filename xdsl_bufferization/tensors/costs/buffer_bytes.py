"""
The bytes of tensors and memrefs, which may be known at run time only.

    %e = tensor.empty(%n) : tensor<?x16xf32>     // 64 * %n bytes

Takes time linear in the rank, and what `sizes/size_analysis.py` takes for dynamic sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.support.data_layout import DataLayout

if TYPE_CHECKING:
    from xdsl_bufferization.sizes.size_analysis import Sizes


class BufferBytes:
    """
    The bytes of tensors and memrefs by a data layout, given what analyses their sizes: as long as
    the program does not change, the same object.
    """

    def __init__(self, layout: DataLayout, sizes: Callable[[], Sizes]):
        self._layout = layout
        self._sizes = sizes

    def of(self, value: SSAValue) -> Expression | None:
        """The bytes of all elements; `None` if these have none, or the value has no rank."""
        type = value.type
        known = self._layout.bytes_of_contents(type)
        if known is not None:
            return Expression.constant(known)
        if not isinstance(type, TensorType | MemRefType):
            return None
        stride = self._layout.stride_in_bytes(type.element_type)
        elements = self._sizes().elements(value)
        if stride is None or elements is None:
            return None
        return elements.times(stride)


def bytes_in(function: Operation) -> BufferBytes:
    """The bytes of the tensors and memrefs of a function, as long as it does not change."""
    return BufferBytes(DataLayout.of(function), sizes_if_asked())


def sizes_if_asked() -> Callable[[], Sizes]:
    """A function that always returns the same sizes, which are made when it is first called."""

    def sizes() -> Sizes:
        # Most programs have no dynamic sizes.
        from xdsl_bufferization.sizes.size_analysis import Sizes

        return Sizes()

    return cache(sizes)
