"""
The bytes of tensors and memrefs, which may be known at run time only.

    %e = tensor.empty(%n) : tensor<?x16xf32>     // 64 * %n bytes: counted as 2,048

Polynomials are ordered only in part: neither `64 * %n` nor `4096` is always less. So memory is
searched by numbers, those for sizes that are `ASSUMED_EXTENT`, and what is found is compared with
what was there by the polynomials as well (`figures.py`).

Takes time linear in the rank, and what `sizes/size_analysis.py` takes for dynamic sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import AnalysisState
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.models.shared.sizes import sizes_in
from xdsl_bufferization.support.data_layout import DataLayout, layout_at
from xdsl_bufferization.support.regions import block_of

if TYPE_CHECKING:
    from xdsl_bufferization.sizes.size_analysis import Sizes

ASSUMED_EXTENT = 32
"""The number that stands for each size that nothing is known of."""


class Bytes(NamedTuple):
    """The bytes of a tensor."""

    number: int
    """The bytes; those for the assumed extent if they are known at run time only."""
    run_time: Expression | None = None
    """The bytes, if they are known at run time only."""

    @property
    def expression(self) -> Expression:
        """The bytes, also if they are a number."""
        return self.run_time or Expression.constant(self.number)


class BufferBytes:
    """
    The bytes of tensors and memrefs by a data layout, given what analyses their sizes: as long as
    the program does not change, the same object.
    """

    def __init__(self, layout: DataLayout, sizes: Callable[[], Sizes]):
        self._layout = layout
        self._sizes = sizes

    def of(self, value: SSAValue) -> Bytes | None:
        """The bytes of all elements; `None` if these have none, or the value has no rank."""
        type = value.type
        known = self._layout.bytes_of_contents(type)
        if known is not None:
            return Bytes(known)
        if not isinstance(type, TensorType | MemRefType):
            return None
        stride = self._layout.stride_in_bytes(type.element_type)
        elements = self._sizes().elements(value)
        if stride is None or elements is None:
            return None
        total = elements.times(stride)
        if (number := total.number) is not None:
            return Bytes(max(number, 0))
        return Bytes(max(total.at(ASSUMED_EXTENT), 1), total)


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


def bytes_at(value: SSAValue, state: AnalysisState) -> Bytes | None:
    """The bytes of a tensor of the program that `state` is about; `None` if they are unknown."""
    return BufferBytes(layout_at(value), lambda: sizes_in(state)).of(value)


def is_available_before(op: Operation, size: Expression) -> bool:
    """Whether nothing that the size depends on is defined in the op's regions."""
    return not any(op.is_ancestor(block_of(s.value)) for s in size.symbols)
