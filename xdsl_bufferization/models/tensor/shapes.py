"""How tensor ops bufferize that ask for the shape of a tensor, or change its type."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.host.releases import memref_dim
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    MemoryUse,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.interfaces.contents import ForwardingOpInterface
from xdsl_bufferization.interfaces.registry import always, never
from xdsl_bufferization.models.shared.allocations import InMemorySpaceOfSource
from xdsl_bufferization.models.shared.loops import reshape_of
from xdsl_bufferization.support.attributes import reassociation
from xdsl_bufferization.support.memref_types import (
    collapse_type,
    expand_type,
    fully_dynamic_type,
    has_identity_layout,
    identity_type,
    ranked_type,
)
from xdsl_bufferization.support.shaped_types import ranked_memref, ranked_shape

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


class CastModel(ViewModel, ForwardingOpInterface):
    """`tensor.cast`: `memref.cast` to a type with the same layout."""

    def forwarded(self, op: Operation) -> Sequence[int]:
        return (0,)

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
        collapsed = memref.CollapseShapeOp.create(
            operands=(source,),
            result_types=(bufferizer.buffer_type(op.results[0]),),
            properties=op.properties.copy(),
        )
        bufferizer.replace(op, [bufferizer.insert(collapsed)])


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
        reshaped = ReshapeOp(source, shape, bufferizer.buffer_type(op.results[0]))
        bufferizer.replace(op, [bufferizer.insert(reshaped)])
