"""
Copies and memory of functions on buffers, measured without the decisions that led to them.

The costs of a tensor program, which follow from the decisions, are held against those of the clone
that is rewritten, and the golden corpus has the figures of what pipelines make.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from xdsl.dialects import func, memref
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.sizes import Expression, Symbol
from xdsl_bufferization.memrefs.buffers.allocation_uses import (
    AllocationUses,
    MemrefFlows,
)
from xdsl_bufferization.memrefs.buffers.call_effects import CallEffects
from xdsl_bufferization.memrefs.buffers.program_points import ProgramPoints
from xdsl_bufferization.memrefs.placement.arena_buffers import (
    UNKNOWN_SIZE,
    arena_buffers,
    size_in_bytes,
)
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import memory_space_of
from xdsl_bufferization.support.regions import index_of, walk
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.tensors.costs.profile import (
    NO_MOVES,
    Allocation,
    BufferBytes,
    Copies,
    Cost,
    Moves,
    Profile,
    assumed,
    executions,
    profiles,
    sizes_if_asked,
    total,
)


def bytes_in(function: Operation) -> BufferBytes:
    """The bytes of the tensors and memrefs of a function, as long as it does not change."""
    return BufferBytes(DataLayout.of(function), sizes_if_asked())


class FunctionOnBuffers:
    """
    The costs of a function on buffers, if each allocation is freed after its last use.

    `origin` gives the op of the tensor program whose work an op of the function does; `moves`
    are those of the tensor program.
    """

    def __init__(
        self,
        function: func.FuncOp,
        origin: Callable[[Operation], Operation | None] = lambda op: op,
        moves: Moves = NO_MOVES,
    ):
        self._function = function
        self._origin = origin
        self._bytes = bytes_in(function)
        self.profiles: Mapping[Attribute, Profile] = profiles(self._allocations())
        """By memory space: the memory that is allocated."""
        self.cost = Cost(
            self._copies(),
            {space: of.peak_of_sizes for space, of in self.profiles.items()},
            moves,
        )
        self.spaces_of_results: Sequence[Attribute] = [
            memory_space_of(type)
            for type in function.function_type.outputs
            if is_memref_type(type)
        ]

    def _copies(self) -> Copies:
        made = [
            (op, self._size(model.source(op)) or Expression({}))
            for op in walk([self._function])
            if (model := CopyOpInterface.of(op)) is not None
        ]
        repeated = sum(assumed(size) * (executions(op) - 1) for op, size in made)
        return Copies(len(made), total(size for _, size in made), repeated)

    def _size(self, value: SSAValue) -> Expression | None:
        """
        The bytes of a memref, in terms of values of the tensor program where these have the sizes
        that they depend on: of the function's arguments, and of results of ops.
        """
        size = self._bytes.of(value)
        if size is None:
            return None
        return size.substituted({s: self._in_origin(s) for s in size.symbols})

    def _in_origin(self, symbol: Symbol) -> Expression:
        value = symbol.value
        values: Sequence[SSAValue] = ()
        if isinstance(value, OpResult):
            origin = self._origin(value.op)
            values = () if origin is None else origin.results
        elif value.owner is self._function.body.first_block:
            origin = self._origin(self._function)
            block = None if origin is None else origin.regions[0].first_block
            values = () if block is None else block.args
        if (index := index_of(value)) < len(values):
            symbol = symbol._replace(value=values[index])
        return Expression.of(symbol)

    def _allocations(self) -> Iterator[Allocation]:
        """The allocations; those that are not freed are alive to the end."""
        layout = DataLayout.of(self._function)
        points = ProgramPoints(self._function)

        def size_of(op: memref.AllocOp) -> Expression | str:
            size = size_in_bytes(op.memref.type, layout, any_layout=False)
            if size == UNKNOWN_SIZE and (known := self._size(op.memref)) is not None:
                size = assumed(known) or UNKNOWN_SIZE
            return size if isinstance(size, str) else Expression.constant(size)

        try:
            graph = MemrefFlows(self._function).graph(self._function)
            buffers = arena_buffers(
                AllocationUses(graph, CallEffects()), points, 1, size_of
            ).placed
        except BufferizationError:
            # Control flow is unknown.
            buffers = ()
        for buffer in buffers:
            op, size = buffer.op, self._size(buffer.op.memref)
            if size is None or size.number is not None:
                size = Expression.constant(buffer.size)
            start = min(int(points.position(op)), buffer.lower)
            space = memory_space_of(op.memref.type)
            yield Allocation(start, buffer.upper, size, space, self._origin(op))
        placed = {buffer.op for buffer in buffers}
        for op in walk([self._function]):
            for value in () if op in placed else allocated_by(op):
                size = self._size(value)
                if size is not None and assumed(size):
                    start, space = int(points.position(op)), memory_space_of(value.type)
                    yield Allocation(start, math.inf, size, space, self._origin(op))
