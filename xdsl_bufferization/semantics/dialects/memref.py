"""
memref. Source: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr, MemRefType, UnitAttr
from xdsl.interpreter import PythonValues
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.dialects.arith import (
    combining,
    read_modify_write_kind,
)
from xdsl_bufferization.semantics.dialects.shared.attributes import (
    constant_value,
    symbol,
)
from xdsl_bufferization.semantics.dialects.shared.elements import (
    kept_dimensions,
    size_of_dimension,
    slice_of,
)
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import (
    DialectFunctions,
    ScalarFunction,
    impl_named,
)
from xdsl_bufferization.semantics.memory import views
from xdsl_bufferization.semantics.memory.buffers import Kind, MemRef
from xdsl_bufferization.semantics.memory.memory import ALIGNMENT
from xdsl_bufferization.semantics.memory.views import has_type, layout_with
from xdsl_bufferization.semantics.values import (
    Value,
    integer,
    memory_dtype_of,
    mixed,
    segments,
    shape_of,
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
            related=[("allocated by", buffer.allocated_by)],
        )


def _view(view: Callable[[Operation, Sequence[Value]], MemRef]) -> ScalarFunction:
    """A function that returns a view, which has to be of the result's type."""
    return lambda op, operands: has_type(view(op, operands), op.results[0].type)


def _subview(op: Operation, operands: Sequence[Value]) -> MemRef:
    (source,), *dynamic = segments(op, operands)
    part = slice_of(op, source, dynamic)
    # Which dimensions are dropped depends on which static sizes are 1.
    shape = ranked_memref(op.results[0].type).get_shape()
    kept = kept_dimensions(integers(op, "static_sizes"), shape)
    return views.subview(source, *part, kept)


def _reinterpret_cast(op: Operation, operands: Sequence[Value]) -> MemRef:
    (source,), *dynamic = segments(op, operands)
    names = "static_offsets", "static_sizes", "static_strides"
    (offset,), sizes, strides = (
        mixed(integers(op, name), given)
        for name, given in zip(names, dynamic, strict=True)
    )
    return views.reinterpreted(source, offset, sizes, strides)


def _expand_shape(op: Operation, operands: Sequence[Value]) -> MemRef:
    source, *dynamic = operands
    sizes = mixed(integers(op, "static_output_shape"), dynamic)
    return views.expanded(source, sizes, reassociation(op))


def _transpose(op: Operation, operands: Sequence[Value]) -> MemRef:
    permutation = attribute(op, "permutation")
    if not isinstance(permutation, AffineMapAttr):
        raise MissingSemanticsError("has no permutation")
    order = [expr.used_dims().pop() for expr in permutation.data.results]
    return views.transposed(operands[0], order)


def _distinct_objects(op: Operation, memrefs: Sequence[Value]) -> tuple[Value, ...]:
    if len({id(memref.buffer) for memref in memrefs}) != len(memrefs):
        raise UndefinedBehaviorError("two of the memrefs are in the same memory")
    return tuple(memrefs)


def _strided_metadata(op: Operation, operands: Sequence[Value]) -> tuple[Value, ...]:
    memref: MemRef = operands[0]
    numbers = (memref.offset, *memref.sizes, *memref.strides)
    return (views.base(memref), *map(np.int64, numbers))


