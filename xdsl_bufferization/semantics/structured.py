"""
Structured ops, such as those of linalg: a body that is run over an iteration space, and affine maps
that say which elements of the operands its points access.

The meaning is a loop nest, the first dimension outermost, whose body reads an
element of each operand and overwrites one of each output. To be fast, the body is run on
arrays, for all points at once that are independent: those with different elements of the
outputs. They differ in the *vector dimensions*. The other dimensions, the *steps*, are
iterated in the order of the loops, so each element gets its updates in that order and the
result is the same to the bit.

Where that is not possible (the body has regions or writes memory, or the op reads memory
that it writes), points are run one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import (
    Attribute,
    Block,
    Operation,
    Region,
    SSAValue,
)
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import ReferenceInterpreter
from xdsl_bufferization.semantics.values import (
    MEMREF,
    Array,
    MemRef,
    Value,
    dot,
    dtype_of,
    element_type,
    linear_form,
    numbers_of,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import region_of


def pure_dimensions(map: AffineMap) -> list[int | None]:
    """For each result of the map the dimension if it is one, otherwise `None`."""
    return [
        expression.position if isinstance(expression, AffineDimExpr) else None
        for expression in map.results
    ]


# Sizes and bounds -------------------------------------------------------------------------


def loop_sizes(operands: Sequence[Value], maps: Sequence[AffineMap]) -> tuple[int, ...]:
    """
    The size of each dimension of the iteration space, from the shapes of the operands.

    Raises `UndefinedBehaviorError` unless all shapes agree and each map stays within the
    bounds of its operand.
    """
    sizes: dict[int, int] = {}
    # A scalar has the shape `()`, and a map without results.
    shapes: list[tuple[int, ...]] = [operand.shape for operand in operands]
    for k, (shape, map) in enumerate(zip(shapes, maps, strict=True)):
        if map.num_symbols:
            raise MissingSemanticsError("indexing maps have no symbols")
        if len(shape) != len(map.results):
            raise UndefinedBehaviorError(
                f"operand {k} has {len(shape)} dimensions, not {len(map.results)}"
            )
        for dimension, size in zip(pure_dimensions(map), shape, strict=True):
            if dimension is None:
                continue
            known = sizes.setdefault(dimension, size)
            if known != size:
                raise UndefinedBehaviorError(
                    f"operand {k} of shape {list(shape)} has size {size} where loop "
                    f"{dimension} has {known} iterations"
                )
    dimensions = maps[0].num_dims if maps else 0
    if missing := {*range(dimensions)} - {*sizes}:
        raise MissingSemanticsError(
            f"no operand's shape tells the size of loop {min(missing)}"
        )
    result = tuple(sizes[dimension] for dimension in range(dimensions))
    if all(result):
        for k, (shape, map) in enumerate(zip(shapes, maps, strict=True)):
            _check_bounds(k, shape, map, result)
    return result


def _check_bounds(
    operand: int, shape: Sequence[int], map: AffineMap, sizes: Sequence[int]
) -> None:
    for i, (expression, size) in enumerate(zip(map.results, shape, strict=True)):
        if isinstance(expression, AffineDimExpr):
            continue
        values = expression.eval(_points(sizes), ())
        first, last = int(np.min(values)), int(np.max(values))
        if first < 0 or last >= size:
            raise UndefinedBehaviorError(
                f"indices {first} to {last} of dimension {i} of operand {operand} are "
                f"out of its bounds: its shape is {list(shape)}"
            )


def _points(sizes: Sequence[int]) -> list[Any]:
    """The coordinates of all points, as arrays that broadcast."""
    return [*np.ix_(*map(np.arange, sizes))]


# Views ------------------------------------------------------------------------------------


def strided_view(array: Array, map: AffineMap, sizes: Sequence[int]) -> Array:
    """
    The element for each point, as a view of the array if the map is linear. The map has to
    stay within the array, and the space must not be empty.
    """
    if (form := linear_form(map)) is None:
        return np.broadcast_to(array[map.eval(_points(sizes), ())], sizes)
    origin, growth = form
    # Without the ellipsis, the result may be a scalar.
    start = array[(*(slice(first, None) for first in origin), ...)]
    strides = [dot(steps, array.strides) for steps in growth]
    return np.lib.stride_tricks.as_strided(start, tuple(sizes), strides)


_OF_SHAPED = frozenset(
    ("memref.dim", "memref.load", "tensor.dim", "tensor.extract", "tensor.rank")
)
"""Ops whose first operand has a shape, also where arrays stand for their scalars."""
_FOLDS: Mapping[str, np.ufunc] = {
    "arith.addf": np.add,
    "arith.addi": np.add,
    "arith.mulf": np.multiply,
    "arith.muli": np.multiply,
}


def _fold_of(block: Block) -> tuple[np.ufunc, SSAValue] | None:
    """
    An element-wise body as a reduction, if it is one: how its only output is combined with which
    value, which does not depend on it.
    """
    terminator = block.last_op
    if terminator is None or len(terminator.operands) != 1:
        return None
    combiner = terminator.operands[0].owner
    if not isinstance(combiner, Operation) or op_name(combiner) not in _FOLDS:
        return None
    output = block.args[-1]
    others = [value for value in combiner.operands if value is not output]
    if (
        len(others) != 1
        or len([*output.uses]) != 1
        or combiner.parent is not block
        or not _fills_its_type(output.type)
    ):
        return None
    return _FOLDS[op_name(combiner)], others[0]


def _fills_its_type(type: Attribute) -> bool:
    """Whether NumPy's arithmetic wraps as the type does, without further ado."""
    dtype = dtype_of(type)
    return not isinstance(type, IntegerType) or type.bitwidth == 8 * dtype.itemsize


