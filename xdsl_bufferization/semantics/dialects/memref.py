"""
memref. Source: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr, MemRefType, UnitAttr
from xdsl.interpreter import PythonValues
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.dialects.arith import (
    combining,
    read_modify_write_kind,
)
from xdsl_bufferization.semantics.dialects.shared import (
    checked_sizes,
    constant_value,
    kept_dimensions,
    size_of_dimension,
    slice_of,
    symbol,
)
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import (
    DialectFunctions,
    OpFunction,
    impl_named,
)
from xdsl_bufferization.semantics.memory import ALIGNMENT
from xdsl_bufferization.semantics.values import (
    Kind,
    MemRef,
    Value,
    base,
    contiguous_strides,
    has_type,
    integer,
    layout_of,
    memory_dtype_of,
    mixed,
    result_type,
    segments,
    shape_of,
    subview,
)
from xdsl_bufferization.support.attributes import attribute, integers, reassociation
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import ranked_memref

_OF_MALLOC = 16
"""The alignment, in bytes, of an allocation that asks for none."""


def _alignment(op: Operation, element: Attribute) -> int:
    """In bytes, what the address of the allocated memory is known to be a multiple of."""
    if attribute(op, "alignment") is not None:
        return integer(op, "alignment")
    return max(_OF_MALLOC, DataLayout.of(op).alignment_in_bytes(element) or 1)


def _check_aligned(memref: MemRef, layout: DataLayout, element: Attribute) -> None:
    """Raises `UndefinedBehaviorError` if the memref may be where no elements can be."""
    needed = layout.alignment_in_bytes(element) or 1
    buffer = memref.buffer
    known = needed if buffer.alignment is None else buffer.alignment
    if memref.size and (memref.shift % needed or known % needed):
        raise UndefinedBehaviorError(
            f"elements of type '{element}' need addresses that are multiples of {needed}; "
            f"these are {memref.shift} bytes from one that is a multiple of {known}",
            related=buffer.origin,
        )


def _view(view: Callable[..., MemRef]) -> OpFunction:
    """A function that returns a view, which has to be of the result's type."""
    return lambda op, *operands: has_type(view(op, *operands), result_type(op))


def _cast(op: Operation, source: MemRef) -> MemRef:
    return source


def _subview(op: Operation, *operands: Value) -> MemRef:
    (source,), *dynamic = segments(op, operands)
    part = slice_of(op, source, dynamic)
    # Which dimensions are dropped depends on which static sizes are 1.
    shape = ranked_memref(result_type(op)).get_shape()
    kept = kept_dimensions(integers(op, "static_sizes"), shape)
    return subview(source, *part, kept)


def _reinterpret_cast(op: Operation, *operands: Value) -> MemRef:
    (source,), *dynamic = segments(op, operands)
    names = "static_offsets", "static_sizes", "static_strides"
    (offset,), sizes, strides = (
        mixed(integers(op, name), given)
        for name, given in zip(names, dynamic, strict=True)
    )
    sizes = checked_sizes(sizes)
    return replace(source, offset=offset, sizes=sizes, strides=strides, is_part=False)


def _collapse_shape(op: Operation, source: MemRef) -> MemRef:
    """Each group of dimensions, which must be contiguous, merged into one."""
    sizes: list[int] = []
    strides: list[int] = []
    for group in reassociation(op):
        # The stride of a dimension of size 1 does not matter.
        used = [i for i in group if source.sizes[i] != 1] or group[-1:]
        contiguous = all(
            source.strides[outer] == source.strides[inner] * source.sizes[inner]
            for outer, inner in itertools.pairwise(used)
        )
        if source.size and not contiguous:
            raise UndefinedBehaviorError(
                f"dimensions {list(group)} of a memref of sizes {list(source.sizes)} and "
                f"strides {list(source.strides)} are not contiguous"
            )
        sizes.append(prod(source.sizes[i] for i in group))
        strides.append(source.strides[used[-1]])
    return replace(source, sizes=tuple(sizes), strides=tuple(strides))