class MemRefFunctions(DialectFunctions):
    terminators: ClassVar = ("memref.alloca_scope.return", "memref.atomic_yield")
    without_effects: ClassVar = ("memref.global", "memref.prefetch")

    pure: ClassVar = {
        "memref.cast": _view(lambda op, operands: operands[0]),
        "memref.collapse_shape": _view(
            lambda op, operands: views.collapsed(operands[0], reassociation(op))
        ),
        "memref.dim": size_of_dimension,
        "memref.distinct_objects": _distinct_objects,
        "memref.expand_shape": _view(_expand_shape),
        "memref.extract_aligned_pointer_as_index": lambda op, operands: np.int64(
            operands[0].aligned_pointer
        ),
        "memref.extract_strided_metadata": _strided_metadata,
        "memref.memory_space_cast": _view(lambda op, operands: operands[0]),
        "memref.rank": lambda op, operands: np.int64(len(operands[0].shape)),
        "memref.reinterpret_cast": _view(_reinterpret_cast),
        "memref.subview": _view(_subview),
        "memref.transpose": _view(_transpose),
    }
    """Views, and numbers of descriptors."""

    def __init__(self) -> None:
        self._globals: dict[Operation, MemRef] = {}

    # Allocating and freeing

    @impl_named("memref.alloc", "memref.alloca")
    def alloc(self, op: Operation, operands: PythonValues) -> PythonValues:
        dynamic, symbols = segments(op, operands)
        type = ranked_memref(op.results[0].type)
        sizes = shape_of(type, dynamic)
        offset, strides = layout_with(type, sizes, symbols)
        memref = self.memory.allocate(
            sizes,
            memory_dtype_of(type.element_type),
            op,
            Kind.HEAP if op_name(op) == "memref.alloc" else Kind.STACK,
            offset=offset,
            strides=strides,
            alignment=_alignment(op, type.element_type),
        )
        if memref.buffer.kind is Kind.STACK:
            self.interpreter.free_with_stack(memref.buffer)
        return (memref,)

    @impl_named("memref.alloca_scope")
    def alloca_scope(self, op: Operation, operands: PythonValues) -> PythonValues:
        with self.interpreter.stack(op):
            return self.interpreter.run_region(op.regions[0])

    @impl_named("memref.dealloc")
    def dealloc(self, op: Operation, operands: PythonValues) -> PythonValues:
        self.memory.free(operands[0], op)
        return ()

    @impl_named("memref.realloc")
    def realloc(self, op: Operation, operands: PythonValues) -> PythonValues:
        source: MemRef = operands[0]
        memory = self.memory
        sizes = shape_of(op.results[0].type, operands[1:])
        result = memory.allocate(sizes, source.dtype, op)
        kept = (min(source.size, result.size),)
        memory.copy(
            views.subview(source, (0,), kept, (1,), (0,)),
            views.subview(result, (0,), kept, (1,), (0,)),
            op,
        )
        memory.free(source, op)
        return (result,)

    # Accesses

    @impl_named("memref.load")
    def load(self, op: Operation, operands: PythonValues) -> PythonValues:
        memref, *indices = operands
        return (self.memory.load(memref, indices, op),)

    @impl_named("memref.store")
    def store(self, op: Operation, operands: PythonValues) -> PythonValues:
        element, memref, *indices = operands
        self.memory.store(memref, indices, element, op)
        return ()

    @impl_named("memref.copy")
    def copy(self, op: Operation, operands: PythonValues) -> PythonValues:
        source, target = operands
        self.memory.copy(source, target, op)
        return ()

    @impl_named("memref.atomic_rmw")
    def atomic_rmw(self, op: Operation, operands: PythonValues) -> PythonValues:
        value, memref, *indices = operands
        old = self.memory.load(memref, indices, op)
        kind = read_modify_write_kind(attribute(op, "kind"))
        new = combining(kind, op.results[0].type)(old, value)
        self.memory.store(memref, indices, new, op)
        # The old value, as in the lowering to LLVM; MLIR's documentation leaves it open.
        return (old,)

    @impl_named("memref.generic_atomic_rmw")
    def generic_atomic_rmw(self, op: Operation, operands: PythonValues) -> PythonValues:
        memref, *indices = operands
        old = self.memory.load(memref, indices, op)
        (new,) = self.interpreter.run_region(op.regions[0], old)
        self.memory.store(memref, indices, new, op)
        return (old,)

    # Globals

    @impl_named("memref.get_global")
    def get_global(self, op: Operation, operands: PythonValues) -> PythonValues:
        found = symbol(op, attribute(op, "name"), "global")
        if found not in self._globals:
            self._globals[found] = self._global(found)
        return (self._globals[found],)

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
    def view(self, op: Operation, operands: PythonValues) -> PythonValues:
        source, shift, *dynamic = operands
        type = ranked_memref(op.results[0].type)
        sizes = shape_of(type, dynamic)
        dtype = memory_dtype_of(type.element_type)
        result = views.shifted(source, dtype, int(shift), sizes)
        _check_aligned(result, DataLayout.of(op), type.element_type)
        return (result,)

    @impl_named("memref.reshape")
    def reshape(self, op: Operation, operands: PythonValues) -> PythonValues:
        source, shape = operands
        sizes = [int(size) for size in self.memory.read(shape, op)]
        return (has_type(views.reshaped(source, sizes), op.results[0].type),)

    @impl_named("memref.assume_alignment")
    def assume_alignment(self, op: Operation, operands: PythonValues) -> PythonValues:
        memref: MemRef = operands[0]
        # Callers may be required to align memory better than `Memory` does.
        alignment = min(integer(op, "alignment"), ALIGNMENT)
        address = memref.aligned_pointer + memref.offset * memref.dtype.itemsize
        if memref.buffer.kind is not Kind.ARGUMENT and address % alignment:
            raise UndefinedBehaviorError(f"the memory is not aligned to {alignment}")
        return operands if op.results else ()


FUNCTIONS = MemRefFunctions
