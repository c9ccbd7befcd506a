"""
The sizes and alignments of elements in memory, by the data layout of a program.

Source: https://mlir.llvm.org/docs/DataLayout/
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from xdsl.dialects.builtin import (
    ComplexType,
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.support.regions import ancestors

if TYPE_CHECKING:
    from xdsl.dialects.dlti import DataLayoutSpecAttr

_SPECIFICATION = "dlti.dl_spec"
_INDEX_BITS = 64


class DataLayout(NamedTuple):
    """Where values of the elements' types may be in memory; by default as on x86-64."""

    index_bits: int = _INDEX_BITS
    alignments: Mapping[Attribute, int] = MappingProxyType({})
    """In bytes, by type: those that are given."""

    @classmethod
    def of(cls, op: Operation | None) -> DataLayout:
        """The data layout that the closest op around, or the op itself, has."""
        for around in () if op is None else ancestors(op):
            found = around.attributes.get(
                _SPECIFICATION, around.properties.get(_SPECIFICATION)
            )
            if found is not None and _is_specification(found):
                return cls._specified(found)
        return cls()

    @classmethod
    def _specified(cls, specification: DataLayoutSpecAttr) -> DataLayout:
        entries = {entry.key: entry.value for entry in specification.entries}
        index = entries.get(IndexType())
        return cls(
            index.value.data if isinstance(index, IntegerAttr) else _INDEX_BITS,
            {
                type: first // 8
                for type, value in entries.items()
                if isinstance(value, DenseIntOrFPElementsAttr)
                and isinstance(first := next(value.iter_values()), int)
            },
        )

    def size_in_bits(self, type: Attribute) -> int | None:
        """
        The number of bits of a value of the type; the innermost dimension of vectors is
        padded to a power of two. `None` if it is unknown, such as for a memref.
        """
        if isinstance(type, IndexType):
            return self.index_bits
        if isinstance(type, FixedBitwidthType):
            return type.bitwidth
        return _of_parts(type, self.size_in_bits)

    def stride_in_bytes(self, type: Attribute) -> int | None:
        """
        The number of bytes between neighbouring elements of the type in a memref, for
        numbers a power of two; `None` if it is unknown.
        """
        if isinstance(type, IndexType | FixedBitwidthType):
            bits = self.size_in_bits(type)
            return None if bits is None else _power_of_two(-(-bits // 8))
        return _of_parts(type, self.stride_in_bytes)

    def bytes_of_contents(self, type: Attribute) -> int | None:
        """
        The bytes of all elements of a tensor or memref, without gaps of its layout; `None` if
        they are unknown, or the type is another one.
        """
        if not isinstance(type, TensorType | MemRefType) or not type.has_static_shape():
            return None
        stride = self.stride_in_bytes(type.element_type)
        return None if stride is None else stride * math.prod(type.get_shape())

    def alignment_in_bytes(self, type: Attribute) -> int | None:
        """
        The alignment of an element of the type, in bytes: as the specification gives it, or else
        the size of a number, or of the innermost dimension of a vector. `None` if it is unknown.
        """
        if (given := self.alignments.get(type)) is not None:
            return given
        if isinstance(type, ComplexType):
            part = type.element_type
            return self.alignment_in_bytes(part)
        if isinstance(type, VectorType):
            type = VectorType(type.element_type, type.get_shape()[-1:])
        return self.stride_in_bytes(type)


def _is_specification(attribute: Attribute) -> TypeGuard[DataLayoutSpecAttr]:
    # Few programs have one, so the others do not wait for the dialect.
    from xdsl.dialects.dlti import DataLayoutSpecAttr

    return isinstance(attribute, DataLayoutSpecAttr)


def bytes_of_contents(value: SSAValue) -> int | None:
    """
    The bytes of all elements of a tensor or memref, by the data layout around it; `None` if
    they are unknown.
    """
    return layout_at(value).bytes_of_contents(value.type)


def layout_at(value: SSAValue) -> DataLayout:
    """The data layout around the definition of the value."""
    owner = value.owner
    return DataLayout.of(owner if isinstance(owner, Operation) else owner.parent_op())


def _of_parts(
    type: Attribute, size_of: Callable[[Attribute], int | None]
) -> int | None:
    """The size of a complex or vector type, computed from the size of its elements."""
    if isinstance(type, ComplexType):
        part = size_of(type.element_type)
        return None if part is None else 2 * part
    if isinstance(type, VectorType):
        if not any(type.get_scalable_dims()):
            element = size_of(type.element_type)
            *outer, inner = type.get_shape() or (1,)
            number = math.prod(outer) * _power_of_two(inner)
            return None if element is None else number * element
    return None


def _power_of_two(number: int) -> int:
    """The smallest power of two that is not less than the number."""
    return 1 << max(number - 1, 0).bit_length()
