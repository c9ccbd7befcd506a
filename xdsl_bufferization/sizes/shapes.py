"""The sizes of tensors and memrefs that ops make, in terms of their operands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import add, mul
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.sizes import (
    Expression,
    SizesOpInterface,
    number_of,
    shape_or_none,
    size_of,
)
from xdsl_bufferization.support.attributes import (
    integers,
    known_attribute,
    reassociation,
)

Extent: TypeAlias = Callable[[Operation, OpResult, int], Expression | None]
"""The size of an op's result in a dimension, which is dynamic."""


class _OfShapes(SizesOpInterface):
    """An op whose results are tensors or memrefs."""

    def __init__(self, extent: Extent):
        self._extent = extent

    def size(
        self, op: Operation, result: OpResult, dimension: int | None
    ) -> Expression | None:
        return None if dimension is None else self._extent(op, result, dimension)


def _new(first: int = 0) -> Extent:
    """An op with an operand for each dynamic size of its result, from `first` on."""

    def extent(op: Operation, result: OpResult, dimension: int) -> Expression | None:
        before = (shape_or_none(result) or ())[:dimension].count(DYNAMIC_INDEX)
        return number_of(op.operands[first + before])

    return extent


def _new_or_copy(op: Operation, result: OpResult, dimension: int) -> Expression | None:
    """`bufferization.alloc_tensor`: as large as the tensor that it copies, if it copies one."""
    for operand in op.operands:
        if shape_or_none(operand) is not None:
            return size_of(operand, dimension)
    return _new()(op, result, dimension)


def _same(operand: int = 0) -> Extent:
    """An op whose result has the sizes of an operand."""

    def extent(op: Operation, result: OpResult, dimension: int) -> Expression | None:
        source = op.operands[operand]
        ranks = {len(shape_or_none(value) or ()) for value in (source, result)}
        return size_of(source, dimension) if len(ranks) == 1 else None

    return extent


def _slice(op: Operation, result: OpResult, dimension: int) -> Expression | None:
    """An op that names the sizes of a slice, whose type may leave out dimensions of size 1."""
    sizes = integers(op, "static_sizes")
    dropped = len(sizes) - len(shape_or_none(result) or ())
    # Which ones are left out is only clear if that is all of them, or none.
    if dropped and sizes.count(1) != dropped:
        return None
    kept = [n for n, size in enumerate(sizes) if not dropped or size != 1]
    return _mixed(op, "sizes", "static_sizes", kept[dimension])


def _expanded(op: Operation, result: OpResult, dimension: int) -> Expression | None:
    """`expand_shape`: the sizes that it names."""
    sizes = integers(op, "static_output_shape")
    if len(sizes) != len(shape_or_none(result) or ()):
        return None
    if sizes[dimension] != DYNAMIC_INDEX:
        return Expression.constant(sizes[dimension])
    return number_of(op.operands[1 + sizes[:dimension].count(DYNAMIC_INDEX)])


def _collapsed(op: Operation, result: OpResult, dimension: int) -> Expression | None:
    """`collapse_shape`: products of sizes."""
    group = reassociation(op)[dimension]
    return _reduced(mul, (size_of(op.operands[0], source) for source in group))


def _concatenated(op: Operation, result: OpResult, dimension: int) -> Expression | None:
    """`tensor.concat`: the sum of the sizes in one dimension; one that is static in the others."""
    sizes = [size_of(operand, dimension) for operand in op.operands]
    if dimension == known_attribute(op, "dim", IntegerAttr).value.data:
        return _reduced(add, sizes)
    known = (size for size in sizes if size is not None and size.number is not None)
    return next(known, sizes[0])


def _padded(op: Operation, result: OpResult, dimension: int) -> Expression | None:
    """`tensor.pad`: the size of the source, and the padding on both sides."""
    sizes = (
        size_of(op.operands[0], dimension),
        _mixed(op, "low", "static_low", dimension),
        _mixed(op, "high", "static_high", dimension),
    )
    return _reduced(add, sizes)


def _reduced(
    combine: Callable[[Expression, Expression], Expression],
    sizes: Iterable[Expression | None],
) -> Expression | None:
    """The sum or product of one or more sizes; `None` if one of them is unknown."""
    sizes = [*sizes]
    known = [size for size in sizes if size is not None]
    return reduce(combine, known) if len(known) == len(sizes) else None


def _mixed(
    op: Operation, dynamic: str, static: str, dimension: int
) -> Expression | None:
    """A number of the attribute `static`, or the operand of `dynamic` in its place."""
    numbers = integers(op, static)
    if dimension >= len(numbers):
        return None
    if numbers[dimension] != DYNAMIC_INDEX:
        return Expression.constant(numbers[dimension])
    values: Sequence[SSAValue] = getattr(op, dynamic)
    before = numbers[:dimension].count(DYNAMIC_INDEX)
    return number_of(values[before]) if before < len(values) else None


SHAPES: Mapping[str, SizesOpInterface] = {
    name: _OfShapes(extent)
    for name, extent in {
        "bufferization.alloc_tensor": _new_or_copy,
        "bufferization.clone": _same(),
        "bufferization.to_buffer": _same(),
        "bufferization.to_tensor": _same(),
        "memref.alloc": _new(),
        "memref.alloca": _new(),
        "memref.assume_alignment": _same(),
        "memref.cast": _same(),
        "memref.collapse_shape": _collapsed,
        "memref.expand_shape": _expanded,
        "memref.memory_space_cast": _same(),
        "memref.reinterpret_cast": _slice,
        "memref.subview": _slice,
        "memref.view": _new(first=2),
        "tensor.cast": _same(),
        "tensor.collapse_shape": _collapsed,
        "tensor.concat": _concatenated,
        "tensor.empty": _new(),
        "tensor.expand_shape": _expanded,
        "tensor.extract_slice": _slice,
        "tensor.generate": _new(),
        "tensor.insert": _same(operand=1),
        "tensor.pad": _padded,
        "tensor.splat": _new(first=1),
    }.items()
}
"""The answers by op."""
