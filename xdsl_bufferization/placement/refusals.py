"""
Refusals of programs whose memory cannot be planned: with the op that allocates, and the reason.

Only the arenas of functions that callers outside of the module call, and the results of these
functions, may be allocated in such a program.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.placement.allocations_in_loops import allocations_in_loops
from xdsl_bufferization.placement.arena_buffers import (
    FREED,
    IN_BRANCH,
    KNOWN_LATE,
    RETURNED,
    UNKNOWN_SIZE,
)
from xdsl_bufferization.placement.arenas import Arena
from xdsl_bufferization.support.call_graph import functions_in, is_private
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.regions import walk

_LEAVE = "without static, it is left as an allocation"
BOUND = "by cf.assert in the first block of the function, or by arith.minui"
"""How a program states a bound of a size."""
_BOUND = f"state how large it may get, {BOUND}; {_LEAVE}"
_HINTS = {
    RETURNED: "give the function its result's memory as an argument",
    FREED: "plan before memory is freed",
    UNKNOWN_SIZE: _BOUND,
    KNOWN_LATE: _BOUND,
    IN_BRANCH: _BOUND,
}


def unexpected(
    function: Operation, left: Sequence[tuple[Operation, str]]
) -> Sequence[tuple[Operation, str]]:
    """
    Those of the allocations that are left, with their reasons, that are no results which callers
    outside of the module may get.
    """
    if isinstance(function, func.FuncOp) and is_private(function):
        return left
    return [(op, reason) for op, reason in left if reason != RETURNED]


def refuse_left(left: Sequence[tuple[Operation, str]]) -> None:
    """Raises `BufferizationError` about the first allocation, if there is one."""
    for op, reason in left:
        raise BufferizationError(
            op,
            f"is in no arena: {reason}",
            hint=_HINTS.get(reason, _LEAVE),
        )


def refuse_allocated(arenas: Sequence[Arena], reason: str) -> None:
    """Raises `BufferizationError` if a function allocates an arena that callers should."""
    for arena in arenas:
        raise BufferizationError(
            arena.function,
            f"allocates an arena of {arena.plan.height} bytes in each call: {reason}",
            related=[("it holds", arena.regions[0].buffers[0].op)],
            hint=_LEAVE,
        )


def refuse_repeated(module: ModuleOp) -> None:
    """
    Raises `BufferizationError` about the first op that allocates in a loop, or in a private
    function, after deallocation, which copies what has no single owner.
    """
    for function in functions_in(module):
        if isinstance(function, func.FuncOp) and is_private(function):
            where, ops = "each call", walk([function])
        else:
            where, ops = "each iteration", allocations_in_loops(function)
        for op in filter(allocated_by, ops):
            raise BufferizationError(
                op,
                f"allocates in {where}: memory that is returned or passed on is copied "
                "where it may be that of an argument",
                hint=_LEAVE,
            )


def refuse_others(function: Operation) -> None:
    """Raises `BufferizationError` about the first op that allocates other than `memref.alloc`."""
    for op in walk([function]):
        if not isinstance(op, memref.AllocOp) and allocated_by(op):
            raise BufferizationError(
                op, "is in no arena: only memref.alloc is planned", hint=_LEAVE
            )
