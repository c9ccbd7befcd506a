"""Which calls may allocate memory: those of functions that do, or that call one that does."""

from __future__ import annotations

from functools import cached_property

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.support.call_graph import CallGraph, is_call
from xdsl_bufferization.support.regions import parent_of
from xdsl_bufferization.support.walk import walk


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
                pending.extend(_caller(call) for call in self._graph.calls[function])
        return found


def _allocates(op: Operation) -> bool:
    return bool(allocated_by(op)) or (is_call(op) and not isinstance(op, func.CallOp))


def _caller(call: Operation) -> func.FuncOp:
    """The outermost function around the call."""
    op = parent_of(call)
    while not isinstance(op, func.FuncOp):
        op = parent_of(op)
    return op
