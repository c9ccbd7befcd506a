"""
Dialects of a few ops: builtin; ml_program, whose globals live as long as the interpreter; ub,
where a poisoned value is like the contents of uninitialised memory; shape, where a shape is an
array of sizes, and a witness is the truth of its constraint, without error values: an op that would
give one has undefined behavior; and bufferization.

A tensor that was made from a memref is converted back to that memref, if the memref may be
overwritten or is only read. Otherwise the tensor is put into a new buffer, each time unless it is
only read.

Source: https://mlir.llvm.org/docs/Dialects/Builtin/,
https://mlir.llvm.org/docs/Dialects/MLProgramOps/, https://mlir.llvm.org/docs/Dialects/UBOps/,
https://mlir.llvm.org/docs/Dialects/ShapeDialect/,
https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from __future__ import annotations

import weakref
from typing import ClassVar, NoReturn

import numpy as np
from xdsl.interpreter import PythonValues
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.dialects.shared import (
    constant_value,
    in_bounds,
    symbol,
    uninitialised,
)
from xdsl_bufferization.semantics.errors import (
    MemoryFault,
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named
from xdsl_bufferization.semantics.memory import Memory
from xdsl_bufferization.semantics.values import (
    INDEX,
    Array,
    Kind,
    MemRef,
    Value,
    base,
    dtype_of,
    element_type,
    has_type,
    integer,
    layout_of,
    result_type,
    segments,
)
from xdsl_bufferization.support.attributes import attribute, integers
from xdsl_bufferization.support.shaped_types import is_memref_type


class BuiltinFunctions(DialectFunctions):
    @impl_named("builtin.unrealized_conversion_cast")
    def unrealized_conversion_cast(
        self, op: Operation, *operands: Value
    ) -> tuple[Value, ...]:
        before = [_kind(operand.type) for operand in op.operands]
        if before != [_kind(result.type) for result in op.results]:
            raise MissingSemanticsError("a value of another kind has no meaning here")
        return operands


def _kind(type: Attribute) -> object:
    """A key that is equal for types with the same run-time values."""
    element = element_type(type)
    if is_memref_type(type):
        return "memref", dtype_of(element)
    return element is type, dtype_of(element)


class MlProgramFunctions(DialectFunctions):
    def __init__(self) -> None:
        self.contents: dict[Operation, Value] = {}
        """The contents of the globals that were used so far."""

    @impl_named("ml_program.global_load", "ml_program.global_load_const")
    def global_load(self, op: Operation) -> Value:
        variable = _global(op)
        if variable not in self.contents:
            type = attribute(variable, "type")
            if type is None:
                raise MissingSemanticsError("is no global with a type", variable)
            value = attribute(variable, "value")
            self.contents[variable] = (
                uninitialised(self.memory, variable, type)
                if value is None
                else constant_value(value, type)
            )
        return self.contents[variable]

    @impl_named("ml_program.global_store")
    def global_store(self, op: Operation, value: Value) -> None:
        variable = _global(op)
        if attribute(variable, "is_mutable") is None:
            raise UndefinedBehaviorError(
                "stores to a global that is not mutable", related=[("global", variable)]
            )
        self.contents[variable] = value


def _global(op: Operation) -> Operation:
    """The global that the op loads or stores."""
    # xDSL has another name for the property of global_load_const.
    name = attribute(op, "global") or attribute(op, "global_attr")
    return symbol(op, name, "global")


class UbFunctions(DialectFunctions):
    @impl_named("ub.poison")
    def poison(self, op: Operation) -> Value:
        return uninitialised(self.memory, op, result_type(op))

    @impl_named("ub.unreachable")
    def unreachable(self, op: Operation) -> NoReturn:
        raise UndefinedBehaviorError("is reached")


def _sizes_of(op: Operation, value: Value) -> Array:
    """The sizes of a tensor or memref."""
    return np.array(value.shape, INDEX)


def _extent(op: Operation, shape: Array, dimension: Value) -> Value:
    return shape[in_bounds(shape.shape, [dimension])]


def _dim(op: Operation, value: Value, dimension: Value) -> Value:
    return _extent(op, _sizes_of(op, value), dimension)


def _broadcast(op: Operation, *shapes: Array) -> Array:
    result = _broadcast_or_none(*shapes)
    if result is None:
        shown = [shape.tolist() for shape in shapes]
        raise UndefinedBehaviorError(f"shapes {shown} cannot be broadcast")
    return result


def _broadcast_or_none(*shapes: Array) -> Array | None:
    try:
        return np.array(np.broadcast_shapes(*map(tuple, shapes)), INDEX)
    except ValueError:
        return None


def _are_broadcastable(op: Operation, *shapes: Array) -> Value:
    return np.bool_(_broadcast_or_none(*shapes) is not None)


def _are_equal(op: Operation, first: Value, *others: Value) -> Value:
    return np.bool_(all(np.array_equal(first, other) for other in others))


def _divide(op: Operation, a: Value, b: Value) -> Value:
    if not b:
        raise UndefinedBehaviorError("division by zero")
    return a // b


def _split_at(op: Operation, shape: Array, index: Value) -> tuple[Array, Array]:
    if not -len(shape) <= index <= len(shape):
        raise UndefinedBehaviorError(
            f"a shape of rank {len(shape)} is split at {index}"
        )
    return shape[:index], shape[index:]


def _same(op: Operation, value: Value) -> Value:
    return value


class ShapeFunctions(DialectFunctions):
    terminators: ClassVar = ("shape.assuming_yield", "shape.yield")

    pure: ClassVar = {
        "shape.add": lambda op, *numbers: np.add(*numbers),
        "shape.assuming_all": lambda op, *witnesses: np.bool_(all(witnesses)),
        "shape.broadcast": _broadcast,
        "shape.concat": lambda op, *shapes: np.concatenate(shapes),
        "shape.const_shape": lambda op: np.array(integers(op, "shape"), INDEX),
        "shape.const_size": lambda op: INDEX.type(integer(op, "value")),
        "shape.const_witness": lambda op: np.bool_(integer(op, "passing")),
        "shape.cstr_broadcastable": _are_broadcastable,
        "shape.cstr_eq": _are_equal,
        "shape.cstr_require": _same,
        "shape.dim": _dim,
        "shape.div": _divide,
        "shape.from_extent_tensor": _same,
        "shape.from_extents": lambda op, *sizes: np.array(sizes, INDEX),
        "shape.get_extent": _extent,
        "shape.index_to_size": _same,
        "shape.is_broadcastable": _are_broadcastable,
        "shape.max": lambda op, *numbers: np.maximum(*numbers),
        "shape.min": lambda op, *numbers: np.minimum(*numbers),
        "shape.mul": lambda op, *numbers: np.multiply(*numbers),
        "shape.num_elements": lambda op, *shape: np.prod(shape, dtype=INDEX),
        "shape.rank": lambda op, *shape: INDEX.type(np.size(shape)),
        "shape.shape_eq": _are_equal,
        "shape.shape_of": _sizes_of,
        "shape.size_to_index": _same,
        "shape.split_at": _split_at,
        "shape.to_extent_tensor": _same,
        "shape.value_as_shape": _same,
        "shape.value_of": _same,
    }

    @impl_named("shape.assuming")
    def assuming(self, op: Operation, witness: Value) -> PythonValues:
        if not witness:
            raise UndefinedBehaviorError("what is assumed does not hold")
        return self.run(op)

    @impl_named("shape.reduce")
    def reduce(self, op: Operation, shape: Array, *results: Value) -> PythonValues:
        for dimension, size in enumerate(shape):
            results = self.run(op, INDEX.type(dimension), size, *results)
        return tuple(results)


class BufferizationFunctions(DialectFunctions):
    without_effects: ClassVar = ("bufferization.dealloc_tensor",)

    def __init__(self) -> None:
        self._memory_of: dict[int, tuple[weakref.ref[Array], MemRef, Operation]] = {}
        """
        By the `id` of a tensor: the memref that it is in, and the op that has put it there.
        Entries are removed with their tensors.
        """

    # Tensors

    @impl_named("bufferization.alloc_tensor")
    def alloc_tensor(self, op: Operation, *operands: Value) -> Value:
        dynamic, copied, _size_hint = segments(op, operands)
        if copied:
            source: Array = copied[0]
            # A new array object, which is not in the memref that the source may be in.
            return source.view()
        return uninitialised(self.memory, op, result_type(op), dynamic)

    @impl_named("bufferization.materialize_in_destination")
    def materialize_in_destination(
        self, op: Operation, source: Array, destination: MemRef | Array
    ) -> Value:
        if source.shape != destination.shape:
            raise UndefinedBehaviorError(
                f"a tensor of shape {list(source.shape)} for one of "
                f"{list(destination.shape)}"
            )
        if not isinstance(destination, MemRef):
            return source
        self.memory.write(destination, source, op)
        return None

    # Between tensors and memory

    @impl_named("bufferization.to_tensor")
    def to_tensor(self, op: Operation, memref: MemRef) -> Array:
        tensor = self.memory.read(memref, op).copy()
        self._remember(tensor, memref, op)
        if attribute(op, "writable") is not None:
            self.memory.mark_unspecified(memref, op)
        return tensor

    @impl_named("bufferization.to_buffer", "bufferization.to_memref")
    def to_buffer(self, op: Operation, tensor: Array) -> MemRef:
        read_only = attribute(op, "read_only") is not None
        _, memref, since = self._memory_of.get(id(tensor), (None, None, op))
        if memref is not None:
            _check_unchanged(self.memory, tensor, memref, since, op)
        if memref is None or not (read_only or attribute(since, "writable")):
            layout = layout_of(result_type(op), tensor.shape)
            memref = self.memory.initialised(tensor, op, Kind.TENSOR, layout)
            if read_only:
                memref.buffer.read_only = "this op promises it"
                self._remember(tensor, memref, op)
        return has_type(memref, result_type(op))

    def _remember(self, tensor: Array, memref: MemRef, op: Operation) -> None:
        key, memory_of = id(tensor), self._memory_of
        reference = weakref.ref(tensor, lambda _: memory_of.pop(key, None))
        memory_of[key] = reference, memref, op

    # Memory

    @impl_named("bufferization.clone")
    def clone(self, op: Operation, source: MemRef) -> MemRef:
        type = result_type(op)
        layout = layout_of(type, source.sizes)
        return has_type(self.memory.clone(source, op, layout), type)

    @impl_named("bufferization.dealloc")
    def dealloc(self, op: Operation, *operands: Value) -> tuple[Value, ...]:
        memrefs, conditions, retained = segments(op, operands)
        # As in the lowering, this pointer tells which memrefs are of the same memory.
        owned = {
            memref.aligned_pointer: memref
            for memref, owns in zip(memrefs, conditions, strict=True)
            if owns
        }
        kept = {memref.aligned_pointer for memref in retained}
        for pointer, memref in owned.items():
            if pointer not in kept:
                # Of a part, the whole is freed.
                self.memory.free(base(memref), op)
        return tuple(np.bool_(memref.aligned_pointer in owned) for memref in retained)


def _check_unchanged(
    memory: Memory, tensor: Array, memref: MemRef, since: Operation, op: Operation
) -> None:
    """Raises `MemoryFault` if the memref no longer holds the tensor's bits."""
    if not np.array_equal(_bytes_of(memory.read(memref, op)), _bytes_of(tensor)):
        raise MemoryFault(
            "the memory was overwritten since the tensor was taken",
            op,
            [("taken by", since), ("allocated by", memref.buffer.allocated_by)],
        )


def _bytes_of(elements: Array) -> Array:
    return np.ascontiguousarray(elements).reshape(-1).view(np.uint8)