def _expand_shape(op: Operation, source: MemRef, *dynamic: Value) -> MemRef:
    sizes = mixed(integers(op, "static_output_shape"), dynamic)
    strides = list(contiguous_strides(sizes))
    for group, size, stride in zip(
        reassociation(op), source.sizes, source.strides, strict=True
    ):
        parts = [sizes[i] for i in group]
        if prod(parts) != size or any(part < 0 for part in parts):
            raise UndefinedBehaviorError(f"size {size} is not split into {parts}")
        for i, factor in zip(group, contiguous_strides(parts), strict=True):
            strides[i] = stride * factor
    return replace(source, sizes=sizes, strides=tuple(strides))


def _transpose(op: Operation, source: MemRef) -> MemRef:
    permutation = attribute(op, "permutation")
    if not isinstance(permutation, AffineMapAttr):
        raise MissingSemanticsError("has no permutation")
    order = [expr.used_dims().pop() for expr in permutation.data.results]
    return replace(
        source,
        sizes=tuple(source.sizes[i] for i in order),
        strides=tuple(source.strides[i] for i in order),
    )


def _distinct_objects(op: Operation, *memrefs: MemRef) -> tuple[MemRef, ...]:
    if len({id(memref.buffer) for memref in memrefs}) != len(memrefs):
        raise UndefinedBehaviorError("two of the memrefs are in the same memory")
    return memrefs


def _strided_metadata(op: Operation, memref: MemRef) -> tuple[Value, ...]:
    numbers = (memref.offset, *memref.sizes, *memref.strides)
    return (base(memref), *map(np.int64, numbers))


