"""
Hoists the buffers of loops into memory that they share.

All decisions are taken before the function changes, those of inner loops first: what is
hoisted out of an inner loop is allocated by the loop around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.called_functions import call_effects
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.placement.arena_allocation import allocate_before
from xdsl_bufferization.placement.arena_buffers import ONE
from xdsl_bufferization.placement.arenas import Arena, Region
from xdsl_bufferization.placement.loop_buffers import (
    HoistableBuffers,
    LoopBuffer,
    LoopBuffers,
)
from xdsl_bufferization.placement.loop_memory import LoopMemory, memory_for
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    is_call,
    outermost_function,
)
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.support.walk import walk


def hoist_shared(module: ModuleOp, functions: Sequence[Operation]) -> None:
    """
    Move allocations of these functions of the module out of loops as far as that does not
    raise the peak, whatever memory functions need that the loops call.
    """
    for function in functions:
        _compute_sizes_before_loops(function)
    calls, callees = call_effects(module), AllocatingCalls(module)
    # No function changes before all are known to be valid.
    for planned in [_plan(function, calls, callees) for function in functions]:
        for op, anchor in planned.on_stack:
            _move_before(op, anchor)
        for group, memory in planned.memories:
            _hoist(planned.function, group, memory)


def _compute_sizes_before_loops(function: Operation) -> None:
    if any(allocated_by(op) and op.operands for op in walk([function])):
        # Most programs have no dynamic sizes.
        from xdsl_bufferization.placement.invariant_sizes import compute_before_loops

        compute_before_loops(function)


class _Planned(NamedTuple):
    """The allocations to hoist in a function."""

    function: Operation
    on_stack: Sequence[tuple[Operation, Operation]]
    """Allocations on the stack, each with the op before which to insert it."""
    memories: Sequence[tuple[LoopBuffers, LoopMemory]]


def _plan(
    function: Operation, calls: CallEffects, callees: AllocatingCalls
) -> _Planned:
    found = HoistableBuffers(function, calls, callees.allocates)
    anchors: dict[Operation, Operation] = {}
    """By allocation that has left inner loops: the loop before which it is."""
    memories: list[tuple[LoopBuffers, LoopMemory]] = []
    for group in found.inner_first():
        memory = memory_for(group.buffers, partial(found.others, group, anchors))
        if memory is not None:
            memories.append((group, memory))
            anchors.update((buffer.op, group.anchor) for buffer in memory.buffers())
    return _Planned(function, found.on_stack, memories)


def _hoist(function: Operation, group: LoopBuffers, memory: LoopMemory) -> None:
    for slot in memory.slots:
        _share(slot, group.anchor)
    if memory.plan is not None:
        region = Region(ONE, memory.arena, memory.plan)
        allocate_before(Arena(function, group.memory_space, [region]), group.anchor)


def _share(slot: Sequence[LoopBuffer], anchor: Operation) -> None:
    """Let the buffers be one allocation before the op."""
    first, *rest = (buffer.op for buffer in slot)
    _move_before(first, anchor)
    for op in rest:
        op.results[0].replace_all_uses_with(first.results[0])
        Rewriter.erase_op(op)


def _move_before(op: Operation, anchor: Operation) -> None:
    op.detach()
    block_of(anchor).insert_op_before(op, anchor)


class AllocatingCalls:
    """
    The calls of a module that may allocate, found by one walk when it is first asked.

    A function without a body does not count: what it allocates is not the program's.
    """

    def __init__(self, module: ModuleOp):
        self._module = module

    def allocates(self, op: Operation) -> bool:
        """Whether the op is a call that may allocate."""
        if not is_call(op):
            return False
        if not isinstance(op, func.CallOp):
            return True
        return self._graph.callee(op) in self._allocating

    @cached_property
    def _graph(self) -> CallGraph:
        return CallGraph(self._module)

    @cached_property
    def _allocating(self) -> set[Operation | None]:
        """The functions that may allocate, themselves or by what they call."""
        found: set[Operation | None] = set()
        pending = [f for f in self._graph.functions if any(map(_allocates, walk([f])))]
        while pending:
            function = pending.pop()
            if function not in found:
                found.add(function)
                calls = self._graph.calls[function]
                pending.extend(filter(None, map(outermost_function, calls)))
        return found


def _allocates(op: Operation) -> bool:
    return bool(allocated_by(op)) or (is_call(op) and not isinstance(op, func.CallOp))
