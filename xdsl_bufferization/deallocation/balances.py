"""
Memory that the program frees on some paths only.

The *balance* of a class of aliases is the number of its allocations on a path, less the number of
its frees. In a program that frees nothing twice, a class leaks nothing if its balance is 0 at each
return:

    %m = memref.alloc() : memref<4xf32>                              // 1
    scf.if %c { memref.dealloc %m } else { memref.dealloc %m }       // 0

    scf.if %c { memref.dealloc %m }                                  // 0 or 1: leaks if not %c

Memory that is returned is the caller's to free. Direction: forward over the blocks of a region,
regions within it first. The cost is linear in the ops, and in the blocks with a balance other than
0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow, EdgeKind
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
    is_conditional,
)
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.regions import region_of
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.support.walk import blocks_in_order, successors


def owned_results(op: Operation) -> Sequence[SSAValue]:
    """The results whose memory the function has to free."""
    if is_call(op):
        return [result for result in op.results if is_memref_type(result.type)]
    return allocated_by(op)


def partly_freed(
    flow: BufferFlow,
    class_of: Callable[[SSAValue], SSAValue],
    freed: Container[SSAValue],
) -> set[SSAValue]:
    """
    The classes, among those that the program frees, with a balance other than 0 at a return, or a
    balance that depends on the path.
    """
    changes: dict[Operation, Counter[SSAValue]] = {}
    found: set[SSAValue] = set()
    ends: dict[Region, Mapping[SSAValue, int]] = {}
    """The balances at the end of each region, without those that are 0."""

    def add(op: Operation, values: Iterable[SSAValue], number: int) -> None:
        for value in values:
            if (memory := class_of(value)) in freed:
                changes.setdefault(op, Counter())[memory] += number

    def join(a: Mapping[SSAValue, int], b: Mapping[SSAValue, int]) -> None:
        found.update(memory for memory, _ in a.items() ^ b.items())

    for op in flow.position:
        add(op, owned_results(op), 1)
    for op, value in flow.frees:
        add(op, [value], -1)
    for edge in flow.all_edges():
        if edge.kind is EdgeKind.RETURN:
            add(edge.source, {memref.value for memref in edge.memrefs}, -1)
    # Regions come before those in them.
    for region in reversed(dict.fromkeys(map(region_of, flow.ops))):
        before: dict[Block | None, Mapping[SSAValue, int]] = {}
        for block in blocks_in_order(region):
            balance = Counter[SSAValue](before.get(block))
            for op in flow.ops[block]:
                change = changes.get(op, Counter())
                outcomes = [ends.get(region, Counter()) for region in op.regions]
                model = RegionBranchOpInterface.of(op) if outcomes else None
                if model is not None and is_conditional(op, model):
                    change = outcomes[0]
                for outcome in outcomes:
                    join(outcome, change)
                balance.update(change)
            known = {memory: number for memory, number in balance.items() if number}
            for following in successors(block) or (None,):
                join(before.setdefault(following, known), known)
        ends[region] = before.get(None, {})
    join(ends[flow.function.regions[0]], {})
    return found
