"""
How tensor ops bufferize that view a tensor: slices, to subviews and copies into them; reshapes and
casts; and those that ask for its shape.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from xdsl.builder import Builder
from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.host.releases import memref_dim
from xdsl_bufferization.interfaces.buffer_effects import BufferEffectsOpInterface
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    BufferRelation,
    MemoryUse,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.interfaces.contents import ForwardingOpInterface
from xdsl_bufferization.interfaces.registry import always, answering, never
from xdsl_bufferization.interfaces.subset import (
    WHOLE,
    Slice,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.models.shared.allocations import InMemorySpaceOfSource
from xdsl_bufferization.models.shared.destinations import UpdateModel
from xdsl_bufferization.models.shared.loops import (
    only_buffer,
    possible_buffers,
    reshape_of,
)
from xdsl_bufferization.models.shared.slices import (
    STATIC_NAMES,
    is_whole,
    slice_of,
    static_slice,
    verify_slice,
)
from xdsl_bufferization.support.attributes import (
    attribute,
    integers,
    reassociation,
    segment_sizes,
)
from xdsl_bufferization.support.memref_types import (
    collapse_type,
    expand_type,
    fully_dynamic_type,
    has_identity_layout,
    identity_type,
    ranked_type,
    subview_type,
    without_casts,
)
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import parent_of
from xdsl_bufferization.support.shaped_types import ranked_memref, ranked_shape


class ExtractSliceModel(BufferizableOpInterface, SubsetExtractionOpInterface):
    """`tensor.extract_slice`: a subview of the source, or all of it."""

    def container(self, op: Operation) -> SSAValue:
        return op.operands[0]

    def subset(self, op: Operation) -> Slice:
        return slice_of(op, first_dynamic=1)

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        verify_slice(op, op.operands[0], op.results[0])

    reads = never

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        whole = _is_source(op, through_loops=True)
        relation = BufferRelation.EQUIVALENT if whole else BufferRelation.UNKNOWN
        return (AliasingValue(op.results[0], relation),)

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        part = self.subset(op)
        # A step of 0 takes one element several times.
        return all(
            size == 1 or (isinstance(step, int) and step != 0)
            for size, step in zip(part.sizes, part.strides, strict=True)
        )

    def read_part(self, op: Operation, operand: int) -> Slice:
        return self.subset(op)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        source = types.buffer_type(op.operands[0])
        if _is_source(op):
            return source
        return subview_type(
            ranked_memref(source),
            *static_slice(op),
            ranked_shape(value),
        )

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse:
        if _is_source(op) or _only_drops_dimensions(op):
            return MemoryUse(touches=False, part=WHOLE)
        return MemoryUse(touches=False, part=_viewed(op, first_dynamic=1))

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        view = bufferizer.buffer(op.operands[0])
        if not _is_source(op):
            view = _subview(op, view, ranked_shape(op.results[0]), bufferizer)
        bufferizer.replace(op, [view])


class InsertSliceModel(UpdateModel, SubsetInsertionOpInterface):
    """`tensor.insert_slice`: a copy into a subview of the destination."""

    def subset(self, op: Operation) -> Slice:
        return slice_of(op, first_dynamic=2)

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        verify_slice(op, op.operands[self.destination], op.operands[0])

    def extraction_operands(self, op: Operation) -> Sequence[SSAValue]:
        return op.operands[1:]

    def build_extraction(self, op: Operation, builder: Builder) -> SSAValue | None:
        segments = integers(op, "operandSegmentSizes")[1:]
        extraction = tensor.ExtractSliceOp.create(
            operands=op.operands[1:],
            result_types=(op.operands[0].type,),
            properties=_slice_properties(op, segments),
        )
        return builder.insert(extraction).result

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand != self.destination or not is_whole(
            self.subset(op), op.operands[operand]
        )

    def is_elementwise(self, op: Operation, a: int, b: int) -> bool:
        # A source of all elements goes to the same indices.
        value = op.operands[self.destination]
        return (
            {a, b} == {0, self.destination}
            and op.operands[0].type == value.type
            and is_whole(self.subset(op), value)
        )

    def written_part(self, op: Operation, operand: int) -> Slice:
        return self.subset(op)

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse:
        return MemoryUse(copied=(0,), part=_viewed(op, first_dynamic=2))

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source, destination, *_ = bufferizer.operands(op)
        # A part may be taken from the buffer that a conditional yields in all regions.
        containers = {without_casts(destination), only_buffer(destination, bufferizer)}
        if not all(
            any(_is_slice_of(buffer, op, container) for container in containers)
            for buffer in possible_buffers(source, bufferizer)
        ):
            shape = ranked_shape(op.operands[0])
            view = _subview(op, destination, shape, bufferizer)
            bufferizer.copy(source, view)
        bufferizer.replace(op, [destination])


class ParallelInsertSliceModel(InsertSliceModel, BufferEffectsOpInterface):
    """
    `tensor.parallel_insert_slice`: a copy into a subview of the shared output, at the end
    of the iteration.
    """

    aliasing_values = answering(())

    def must_be_in_place(self, op: Operation, operand: int) -> bool:
        # The loop's result is what has been written to the output.
        return operand == self.destination

    def is_not_conflicting(
        self, op: Operation, read: tuple[Operation, int], write: tuple[Operation, int]
    ) -> bool:
        # All insertions of an iteration happen at once: none reads what another one writes.
        return (
            read[0].parent is write[0].parent
            and read[1] == write[1] == self.destination
            and all(
                BufferizableOpInterface.of(user) is self for user, _ in (read, write)
            )
        )

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        bufferizer.insert_in_front_of(parent_of(op))
        super().bufferize(op, bufferizer)


def _slice_properties(op: Operation, segments: Sequence[int]) -> dict[str, Attribute]:
    """The properties of an op on the same slice, with other operand segments."""
    properties: dict[str, Attribute] = {
        name: found
        for name in STATIC_NAMES
        if (found := attribute(op, name)) is not None
    }
    properties["operandSegmentSizes"] = segment_sizes(*segments)
    return properties


def _viewed(op: Operation, first_dynamic: int) -> Hashable:
    """A key of the op's slice: equal for equal subviews."""
    return (*static_slice(op), *op.operands[first_dynamic:])


