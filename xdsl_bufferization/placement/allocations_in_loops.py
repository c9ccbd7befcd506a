"""
The functions that have allocations in loops. One walk finds them, so that programs without any
pay for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from xdsl_bufferization.interfaces.allocation import HoistingKind, may_be_hoisted
from xdsl_bufferization.placement.hoisting_targets import Execution, execution_of_region
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.dominance import block_loops
from xdsl_bufferization.support.regions import block_of, region_of
from xdsl_bufferization.support.walk import ancestors, walk


def functions_that_allocate_in_loops(module: ModuleOp) -> Sequence[Operation]:
    """The functions of the module with allocations that may be hoisted out of loops."""
    functions: dict[Operation, _Loops] = {}
    found: set[Operation] = set()
    for op in walk([module]):
        if is_function(op):
            functions[op] = _Loops(op)
        elif may_be_hoisted(op, HoistingKind.LOOP):
            around = (outer for outer in ancestors(op) if outer in functions)
            found.update(f for f in around if functions[f].contain(block_of(op)))
    return [function for function in functions if function in found]


def allocations_in_loops(function: Operation) -> Iterator[Operation]:
    """The allocations of the function that may be hoisted out of loops."""
    loops = _Loops(function)
    return (
        op
        for op in walk([function])
        if may_be_hoisted(op, HoistingKind.LOOP) and loops.contain(block_of(op))
    )


class _Loops:
    """The blocks of a function that may be in loops, memoized."""

    def __init__(self, function: Operation):
        self._function = function
        self._in_loop: dict[Block, bool] = {}
        self._loops_of_blocks = cache(block_loops)

    def contain(self, block: Block) -> bool:
        """Whether the block may be in a loop of ops or blocks."""
        around: list[Block] = []
        found = False
        while not found:
            if (known := self._in_loop.get(block)) is not None:
                found = known
                break
            around.append(block)
            region = region_of(block)
            op = region.parent_op()
            found = block in self._loops_of_blocks(region)
            if op is None or op is self._function or op.parent is None:
                break
            found = found or execution_of_region(block) is not Execution.ONCE
            block = op.parent
        self._in_loop.update(dict.fromkeys(around, found))
        return found
