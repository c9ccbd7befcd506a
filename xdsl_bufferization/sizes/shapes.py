"""The sizes of tensors and memrefs that ops make, in terms of their operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add, mul

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


class _OfShapes(SizesOpInterface):
    """An op whose results are tensors or memrefs."""

    def size(
        self, op: Operation, result: OpResult, dimension: int | None
    ) -> Expression | None:
        return None if dimension is None else self.extent(op, result, dimension)

    def extent(
        self, op: Operation, result: OpResult, dimension: int
    ) -> Expression | None:
        """The size of the result in the dimension, which is dynamic."""
        raise NotImplementedError


class _New(_OfShapes):
    """An op with an operand for each dynamic size of its result, from `first` on."""

    def __init__(self, first: int = 0):
        self._first = first

    def extent(
        self, op: Operation, result: OpResult, dimension: int
    ) -> Expression | None:
        before = (shape_or_none(result) or ())[:dimension].count(DYNAMIC_INDEX)
        return number_of(op.operands[self._first + before])


class _NewOrCopy(_New):
    """`bufferization.alloc_tensor`: as large as the tensor that it copies, if it copies one."""

    def extent(
        self, op: Operation, result: OpResult, dimension: int
    ) -> Expression | None:
        for operand in op.operands:
            if shape_or_none(operand) is not None:
                return size_of(operand, dimension)
        return super().extent(op, result, dimension)


class _Same(_OfShapes):
    """An op whose result has the sizes of an operand, by default of the first one."""

    def __init__(self, operand: int = 0):
        self._operand = operand

    def extent(
        self, op: Operation, result: OpResult, dimension: int
    ) -> Expression | None:
        rank = len(shape_or_none(result) or ())
        source = op.operands[self._operand]
        if len(shape_or_none(source) or ()) != rank:
            return None
        return size_of(source, dimension)


class _Slice(_OfShapes):
    """An op that names the sizes of a slice, whose type may leave out dimensions of size 1."""

    def extent(
        self, op: Operation, result: OpResult, dimension: int
    ) -> Expression | None:
        sizes = integers(op, "static_sizes")
        dropped = len(sizes) - len(shape_or_none(result) or ())
        # Which ones are left out is only clear if that is all of them, or none.
        if dropped and sizes.count(1) != dropped:
            return None
        kept = [n for n, size in enumerate(sizes) if not dropped or size != 1]
        return _mixed(op, "sizes", "static_sizes", kept[dimension])


class _Expanded(_OfShapes):
    """`expand_shape`: the sizes that it names."""

    def extent(
        self, op: Operation, result: OpResult, dimension: int
    ) -> Expression | None:
        sizes = integers(op, "static_output_shape")
        if len(sizes) != len(shape_or_none(result) or ()):
            return None
        if sizes[dimension] != DYNAMIC_INDEX:
            return Expression.constant(sizes[dimension])
        return number_of(op.operands[1 + sizes[:dimension].count(DYNAMIC_INDEX)])


class _Collapsed(_OfShapes):
    """`collapse_shape`: products of sizes."""

    def extent(
        self, op: Operation, result: OpResult, dimension: int
    ) -> Expression | None:
        group = reassociation(op)[dimension]
        sizes = [size_of(op.operands[0], source) for source in group]
        known = [size for size in sizes if size is not None]
        return reduce(mul, known) if len(known) == len(sizes) else None


class _Concatenated(_OfShapes):
    """`tensor.concat`: the sum of the sizes in one dimension."""

    def extent(
        self, op: Operation, result: OpResult, dimension: int
    ) -> Expression | None:
        if dimension != known_attribute(op, "dim", IntegerAttr).value.data:
            return _first_static(op.operands, dimension)
        sizes = [size_of(operand, dimension) for operand in op.operands]
        known = [size for size in sizes if size is not None]
        return reduce(add, known) if len(known) == len(sizes) else None


class _Padded(_OfShapes):
    """`tensor.pad`: the size of the source, and the padding on both sides."""

    def extent(
        self, op: Operation, result: OpResult, dimension: int
    ) -> Expression | None:
        size = size_of(op.operands[0], dimension)
        low = _mixed(op, "low", "static_low", dimension)
        high = _mixed(op, "high", "static_high", dimension)
        if size is None or low is None or high is None:
            return None
        return size + low + high


def _first_static(operands: Sequence[SSAValue], dimension: int) -> Expression | None:
    """The size that the operands have in common, a number if one of their types tells."""
    for operand in operands:
        size = size_of(operand, dimension)
        if size is not None and size.number is not None:
            return size
    return size_of(operands[0], dimension)


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
    "bufferization.alloc_tensor": _NewOrCopy(),
    "bufferization.clone": _Same(),
    "bufferization.to_buffer": _Same(),
    "bufferization.to_tensor": _Same(),
    "memref.alloc": _New(),
    "memref.alloca": _New(),
    "memref.assume_alignment": _Same(),
    "memref.cast": _Same(),
    "memref.collapse_shape": _Collapsed(),
    "memref.expand_shape": _Expanded(),
    "memref.memory_space_cast": _Same(),
    "memref.reinterpret_cast": _Slice(),
    "memref.subview": _Slice(),
    "memref.view": _New(first=2),
    "tensor.cast": _Same(),
    "tensor.collapse_shape": _Collapsed(),
    "tensor.concat": _Concatenated(),
    "tensor.empty": _New(),
    "tensor.expand_shape": _Expanded(),
    "tensor.extract_slice": _Slice(),
    "tensor.generate": _New(),
    "tensor.insert": _Same(operand=1),
    "tensor.pad": _Padded(),
    "tensor.splat": _New(first=1),
}
"""The answers by op."""
