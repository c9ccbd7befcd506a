"""
Memory that is left to the program, because it may be used for longer than can be seen.

    %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
    memref.store %n, %table[%i] : memref<8xmemref<4xf32>>
    // neither %m nor %n is freed: %t, and whatever loads from %table, may be used later

- Ops that stay on tensors use the memory of their operands, and that of their results may be
  the same. Tensors are followed from op to op. A tensor is *lost* where control flow, or a value
  of another kind, hands it over.
- A memref that is stored in memory may be loaded by any op, in any function, unless only the
  function uses that memory. A pointer to its memory, or a value that has such a pointer, may be
  stored, too, or returned.

Memory that the program frees itself is left to it, with all its aliases. Memory that it frees on
some paths only (`balances.py`) is freed as if it did not, if the function allocates all of it and
only `memref.dealloc` frees it:

    scf.if %c { memref.dealloc %m }    // the op is erased, and %m freed after its last use
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.dialects.memref import DeallocOp as MemrefDeallocOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow, EdgeKind
from xdsl_bufferization.buffers.memref_flow_graph import (
    MemrefFlowGraph,
    memory_of,
    reachable,
)
from xdsl_bufferization.buffers.stored_memrefs import may_point_to_memory
from xdsl_bufferization.deallocation.balances import owned_results, partly_freed
from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.interfaces.dialect_attributes import MANUAL_DEALLOCATION
from xdsl_bufferization.support.diagnostics import print_remark
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    is_tensor,
    is_tensor_like,
    may_hold_memory,
)

_HINT = "free it where it is no longer needed, or hand over a copy of its contents"
_FREE_HINT = "free it on all paths, or on none; run expand-realloc first"


class _Reason(NamedTuple):
    """Why memory is left to the program: the op, what it does, and what to do about that."""

    op: Operation
    why: str
    relation: str
    hint: str


class LeftMemory:
    """
    The memory of a function that is left to the program. Tensors count if the flow goes through
    them; `graph` is that of the flow, with addresses.
    """

    def __init__(self, flow: BufferFlow, graph: MemrefFlowGraph):
        self._flow = flow
        self._graph = graph
        self._reasons: dict[SSAValue, _Reason] = {}
        """By class of aliases; the program may free the others, too."""
        self._freed: dict[SSAValue, list[Operation]] = {}
        """By class of aliases, the ops of the program that free it."""
        self.replaced: list[Operation] = []
        """The frees of memory that is not left to the program."""
        for value, reason in _lost_tensors(flow):
            self._reasons.setdefault(self._graph.class_of(value), reason)
        for value, op, why in handed_over(flow, graph):
            reason = _Reason(op, why, "that is done", _HINT)
            self._reasons.setdefault(self._graph.class_of(value), reason)
        for op, value in flow.frees:
            self._freed.setdefault(self._graph.class_of(value), []).append(op)
        if self._freed:
            self._find_partly_freed(graph)

    def __contains__(self, value: SSAValue) -> bool:
        # Most functions leave nothing, and have no classes.
        return (
            bool(self._reasons) and self._graph.class_of(value) in self._reasons
        ) or self.is_freed(value)

    def is_freed(self, value: SSAValue) -> bool:
        """Whether an op of the program frees memory that the memref may alias."""
        return bool(self._freed) and self._graph.class_of(value) in self._freed

    def print_remarks(self) -> None:
        """Tell which allocations, and results of calls, are left to the program."""
        for op in self._flow.position if self._reasons else ():
            reasons = (
                self._reasons.get(self._graph.class_of(v)) for v in owned_results(op)
            )
            if (reason := next(filter(None, reasons), None)) is not None:
                print_remark(
                    op,
                    f"is left to the program: nothing frees it here, because {reason.why}",
                    related=[(reason.relation, reason.op)],
                    hint=reason.hint,
                )

    def erase_replaced(self) -> None:
        """Erase the frees of memory that is not left to the program."""
        for op in self.replaced:
            op.detach()
            op.erase()

    def _find_partly_freed(self, graph: MemrefFlowGraph) -> None:
        """
        Decide about memory that the program frees on some paths only: it is left to the program,
        unless the function allocates all of it, on the heap or on the stack, and only
        `memref.dealloc` frees it.
        """
        partly = partly_freed(self._flow, self._graph.class_of, self._freed)
        own = {
            result
            for op in self._flow.position
            if MANUAL_DEALLOCATION not in op.attributes
            for result in (*owned_results(op), *memory_of(op))
        }
        others = {
            self._graph.class_of(value)
            for value in (self._flow.memrefs() if partly else ())
            if value not in own
            and (graph.is_from_outside(value) or not graph.sources(value))
        }
        for memory in partly:
            ops = self._freed[memory]
            if any(
                isinstance(op, DeallocOp) or MANUAL_DEALLOCATION in op.attributes
                for op in ops
            ):
                continue  # It is known at run time only, or to the program.
            is_left = memory in self._reasons or memory in others
            if not is_left and all(isinstance(op, MemrefDeallocOp) for op in ops):
                self.replaced += self._freed.pop(memory)
                continue
            why = f"{op_name(ops[0])} frees it on some paths only"
            reason = _Reason(ops[0], why, "it is freed", _FREE_HINT)
            self._reasons.setdefault(memory, reason)


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
        for op, value in flow.stores
        if op not in graph.local_stores
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
