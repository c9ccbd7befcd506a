"""
Moves each `memref.dealloc` to right after the last use of the memory.

    memref.store %f, %m[%i] : memref<4xf32>
    %r = func.call @f() : () -> memref<4xf32>
    memref.store %f, %r[%i] : memref<4xf32>
    memref.dealloc %m : memref<4xf32>          // moves to right after the first store

With `%m` a result of `@g` it stays after the second store, as `%r` may be the same memory.
Memory that was not allocated in the function, such as results of calls, may be any other
such memory, and any memory that was stored in other memory. What a call returns may also be
what this or another call was given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Flag, auto
from typing import TypeAlias

from xdsl.dialects import memref
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.memref_flow_graph import (
    FlowKind,
    MemrefFlowGraph,
)
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.support.shaped_types import is_memref_type


class _Origin(Flag):
    """Where the memory of a class of memrefs may come from, besides from its allocations."""

    ALLOCATED = 0
    OUTSIDE = auto()
    """It was not allocated in the function, or it is unknown where."""
    STORED = auto()
    """It was stored in other memory, from where it may be loaded again."""
    PASSED = auto()
    """It was passed to a call or an unknown op, which may return it."""
    RETURNED = auto()
    """It was returned by a call or an unknown op."""
    LOADED = auto()
    """No memory of the function: what a function that is called may load from memory."""


_MAY_BE = {
    _Origin.OUTSIDE: (_Origin.OUTSIDE, _Origin.STORED),
    _Origin.STORED: (_Origin.OUTSIDE, _Origin.LOADED),
    _Origin.PASSED: (_Origin.RETURNED,),
    _Origin.RETURNED: (_Origin.PASSED,),
}
"""The origins of other memrefs that may be the same memory, by origin."""

_BY_OTHERS = (FlowKind.CALL, FlowKind.UNKNOWN)
"""Flows through ops that may return what they, or other such ops, were passed."""

_Key: TypeAlias = tuple[SSAValue | _Origin, Block]


def free_early(flow: BufferFlow, deallocs: Sequence[memref.DeallocOp]) -> None:
    """Move these deallocs of the flow's function up within their blocks."""
    uses = _LastUses(flow)
    for dealloc in deallocs:
        block = dealloc.parent
        if block is None or dealloc not in flow.position:
            continue
        last = uses.of(dealloc.memref, block)
        if last is None or flow.position[last] >= flow.position[dealloc]:
            continue
        dealloc.detach()
        block.insert_op_after(dealloc, last)


class _LastUses:
    """The last uses of memory in each block."""

    def __init__(self, flow: BufferFlow):
        self._flow = flow
        graph = MemrefFlowGraph(flow, with_addresses=True)
        memrefs = flow.memrefs()
        self._classes = {value: graph.class_of(value) for value in memrefs}
        self._origins = dict.fromkeys(self._classes.values(), _Origin.ALLOCATED)
        for value in memrefs:
            if graph.is_from_outside(value):
                self._origins[self._classes[value]] |= _Origin.OUTSIDE
            for flows, origin in (
                (graph.sources(value), _Origin.RETURNED),
                (graph.derived(value), _Origin.PASSED),
            ):
                if any(flow.kind in _BY_OTHERS for flow in flows):
                    self._origins[self._classes[value]] |= origin
        for _, value in flow.stores:
            if is_memref_type(value.type):
                self._origins[self._classes[value]] |= _Origin.STORED
        self._pointed_to = {
            key for v in memrefs if v in graph.pointed_to for key in self._keys(v)
        }
        self._last = self._last_uses()

    def of(self, value: SSAValue, block: Block) -> Operation | None:
        """
        The last op of the block that defines or uses what may be the memref's memory; `None`
        if there is none, or the memory may be used through what is no memref.
        """
        own = self._classes[value]
        keys: list[SSAValue | _Origin] = [own]
        for origin in self._origins[own]:
            keys += _MAY_BE[origin]
        if not self._pointed_to.isdisjoint(keys):
            return None
        found = [op for key in keys if (op := self._last.get((key, block))) is not None]
        return max(found, key=lambda op: self._flow.position[op], default=None)

    def _last_uses(self) -> Mapping[_Key, Operation]:
        """
        By class of memrefs, or origin of their memory, and block the last op that defines or
        uses one of them, itself or in its regions.
        """
        position = self._flow.position
        last: dict[_Key, Operation] = {}
        for op in position:
            if isinstance(op, memref.DeallocOp):
                continue
            keys = {key for v in (*op.operands, *op.results) for key in self._keys(v)}
            if is_call(op):
                keys.add(_Origin.LOADED)
            ancestor: Operation | None = op if keys else None
            while ancestor is not None and ancestor in position:
                block = block_of(ancestor)
                for key in keys:
                    known = last.get((key, block))
                    if known is None or position[known] < position[ancestor]:
                        last[key, block] = ancestor
                ancestor = ancestor.parent_op()
        return last

    def _keys(self, value: SSAValue) -> Iterator[SSAValue | _Origin]:
        if is_memref_type(value.type):
            own = self._classes[value]
            yield own
            yield from self._origins[own]