def is_elementwise(region: Region, interpreter: ReferenceInterpreter) -> bool:
    """Whether the region can be run once, with an array for each of its scalars."""
    if len(region.blocks) != 1:
        return False
    block = region.blocks[0]
    return all(
        op is block.last_op or _is_elementwise(op, interpreter) for op in block.ops
    )


def _is_elementwise(op: Operation, interpreter: ReferenceInterpreter) -> bool:
    name = op_name(op)
    values = (*op.operands[name in _OF_SHAPED :], *op.results)
    # No op in the region then has a tensor or memref for others in it.
    if op.regions or any(element_type(v.type) is not v.type for v in values):
        return False
    return name in ("linalg.index", "memref.load") or (
        interpreter.has_scalar_semantics(op)
    )


CHUNK = 1 << 20
"""Elements that a reduction may hold before they are combined."""
FEW = 1 << 10
"""Up to this number of output elements, running each step by itself is too slow."""
MANY = 1 << 4
"""The least number of steps for which that matters."""


def iterate(
    interpreter: ReferenceInterpreter,
    op: Operation,
    operands: Sequence[Value],
    maps: Sequence[AffineMap],
    outputs: int,
) -> Sequence[Value]:
    """
    Run the op's region for each point of the iteration space, on the elements that the maps
    give. Its arguments are elements of the first operands, and it yields new elements of the
    outputs.

    The last `outputs` operands are overwritten: memrefs in place, tensors as new arrays,
    which are returned.

    Raises `UndefinedBehaviorError` if the shapes do not agree or a map leaves the bounds of
    its operand, `MemoryFault` for a wrong use of memory.
    """
    if not op.regions or (block := op.regions[0].blocks.first) is None:
        raise MissingSemanticsError("has no region that says what it computes")
    sizes = loop_sizes(operands, maps)
    is_empty = not all(sizes)
    inputs = len(operands) - outputs
    # Elements that are vectors are no arrays of numbers for a body.
    records = {name for operand in operands for name in operand.dtype.names or ()}
    if MEMREF in records:
        raise MissingSemanticsError("works on elements that are memrefs")
    arrays: list[Value] = []
    results: list[Array] = []
    for k, (operand, map) in enumerate(zip(operands, maps, strict=True)):
        if isinstance(operand, MemRef):
            access = interpreter.memory.read
            if k >= inputs and not is_empty:
                access = interpreter.memory.writable
            arrays.append(access(operand, op))
        elif k >= inputs:
            # Contents that are neither read nor kept need no copy.
            reads = k < len(block.args) and block.args[k].first_use is not None
            keep = is_empty or reads or not map.is_projected_permutation()
            result = np.array(operand) if keep else np.empty_like(operand, subok=False)
            results.append(result)
            arrays.append(result)
        else:
            arrays.append(operand)
    if not is_empty:
        arrays = [numbers_of(array) for array in arrays]
        run = _Run(interpreter, block, sizes, arrays, maps, inputs)
        interpreter.indices.append(())
        if (
            not records
            and is_elementwise(op.regions[0], interpreter)
            and run.has_views_of_outputs()
            and not _depend(interpreter, operands, run)
        ):
            run.at_once()
        else:
            run.one_by_one()
        interpreter.indices.pop()
    return results


def _depend(
    interpreter: ReferenceInterpreter, operands: Sequence[Value], run: _Run
) -> bool:
    """Whether a point may access an element that another point writes in memory."""
    for k, output in enumerate(operands):
        if k < run.inputs or not isinstance(output, MemRef):
            continue
        loaded = (
            interpreter.value_of(op.operands[0])
            for op in run.block.ops
            if op_name(op) == "memref.load"
        )
        if any(map(output.overlaps, loaded)):
            return True
        for j, other in enumerate(operands):
            if j == k or not isinstance(other, MemRef) or not output.overlaps(other):
                continue
            is_same = output.is_same_view(other) and run.maps[j] == run.maps[k]
            if j >= run.inputs or not is_same or run.step_dimensions:
                return True
    return False


