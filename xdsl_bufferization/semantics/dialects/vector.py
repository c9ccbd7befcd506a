"""
vector: ops that move elements between vectors and memrefs or tensors, and masks. The ops
that only compute on vectors are in `vector_functions.py`.

Source: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr, StringAttr
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xdsl_bufferization.semantics.dialects.math import MathFunctions
from xdsl_bufferization.semantics.dialects.shared.elements import (
    along_last_dimensions,
    load,
    load_masked,
    store_masked,
)
from xdsl_bufferization.semantics.dialects.vector_functions import (
    MASKABLE,
    VECTOR_OPS,
)
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named
from xdsl_bufferization.semantics.memory.buffers import MemRef
from xdsl_bufferization.semantics.values import VECTOR, Array, Value, segments, shape_of
from xdsl_bufferization.support.attributes import attribute, integers
from xdsl_bufferization.support.names import op_name


class Transfer(NamedTuple):
    """The indices of a vector's elements, and the mask of those that are moved."""

    indices: list[Value]
    mask: Array


def transfer(
    op: Operation,
    moved_with: MemRef | Array,
    indices: Sequence[Value],
    vector: Sequence[int],
    mask: Array | None,
) -> Transfer:
    """
    The elements that the op moves between a tensor or memref, from the indices on, and a
    vector of shape `vector`; `mask` is the operand of the op. An element may be a vector,
    whose dimensions are the last ones of `vector`.

    Raises `UndefinedBehaviorError` if an element that `in_bounds` covers is out of bounds.
    """
    source = moved_with.shape
    if moved_with.dtype.names:
        vector = vector[: len(vector) - len(moved_with.dtype[VECTOR].shape)]
    map = attribute(op, "permutation_map")
    dimensions = _dimensions(
        map.data
        if isinstance(map, AffineMapAttr)
        else AffineMap.minor_identity(len(source), len(vector))
    )
    in_bounds = [bool(value) for value in integers(op, "in_bounds")]
    moved_indices: list[Value] = list(indices)
    moved = np.ones(tuple(vector), np.bool_)
    if mask is not None:
        moved &= _along_vector(mask, dimensions)
    wanted = moved.copy()
    # The index of a dimension that the vector does not extend along has to be in bounds.
    promised = [True] * len(source)
    for axis, dimension in enumerate(dimensions):
        if dimension is not None:
            along = [-1 if i == axis else 1 for i in range(len(vector))]
            steps = np.arange(vector[axis]).reshape(along)
            moved_indices[dimension] = moved_indices[dimension] + steps
            promised[dimension] = bool(in_bounds) and in_bounds[axis]
    for dimension, (index, size) in enumerate(zip(moved_indices, source, strict=True)):
        exists = np.greater_equal(index, 0) & np.less(index, size)
        if promised[dimension] and np.any(wanted & ~exists):
            raise UndefinedBehaviorError(
                f"dimension {dimension} of size {size} is said to have all the indices "
                f"{np.unique(index).tolist()}"
            )
        moved &= exists
    return Transfer(moved_indices, moved)


def _dimensions(map: AffineMap) -> list[int | None]:
    """By dimension of the vector: the dimension of the source; `None` for a broadcast."""
    dimensions: list[int | None] = []
    for result in map.results:
        if isinstance(result, AffineDimExpr):
            dimensions.append(result.position)
        elif isinstance(result, AffineConstantExpr) and result.value == 0:
            dimensions.append(None)
        else:
            raise MissingSemanticsError(
                f"the permutation map {map} has no meaning here"
            )
    return dimensions


def _along_vector(mask: Array, dimensions: Sequence[int | None]) -> Array:
    """The mask, transposed from the order of the source's dimensions to the vector's order."""
    used = sorted(dimension for dimension in dimensions if dimension is not None)
    permuted = mask.transpose([used.index(d) for d in dimensions if d is not None])
    return permuted[tuple(None if d is None else slice(None) for d in dimensions)]


