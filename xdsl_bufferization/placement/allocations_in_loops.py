"""The allocations that may be hoisted out of loops, of ops or of blocks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.allocation import HoistingKind, may_be_hoisted
from xdsl_bufferization.placement.hoisting_targets import executed_at_most_once
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.regions import BlockLoops, block_of, walk


def functions_that_allocate_in_loops(module: ModuleOp) -> Sequence[Operation]:
    """The functions of the module with allocations that may be hoisted out of loops."""
    return [f for f in functions_in(module) if allocations_in_loops(f)]


def allocations_in_loops(function: Operation) -> Sequence[Operation]:
    """The allocations of the function that may be hoisted out of loops."""
    first = function.regions[0].first_block
    found = [
        op
        for op in walk([function])
        if op.parent is not first and may_be_hoisted(op, HoistingKind.LOOP)
    ]
    if not found:
        return ()
    loops = BlockLoops()
    return [op for op in found if not executed_at_most_once(block_of(op), loops)]