def _is_source(op: Operation, *, through_loops: bool = False) -> bool:
    """
    Whether an `extract_slice` takes all of its source, and with the same type. During the
    rewrite, `is_whole` must not look through loops.
    """
    source = op.operands[0]
    return op.results[0].type == source.type and is_whole(
        slice_of(op, first_dynamic=1), source, through_loops=through_loops
    )


def _only_drops_dimensions(op: Operation) -> bool:
    """Whether an `extract_slice` or a `memref.subview` takes all elements of its source."""
    return slice_of(op, first_dynamic=1).is_all_of(ranked_shape(op.operands[0]))


def _subview(
    op: Operation, source: SSAValue, shape: Sequence[int], bufferizer: Bufferizer
) -> SSAValue:
    """The subview of `source` at the offsets, sizes and strides of the op."""
    type = subview_type(ranked_memref(source.type), *static_slice(op), shape)
    segments = [1, *integers(op, "operandSegmentSizes")[-3:]]
    subview = memref.SubviewOp.create(
        operands=(source, *op.operands[len(op.operands) - sum(segments[1:]) :]),
        result_types=(type,),
        properties=_slice_properties(op, segments),
    )
    return bufferizer.insert(subview).result


def _is_slice_of(source: SSAValue, op: Operation, destination: SSAValue) -> bool:
    """Whether `source`, which is no cast, is the subview into which the op inserts it."""
    subview = source.owner
    while isinstance(subview, memref.SubviewOp) and _only_drops_dimensions(subview):
        source = without_casts(subview.source)
        subview = source.owner
    return source is destination or (
        isinstance(subview, memref.SubviewOp)
        and without_casts(subview.source) is destination
        and static_slice(subview) == static_slice(op)
        and [*subview.operands[1:]] == [*op.operands[2:]]
    )


# The shape itself ----------------------------------------------------------------------


class DimModel(BufferizableOpInterface):
    """`tensor.dim`: the size of the buffer, whatever its contents."""

    reads = never

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source, index = bufferizer.operands(op)
        bufferizer.replace(op, [bufferizer.insert(memref_dim(source, index))])