class VectorFunctions(DialectFunctions):
    terminators: ClassVar = ("vector.yield",)

    pure: ClassVar = VECTOR_OPS
    scalar: ClassVar = {"vector.fma": MathFunctions.scalar["math.fma"]}

    @impl_named("vector.print")
    def print(self, op: Operation, operands: PythonValues) -> PythonValues:
        if self.interpreter.file is not None:
            text = attribute(op, "stringLiteral")
            printed = [text.data] if isinstance(text, StringAttr) else operands
            self.interpreter.print(*printed)
        return ()

    @impl_named("vector.shuffle")
    def shuffle(self, op: Operation, operands: PythonValues) -> PythonValues:
        elements = np.concatenate([np.atleast_1d(operand) for operand in operands])
        mask = np.array(integers(op, "mask"), np.int64)
        shape = shape_of(op.results[0].type)
        result = self.memory.uninitialised(shape, elements.dtype, op)
        # Where the mask is -1, the element is poison.
        known = mask >= 0
        result[known] = elements[mask[known]]
        return (result,)

    # Memory

    @impl_named("vector.load")
    def load(self, op: Operation, operands: PythonValues) -> PythonValues:
        source, *indices = operands
        elements = along_last_dimensions(indices, shape_of(op.results[0].type))
        return (np.array(load(self.memory, op, source, elements)),)

    @impl_named("vector.store")
    def store(self, op: Operation, operands: PythonValues) -> PythonValues:
        vector, target, *indices = operands
        elements = along_last_dimensions(indices, vector.shape)
        self.memory.store(target, elements, vector, op)
        return ()

    @impl_named("vector.maskedload", "vector.expandload", "vector.gather")
    def masked_load(self, op: Operation, operands: PythonValues) -> PythonValues:
        source, *indices, mask, otherwise = operands
        elements = _indices_of(op, indices, mask)
        return (load_masked(self.memory, op, source, elements, mask, otherwise),)

    @impl_named("vector.maskedstore", "vector.compressstore", "vector.scatter")
    def masked_store(self, op: Operation, operands: PythonValues) -> PythonValues:
        target, *indices, mask, vector = operands
        elements = _indices_of(op, indices, mask)
        return store_masked(self.memory, op, target, elements, mask, vector)

    @impl_named("vector.transfer_read")
    def transfer_read(self, op: Operation, operands: PythonValues) -> PythonValues:
        return (self._read(op, operands),)

    def _read(
        self, op: Operation, operands: PythonValues, around: Array | None = None
    ) -> Array:
        (source,), indices, (padding,), *own = segments(op, operands)
        shape, mask = shape_of(op.results[0].type), _only(own, around)
        elements, moved = transfer(op, source, indices, shape, mask)
        return load_masked(self.memory, op, source, elements, moved, padding)

    @impl_named("vector.transfer_write")
    def transfer_write(self, op: Operation, operands: PythonValues) -> PythonValues:
        return self._write(op, operands)

    def _write(
        self, op: Operation, operands: PythonValues, around: Array | None = None
    ) -> PythonValues:
        (vector,), (target,), indices, *own = segments(op, operands)
        mask = _only(own, around)
        elements, moved = transfer(op, target, indices, vector.shape, mask)
        return store_masked(self.memory, op, target, elements, moved, vector)

    # Masks

    @impl_named("vector.mask")
    def mask(self, op: Operation, operands: PythonValues) -> PythonValues:
        mask, *otherwise = operands
        *masked, end = op.regions[0].block.ops
        if not masked:
            return self.interpreter.get_values(end.operands)
        (op_in_mask,) = masked
        values = self.interpreter.get_values(op_in_mask.operands)
        match op_name(op_in_mask):
            case "vector.transfer_read":
                result = self._read(op_in_mask, values, mask)
                return (np.where(mask, result, otherwise[0]) if otherwise else result,)
            case "vector.transfer_write":
                return self._write(op_in_mask, values, mask)
            case name if name in MASKABLE:
                return (MASKABLE[name](op_in_mask, values, mask),)
            case name:
                raise MissingSemanticsError(f"{name} has no semantics in a mask")


def _only(own: Sequence[Sequence[Array]], around: Array | None) -> Array | None:
    """The mask around the op, or else its own one, if it has one."""
    return own[0][0] if around is None and own and own[0] else around


def _indices_of(op: Operation, indices: Sequence[Value], mask: Array) -> list[Value]:
    """The indices of the elements that an op with a mask accesses."""
    match op_name(op):
        case "vector.gather" | "vector.scatter":
            *first, last, along = indices
            return [*first, last + along]
        case "vector.expandload" | "vector.compressstore":
            # Consecutive ones for the true elements of the mask.
            return [*indices[:-1], indices[-1] + np.cumsum(mask) - 1]
        case _:
            return along_last_dimensions(indices, mask.shape)


FUNCTIONS = VectorFunctions
