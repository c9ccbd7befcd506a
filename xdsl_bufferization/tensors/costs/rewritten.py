"""Costs of functions on buffers: of a clone of the program that is rewritten."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.dialects import func, memref
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.sizes import Expression, Symbol
from xdsl_bufferization.placement.arena_buffers import (
    UNKNOWN_SIZE,
    arena_buffers,
    size_in_bytes,
)
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import memory_space_of
from xdsl_bufferization.support.regions import index_of
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.costs.buffer_bytes import Bytes, bytes_in
from xdsl_bufferization.tensors.costs.executions import executions
from xdsl_bufferization.tensors.costs.figures import (
    FunctionCosts,
    LiveMemory,
    copies_of,
)
from xdsl_bufferization.tensors.costs.moves import NO_MOVES, Moves


def costs_on_buffers(
    function: func.FuncOp,
    origin: Callable[[Operation], Operation | None],
    moves: Moves = NO_MOVES,
) -> FunctionCosts:
    """
    The costs of a function on buffers, if each allocation is freed after its last use.

    `origin` gives the op of the tensor program whose work an op of the function does; `moves`
    are those of the tensor program.
    """
    known = _BytesOfOrigins(function, origin)
    made = [
        (op, known.of(model.source(op)) or Bytes(0))
        for op in walk([function])
        if (model := CopyOpInterface.of(op)) is not None
    ]
    copies = copies_of([size for _, size in made])._replace(
        repeated=sum(size.number * (executions(op) - 1) for op, size in made)
    )
    spaces = [
        memory_space_of(type)
        for type in function.function_type.outputs
        if is_memref_type(type)
    ]
    live = _live_memory(function, origin, known)
    return FunctionCosts(copies, live, spaces, moves)


class _BytesOfOrigins:
    """
    The bytes of memrefs of a function, in terms of values of the tensor program where these have
    the sizes that they depend on: of the function's arguments, and of results of ops.
    """

    def __init__(
        self, function: Operation, origin: Callable[[Operation], Operation | None]
    ):
        self._function = function
        self._origin = origin
        self._bytes = bytes_in(function)

    def of(self, value: SSAValue) -> Bytes | None:
        """The bytes of a memref; `None` if they are unknown."""
        found = self._bytes.of(value)
        if found is None or found.run_time is None:
            return found
        symbols = {s: Expression.of(self._in_origin(s)) for s in found.run_time.symbols}
        return found._replace(run_time=found.run_time.substituted(symbols))

    def _in_origin(self, symbol: Symbol) -> Symbol:
        value = symbol.value
        values: Sequence[SSAValue] = ()
        if isinstance(value, OpResult):
            origin = self._origin(value.op)
            values = () if origin is None else origin.results
        elif value.owner is self._function.regions[0].first_block:
            origin = self._origin(self._function)
            block = None if origin is None else origin.regions[0].first_block
            values = () if block is None else block.args
        index = index_of(value)
        return symbol._replace(value=values[index]) if index < len(values) else symbol


def _live_memory(
    function: Operation,
    origin: Callable[[Operation], Operation | None],
    known: _BytesOfOrigins,
) -> Sequence[LiveMemory]:
    """The allocations; those that are not freed are alive to the end."""

    layout = DataLayout.of(function)
    points = ProgramPoints(function)

    def assumed(op: memref.AllocOp) -> Expression | str:
        size = size_in_bytes(op.memref.type, layout, any_layout=False)
        if size == UNKNOWN_SIZE and (found := known.of(op.memref)) is not None:
            size = found.number or UNKNOWN_SIZE
        return size if isinstance(size, str) else Expression.constant(size)

    try:
        buffers = arena_buffers(function, points, 1, CallEffects(), assumed).placed
    except BufferizationError:
        # Control flow is unknown.
        buffers = ()
    live = [
        LiveMemory(
            min(int(points.position(buffer.op)), buffer.lower),
            buffer.upper,
            buffer.size,
            memory_space_of(buffer.op.memref.type),
            origin(buffer.op),
            _run_time(known.of(buffer.op.memref)),
        )
        for buffer in buffers
    ]
    placed = {buffer.op for buffer in buffers}
    live += [
        LiveMemory(
            int(points.position(op)),
            math.inf,
            size.number,
            memory_space_of(allocated.type),
            origin(op),
            size.run_time,
        )
        for op in walk([function])
        if op not in placed
        for allocated in allocated_by(op)
        if (size := known.of(allocated)) is not None and size.number
    ]
    return live


def _run_time(size: Bytes | None) -> Expression | None:
    return None if size is None else size.run_time
