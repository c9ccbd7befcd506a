"""Costs of functions on buffers: of a clone of the program that is rewritten."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.dialects import func
from xdsl.ir import Operation

from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.placement.static_buffers import static_buffers
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import memory_space_of
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.costs.figures import Copies, FunctionCosts, LiveMemory
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
    copies = Copies()
    for op in walk([function]):
        if (model := CopyOpInterface.of(op)) is not None:
            copies += Copies(1, bytes_of_contents(model.source(op)) or 0)
    spaces = [
        memory_space_of(type)
        for type in function.function_type.outputs
        if is_memref_type(type)
    ]
    return FunctionCosts(copies, _live_memory(function, origin), spaces, moves)


def _live_memory(
    function: Operation, origin: Callable[[Operation], Operation | None]
) -> Sequence[LiveMemory]:
    """The allocations; those that are not freed are alive to the end."""
    try:
        buffers = static_buffers(function, 1, CallEffects()).placed
    except BufferizationError:
        # Control flow is unknown.
        buffers = ()
    points = ProgramPoints(function)
    live = [
        LiveMemory(
            min(int(points.position(buffer.op)), buffer.lower),
            buffer.upper,
            buffer.size,
            memory_space_of(buffer.op.memref.type),
            origin(buffer.op),
        )
        for buffer in buffers
    ]
    placed = {buffer.op for buffer in buffers}
    live += [
        LiveMemory(
            int(points.position(op)),
            math.inf,
            size,
            memory_space_of(allocated.type),
            origin(op),
        )
        for op in walk([function])
        if op not in placed
        for allocated in allocated_by(op)
        if (size := bytes_of_contents(allocated))
    ]
    return live