class MemRefFunctions(DialectFunctions):
    terminators: ClassVar = ("memref.alloca_scope.return", "memref.atomic_yield")
    without_effects: ClassVar = ("memref.global", "memref.prefetch")

    scalar: ClassVar = {"memref.dim": size_of_dimension}
    pure: ClassVar = {
        "memref.cast": _view(_cast),
        "memref.collapse_shape": _view(_collapse_shape),
        "memref.distinct_objects": _distinct_objects,
        "memref.expand_shape": _view(_expand_shape),
        "memref.extract_aligned_pointer_as_index": lambda op, *memrefs: np.int64(
            memrefs[0].aligned_pointer
        ),
        "memref.extract_strided_metadata": _strided_metadata,
        "memref.memory_space_cast": _view(_cast),
        "memref.rank": lambda op, *memrefs: np.int64(len(memrefs[0].shape)),
        "memref.reinterpret_cast": _view(_reinterpret_cast),
        "memref.subview": _view(_subview),
        "memref.transpose": _view(_transpose),
    }
    """Views, and numbers of descriptors."""

    def __init__(self) -> None:
        self._globals: dict[Operation, MemRef] = {}

    # Allocating and freeing

    @impl_named("memref.alloc", "memref.alloca")
    def alloc(self, op: Operation, *operands: Value) -> MemRef:
        dynamic, symbols = segments(op, operands)
        type = ranked_memref(result_type(op))
        sizes = shape_of(type, dynamic)
        memref = self.memory.allocate(
            sizes,
            memory_dtype_of(type.element_type),
            op,
            Kind.HEAP if op_name(op) == "memref.alloc" else Kind.STACK,
            layout=layout_of(type, sizes, symbols),
            alignment=_alignment(op, type.element_type),
        )
        if memref.buffer.kind is Kind.STACK:
            self.interpreter.free_with_stack(memref.buffer)
        return memref

    @impl_named("memref.alloca_scope")
    def alloca_scope(self, op: Operation) -> PythonValues:
        with self.interpreter.stack(op):
            return self.run(op)

    @impl_named("memref.dealloc")
    def dealloc(self, op: Operation, memref: MemRef) -> None:
        self.memory.free(memref, op)

    @impl_named("memref.realloc")
    def realloc(self, op: Operation, source: MemRef, *dynamic: Value) -> MemRef:
        memory = self.memory
        sizes = shape_of(result_type(op), dynamic)
        result = memory.allocate(sizes, source.dtype, op)
        kept = (min(source.size, result.size),)
        memory.copy(replace(source, sizes=kept), replace(result, sizes=kept), op)
        memory.free(source, op)
        return result

    # Accesses

    @impl_named("memref.load")
    def load(self, op: Operation, memref: MemRef, *indices: Value) -> Value:
        return self.memory.load(memref, indices, op)

    @impl_named("memref.store")
    def store(
        self, op: Operation, element: Value, memref: MemRef, *indices: Value
    ) -> None:
        self.memory.store(memref, indices, element, op)

    @impl_named("memref.copy")
    def copy(self, op: Operation, source: MemRef, target: MemRef) -> None:
        self.memory.copy(source, target, op)

    @impl_named("memref.atomic_rmw")
    def atomic_rmw(
        self, op: Operation, value: Value, memref: MemRef, *indices: Value
    ) -> Value:
        old = self.memory.load(memref, indices, op)
        kind = read_modify_write_kind(attribute(op, "kind"))
        new = combining(kind, result_type(op))(old, value)
        self.memory.store(memref, indices, new, op)
        # The old value, as in the lowering to LLVM; MLIR's documentation leaves it open.
        return old

    @impl_named("memref.generic_atomic_rmw")
    def generic_atomic_rmw(
        self, op: Operation, memref: MemRef, *indices: Value
    ) -> Value:
        old = self.memory.load(memref, indices, op)
        (new,) = self.run(op, old)
        self.memory.store(memref, indices, new, op)
        return old

    # Globals

    @impl_named("memref.get_global")
    def get_global(self, op: Operation) -> MemRef:
        found = symbol(op, attribute(op, "name"), "global")
        if found not in self._globals:
            self._globals[found] = self._global(found)
        return self._globals[found]

    def _global(self, op: Operation) -> MemRef:
        """The memory of the global when the program starts."""
        declared = attribute(op, "type")
        if not isinstance(declared, MemRefType):
            raise MissingSemanticsError("is no global of a memref type", op)
        memory = self.memory
        match attribute(op, "initial_value"):
            case None:
                raise MissingSemanticsError(
                    "the contents of a global of another module are unknown", op
                )
            case UnitAttr():
                sizes = shape_of(declared)
                dtype = memory_dtype_of(declared.element_type)
                return memory.allocate(sizes, dtype, op, Kind.GLOBAL)
            case initial:
                contents = constant_value(initial, declared)
                if attribute(op, "constant") is not None:
                    return memory.constant(contents, op, "it is a constant")
                return memory.initialised(contents, op, Kind.GLOBAL)

    # Views

    @impl_named("memref.view")
    def view(
        self, op: Operation, source: MemRef, shift: Value, *dynamic: Value
    ) -> MemRef:
        """The bytes from `shift` on as contiguous elements of another type."""
        type = ranked_memref(result_type(op))
        sizes = shape_of(type, dynamic)
        dtype = memory_dtype_of(type.element_type)
        end = shift + prod(sizes) * dtype.itemsize
        if shift < 0 or any(size < 0 for size in sizes) or end > source.nbytes:
            raise UndefinedBehaviorError(
                f"a view of sizes {list(sizes)} from byte {shift} on is out of the bounds "
                f"of {source.nbytes} bytes",
                related=source.buffer.origin,
            )
        result = MemRef(
            source.buffer,
            dtype,
            0,
            sizes,
            contiguous_strides(sizes),
            source.shift + source.offset + int(shift),
            source.is_part or bool(shift),
        )
        _check_aligned(result, DataLayout.of(op), type.element_type)
        return result

    @impl_named("memref.reshape")
    def reshape(self, op: Operation, source: MemRef, shape: MemRef) -> MemRef:
        sizes = tuple(int(size) for size in self.memory.read(shape, op))
        if any(size < 0 for size in sizes) or prod(sizes) != source.size:
            raise UndefinedBehaviorError(
                f"{list(source.sizes)} has not as many elements as {list(sizes)}"
            )
        reshaped = replace(source, sizes=sizes, strides=contiguous_strides(sizes))
        return has_type(reshaped, result_type(op))

    @impl_named("memref.assume_alignment")
    def assume_alignment(self, op: Operation, memref: MemRef) -> MemRef | None:
        # Callers may be required to align memory better than `Memory` does.
        alignment = min(integer(op, "alignment"), ALIGNMENT)
        address = memref.aligned_pointer + memref.offset * memref.dtype.itemsize
        if memref.buffer.kind is not Kind.ARGUMENT and address % alignment:
            raise UndefinedBehaviorError(f"the memory is not aligned to {alignment}")
        return memref if op.results else None
