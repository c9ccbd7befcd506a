"""
The blocks that an allocation may be hoisted to.

An allocation may be executed earlier if that leaves its number of executions. It may also be
hoisted out of a loop if no iteration accesses the memory of an earlier one: if no value forwarded
from one iteration to the next, an argument of a block in the loop, may alias it. Iterations that
may overlap in time need memory of their own, and so does memory that escapes.

Source: the passes `buffer-hoisting` and `buffer-loop-hoisting`,
https://mlir.llvm.org/docs/Passes/

Moves allocations to other blocks, and from the heap to the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.interfaces.allocation import (
    AllocationOpInterface,
    AutomaticAllocationScope,
    HoistingKind,
    insert_promoted,
    may_be_hoisted,
)
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.memrefs.buffers.allocation_uses import (
    Allocation,
    MemrefFlows,
)
from xdsl_bufferization.support.call_graph import (
    functions_in,
    is_function,
    within_function,
)
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.regions import (
    BlockLoops,
    DominatorTree,
    block_of,
    parent_of,
    region_of,
    terminator_of,
    walk,
)


class Execution(Enum):
    """How often a region is executed for each execution of its op."""

    ONCE = auto()
    """At most once."""
    REPEATEDLY = auto()
    """Several times, one after the other."""
    UNKNOWN = auto()
    """Unknown, or several times that may overlap in time."""


def execution_of_region(block: Block) -> Execution:
    """How often the region of the block is executed."""
    region = region_of(block)
    op = region.parent_op()
    if op is None or is_function(op):
        return Execution.UNKNOWN
    model = RegionBranchOpInterface.of(op)
    index = op.get_region_index(region)
    if model is None or model.is_parallel(op, index):
        return Execution.UNKNOWN
    return Execution.REPEATEDLY if model.is_repetitive(op, index) else Execution.ONCE


def below_common_dominator(allocation: Allocation, tree: DominatorTree) -> Block:
    """
    The block to allocate in so that the allocation dominates all of its aliases, or more of
    them than now; the allocation's own block if there is none.
    """
    hull = tree.hull(allocation.blocks)
    needed = allocation.needed
    block = best = start = allocation.block
    while not tree.covers(best, hull) and block not in needed:
        is_entry = tree.is_entry(block)
        if is_entry and (
            execution_of_region(block) is not Execution.ONCE or tree.loop(start)
        ):
            break
        block = tree.immediate_dominator(block)
        if is_entry:
            start = block
        # In another loop, or outside of its loop, it would be executed more or less often.
        if tree.loop(block) is tree.loop(start):
            best = block
    return best


def outside_of_loops(allocation: Allocation, tree: DominatorTree) -> Block:
    """
    The block to allocate in so that the allocation is in as few loops as possible; its own
    block if it cannot leave any.

    It leaves regions that may not be executed, such as branches, only if its size is static:
    a dynamic size may make sense only in the branch.
    """
    if allocation.is_cloned or allocation.escapes:
        return allocation.block
    return outermost_block(
        allocation.block,
        tree,
        allocation.entered,
        allocation.joined,
        allocation.needed,
    )


def outermost_block(
    start: Block,
    tree: DominatorTree,
    entered: AbstractSet[Region],
    joined: AbstractSet[Region],
    needed: AbstractSet[Block] = frozenset(),
) -> Block:
    """
    The block in as few loops as possible to which an allocation in `start` may be moved, which
    does not escape, and whose size is computed in the blocks `needed`. Regions have aliases among
    the arguments of their first block if they are `entered`, and of others if they are `joined`.
    """
    block = best = start
    while True:
        region = region_of(block)
        if (loop := tree.loop(block)) is not None:
            if region in entered or region in joined:
                return best
            while block in loop.blocks:
                if block in needed:
                    return best
                block = tree.immediate_dominator(block)
            best = block
            continue
        if any(needed_block.parent is region for needed_block in needed):
            return best
        match execution_of_region(block):
            case Execution.ONCE if not needed:
                block = block_of(parent_of(block))
            case Execution.REPEATEDLY if region not in entered:
                block = best = block_of(parent_of(block))
            case _:
                return best


def executed_at_most_once(block: Block, loops: BlockLoops) -> bool:
    """Whether each execution of the function executes the block at most once."""
    while loops.loop(block) is None:
        op = block.parent_op()
        if op is None or is_function(op):
            return True
        if execution_of_region(block) is not Execution.ONCE:
            return False
        block = block_of(op)
    return False


def hoist(
    module: ModuleOp,
    kind: HoistingKind,
    target: Callable[[Allocation, DominatorTree], Block],
) -> None:
    """Move each allocation that allows this kind of hoisting to the block `target` returns."""
    # No function changes before all are known to be valid.
    flows = MemrefFlows(module)
    movable = [(f, _movable_allocations(f, kind, flows)) for f in functions_in(module)]
    for function, allocations in movable:
        if allocations:
            tree = DominatorTree(function.regions)
            for allocation in allocations:
                move_to_block(allocation.op, target(allocation, tree))


def _movable_allocations(
    function: Operation, kind: HoistingKind, flows: MemrefFlows
) -> Sequence[Allocation]:
    ops = {*_hoistable(function, kind)}
    return [
        allocation
        for allocation in (flows.uses(function).allocations() if ops else ())
        if not allocation.is_freed and allocation.op in ops
    ]


def move_to_block(op: Operation, block: Block) -> None:
    """
    Move the op to a block that dominates its own: before the op there that contains it, or
    before the terminator.
    """
    if op.parent is block:
        return
    move_before(op, block.find_ancestor_op_in_block(op) or terminator_of(block))


def move_before(op: Operation, anchor: Operation) -> None:
    """Move the op to before the anchor."""
    op.detach()
    block_of(anchor).insert_op_before(op, anchor)


def promote_to_stack(allocation: Allocation, tree: DominatorTree) -> None:
    """Allocate on the stack, outside of loops, if that is possible."""
    op = allocation.op
    if (block := _block_on_stack(allocation, tree)) is None:
        return
    promoted = insert_promoted(op, builder_for(op, InsertPoint.before(op)))
    if promoted is not None:
        promoted.name_hint = allocation.memref.name_hint
        allocation.memref.replace_all_uses_with(promoted)
        Rewriter.erase_op(op)
        move_to_block(promoted.op, block)


def _block_on_stack(allocation: Allocation, tree: DominatorTree) -> Block | None:
    """The block to allocate in on the stack, if that is possible."""
    model = AllocationOpInterface.of(allocation.op)
    if (
        allocation.is_freed
        or allocation.is_returned
        or allocation.escapes
        or allocation.is_cloned
        or model is None
        or not model.is_freed(allocation.op)
    ):
        return None
    block = outside_of_loops(allocation, tree)
    if not executed_at_most_once(block, tree):
        return None
    scope = _first_block_of_scope(block)
    if scope is not None and not tree.covers(scope, tree.hull(allocation.blocks)):
        return None
    return block


def _first_block_of_scope(block: Block) -> Block | None:
    """The first block of the region at whose end the stack is freed; not of a function."""
    around = () if (op := block.parent_op()) is None else within_function(op)
    scopes = filter(AutomaticAllocationScope.of, around)
    return next((scope.regions[0].first_block for scope in scopes), None)


def functions_that_allocate_in_loops(module: ModuleOp) -> Sequence[Operation]:
    """The functions of the module with allocations that may be hoisted out of loops."""
    return [f for f in functions_in(module) if allocations_in_loops(f)]


def allocations_in_loops(function: Operation) -> Sequence[Operation]:
    """The allocations of the function that may be hoisted out of loops."""
    loops = BlockLoops()
    return [
        op
        for op in _hoistable(function, HoistingKind.LOOP)
        if not executed_at_most_once(block_of(op), loops)
    ]


def _hoistable(function: Operation, kind: HoistingKind) -> Iterator[Operation]:
    """The ops that may be hoisted, and are not where the function runs once."""
    for op in walk([function]):
        if may_be_hoisted(op, kind) and not is_in_entry_block(op, function):
            yield op


def is_in_entry_block(op: Operation, function: Operation) -> bool:
    """Whether the op is where it runs once, in no loop and no branch."""
    return op.parent is function.regions[0].first_block
