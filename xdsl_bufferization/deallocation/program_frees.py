"""
Memory that the program frees itself.

It is left to the program, with all its aliases, if the program frees it on all paths. The *balance*
of a class of aliases is the number of its allocations on a path, less that of its frees. In a
program that frees nothing twice, the class leaks nothing if the balance is 0 at each return:

    %m = memref.alloc() : memref<4xf32>                                // 1
    scf.if %c { memref.dealloc %m } else { memref.dealloc %m }         // 0

A class is *partly freed* if its balance at a return is another one, or depends on the path to a
point. If the program frees nothing else than what the function allocates, by `memref.dealloc`, all
of the class is freed as if it did not:

    scf.if %c { memref.dealloc %m }    // the op is erased, and %m freed after its last use

Otherwise the class is left to the program, and remarks say so.

Direction: forward over the blocks of a region, regions within it first. The cost is linear in the
ops, and in the blocks with a balance other than 0.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from collections.abc import Set as AbstractSet

from xdsl.dialects import memref
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow, EdgeKind
from xdsl_bufferization.buffers.memref_flow_graph import FlowKind, MemrefFlowGraph
from xdsl_bufferization.deallocation.left_memory import owned_results
from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.dialect_attributes import MANUAL_DEALLOCATION
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
    is_conditional,
)
from xdsl_bufferization.support.diagnostics import print_remark
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import region_of
from xdsl_bufferization.support.walk import blocks_in_order


class ProgramFrees:
    """
    The memory of a function that ops of the program, or functions that it calls, free. `graph` is
    that of the flow; memory that is `left` to the program for other reasons, and results of calls
    that are `donated`, are not freed here.
    """

    def __init__(
        self,
        flow: BufferFlow,
        graph: MemrefFlowGraph,
        left: Container[SSAValue] = (),
        donated: AbstractSet[SSAValue] = frozenset(),
    ):
        self._flow = flow
        self._class_of: Callable[[SSAValue], SSAValue] = lambda value: value
        self._frees: dict[SSAValue, list[Operation]] = {}
        """By class of aliases."""
        self._partly: AbstractSet[SSAValue] = frozenset()
        """The classes that leak on some paths."""
        self.replaced: list[Operation] = []
        """The frees of memory that is freed as if these ops did not."""
        frees = [*flow.frees()]
        if not frees:
            return
        self._class_of = graph.alias_classes().find
        for op, value in frees:
            self._frees.setdefault(self._class_of(value), []).append(op)
        partly = self._find_partly_freed()
        others = {
            self._class_of(value)
            for value in (flow.memrefs() if partly else ())
            if value in left or not self._is_known(value, graph, donated)
        }
        for memory in partly - others:
            if all(
                isinstance(op, memref.DeallocOp)
                and MANUAL_DEALLOCATION not in op.attributes
                for op in self._frees[memory]
            ):
                self.replaced += self._frees.pop(memory)
        self._partly = {m for m in partly & self._frees.keys() if m not in left}

    def __contains__(self, value: SSAValue) -> bool:
        return bool(self._frees) and self._class_of(value) in self._frees

    def print_remarks(self) -> None:
        """Tell which allocations, and results of calls, are freed on some paths only."""
        for op in self._flow.position if self._partly else ():
            memory = next(
                (
                    m
                    for v in owned_results(op)
                    if (m := self._class_of(v)) in self._partly
                ),
                None,
            )
            if memory is not None and MANUAL_DEALLOCATION not in op.attributes:
                free = self._frees[memory][0]
                is_realloc = bool(allocated_by(free))
                print_remark(
                    op,
                    "is left to the program: nothing frees it on paths on which "
                    f"{op_name(free)} does not",
                    related=[
                        ("it is reallocated" if is_realloc else "it is freed", free)
                    ],
                    hint="run expand-realloc first, as buffer-deallocation-pipeline does"
                    if is_realloc
                    else "free it on all paths, or on none",
                )

    def _is_known(
        self, value: SSAValue, graph: MemrefFlowGraph, donated: AbstractSet[SSAValue]
    ) -> bool:
        """Whether other memrefs are handed on as the value, or it is the function's to free."""
        if any(
            flow.kind not in (FlowKind.CALL, FlowKind.ADDRESS)
            for flow in graph.sources(value)
        ):
            return True
        op = value.owner
        return (
            isinstance(op, Operation)
            and value in owned_results(op)
            and value not in donated
            and MANUAL_DEALLOCATION not in op.attributes
        )

    def _find_partly_freed(self) -> set[SSAValue]:
        changes = self._changes()
        found: set[SSAValue] = set()
        ends: dict[Region | None, Mapping[SSAValue, int]] = {}
        """Balances at the end of each region."""

        def join(a: Mapping[SSAValue, int], b: Mapping[SSAValue, int]) -> None:
            found.update(memory for memory, _ in a.items() ^ b.items())

        # Regions come before those in them.
        for region in reversed(dict.fromkeys(map(region_of, self._flow.ops))):
            before: dict[Block | None, Mapping[SSAValue, int]] = {}
            for block in blocks_in_order(region):
                balance = {**before.get(block, {})}
                for op in self._flow.ops[block]:
                    change = changes.get(op, {})
                    if op.regions:
                        outcomes = [ends.get(region, {}) for region in op.regions]
                        model = RegionBranchOpInterface.of(op)
                        if model is not None and is_conditional(op, model):
                            change = outcomes[0]
                        for outcome in outcomes:
                            join(outcome, change)
                    for memory, number in change.items():
                        balance[memory] = balance.get(memory, 0) + number
                balance = {m: number for m, number in balance.items() if number}
                for following in (block.last_op and block.last_op.successors) or (
                    None,
                ):
                    join(before.setdefault(following, balance), balance)
            ends[region] = before.get(None, {})
        for region in self._flow.function.regions:
            join(ends.get(region, {}), {})
        return found - {
            self._class_of(value)
            for op, value in self._flow.frees()
            if isinstance(op, DeallocOp)  # It frees what is left to be freed.
        }

    def _changes(self) -> Mapping[Operation, Mapping[SSAValue, int]]:
        """By op what it adds to the balances of classes that the program frees."""
        changes: dict[Operation, dict[SSAValue, int]] = {}

        def add(op: Operation, value: SSAValue, number: int) -> None:
            if value in self:
                of_op, memory = changes.setdefault(op, {}), self._class_of(value)
                of_op[memory] = of_op.get(memory, 0) + number

        for op in self._flow.position:
            for result in owned_results(op):
                add(op, result, 1)
        for op, value in self._flow.frees():
            add(op, value, -1)
        for edge in self._flow.all_edges():
            if edge.kind is EdgeKind.RETURN:
                for value in {forwarded.value for forwarded in edge.memrefs}:
                    add(edge.source, value, -1)
        return changes
