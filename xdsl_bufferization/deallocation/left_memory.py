"""
Memory that is left to the program, because it may be used for longer than can be seen.

    %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
    memref.store %n, %table[%i] : memref<8xmemref<4xf32>>
    // neither %m nor %n is freed: %t, and whatever loads from %table, may be used later

- Ops that stay on tensors use the memory of their operands, and that of their results may be
  the same. Tensors are followed from op to op. A tensor is *lost* where control flow, or a value
  of another kind, hands it over.
- A memref that is stored in memory may be loaded by any op, in any function. A pointer to its
  memory, or a value that has such a pointer, may be stored, too, or returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow, EdgeKind
from xdsl_bufferization.buffers.memref_flow_graph import MemrefFlowGraph, reachable
from xdsl_bufferization.buffers.stored_memrefs import may_point_to_memory
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.diagnostics import print_remark
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    is_tensor,
    is_tensor_like,
    may_hold_memory,
)

_HINT = "free it where it is no longer needed, or hand over a copy of its contents"


class _Reason(NamedTuple):
    """Why memory is left to the program: the op, what it does, and what to do about that."""

    op: Operation
    why: str
    relation: str
    hint: str


class LeftMemory:
    """
    The memory of a function that is left to the program. Tensors count if the flow goes through
    them.
    """

    def __init__(self, flow: BufferFlow, graph: MemrefFlowGraph):
        self._flow = flow
        self._reasons: dict[SSAValue, _Reason] = {}
        """By class of aliases."""
        self._class_of: Callable[[SSAValue], SSAValue] = lambda value: value
        found = [*_lost_tensors(flow)]
        found += [
            (value, _Reason(op, why, "that is done", _HINT))
            for value, op, why in handed_over(flow, graph)
        ]
        if found:
            self._class_of = graph.alias_classes().find
            for value, reason in found:
                self._reasons.setdefault(self._class_of(value), reason)

    def __contains__(self, value: SSAValue) -> bool:
        return bool(self._reasons) and self._class_of(value) in self._reasons

    def print_remarks(self) -> None:
        """Tell which allocations, and results of calls, are left to the program."""
        for op in self._flow.position if self._reasons else ():
            owned = owned_results(op)
            left = next((v for v in owned if v in self), None)
            if left is not None:
                reason = self._reasons[self._class_of(left)]
                print_remark(
                    op,
                    f"is left to the program: nothing frees it here, because {reason.why}",
                    related=[(reason.relation, reason.op)],
                    hint=reason.hint,
                )


def owned_results(op: Operation) -> Sequence[SSAValue]:
    """The results whose memory the function has to free."""
    if is_call(op):
        return [result for result in op.results if is_memref_type(result.type)]
    return allocated_by(op)


def _lost_tensors(flow: BufferFlow) -> Iterator[tuple[SSAValue, _Reason]]:
    for op in flow.position if flow.through_tensors else ():
        if _loses_tensors(op):
            reason = _Reason(
                op,
                "tensors of its memory are handed over",
                "a tensor goes",
                "bufferize that op, too, to have the memory freed",
            )
            yield from ((value, reason) for value in op.operands if is_tensor(value))


def _loses_tensors(op: Operation) -> bool:
    """Whether the op hands tensors over to where they are not followed."""
    if not any(map(is_tensor, op.operands)):
        return False
    if op.regions or op.successors or op.next_op is None:
        return True
    return any(
        may_hold_memory(type) and not is_tensor_like(type) for type in op.result_types
    )


def handed_over(
    flow: BufferFlow, graph: MemrefFlowGraph
) -> Iterator[tuple[SSAValue, Operation, str]]:
    """
    The memrefs that an op may store in memory, or whose memory a value that is stored or
    returned may point to; with the op, and what it does. `graph` is that of the flow, with
    addresses.
    """
    kept = [
        (value, op, "it is stored in memory, from where any op may load it")
        for op, value in flow.stores()
    ]
    kept += [
        (value, edge.source, "a value that may point to it is returned")
        for edge in flow.all_edges()
        if edge.kind is EdgeKind.RETURN
        for value in edge.source.operands
        if may_point_to_memory(value) and not is_memref_type(value.type)
    ]
    if not kept:
        return
    followed = flow.memrefs()

    def pointed_to(value: SSAValue) -> Iterator[SSAValue]:
        if not is_memref_type(value.type):
            yield from (flow.source for flow in graph.sources(value))

    for value, op, why in kept:
        for memref in reachable([value], pointed_to):
            if memref in followed:
                yield memref, op, why
