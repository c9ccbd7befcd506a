"""
Programs that free memory themselves, and do so wrongly.

Memory that a program frees itself is left to the program; what is certainly wrong is refused:

    memref.dealloc %m : memref<4xf32>
    %x = memref.load %m[%i] : memref<4xf32>    // used after it is freed
    scf.for ... { memref.dealloc %n }          // %n is from outside: freed in each iteration
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xdsl_bufferization.buffers.buffer_flow import (
    BufferFlow,
    base_of,
)
from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.dialect_attributes import MANUAL_DEALLOCATION
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.view_like import viewed_by
from xdsl_bufferization.support.call_graph import (
    is_call,
    is_function,
    is_function_argument,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.dominance import DominatorTree
from xdsl_bufferization.support.regions import (
    ancestor_in,
    block_of,
    defining_op,
    region_of,
)


def check_frees(flow: BufferFlow) -> None:
    """
    Raises `BufferizationError` for memory that is used or freed after an op has freed it;
    that is allocated outside of a loop and freed in each iteration; or that the function must
    not free: its arguments, globals and the stack.
    """
    tree = cache(lambda: DominatorTree(flow.function.regions))
    for op, memref in flow.frees:
        if (
            isinstance(op, DeallocOp)  # It is decided at run time what it frees.
            or is_call(op)
            or MANUAL_DEALLOCATION in op.attributes
        ):
            continue
        base = base_of(memref)
        _check_allocation(op, base)
        _check_loops(op, base)
        _check_later_uses(flow, op, base, tree)


def _check_allocation(op: Operation, base: SSAValue) -> None:
    if isinstance(base, BlockArgument):
        what = "an argument of the function, which its caller has to free"
        wrong = is_function_argument(base)
    else:
        owner = defining_op(base)
        model = AllocationOpInterface.of(owner)
        is_global = owner.name == "memref.get_global"
        what = "a global" if is_global else "memory on the stack"
        wrong = is_global or (model is not None and not model.is_freed(owner))
    if wrong:
        raise BufferizationError(
            op,
            f"frees {what}",
            hint=f"the attribute {MANUAL_DEALLOCATION} says that this is meant",
        )


def _check_loops(op: Operation, base: SSAValue) -> None:
    region, defined_in = op.parent_region(), region_of(block_of(base))
    while region is not None and region is not defined_in:
        parent = region.parent
        if parent is None or is_function(parent):
            return
        model = RegionBranchOpInterface.of(parent)
        if model is not None and model.is_repetitive(
            parent, parent.regions.index(region)
        ):
            raise BufferizationError(
                op,
                "frees memory in each run of a loop that is allocated once, outside of it",
                related=[("the loop", parent), ("it is allocated", definition(base))],
            )
        region = parent.parent_region()


def _check_later_uses(
    flow: BufferFlow,
    op: Operation,
    base: SSAValue,
    tree: Callable[[], DominatorTree],
) -> None:
    region = region_of(block_of(base))
    if op.parent_region() is not region:
        return  # not on every path
    block = block_of(op)
    for user in _users(base):
        outermost = ancestor_in(region, user)
        if outermost is None or outermost is op or outermost not in flow.position:
            continue
        user_block = block_of(outermost)
        if user_block is block:
            is_later = flow.position[outermost] > flow.position[op]
        else:
            is_later = tree().dominates(block, user_block)
        if is_later:
            raise BufferizationError(
                user,
                "uses memory that is freed already",
                related=[("it is freed", op)],
                hint="free memory once, after its last use, or leave it to the pass",
            )


def _users(base: SSAValue) -> Iterator[Operation]:
    """The ops that use the memref, or a view of it alone."""
    pending = [base]
    while pending:
        value = pending.pop()
        for use in value.uses:
            yield use.operation
            pending.extend(
                result
                for result in use.operation.results
                if [*viewed_by(result)] == [use.index]
            )


def definition(value: SSAValue) -> Operation | None:
    """The op that defines the value, or whose regions it is an argument of."""
    owner = value.owner
    return owner.parent_op() if isinstance(owner, Block) else owner