@dataclass
class _Run:
    """One execution over a space that is not empty."""

    interpreter: ReferenceInterpreter
    block: Block
    sizes: Sequence[int]
    arrays: Sequence[Value]
    """By operand: its elements, or the scalar."""
    maps: Sequence[AffineMap]
    inputs: int

    def __post_init__(self) -> None:
        every = {*range(len(self.sizes))}
        vector = every if len(self.maps) > self.inputs else set[int]()
        for map in self.maps[self.inputs :]:
            vector = vector & {*pure_dimensions(map)}
        self.vector_dimensions = sorted(vector)
        self.step_dimensions = sorted(every - vector)

    def has_views_of_outputs(self) -> bool:
        """Whether the outputs can be written through `_view`: distinct elements, in place."""
        return all(
            linear_form(map) is not None
            and all(s or n < 2 for s, n in zip(array.strides, array.shape, strict=True))
            for map, array in zip(
                self.maps[self.inputs :], self.arrays[self.inputs :], strict=True
            )
        )

    def _yielded(self, elements: Sequence[Value]) -> Sequence[Value]:
        """The new elements of the outputs."""
        arguments = elements[: len(self.block.args)]
        return self.interpreter.run_region(region_of(self.block), *arguments)

    # One by one

    def one_by_one(self) -> None:
        for point in product(*map(range, self.sizes)):
            self.interpreter.indices[-1] = tuple(np.int64(i) for i in point)
            accessed = [
                (array, map.eval(point, ()))
                for array, map in zip(self.arrays, self.maps, strict=True)
            ]
            yielded = self._yielded([array[index] for array, index in accessed])
            for (array, index), element in zip(
                accessed[self.inputs :], yielded, strict=True
            ):
                array[index] = element

    # On arrays

    def at_once(self) -> None:
        """All points of the vector dimensions at once, by the fastest method."""
        fold = _fold_of(self.block) if self._is_long_reduction() else None
        if fold is not None:
            self._fold(*fold)
        else:
            self._step_by_step()

    def _is_long_reduction(self) -> bool:
        """Whether there are many steps, which all update the same few elements of one output."""
        used = self.maps[-1].used_dims()
        elements = prod(self.sizes[d] for d in self.vector_dimensions)
        return (
            bool(self.step_dimensions)
            and used.isdisjoint(self.step_dimensions)
            and elements <= FEW
            and self.sizes[self.step_dimensions[-1]] >= MANY
        )

    def _step_by_step(self) -> None:
        views = [self._view(k) for k in range(len(self.arrays))]
        several = len(views) - self.inputs > 1
        for step in self._steps(self.step_dimensions):
            self._start_at(step)
            yielded = self._yielded([view[step] for view in views])
            if several:
                # The body may yield the elements of one output for another.
                yielded = [np.array(value) for value in yielded]
            for view, value in zip(views[self.inputs :], yielded, strict=True):
                view[(*step, ...)] = value

    def _fold(self, combine: np.ufunc, value: SSAValue) -> None:
        """All values along the last step dimension at once, then combined in order."""
        *outer, last = self.step_dimensions
        views = [self._view(k) for k in range(self.inputs)]
        target = self._view(self.inputs)[(*[0] * len(self.step_dimensions), ...)]
        length = max(1, CHUNK // target.size)
        unread = target.dtype.type(0)
        for step in self._steps(outer):
            for start in range(0, self.sizes[last], length):
                part = range(start, min(start + length, self.sizes[last]))
                self._start_at((*step, part))
                elements = [view[(*step, slice(start, part.stop))] for view in views]
                self._yielded([*elements, unread])
                values = self.interpreter.value_of(value)
                values = np.broadcast_to(values, (len(part), *target.shape))
                sequence = np.concatenate([target[np.newaxis], values])
                # `reduce` may combine in another order.
                sums = combine.accumulate(sequence, axis=0, dtype=sequence.dtype)
                target[...] = sums[-1]

    def _steps(self, dimensions: Sequence[int]) -> Iterator[tuple[int, ...]]:
        return product(*(range(self.sizes[d]) for d in dimensions))

    def _view(self, operand: int) -> Array:
        """
        The operand's elements by step dimensions, then vector dimensions, which have size 1
        if the operand does not depend on them.
        """
        map = self.maps[operand]
        view = strided_view(np.asarray(self.arrays[operand]), map, self.sizes)
        view = view.transpose([*self.step_dimensions, *self.vector_dimensions])
        used = map.used_dims()
        where = [slice(None)] * len(self.step_dimensions)
        where += [slice(None if d in used else 1) for d in self.vector_dimensions]
        # With the ellipsis it is a view, never a scalar.
        return view[(*where, ...)]

    def _start_at(self, step: Sequence[int | range]) -> None:
        """Tell the interpreter the indices of the points of the step, by dimension."""
        vector = len(self.vector_dimensions)
        indices: dict[int, Value] = {}
        for dimension, index in zip(self.step_dimensions, step, strict=True):
            if isinstance(index, range):
                indices[dimension] = np.array(index).reshape((-1, *[1] * vector))
            else:
                indices[dimension] = np.int64(index)
        points = _points([self.sizes[d] for d in self.vector_dimensions])
        indices.update(zip(self.vector_dimensions, points, strict=True))
        self.interpreter.indices[-1] = tuple(
            indices[dimension] for dimension in range(len(self.sizes))
        )
