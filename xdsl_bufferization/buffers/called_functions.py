"""
The effects of the functions of a module on their memref arguments besides reads and writes: they
may free them, store them in memory, or return them.

It is the least fixed point, computed with a worklist of functions. A function without a body
is assumed neither to free nor to return its arguments.
"""

from __future__ import annotations

from collections.abc import Container

from xdsl.dialects import func
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.buffers.allocation_uses import AllocationUses
from xdsl_bufferization.buffers.call_effects import (
    ArgumentEffect,
    CallEffects,
    freed_operands,
)
from xdsl_bufferization.buffers.stored_memrefs import stored_operands
from xdsl_bufferization.support.call_graph import CallGraph, is_call, outermost_function
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import is_memref_type


def call_effects(module: Operation) -> CallEffects:
    """
    The effects of the calls in the module on memrefs among their operands. An indirect call may
    call each function of its type.

    The time is linear in the length of the program, unless functions are recursive.
    """
    calls = [op for op in walk([module]) if is_call(op)]
    if not any(is_memref_type(type) for op in calls for type in op.operand_types):
        return CallEffects()
    graph = CallGraph(module)
    by_function: dict[Operation, ArgumentEffect] = {
        function: ArgumentEffect()
        for component in graph.callees_first()
        for function in component
        if function.body.blocks
    }
    by_type: dict[Attribute, ArgumentEffect] = {}
    effects = CallEffects(graph, by_function, by_type)
    callers: dict[Operation | Attribute, dict[func.FuncOp, None]] = {}
    """By callee, or type of the callee."""
    for call in calls:
        is_direct = isinstance(call, func.CallOp)
        callee = graph.callee(call) if is_direct else call.operand_types[0]
        caller = outermost_function(call)
        if callee is not None and caller is not None:
            callers.setdefault(callee, {})[caller] = None
    pending = {
        function: None
        for function in by_function
        if isinstance(function, func.FuncOp)
        and (_returns_memrefs(function) or _frees_or_stores(function))
    }
    while pending:
        function = next(iter(pending))
        del pending[function]
        effect, type = _effect_of(function, effects), function.function_type
        if effect != by_function[function]:
            by_function[function] = effect
            of_type = by_type.get(type, ArgumentEffect())
            by_type[type] = ArgumentEffect(
                *(a | b for a, b in zip(of_type, effect, strict=True))
            )
            pending.update(callers.get(function, {}))
            pending.update(callers.get(type, {}))
    return effects


def _effect_of(function: func.FuncOp, effects: CallEffects) -> ArgumentEffect:
    """The effects of the function on its arguments, given those known of other functions."""
    uses = AllocationUses(function, effects)

    def among(memrefs: Container[SSAValue]) -> frozenset[int]:
        return frozenset(i for i, arg in enumerate(function.args) if arg in memrefs)

    returned = among(uses.returned())
    return ArgumentEffect(
        among(uses.freed()),
        among(uses.stored()),
        returned,
        returned.difference(donated_arguments(function).values()),
    )


def _returns_memrefs(function: func.FuncOp) -> bool:
    type = function.function_type
    return any(map(is_memref_type, type.inputs)) and any(
        map(is_memref_type, type.outputs)
    )


def _frees_or_stores(function: func.FuncOp) -> bool:
    """Whether an op of the function itself frees memrefs, or stores them."""
    return any(freed_operands(op) or stored_operands(op) for op in walk([function]))
