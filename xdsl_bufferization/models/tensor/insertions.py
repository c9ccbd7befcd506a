"""Padding and concatenation as insertions into an empty tensor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.builder import Builder
from xdsl.dialects import tensor
from xdsl.dialects.builtin import AnyFloat, IntegerType, TensorType
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.insertions import InsertionsOpInterface
from xdsl_bufferization.support.attributes import integers
from xdsl_bufferization.support.shaped_types import ranked_shape


class PadInsertions(InsertionsOpInterface):
    """`tensor.pad` with one value of all padding: the border is filled, the rest inserted."""

    def build_insertions(self, op: Operation, builder: Builder) -> SSAValue | None:
        pad = cast(tensor.PadOp, op)
        value = _padding(pad)
        low, high = integers(op, "static_low"), integers(op, "static_high")
        if (
            value is None
            or pad.low
            or pad.high
            or min((*low, *high), default=0) < 0
            or not _are_static(pad.source, pad.result)
        ):
            return None
        result_type = pad.result.type
        padded: SSAValue = builder.insert(tensor.EmptyOp((), result_type)).tensor
        inner = ranked_shape(pad.source)
        for offsets, sizes in _border(low, inner, high):
            slab = tensor.ExtractSliceOp(
                padded,
                offsets,
                sizes,
                [1] * len(sizes),
                TensorType(result_type.element_type, sizes, result_type.encoding),
            )
            filled = FillOp(
                (value,), (builder.insert(slab).result,), (slab.result.type,)
            )
            builder.insert(filled)
            padded = _insert(builder, filled.results[0], padded, offsets)
        return _insert(builder, pad.source, padded, low)


class ConcatInsertions(InsertionsOpInterface):
    """`tensor.concat`: each input is inserted behind those before it."""

    def build_insertions(self, op: Operation, builder: Builder) -> SSAValue | None:
        concat = cast(tensor.ConcatOp, op)
        if not _are_static(*op.operands, concat.result):
            return None
        dim = concat.dim.value.data
        whole: SSAValue = builder.insert(
            tensor.EmptyOp((), cast(Attribute, concat.result.type))
        ).tensor
        offsets = [0] * len(ranked_shape(concat.result))
        for part in op.operands:
            whole = _insert(builder, part, whole, offsets)
            offsets[dim] += ranked_shape(part)[dim]
        return whole


def _padding(pad: tensor.PadOp) -> SSAValue | None:
    """The scalar that all padding is; `None` if it is computed element by element."""
    block = pad.region.block
    yielded = block.last_op
    if yielded is None or yielded is not block.first_op:
        return None
    value = yielded.operands[0]
    if value.owner is block or not isinstance(value.type, AnyFloat | IntegerType):
        return None
    return value


def _are_static(*values: SSAValue) -> bool:
    return all(
        cast("TensorType[Attribute]", value.type).has_static_shape() for value in values
    )


def _border(
    low: Sequence[int], inner: Sequence[int], high: Sequence[int]
) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Slices, by offsets and sizes, that make up the border and do not overlap."""
    offsets = [0] * len(inner)
    sizes = [sum(extents) for extents in zip(low, inner, high, strict=True)]
    for dim, (below, extent, above) in enumerate(zip(low, inner, high, strict=True)):
        for offset, size in ((0, below), (below + extent, above)):
            slab = [*sizes[:dim], size, *sizes[dim + 1 :]]
            if all(slab):
                yield [*offsets[:dim], offset, *offsets[dim + 1 :]], slab
        # The slabs of the other dimensions are between those of this one.
        offsets[dim], sizes[dim] = below, extent


def _insert(
    builder: Builder, part: SSAValue, whole: SSAValue, offsets: Sequence[int]
) -> SSAValue:
    insertion = tensor.InsertSliceOp.from_static_parameters(
        part, whole, offsets, ranked_shape(part)
    )
    return builder.insert(insertion).result
