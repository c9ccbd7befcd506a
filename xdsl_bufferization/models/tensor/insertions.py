"""Padding and concatenation as insertions into an empty tensor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate

from xdsl.builder import Builder
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.host.releases import linalg_ops
from xdsl_bufferization.interfaces.insertions import InsertionsOpInterface
from xdsl_bufferization.interfaces.reify import Size
from xdsl_bufferization.models.shared.slices import traced_size, traced_sizes
from xdsl_bufferization.support.attributes import integers, known_attribute, slice_op
from xdsl_bufferization.support.boxes import Box
from xdsl_bufferization.support.shaped_types import ranked_shape, ranked_tensor, resized


class PadInsertions(InsertionsOpInterface):
    """`tensor.pad` with one value of all padding: the border is filled, the rest inserted."""

    def build_insertions(self, op: Operation, builder: Builder) -> SSAValue | None:
        (source, *_), (result,) = op.operands, op.results
        value = _padding(op)
        low, high = padding_widths(op)
        if value is None or any(
            isinstance(extent, int) and extent < 0 for extent in (*low, *high)
        ):
            return None
        inner = traced_sizes(source, builder)
        sizes = [
            _sum(builder, *extents) for extents in zip(low, inner, high, strict=True)
        ]
        padded, former = _empty(builder, result.type, sizes), None
        for offsets, slab in _border(low, inner, high, sizes, builder):
            # Of its own, so that it may be in what the pad is inserted into.
            part = _empty(builder, resized(result.type, slab), slab)
            former = builder.insert(_fill(value, part, former))
            padded = _insert(builder, former.results[0], padded, offsets, slab)
        return _insert(builder, source, padded, low, inner)

    def parts(self, op: Operation) -> Sequence[Box] | None:
        low, high = integers(op, "static_low"), integers(op, "static_high")
        shapes = ranked_shape(op.operands[0]), ranked_shape(op.results[0])
        if (
            any(
                DYNAMIC_INDEX in numbers or min(numbers, default=0) < 0
                for numbers in (low, high, *shapes)
            )
            or _padding(op) is None
        ):
            return None
        return [Box.whole(shapes[0]).moved(low)]

    def padding(self, op: Operation) -> SSAValue | None:
        return _padding(op)


class ConcatInsertions(InsertionsOpInterface):
    """`tensor.concat`: each input is inserted after those before it."""

    def build_insertions(self, op: Operation, builder: Builder) -> SSAValue | None:
        dim = known_attribute(op, "dim", IntegerAttr).value.data
        first, *others = op.operands
        # The other sizes are those of the first input.
        sizes = [*traced_sizes(first, builder)]
        extents = [sizes[dim], *(traced_size(o, dim, builder) for o in others)]
        ends = [*accumulate(extents, partial(_sum, builder))]
        sizes[dim] = ends[-1]
        whole = _empty(builder, op.results[0].type, sizes)
        offsets: list[Size] = [0] * len(sizes)
        for part, sizes[dim], end in zip(op.operands, extents, ends, strict=True):
            whole = _insert(builder, part, whole, offsets, sizes)
            offsets[dim] = end
        return whole

    def parts(self, op: Operation) -> Sequence[Box] | None:
        dim = known_attribute(op, "dim", IntegerAttr).value.data
        shapes = [ranked_shape(part) for part in op.operands]
        if any(DYNAMIC_INDEX in shape for shape in shapes):
            return None
        ends = [*accumulate(shape[dim] for shape in shapes)]
        return [
            Box.whole(shape).moved(
                [end - shape[dim] if d == dim else 0 for d in range(len(shape))]
            )
            for shape, end in zip(shapes, ends, strict=True)
        ]


def padding_widths(pad: Operation) -> tuple[Sequence[Size], Sequence[Size]]:
    """How much padding is below and above the elements, in each dimension."""
    dynamic = iter(pad.operands[1:])
    low, high = (
        [next(dynamic) if n == DYNAMIC_INDEX else n for n in integers(pad, name)]
        for name in ("static_low", "static_high")
    )
    return low, high


def _padding(pad: Operation) -> SSAValue | None:
    """The scalar that all padding is; `None` if it is computed element by element."""
    block = pad.regions[0].block
    yielded = block.last_op
    if yielded is None or yielded is not block.first_op:
        return None
    value = yielded.operands[0]
    if value.owner is block or not isinstance(value.type, AnyFloat | IntegerType):
        return None
    return value


def _border(
    low: Sequence[Size],
    inner: Sequence[Size],
    high: Sequence[Size],
    sizes: Sequence[Size],
    builder: Builder,
) -> Iterator[tuple[Sequence[Size], Sequence[Size]]]:
    """
    Slices, by offsets and sizes, that make up the border and do not overlap, given what is
    below, within and above it in each dimension, and how much that is in all.
    """
    offsets: list[Size] = [0] * len(inner)
    sizes = [*sizes]
    for dim, (below, extent, above) in enumerate(zip(low, inner, high, strict=True)):
        for is_above, size in enumerate((below, above)):
            slab = [*sizes[:dim], size, *sizes[dim + 1 :]]
            if 0 not in slab:
                offset = _sum(builder, below, extent) if is_above else 0
                yield [*offsets[:dim], offset, *offsets[dim + 1 :]], slab
        # The slabs of the other dimensions are between those of this one.
        offsets[dim], sizes[dim] = below, extent


def _empty(builder: Builder, type: Attribute, sizes: Sequence[Size]) -> SSAValue:
    """An empty tensor of the type, and of these sizes."""
    dynamic = _dynamic(builder, ranked_tensor(type).get_shape(), sizes)
    return builder.insert(tensor.EmptyOp(dynamic, type)).tensor


def _fill(value: SSAValue, part: SSAValue, former: Operation | None) -> Operation:
    """
    A fill of the part with the value, like a `former` one of another part, if there is one: xDSL
    takes five times as long to make the body of a fill as to clone it.
    """
    if former is None:
        return linalg_ops.FillOp((value,), (part,), (part.type,))
    return type(former).create(
        operands=(value, part),
        result_types=(part.type,),
        properties=former.properties.copy(),
        regions=[former.regions[0].clone()],
    )


def _insert(
    builder: Builder,
    part: SSAValue,
    whole: SSAValue,
    offsets: Sequence[Size],
    sizes: Sequence[Size],
) -> SSAValue:
    """The tensor `whole` with a part of these sizes at the offsets."""
    shape = ranked_shape(part)
    dynamic = iter(_dynamic(builder, shape, sizes))
    mixed = [next(dynamic) if n == DYNAMIC_INDEX else n for n in shape]
    insertion = slice_op(
        tensor.InsertSliceOp, [part, whole], whole.type, offsets, mixed
    )
    return builder.insert(insertion).result


def _dynamic(
    builder: Builder, shape: Sequence[int], sizes: Sequence[Size]
) -> Sequence[SSAValue]:
    """Those of the sizes that a shape does not tell, as operands."""
    return [
        _constant(builder, size) if isinstance(size, int) else size
        for size, static in zip(sizes, shape, strict=True)
        if static == DYNAMIC_INDEX
    ]


def _sum(builder: Builder, *terms: Size) -> Size:
    number = sum(term for term in terms if isinstance(term, int))
    values = [term for term in terms if isinstance(term, SSAValue)]
    if not values:
        return number
    if number:
        values.append(_constant(builder, number))
    total, *others = values
    for value in others:
        total = builder.insert(arith.AddiOp(total, value)).result
    return total


def _constant(builder: Builder, number: int) -> SSAValue:
    constant = arith.ConstantOp(IntegerAttr(number, IndexType()))
    return builder.insert(constant).result
