"""How tensor ops bufferize."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import cast

from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    UnrankedMemRefType,
    i32,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import FillOp, GenericOp, IndexOp, YieldOp
from xdsl.dialects.utils import split_dynamic_index_list
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.memref import RankOp, ReshapeOp
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    BufferRelation,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.models.shared.other_interfaces import register_tensor, slice_of
from xdsl_bufferization.models.shared.whole_slices import is_whole
from xdsl_bufferization.support.memref_types import (
    collapse_type,
    expand_type,
    fully_dynamic_type,
    has_identity_layout,
    identity_type,
    subview_type,
    without_casts,
)

# Ops that describe a tensor ------------------------------------------------------------


class DimModel(BufferizableOpInterface):
    """`tensor.dim`: reads the size of the buffer, not its contents."""

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return False

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source, index = bufferizer.operands(op)
        bufferizer.replace(op, [bufferizer.insert(memref.DimOp(source, index))])


class RankModel(BufferizableOpInterface):
    """`tensor.rank`: the rank of the buffer."""

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return False

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        (source,) = bufferizer.operands(op)
        bufferizer.replace(op, [bufferizer.insert(RankOp(source))])


# Ops whose result is a view of their source --------------------------------------------


class ViewModel(BufferizableOpInterface):
    """An op whose result is its source, seen with another type."""

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return False

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(op.results[0]),) if operand == 0 else ()


class CastModel(ViewModel):
    """`tensor.cast`: `memref.cast`, which keeps the layout."""

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        source = types.buffer_type(op.operands[0])
        if isinstance(source, UnrankedMemRefType):
            return fully_dynamic_type(value.type, source.memory_space)
        result = identity_type(value.type, source.memory_space)
        if isinstance(result, UnrankedMemRefType):
            return result
        return MemRefType(
            result.element_type, result.shape, source.layout, result.memory_space
        )

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        target = bufferizer.buffer_type(op.results[0])
        cast_op = memref.CastOp.get(bufferizer.buffer(op.operands[0]), target)
        bufferizer.replace(op, [bufferizer.insert(cast_op)])


class ExpandShapeModel(ViewModel):
    """`tensor.expand_shape`: `memref.expand_shape`, which any layout allows."""

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        return expand_type(
            cast(MemRefType[Attribute], types.buffer_type(op.operands[0])),
            _shape(value),
            _reassociation(op),
        )

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        expanded = memref.ExpandShapeOp.create(
            operands=bufferizer.operands(op),
            result_types=(bufferizer.buffer_type(op.results[0]),),
            properties=op.properties.copy(),
        )
        bufferizer.replace(op, [bufferizer.insert(expanded)])


class CollapseShapeModel(ViewModel):
    """
    `tensor.collapse_shape`: `memref.collapse_shape`, of a contiguous copy if the merged
    dimensions are not known to be contiguous.
    """

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return True

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        source = cast(MemRefType[Attribute], types.buffer_type(op.operands[0]))
        view = collapse_type(source, _shape(value), _reassociation(op))
        return view or identity_type(value.type, source.memory_space)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source = bufferizer.buffer(op.operands[0])
        source_type = cast(MemRefType[Attribute], source.type)
        shape, reassociation = _shape(op.results[0]), _reassociation(op)
        if collapse_type(source_type, shape, reassociation) is None:
            source = bufferizer.copied(source)
        collapsed = memref.CollapseShapeOp.create(
            operands=(source,),
            result_types=(bufferizer.buffer_type(op.results[0]),),
            properties=op.properties.copy(),
        )
        bufferizer.replace(op, [bufferizer.insert(collapsed)])


class ReshapeModel(ViewModel):
    """`tensor.reshape`: `memref.reshape`, of a contiguous copy if there is a layout."""

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return True

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        source = types.buffer_type(op.operands[0])
        return identity_type(value.type, source.memory_space)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source, shape = bufferizer.operands(op)
        if isinstance(source.type, MemRefType) and not has_identity_layout(
            cast(Attribute, source.type)
        ):
            source = bufferizer.copied(source)
        reshaped = ReshapeOp(source, shape, bufferizer.buffer_type(op.results[0]))
        bufferizer.replace(op, [bufferizer.insert(reshaped)])


# Ops on elements and slices ------------------------------------------------------------


class ExtractModel(BufferizableOpInterface):
    """`tensor.extract`: a load."""

    def read_part(self, op: Operation, operand: int) -> Slice:
        return _element(op.operands[1:])

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source, *indices = bufferizer.operands(op)
        load = memref.LoadOp.get(source, indices)
        bufferizer.replace(op, [bufferizer.insert(load)])


class InsertModel(BufferizableOpInterface):
    """`tensor.insert`: a store into the destination."""

    _DESTINATION = 1

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand == self._DESTINATION

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(op.results[0]),) if operand == self._DESTINATION else ()

    def written_part(self, op: Operation, operand: int) -> Slice:
        return _element(op.operands[2:])

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        scalar, destination, *indices = bufferizer.operands(op)
        bufferizer.insert(memref.StoreOp.get(scalar, destination, indices))
        bufferizer.replace(op, [destination])


class ExtractSliceModel(BufferizableOpInterface):
    """`tensor.extract_slice`: a subview of the source, or all of it."""

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return False

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        whole = _is_source(op, through_loops=True)
        relation = BufferRelation.EQUIVALENT if whole else BufferRelation.UNKNOWN
        return (AliasingValue(op.results[0], relation),)

    def read_part(self, op: Operation, operand: int) -> Slice:
        return slice_of(op, first_dynamic=1)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        source = types.buffer_type(op.operands[0])
        if _is_source(op):
            return source
        return subview_type(
            cast(MemRefType[Attribute], source), *_static_slice(op), _shape(value)
        )

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        view = bufferizer.buffer(op.operands[0])
        if not _is_source(op):
            view = _subview(op, view, _shape(op.results[0]), bufferizer)
        bufferizer.replace(op, [view])


class InsertSliceModel(InsertModel):
    """`tensor.insert_slice`: a copy into a subview of the destination."""

    def written_part(self, op: Operation, operand: int) -> Slice:
        return slice_of(op, first_dynamic=2)

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand != self._DESTINATION or not is_whole(
            slice_of(op, first_dynamic=2), op.operands[operand]
        )

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source, destination, *_ = bufferizer.operands(op)
        if not _is_slice_of(source, op, destination):
            view = _subview(op, destination, _shape(op.operands[0]), bufferizer)
            bufferizer.copy(source, view)
        bufferizer.replace(op, [destination])


class ParallelInsertSliceModel(InsertSliceModel):
    """
    `tensor.parallel_insert_slice`: a copy into a subview of the shared output, at the end
    of the run.
    """

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return ()

    def must_be_in_place(self, op: Operation, operand: int) -> bool:
        # The result is what has been written to the output.
        return operand == 1

    def is_not_conflicting(
        self, op: Operation, read: tuple[Operation, int], write: tuple[Operation, int]
    ) -> bool:
        # All insertions of a run happen at once, so none reads what another one writes.
        return (
            read[0].parent is write[0].parent
            and read[1] == write[1] == self._DESTINATION
            and all(
                BufferizableOpInterface.of(user) is self for user, _ in (read, write)
            )
        )

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        parent = op.parent_op()
        assert parent is not None
        bufferizer.insert_in_front_of(parent)
        super().bufferize(op, bufferizer)


def _element(indices: Sequence[SSAValue]) -> Slice:
    ones = (1,) * len(indices)
    return Slice(tuple(indices), ones, ones)


def _static_slice(op: Operation) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    """Offsets, sizes and strides; `DYNAMIC_INDEX` where an operand gives them."""
    return (
        _integers(op, "static_offsets"),
        _integers(op, "static_sizes"),
        _integers(op, "static_strides"),
    )


def _is_source(op: Operation, *, through_loops: bool = False) -> bool:
    """
    Whether an `extract_slice` takes all of its source, as it is. During the rewrite,
    `is_whole` must not look through loops.
    """
    source = op.operands[0]
    return op.results[0].type == source.type and is_whole(
        slice_of(op, first_dynamic=1), source, through_loops=through_loops
    )


def _subview(
    op: Operation, source: SSAValue, shape: Sequence[int], bufferizer: Bufferizer
) -> SSAValue:
    """The subview of `source` at the offsets, sizes and strides of the op."""
    type = subview_type(
        cast(MemRefType[Attribute], source.type), *_static_slice(op), shape
    )
    segments = [1, *_integers(op, "operandSegmentSizes")[-3:]]
    subview = memref.SubviewOp.create(
        operands=(source, *op.operands[len(op.operands) - sum(segments[1:]) :]),
        result_types=(type,),
        properties={
            **{
                name: op.properties[name]
                for name in ("static_offsets", "static_sizes", "static_strides")
            },
            "operandSegmentSizes": DenseArrayBase.from_list(i32, segments),
        },
    )
    return bufferizer.insert(subview).result


def _is_slice_of(source: SSAValue, op: Operation, destination: SSAValue) -> bool:
    """Whether `source` is the subview into which the op inserts it."""
    source, destination = without_casts(source), without_casts(destination)
    subview = source.owner
    return source is destination or (
        isinstance(subview, memref.SubviewOp)
        and without_casts(subview.source) is destination
        and _static_slice(subview) == _static_slice(op)
        and [*subview.operands[1:]] == [*op.operands[2:]]
    )


# Ops that make a new tensor ------------------------------------------------------------


class AllocatingModel(BufferizableOpInterface):
    """An op that computes its result into a new buffer."""

    def allocates(self, op: Operation, result: OpResult) -> bool:
        return True


class EmptyModel(AllocatingModel):
    """`tensor.empty`: a new buffer of which the contents do not matter."""

    def defines_contents(self, op: Operation, result: OpResult) -> bool:
        return False

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        if op.results[0].first_use is None:
            bufferizer.replace(op)
            return
        type = bufferizer.buffer_type(op.results[0])
        bufferizer.replace(op, [bufferizer.alloc(type, op.operands)])


class FromElementsModel(AllocatingModel):
    """`tensor.from_elements`: a store for each element."""

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        buffer = bufferizer.alloc(bufferizer.buffer_type(op.results[0]))
        shape = _shape(op.results[0])
        constants = [bufferizer.constant(i) for i in range(max(shape, default=0))]
        for element, position in zip(op.operands, _positions(shape), strict=True):
            indices = [constants[i] for i in position]
            bufferizer.insert(memref.StoreOp.get(element, buffer, indices))
        bufferizer.replace(op, [buffer])


class SplatModel(AllocatingModel):
    """`tensor.splat`: a fill of a new buffer."""

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        scalar, *sizes = op.operands
        buffer = bufferizer.alloc(bufferizer.buffer_type(op.results[0]), sizes)
        body = Region(Block((tensor.YieldOp(scalar),)))
        _generate(buffer, body, bufferizer)
        bufferizer.replace(op, [buffer])


class GenerateModel(AllocatingModel):
    """`tensor.generate`: a `linalg.generic` that computes each element from its index."""

    def is_repetitive(self, op: Operation, region: int) -> bool:
        return True

    def is_parallel(self, op: Operation, region: int) -> bool:
        return True

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        buffer = bufferizer.alloc(bufferizer.buffer_type(op.results[0]), op.operands)
        _generate(buffer, op.detach_region(0), bufferizer)
        bufferizer.replace(op, [buffer])


class PadModel(GenerateModel):
    """`tensor.pad`: the padding all over a new buffer, then a copy of the source."""

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        pad = cast(tensor.PadOp, op)
        source = bufferizer.buffer(pad.source)
        low = _mixed(pad.static_low.get_values(), pad.low)
        high = _mixed(pad.static_high.get_values(), pad.high)
        shape = _shape(pad.result)
        sizes = [
            bufferizer.sum(below, _size(source, i, bufferizer), above)
            for i, (below, above) in enumerate(zip(low, high, strict=True))
            if shape[i] == DYNAMIC_INDEX
        ]
        buffer = bufferizer.alloc(
            bufferizer.buffer_type(pad.result), [bufferizer.index(s) for s in sizes]
        )
        _generate(buffer, op.detach_region(0), bufferizer)
        bufferizer.copy(source, _slice(buffer, low, source, bufferizer))
        bufferizer.replace(op, [buffer])


class ConcatModel(AllocatingModel):
    """`tensor.concat`: a copy of each input into its part of a new buffer."""

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        sources = bufferizer.operands(op)
        dim = cast(IntegerAttr, op.properties["dim"]).value.data
        sizes = [[*_sizes(source, bufferizer)] for source in sources]
        shape = _shape(op.results[0])
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


def _generate(buffer: SSAValue, region: Region, bufferizer: Bufferizer) -> None:
    """Store at each position of the buffer what the region yields for its indices."""
    block = region.block
    yield_op = cast(Operation, block.last_op)
    yielded = yield_op.operands[0]
    if (
        yield_op is block.first_op
        and yielded.owner is not block
        and isinstance(yielded.type, AnyFloat | IntegerType)
    ):
        region.erase()
        bufferizer.insert(FillOp((yielded,), (buffer,), ()))
        return
    type = cast(MemRefType[Attribute], buffer.type)
    for argument in reversed(block.args):
        index = IndexOp(argument.index)
        Rewriter.insert_op(index, InsertPoint.at_start(block))
        argument.replace_all_uses_with(index.result)
        block.erase_arg(argument)
    block.insert_arg(type.element_type, 0)
    Rewriter.replace_op(yield_op, YieldOp(yield_op.operands[0]))
    rank = type.get_num_dims()
    bufferizer.insert(
        GenericOp(
            (),
            (buffer,),
            region,
            (AffineMapAttr(AffineMap.identity(rank)),),
            (IteratorTypeAttr.parallel(),) * rank,
        )
    )


def _slice(
    buffer: SSAValue,
    offsets: Sequence[SSAValue | int],
    part: SSAValue,
    bufferizer: Bufferizer,
) -> SSAValue:
    """The subview of the buffer at the offsets, of the sizes of `part`."""
    sizes = _sizes(part, bufferizer)
    strides = [1] * len(sizes)
    static_offsets, _ = split_dynamic_index_list(offsets, DYNAMIC_INDEX)
    static_sizes, _ = split_dynamic_index_list(sizes, DYNAMIC_INDEX)
    type = subview_type(
        cast(MemRefType[Attribute], buffer.type),
        static_offsets,
        static_sizes,
        strides,
        static_sizes,
    )
    subview = memref.SubviewOp.get(buffer, offsets, sizes, strides, type)
    return bufferizer.insert(subview).result


def _size(buffer: SSAValue, dim: int, bufferizer: Bufferizer) -> SSAValue | int:
    size = cast(MemRefType[Attribute], buffer.type).get_shape()[dim]
    return bufferizer.dim(buffer, dim) if size == DYNAMIC_INDEX else size


def _sizes(buffer: SSAValue, bufferizer: Bufferizer) -> Sequence[SSAValue | int]:
    rank = cast(MemRefType[Attribute], buffer.type).get_num_dims()
    return [_size(buffer, dim, bufferizer) for dim in range(rank)]


def _positions(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return product(*map(range, shape))


# Reading ops' attributes ---------------------------------------------------------------


def _shape(value: SSAValue) -> tuple[int, ...]:
    return cast(TensorType[Attribute], value.type).get_shape()


def _integers(op: Operation, name: str) -> Sequence[int]:
    values = cast(DenseArrayBase[IntegerType], op.properties[name])
    return values.get_values()


def _mixed(
    static: Sequence[int], dynamic: Sequence[SSAValue]
) -> Sequence[SSAValue | int]:
    values = iter(dynamic)
    return [next(values) if size == DYNAMIC_INDEX else size for size in static]


def _reassociation(op: Operation) -> Sequence[Sequence[int]]:
    groups = cast(ArrayAttr[ArrayAttr[IntegerAttr]], op.properties["reassociation"])
    return [[dim.value.data for dim in group.data] for group in groups.data]


def register() -> None:
    """Register the models for the dialect's ops."""
    register_tensor()
    for name, model in (
        ("cast", CastModel()),
        ("collapse_shape", CollapseShapeModel()),
        ("concat", ConcatModel()),
        ("dim", DimModel()),
        ("empty", EmptyModel()),
        ("expand_shape", ExpandShapeModel()),
        ("extract", ExtractModel()),
        ("extract_slice", ExtractSliceModel()),
        ("from_elements", FromElementsModel()),
        ("generate", GenerateModel()),
        ("insert", InsertModel()),
        ("insert_slice", InsertSliceModel()),
        ("pad", PadModel()),
        ("parallel_insert_slice", ParallelInsertSliceModel()),
        ("rank", RankModel()),
        ("reshape", ReshapeModel()),
        ("splat", SplatModel()),
    ):
        register_model(f"tensor.{name}", model)
