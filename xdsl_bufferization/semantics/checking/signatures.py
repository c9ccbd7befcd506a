"""
Where the results of a function are after passes that change its signature.

A result may stay a result; become an out parameter, an argument after the others that the
function fills; or be dropped, if it is in the memory of an argument.

The boundary of a function: types and attributes of arguments and results, and arguments in
memory of the caller's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod

import numpy as np
from xdsl.dialects.builtin import (
    FunctionType,
    MemRefType,
    ShapedType,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.errors import ExecutionError
from xdsl_bufferization.semantics.memory import Memory
from xdsl_bufferization.semantics.values import (
    Array,
    Kind,
    MemRef,
    Value,
    dtype_of,
    element_type,
    layout_of,
)
from xdsl_bufferization.support.attributes import (
    argument_attribute,
    known_attribute,
)
from xdsl_bufferization.support.memref_types import encoded_memory_space, identity_type
from xdsl_bufferization.support.shaped_types import (
    are_shapes_compatible,
    is_memref_type,
    is_tensor_type,
    ranked_memref,
)

_MOST = 200
"""Correspondences that are tried."""


class SignatureError(ExecutionError):
    """The functions before and after do not correspond."""

    kind = "signature"


@dataclass(frozen=True)
class Correspondence:
    """
    A possible correspondence of the results before to values after: its arguments, then its
    results, which are numbered together.
    """

    positions: Sequence[Sequence[int]]
    """For each result before, where it is; if it was dropped, the arguments it may be in."""
    arguments_before: int
    """Their number; the further arguments after are out parameters."""
    arguments_after: int
    """Their number, arenas left out."""

    @property
    def dropped(self) -> Sequence[int]:
        """The results that are neither a result nor an out parameter after."""
        return [
            i for i, (p, *_) in enumerate(self.positions) if p < self.arguments_before
        ]

    @property
    def out_params(self) -> Sequence[int]:
        """For each out parameter, the result that it is for."""
        new = range(self.arguments_before, self.arguments_after)
        return [i for i, (position, *_) in enumerate(self.positions) if position in new]

    def narrowed(self, result: int, positions: Sequence[int]) -> Correspondence:
        """The same, but with the result in one of these positions."""
        changed = [*self.positions]
        changed[result] = positions
        return replace(self, positions=changed)


def correspondences(
    before: Operation, after: Operation, *, encoded_spaces: bool = False
) -> Sequence[Correspondence]:
    """
    All possible correspondences, from the types alone; results and out parameters have the
    order of the results before. With `encoded_spaces` buffers are in the memory spaces that
    the encodings of tensors name.

    Raises `SignatureError` if there are none, or too many to try.
    """
    for i, arena in arena_types(after).items():
        if not arena.has_static_shape() and not arena_size_function(after, i):
            raise SignatureError(
                f"argument {i} is an arena of a size that callers in the module compute: "
                "check a public function that calls this one"
            )
    may_be = partial(correspond, encoded_spaces=encoded_spaces)
    old, new = argument_types(before), argument_types(after)
    results, kept = result_types(before), result_types(after)
    added = new[len(old) :]
    dropped = len(results) - len(kept) - len(added)
    if (
        len(new) < len(old)
        or not all(map(is_memref_type, added))
        or (added and dropped < 0)
    ):
        raise SignatureError(f"{len(old)} arguments before, {len(new)} after")
    for i, pair in enumerate(zip(old, new, strict=False)):
        if not may_be(*pair):
            raise SignatureError(f"argument {i} is {pair[0]} before, {pair[1]} after")
    if dropped < 0 or (dropped and not any(map(is_memref_type, new))):
        raise SignatureError(f"{len(results)} results before, {len(kept)} after")
    if len(results) == len(kept):
        for i, pair in enumerate(zip(results, kept, strict=True)):
            if not may_be(*pair):
                raise SignatureError(f"result {i} is {pair[0]} before, {pair[1]} after")
    values = *new, *kept

    def choices(start: Sequence[Sequence[int]], type: Attribute) -> Iterator[list[int]]:
        """Where one more result may be, of the type."""
        first = [positions[0] for positions in start]
        in_arguments = sum(position < len(old) for position in first)
        result = len(new) + sum(position >= len(new) for position in first)
        if result < len(values) and may_be(type, values[result]):
            yield [result]
        if not is_memref_type(type) and not is_tensor_type(type):
            return
        filled = len(old) + len(first) - in_arguments - (result - len(new))
        if filled < len(new) and may_be(type, new[filled]):
            yield [filled]
        same = [
            i
            for i, argument in enumerate(new[: len(old)])
            if is_memref_type(argument) and may_be(type, argument)
        ]
        if same and in_arguments < dropped:
            yield same

    found: list[Sequence[Sequence[int]]] = [()]
    for type in results:
        found = [(*start, where) for start in found for where in choices(start, type)]
        if len(found) > _MOST:
            raise SignatureError(
                "too many ways in which the results before may correspond to those after "
                "and to arguments"
            )
    if not found:
        raise SignatureError(
            f"results {', '.join(map(str, results))} before; after, results "
            f"{', '.join(map(str, kept)) or 'none'} and new arguments "
            f"{', '.join(map(str, added)) or 'none'}"
        )
    return [Correspondence(positions, len(old), len(new)) for positions in found]


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


def argument_in_memory(
    memory: Memory,
    type: Attribute,
    sizes: Sequence[int],
    elements: Array | None = None,
    read_only: str = "",
) -> MemRef:
    """
    Memory of the caller's, with gaps between its elements where the layout allows it: uninitialised
    for the function to fill or work in, unless there are elements.
    """
    memref = memory.allocate(
        sizes,
        dtype_of(type),
        None,
        Kind.ARGUMENT,
        layout=layout_of(type, sizes, gaps=prod(sizes) <= _LARGEST_WITH_GAPS),
        contents=elements,
    )
    memref.buffer.read_only = read_only
    return memref


def bytes_around(value: Value) -> Array:
    """
    The bytes of a memref's buffer, with zeros in place of the elements; none if there are no
    others.
    """
    if not isinstance(value, MemRef) or value.buffer.data.size == value.nbytes:
        return np.empty(0, np.uint8)
    around = value.buffer.data.copy()
    value.per_element(around, value.dtype)[...] = 0
    return around
