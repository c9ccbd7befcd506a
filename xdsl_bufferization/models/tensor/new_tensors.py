"""
Tensor ops whose result is a new tensor. They are bufferized to an allocation and its contents;
those made of scalars may be computed again instead of copied, padding and concatenation become
insertions into an empty tensor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from math import prod

from xdsl.builder import Builder
from xdsl.dialects import arith, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    AnyFloatConstr,
    IntegerAttr,
    IntegerType,
    SignlessIntegerConstraint,
    TensorType,
)
from xdsl.dialects.utils import split_dynamic_index_list
from xdsl.dialects.utils.dynamic_index_list import get_dynamic_index_list
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.host.releases import linalg_ops
from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    MemoryUse,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.interfaces.contents import (
    InsertionsOpInterface,
    RematerializationOpInterface,
)
from xdsl_bufferization.interfaces.destination_style import on_other_operands
from xdsl_bufferization.interfaces.registry import always, answering, never
from xdsl_bufferization.interfaces.reify import (
    ReifyRankedShapedTypeOpInterface,
    Size,
)
from xdsl_bufferization.interfaces.tiling import Box
from xdsl_bufferization.memrefs.sizes.computation import SizeComputation
from xdsl_bufferization.models.shared.allocations import (
    InMemorySpaceOfSource,
    cast_elements,
    elementwise,
)
from xdsl_bufferization.models.shared.destinations import ParallelRegionModel
from xdsl_bufferization.models.shared.slices import (
    buffer_size,
    buffer_sizes,
    traced_size,
    traced_sizes,
)
from xdsl_bufferization.support.attributes import integers, known_attribute, slice_op
from xdsl_bufferization.support.data_layout import DataLayout, bytes_of_contents
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.limits import MAX_OPS_PER_ELEMENT
from xdsl_bufferization.support.memref_types import subview_type
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import terminator_of
from xdsl_bufferization.support.shaped_types import (
    ranked_memref,
    ranked_shape,
    ranked_tensor,
    resized,
)

_CAST = AnyFloatConstr | SignlessIntegerConstraint
"""The types that `arith.bitcast` casts."""


class AllocatingModel(BufferizableOpInterface):
    """An op that computes its result into a new buffer."""

    allocates = always

    def dynamic_sizes(self, op: Operation, bufferizer: Bufferizer) -> Sequence[Size]:
        """The sizes of the new buffer that its type does not tell. By default there are none."""
        return ()

    def compute(self, op: Operation, buffer: SSAValue, bufferizer: Bufferizer) -> None:
        """Insert ops that write the contents to the new buffer. By default none."""

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        sizes = [bufferizer.index(size) for size in self.dynamic_sizes(op, bufferizer)]
        buffer = bufferizer.alloc(bufferizer.buffer_type(op.results[0]), sizes)
        self.compute(op, buffer, bufferizer)
        bufferizer.replace(op, [buffer])


class EmptyModel(AllocatingModel):
    """`tensor.empty`: a new buffer with undefined contents."""

    defines_contents = never

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        # xDSL does not verify it.
        (result,) = op.results
        if len(op.operands) != ranked_shape(result).count(DYNAMIC_INDEX):
            raise BufferizationError(
                op, f"has {len(op.operands)} sizes for a result of type {result.type}"
            )

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse:
        results = op.results if op.results[0].first_use else ()
        return MemoryUse(results, touches=False)

    def dynamic_sizes(self, op: Operation, bufferizer: Bufferizer) -> Sequence[Size]:
        return op.operands

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        if op.results[0].first_use is None:
            bufferizer.replace(op)
        else:
            super().bufferize(op, bufferizer)


class FromElementsModel(AllocatingModel):
    """`tensor.from_elements`: a store for each element."""

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        # xDSL does not verify it.
        (result,) = op.results
        if len(op.operands) != prod(ranked_shape(result)):
            raise BufferizationError(
                op,
                f"has {len(op.operands)} elements for a result of type {result.type}",
            )

    def compute(self, op: Operation, buffer: SSAValue, bufferizer: Bufferizer) -> None:
        shape = ranked_shape(op.results[0])
        constants = [bufferizer.constant(i) for i in range(max(shape, default=0))]
        positions = product(*map(range, shape))
        for element, position in zip(op.operands, positions, strict=True):
            indices = [constants[i] for i in position]
            bufferizer.insert(memref.StoreOp.get(element, buffer, indices))


class SplatModel(AllocatingModel):
    """`tensor.splat`: a fill of a new buffer."""

    def dynamic_sizes(self, op: Operation, bufferizer: Bufferizer) -> Sequence[Size]:
        return op.operands[1:]

    def compute(self, op: Operation, buffer: SSAValue, bufferizer: Bufferizer) -> None:
        body = Region(Block((tensor.YieldOp(op.operands[0]),)))
        _generate(buffer, body, bufferizer)


class GenerateModel(AllocatingModel, ParallelRegionModel):
    """`tensor.generate`: a `linalg.generic` that computes each element from its index."""

    def dynamic_sizes(self, op: Operation, bufferizer: Bufferizer) -> Sequence[Size]:
        return op.operands

    def compute(self, op: Operation, buffer: SSAValue, bufferizer: Bufferizer) -> None:
        _generate(buffer, op.detach_region(0), bufferizer)


class PadModel(GenerateModel, InMemorySpaceOfSource):
    """
    `tensor.pad`: the padding all over a new buffer in the memory space of the source, then
    a copy of the source.
    """

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        for width in (*integers(op, "static_low"), *integers(op, "static_high")):
            if width < 0 and width != DYNAMIC_INDEX:
                raise BufferizationError(
                    op,
                    f"has a negative padding ({width}), which is not bufferizable",
                    hint="cut elements off with tensor.extract_slice",
                )

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse:
        return MemoryUse(op.results, copied=(0,))

    def dynamic_sizes(self, op: Operation, bufferizer: Bufferizer) -> Sequence[Size]:
        source, shape = bufferizer.buffer(op.operands[0]), ranked_shape(op.results[0])
        return [
            bufferizer.sum(below, buffer_size(source, i, bufferizer), above)
            for i, (below, above) in enumerate(zip(*padding_widths(op), strict=True))
            if shape[i] == DYNAMIC_INDEX
        ]

    def compute(self, op: Operation, buffer: SSAValue, bufferizer: Bufferizer) -> None:
        super().compute(op, buffer, bufferizer)
        source, (low, _) = bufferizer.buffer(op.operands[0]), padding_widths(op)
        bufferizer.copy(source, _slice(buffer, low, source, bufferizer))


class BitcastModel(AllocatingModel):
    """`tensor.bitcast`: a `linalg.generic` that casts each element to a new buffer."""

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        source, target = op.operands[0].type, op.results[0].type
        widths = {
            type.element_type.bitwidth
            if isinstance(type, TensorType) and _CAST.verifies(type.element_type)
            else None
            for type in (source, target)
        }
        if len(widths) > 1 or None in widths:
            raise BufferizationError(
                op,
                f"cannot cast each element of {source} to one of {target}",
                hint="cast ranked tensors of floats and signless integers of one width",
            )

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        cast_elements(op, arith.BitcastOp, bufferizer)


class ConcatModel(AllocatingModel):
    """`tensor.concat`: a copy of each input into its part of a new buffer."""

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse:
        return MemoryUse(op.results, copied=range(len(op.operands)))

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        sources = bufferizer.operands(op)
        dim = known_attribute(op, "dim", IntegerAttr).value.data
        sizes = [buffer_sizes(source, bufferizer) for source in sources]
        shape = ranked_shape(op.results[0])
        total = [
            bufferizer.sum(*(size[i] for size in sizes)) if i == dim else sizes[0][i]
            for i in range(len(shape))
        ]
        buffer = bufferizer.alloc(
            bufferizer.buffer_type(op.results[0]),
            [
                bufferizer.index(size)
                for size, static in zip(total, shape, strict=True)
                if static == DYNAMIC_INDEX
            ],
        )
        offsets: list[SSAValue | int] = [0] * len(shape)
        for source, size in zip(sources, sizes, strict=True):
            bufferizer.copy(source, _slice(buffer, offsets, source, bufferizer))
            offsets[dim] = bufferizer.sum(offsets[dim], size[dim])
        bufferizer.replace(op, [buffer])


@dataclass(frozen=True)
class SizesFromOperands(ReifyRankedShapedTypeOpInterface):
    """The operands from `first` on are the dynamic sizes of the result."""

    first: int = 0

    def reify(self, op: Operation, builder: Builder) -> Sequence[Sequence[Size]]:
        shape = ranked_shape(op.results[0])
        return (
            get_dynamic_index_list(shape, op.operands[self.first :], DYNAMIC_INDEX),
        )


def _generate(buffer: SSAValue, region: Region, bufferizer: Bufferizer) -> None:
    """Store in each element of the buffer what the region yields for its indices."""
    block = region.block
    yield_op = terminator_of(block)
    yielded = yield_op.operands[0]
    if (
        yield_op is block.first_op
        and yielded.owner is not block
        and isinstance(yielded.type, AnyFloat | IntegerType)
    ):
        region.drop_all_references()
        bufferizer.insert(linalg_ops.FillOp((yielded,), (buffer,), ()))
        return
    type = ranked_memref(buffer.type)
    for argument in reversed(block.args):
        index = linalg_ops.IndexOp(argument.index)
        Rewriter.insert_op(index, InsertPoint.at_start(block))
        argument.replace_all_uses_with(index.result)
        block.erase_arg(argument)
    block.insert_arg(type.element_type, 0)
    Rewriter.replace_op(yield_op, linalg_ops.YieldOp(yield_op.operands[0]))
    elementwise((), buffer, region, bufferizer)


def _slice(
    buffer: SSAValue,
    offsets: Sequence[SSAValue | int],
    part: SSAValue,
    bufferizer: Bufferizer,
) -> SSAValue:
    """The subview of the buffer at the offsets, of the sizes of `part`."""
    sizes = buffer_sizes(part, bufferizer)
    strides = [1] * len(sizes)
    static_offsets, _ = split_dynamic_index_list(offsets, DYNAMIC_INDEX)
    static_sizes, _ = split_dynamic_index_list(sizes, DYNAMIC_INDEX)
    type = subview_type(
        ranked_memref(buffer.type),
        static_offsets,
        static_sizes,
        strides,
        static_sizes,
    )
    subview = memref.SubviewOp.get(buffer, offsets, sizes, strides, type)
    return bufferizer.insert(subview).result


class EmptyRematerialization(RematerializationOpInterface):
    """`tensor.empty`: another tensor without contents."""

    bytes_read = answering(0)

    bytes_written = answering(0)


class ScalarsRematerialization(RematerializationOpInterface):
    """`tensor.from_elements`, `tensor.splat`: scalars are stored."""

    bytes_read = answering(0)


class GenerateRematerialization(RematerializationOpInterface):
    """`tensor.generate`, if its body is a few ops of arith and loads of elements."""

    def bytes_read(self, op: Operation) -> int | None:
        if bytes_of_contents(op.results[0]) is None:
            return None
        read = 0
        body = [*op.regions[0].block.ops][:-1]
        if MAX_OPS_PER_ELEMENT.exceeded_by(len(body)):
            return None
        for nested in body:
            if isinstance(nested, tensor.ExtractOp):
                source = ranked_tensor(nested.tensor.type)
                stride = DataLayout.of(op).stride_in_bytes(source.element_type)
                if stride is None:
                    return None
                read += stride
            elif not op_name(nested).startswith("arith."):
                return None
        return read * prod(ranked_shape(op.results[0]))


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
        numbers = SizeComputation(builder)
        sizes = [
            numbers.sum(numbers.sum(below, extent), above)
            for below, extent, above in zip(low, inner, high, strict=True)
        ]
        padded = _empty(numbers, result.type, sizes)
        fill: Operation | None = None
        for offsets, slab in _border(low, inner, high, sizes, numbers):
            # Of its own, so that it may be in what the pad is inserted into.
            part = _empty(numbers, resized(result.type, slab), slab)
            # xDSL takes five times as long to make the body of a fill as to clone it.
            fill = (
                linalg_ops.FillOp((value,), (part,), (part.type,))
                if fill is None
                else on_other_operands(fill, (value, part))
            )
            filled = builder.insert(fill).results[0]
            padded = _insert(numbers, filled, padded, offsets, slab)
        return _insert(numbers, source, padded, low, inner)

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
        numbers = SizeComputation(builder)
        ends = [*accumulate(extents, numbers.sum)]
        sizes[dim] = ends[-1]
        whole = _empty(numbers, op.results[0].type, sizes)
        offsets: list[Size] = [0] * len(sizes)
        for part, sizes[dim], end in zip(op.operands, extents, ends, strict=True):
            whole = _insert(numbers, part, whole, offsets, sizes)
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
    numbers: SizeComputation,
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
                offset = numbers.sum(below, extent) if is_above else 0
                yield [*offsets[:dim], offset, *offsets[dim + 1 :]], slab
        # The slabs of the other dimensions are between those of this one.
        offsets[dim], sizes[dim] = below, extent


def _empty(
    numbers: SizeComputation, type: Attribute, sizes: Sequence[Size]
) -> SSAValue:
    """An empty tensor of the type, and of these sizes."""
    dynamic = [
        numbers.index(size)
        for size, static in zip(sizes, ranked_tensor(type).get_shape(), strict=True)
        if static == DYNAMIC_INDEX
    ]
    return numbers.builder.insert(tensor.EmptyOp(dynamic, type)).tensor


def _insert(
    numbers: SizeComputation,
    part: SSAValue,
    whole: SSAValue,
    offsets: Sequence[Size],
    sizes: Sequence[Size],
) -> SSAValue:
    """The tensor `whole` with a part of these sizes at the offsets."""
    sizes = [
        numbers.index(size) if static == DYNAMIC_INDEX else static
        for size, static in zip(sizes, ranked_shape(part), strict=True)
    ]
    insertion = slice_op(
        tensor.InsertSliceOp, [part, whole], whole.type, offsets, sizes
    )
    return numbers.builder.insert(insertion).result
