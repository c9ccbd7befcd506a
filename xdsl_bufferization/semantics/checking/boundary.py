"""
The boundary of a function: types and attributes of arguments and results, and arguments in
memory of the caller's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.dialects.builtin import (
    BoolAttr,
    FunctionType,
    MemRefType,
    ShapedType,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.memory.buffers import Kind, MemRef
from xdsl_bufferization.semantics.memory.memory import Memory
from xdsl_bufferization.semantics.memory.views import layout_of
from xdsl_bufferization.semantics.values import Array, Value, dtype_of, element_type
from xdsl_bufferization.support.attributes import (
    argument_attributes,
    known_attribute,
)
from xdsl_bufferization.support.memref_types import encoded_memory_space, identity_type
from xdsl_bufferization.support.shaped_types import (
    are_shapes_compatible,
    is_memref_type,
    is_tensor_type,
    ranked_memref,
)

WRITABLE = "bufferization.writable"
ARENA = "bufferize.arena"
ARENA_SIZE = "bufferize.arena_size"
_LARGEST_WITH_GAPS = 1 << 20
"""Elements of an argument; with more of them, gaps would take too much memory."""


def argument_types(function: Operation) -> Sequence[Attribute]:
    """The types of the arguments, without arenas."""
    arenas = arena_types(function)
    return [t for i, t in enumerate(_all_argument_types(function)) if i not in arenas]


def arena_types(function: Operation) -> Mapping[int, MemRefType[Attribute]]:
    """The types of the arenas, by the index among all arguments."""
    return {
        index: ranked_memref(type)
        for index, type in enumerate(_all_argument_types(function))
        if argument_attribute(function, index, ARENA) is not None
    }


def arena_size_function(function: Operation, index: int) -> str:
    """The function that computes the size of the argument, an arena; empty if none does."""
    name = argument_attribute(function, index, ARENA_SIZE)
    return name.string_value() if isinstance(name, SymbolRefAttr) else ""


def _all_argument_types(function: Operation) -> Sequence[Attribute]:
    """The types of the arguments, arenas among them."""
    return known_attribute(function, "function_type", FunctionType).inputs.data


def result_types(function: Operation) -> Sequence[Attribute]:
    """The types of the results."""
    return known_attribute(function, "function_type", FunctionType).outputs.data


def argument_attribute(function: Operation, index: int, name: str) -> Attribute | None:
    """The attribute of the argument, if it has one of that name."""
    attributes = argument_attributes(function)
    return attributes[index].get(name) if attributes else None


def is_read_only(function: Operation, index: int) -> bool:
    """Whether the argument's buffer must not be written."""
    return argument_attribute(function, index, WRITABLE) == BoolAttr.from_bool(False)


def correspond(
    before: Attribute, after: Attribute, *, encoded_spaces: bool = False
) -> bool:
    """
    Whether passes may turn a value of the first type into one of the second. With
    `encoded_spaces` a tensor's buffer is in the memory space that the encoding names.
    """
    if before == after:
        return True
    if encoded_spaces and not _is_in_encoded_space(before, after):
        return False
    if is_tensor_type(before):
        changed = is_tensor_type(after) or is_memref_type(after)
    else:
        changed = is_memref_type(before) and is_memref_type(after)
    if not changed or element_type(before) != element_type(after):
        return False
    if not isinstance(before, ShapedType) or not isinstance(after, ShapedType):
        return True
    return are_shapes_compatible(before.get_shape(), after.get_shape())


def _is_in_encoded_space(tensor: Attribute, memref: Attribute) -> bool:
    space = encoded_memory_space(tensor)
    return (
        space is None
        or not is_memref_type(memref)
        or memref.memory_space == identity_type(memref, space).memory_space
    )


@dataclass
class Argument:
    """An argument of a call."""

    value: Value
    _initial_bytes: Array | None = None

    @property
    def keeps_gaps(self) -> bool:
        """Whether the memory around and between the elements is unchanged."""
        if self._initial_bytes is None:
            return True
        now = self.value.buffer.data.copy()
        elements = _bytes_of_elements(self.value, now)
        elements[...] = _bytes_of_elements(self.value, self._initial_bytes)
        return np.array_equal(now, self._initial_bytes)


def argument_in_memory(
    memory: Memory,
    type: Attribute,
    sizes: Sequence[int],
    elements: Array | None = None,
    read_only: str = "",
) -> Argument:
    """
    Memory of the caller's, with gaps between its elements where the layout allows it: uninitialised
    for the function to fill or work in, unless there are elements.
    """
    gaps = prod(sizes) <= _LARGEST_WITH_GAPS
    offset, strides = layout_of(type, sizes, gaps=gaps)
    dtype = dtype_of(element_type(type))
    memref = memory.allocate(
        sizes,
        dtype,
        None,
        Kind.ARGUMENT,
        offset=offset,
        strides=strides,
        contents=elements,
    )
    memref.buffer.read_only = read_only
    has_gaps = memref.buffer.data.size != memref.nbytes
    return Argument(memref, memref.buffer.data.copy() if has_gaps else None)


def _bytes_of_elements(memref: MemRef, data: Array) -> Array:
    """The bits of the elements, if `data` were the bytes of the memref's buffer."""
    itemsize = memref.dtype.itemsize
    return np.ndarray(
        memref.sizes,
        np.dtype(f"V{itemsize}"),
        data.data,
        memref.offset * itemsize if memref.size else 0,
        [stride * itemsize for stride in memref.strides],
    )


def initialised_argument(
    memory: Memory, type: Attribute, contents: Value, read_only: str
) -> Argument:
    """The value as an argument: an array in memory of the caller's for a memref type."""
    if not is_memref_type(type):
        return Argument(contents)
    return argument_in_memory(memory, type, contents.shape, contents, read_only)


def contents(memory: Memory, value: Value, op: Operation) -> Value:
    """The elements of a memref as an array; any other value as it is."""
    return memory.read(value, op) if isinstance(value, MemRef) else value
