"""
The memory that called functions have while they run, besides what they return.

    %r = func.call @net(%x)   // @net: 49,152 bytes at once, and returns 16,384 of them as %r

During the call, 32,768 bytes are alive besides `%r`, which the caller has from then on.

Functions are reported on callees first, so that the peak of a callee is known. That of a recursive
function, or one without a body, is not: such calls are listed as not counted. Takes time linear in
the calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.report.model import Buffer, MemoryFunction, Usage
from xdsl_bufferization.support.call_graph import CallGraph, functions_in


class CalleeMemory(NamedTuple):
    """The most bytes that a function has at once."""

    name: str
    heap: int
    stack: int
    returned: int
    """The buffers that it allocates and returns."""
    is_lower_bound: bool
    """Whether it may have more: see `Usage`."""


class Callees:
    """The memory of the functions reported on so far."""

    def __init__(self, module: ModuleOp):
        self._graph = CallGraph(module)
        self._module = module
        self._memory: dict[Operation, CalleeMemory] = {}

    def callees_first(self, functions: Iterable[Operation]) -> Sequence[Operation]:
        """These functions, each after those that it calls, unless they are recursive."""
        chosen = {*functions}
        order = [f for component in self._graph.callees_first() for f in component]
        every: Mapping[Operation, None] = dict.fromkeys(
            (*order, *functions_in(self._module))
        )
        return [function for function in every if function in chosen]

    def add(self, function: Operation, memory: MemoryFunction) -> None:
        """Take note of the memory of a function, which may be called by those that follow."""
        if function in self._graph.recursive:
            return
        usages = memory.heap, memory.stack
        self._memory[function] = CalleeMemory(
            memory.name,
            _peak(memory.heap),
            _peak(memory.stack),
            sum(b.ending == "returned" for b in memory.buffers),
            any(usage.is_lower_bound for usage in usages)
            or any(map(_is_left, memory.buffers)),
        )

    def of(self, op: Operation) -> CalleeMemory | None:
        """The memory of the function that the op calls; `None` if that is not known."""
        callee = self._graph.callee(op) if isinstance(op, func.CallOp) else None
        return None if callee is None else self._memory.get(callee)


def _peak(usage: Usage) -> int:
    return 0 if usage.peak is None else usage.peak.live_bytes


def _is_left(buffer: Buffer) -> bool:
    """Whether the buffer may still be there, after the function, without being returned."""
    return buffer.ending in ("stored", "never freed", "freed or handed on")
