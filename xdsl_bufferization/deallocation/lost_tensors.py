"""
Memory that an op on tensors may use for longer than can be seen.

Ops that stay on tensors use the memory of their operands, and that of their results may be the
same. Tensors are followed from op to op. A tensor is *lost* where control flow, or a value of
another kind, hands it over: its memory is left to the program.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow
from xdsl_bufferization.buffers.memref_flow_graph import MemrefFlowGraph
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.support.diagnostics import print_remark
from xdsl_bufferization.support.shaped_types import (
    is_tensor,
    is_tensor_like,
    may_hold_memory,
)


class LostTensors:
    """The memory of which a tensor is lost; none if the flow does not go through tensors."""

    def __init__(self, flow: BufferFlow, graph: MemrefFlowGraph):
        self._flow = flow
        self._lost_by: dict[SSAValue, Operation] = {}
        """By class of aliases the op that loses a tensor."""
        self._class_of: Callable[[SSAValue], SSAValue] = lambda value: value
        losing = [op for op in flow.position if _loses_tensors(op)]
        if flow.through_tensors and losing:
            self._class_of = graph.alias_classes().find
            for op in losing:
                for value in filter(is_tensor, op.operands):
                    self._lost_by.setdefault(self._class_of(value), op)

    def __contains__(self, value: SSAValue) -> bool:
        return bool(self._lost_by) and self._class_of(value) in self._lost_by

    def print_remarks(self) -> None:
        """Tell which allocations are left to the program."""
        for op in self._flow.position if self._lost_by else ():
            lost = next((v for v in allocated_by(op) if v in self), None)
            if lost is not None:
                print_remark(
                    op,
                    "is left to the program: nothing frees it here, because tensors of its "
                    "memory are handed over",
                    related=[("a tensor goes", self._lost_by[self._class_of(lost)])],
                    hint="bufferize that op, too, to have the memory freed",
                )


def _loses_tensors(op: Operation) -> bool:
    """Whether the op hands tensors over to where they are not followed."""
    if not any(map(is_tensor, op.operands)):
        return False
    if op.regions or op.successors or op.next_op is None:
        return True
    return any(
        may_hold_memory(type) and not is_tensor_like(type) for type in op.result_types
    )
