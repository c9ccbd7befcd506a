"""
What a caller and a function have to do with each other: arguments and results, as arrays,
whatever memory they are in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    FunctionType,
    MemRefType,
    ShapedType,
    StringAttr,
)
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.buffers import Kind, MemRef
from xdsl_bufferization.semantics.layouts import layout_of
from xdsl_bufferization.semantics.memory import Memory
from xdsl_bufferization.semantics.values import Array, Value, dtype_of, element_type
from xdsl_bufferization.support.attributes import attribute
from xdsl_bufferization.support.shaped_types import (
    are_shapes_compatible,
    is_memref_type,
    is_tensor_type,
)

WRITABLE = "bufferization.writable"
ARENA = "bufferize.arena"
ACCESS = "bufferization.access"
_LARGEST_WITH_GAPS = 1 << 20
"""Elements of an argument: for more of them, gaps would take too much memory."""


def argument_types(function: Operation) -> Sequence[Attribute]:
    """The types of the arguments, without those that are arenas."""
    types = _all_argument_types(function)
    return types[: len(types) - _number_of_arenas(function)]


def arena_types(function: Operation) -> Sequence[MemRefType[Attribute]]:
    """The types of the last arguments, memory for the function to work in."""
    types = _all_argument_types(function)
    arenas = types[len(types) - _number_of_arenas(function) :]
    return cast("Sequence[MemRefType[Attribute]]", arenas)


def _all_argument_types(function: Operation) -> Sequence[Attribute]:
    return cast("FunctionType", attribute(function, "function_type")).inputs.data


def _number_of_arenas(function: Operation) -> int:
    return sum(
        argument_attribute(function, index, ARENA) is not None
        for index in range(len(_all_argument_types(function)))
    )


def result_types(function: Operation) -> Sequence[Attribute]:
    """The types of the results."""
    return cast("FunctionType", attribute(function, "function_type")).outputs.data


def argument_attribute(function: Operation, index: int, name: str) -> Attribute | None:
    """The attribute of that argument."""
    attributes = attribute(function, "arg_attrs")
    if not isinstance(attributes, ArrayAttr):
        return None
    return cast("DictionaryAttr", attributes.data[index]).data.get(name)


def is_read_only(function: Operation, index: int) -> bool:
    """Whether the argument's buffer must not be written."""
    return argument_attribute(function, index, WRITABLE) == BoolAttr.from_bool(False)


def access(function: Operation, index: int) -> str:
    """What a function without a body does with the argument's buffer."""
    found = argument_attribute(function, index, ACCESS)
    return found.data if isinstance(found, StringAttr) else "read-write"


def correspond(before: Attribute, after: Attribute) -> bool:
    """Whether a value of the first type may have become one of the second."""
    if before == after:
        return True
    if is_tensor_type(before):
        changed = is_tensor_type(after) or is_memref_type(after)
    else:
        changed = is_memref_type(before) and is_memref_type(after)
    if not changed or element_type(before) != element_type(after):
        return False
    if not isinstance(before, ShapedType) or not isinstance(after, ShapedType):
        return True
    return are_shapes_compatible(before.get_shape(), after.get_shape())


@dataclass
class Argument:
    """What a function is called with."""

    value: Value
    _initial_bytes: Array | None = None

    @property
    def keeps_outside(self) -> bool:
        """Whether what lies between the elements is as it was."""
        if self._initial_bytes is None:
            return True
        now = self.value.buffer.data.copy()
        elements = _bytes_of_elements(self.value, now)
        elements[...] = _bytes_of_elements(self.value, self._initial_bytes)
        return np.array_equal(now, self._initial_bytes)


def given(memory: Memory, type: Attribute, sizes: Sequence[int]) -> Argument:
    """Memory of the caller's, which nobody has set, for the function to fill."""
    dtype = dtype_of(element_type(type))
    offset, strides = 0, None
    if isinstance(type, MemRefType):
        gaps = prod(sizes) <= _LARGEST_WITH_GAPS
        ranked = cast("MemRefType[Attribute]", type)
        offset, strides = layout_of(ranked, sizes, gaps=gaps)
    memref = memory.allocate(
        sizes, dtype, None, Kind.ARGUMENT, offset=offset, strides=strides
    )
    return _argument(memref)


def _argument(memref: MemRef) -> Argument:
    has_gaps = memref.buffer.data.size != memref.nbytes
    return Argument(memref, memref.buffer.data.copy() if has_gaps else None)


def _bytes_of_elements(memref: MemRef, data: Array) -> Array:
    """The elements as bits, if the memref's memory was `data`."""
    itemsize = memref.dtype.itemsize
    return np.ndarray(
        memref.sizes,
        np.dtype(f"V{itemsize}"),
        data.data,
        memref.offset * itemsize if memref.size else 0,
        [stride * itemsize for stride in memref.strides],
    )


def passed(
    memory: Memory, type: Attribute, contents: Value, read_only: str
) -> Argument:
    """The value as an argument of the type: in memory of the caller's for a memref."""
    if not is_memref_type(type):
        return Argument(contents)
    array = cast("Array", contents)
    if isinstance(type, MemRefType):
        gaps = array.size <= _LARGEST_WITH_GAPS
        offset, strides = layout_of(type, array.shape, gaps=gaps)
    else:
        offset, strides = 0, None
    dtype = dtype_of(element_type(type))
    memref = memory.allocate(
        array.shape,
        dtype,
        None,
        Kind.ARGUMENT,
        offset=offset,
        strides=strides,
        contents=array,
    )
    memref.buffer.read_only = read_only
    return _argument(memref)


def contents(memory: Memory, value: Value, op: Operation) -> Value:
    """The array that the memref holds; another value itself."""
    return memory.read(value, op) if isinstance(value, MemRef) else value