class RankModel(BufferizableOpInterface):
    """`tensor.rank`: the rank of the buffer, whatever its contents."""

    reads = never

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        # Other tensor ops do not wait for the dialect.
        from xdsl_bufferization.dialects.memref import RankOp

        (source,) = bufferizer.operands(op)
        bufferizer.replace(op, [bufferizer.insert(RankOp(source))])


# The same elements with another type ---------------------------------------------------


class ViewModel(BufferizableOpInterface):
    """An op whose result is its first operand with another type."""

    reads = never

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(op.results[0]),) if operand == 0 else ()

    def replace_by(
        self,
        kind: type[Operation],
        op: Operation,
        operands: Sequence[SSAValue],
        bufferizer: Bufferizer,
    ) -> None:
        """Replace the op by one of this kind, with the same properties, on its buffer."""
        view = kind.create(
            operands=operands,
            result_types=(bufferizer.buffer_type(op.results[0]),),
            properties=op.properties.copy(),
        )
        bufferizer.replace(op, [bufferizer.insert(view)])


class CastModel(ViewModel, ForwardingOpInterface):
    """`tensor.cast`: `memref.cast` to a type with the same layout."""

    forwarded = answering((0,))

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        source = types.buffer_type(op.operands[0])
        if isinstance(source, UnrankedMemRefType):
            return fully_dynamic_type(value.type, source.memory_space)
        result = identity_type(value.type, source.memory_space)
        if isinstance(result, UnrankedMemRefType):
            return result
        return ranked_type(
            result.element_type, result.shape, source.layout, result.memory_space
        )

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        target = bufferizer.buffer_type(op.results[0])
        buffer = bufferizer.buffer(op.operands[0])
        if buffer.type != target:
            buffer = bufferizer.insert(memref.CastOp.get(buffer, target)).dest
        bufferizer.replace(op, [buffer])


class ExpandShapeModel(ViewModel):
    """`tensor.expand_shape`: `memref.expand_shape`, which any layout allows."""

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        return expand_type(
            ranked_memref(types.buffer_type(op.operands[0])),
            ranked_shape(value),
            reassociation(op),
        )

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse:
        return MemoryUse(touches=False, part=reshape_of(op))

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        self.replace_by(memref.ExpandShapeOp, op, bufferizer.operands(op), bufferizer)


class CollapseShapeModel(ViewModel):
    """
    `tensor.collapse_shape`: `memref.collapse_shape`, of a contiguous copy if the merged
    dimensions are not known to be contiguous.
    """

    reads = always

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        source = ranked_memref(types.buffer_type(op.operands[0]))
        view = collapse_type(source, ranked_shape(value), reassociation(op))
        return view or identity_type(value.type, source.memory_space)

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse:
        source = ranked_memref(types.buffer_type(op.operands[0]))
        if has_identity_layout(source) or collapse_type(
            source, ranked_shape(op.results[0]), reassociation(op)
        ):
            return MemoryUse(touches=False, part=reshape_of(op))
        return MemoryUse(op.results, copied=(0,))

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source = bufferizer.buffer(op.operands[0])
        source_type = ranked_memref(source.type)
        shape = ranked_shape(op.results[0])
        if collapse_type(source_type, shape, reassociation(op)) is None:
            source = bufferizer.copied(source)
        self.replace_by(memref.CollapseShapeOp, op, (source,), bufferizer)


class ReshapeModel(ViewModel, InMemorySpaceOfSource):
    """`tensor.reshape`: `memref.reshape`, of a contiguous copy if there is a layout."""

    reads = always

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse:
        source = types.buffer_type(op.operands[0])
        if isinstance(source, UnrankedMemRefType) or has_identity_layout(source):
            return MemoryUse(touches=False)
        return MemoryUse(op.results, copied=(0,))

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        # Other tensor ops do not wait for the dialect.
        from xdsl_bufferization.dialects.memref import ReshapeOp

        source, shape = bufferizer.operands(op)
        if isinstance(source.type, MemRefType) and not has_identity_layout(source.type):
            source = bufferizer.copied(source)
        self.replace_by(ReshapeOp, op, (source, shape), bufferizer)
