"""Dead code, erased in time linear in the program."""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region
from xdsl.pattern_rewriter import PatternRewriterListener

from xdsl_bufferization.repairs.nested_effects import NestedEffects
from xdsl_bufferization.support.walk import blocks_in_order


def erase_dead_code(region: Region, listener: PatternRewriterListener) -> bool:
    """
    Erase ops without effects whose results no live op uses, and blocks that can not be reached;
    return whether there were any. The listener is told of each such op.

    Erases what xDSL's `region_dce` erases. That walks all ops until nothing changes, and at
    each op the ops in its regions; this follows the operands of live ops.
    """
    ops, unreachable = _ops_and_unreachable_blocks(region)
    effects = NestedEffects()
    if not unreachable and _are_all_live(ops, effects):
        return False
    live = _live(ops, effects)
    for block in unreachable:
        if block.parent is not None:
            block.parent.erase_block(block, safe_erase=False)
    dead = {op for op in ops if op not in live}
    for op in reversed(ops):
        # An op in a region of a dead op is erased with that.
        if (
            op in dead
            and (block := op.parent) is not None
            and op.parent_op() not in dead
        ):
            listener.handle_operation_removal(op)
            block.erase_op(op, safe_erase=False)
    return bool(dead or unreachable)


def _ops_and_unreachable_blocks(
    region: Region,
) -> tuple[list[Operation], list[Block]]:
    """The ops in blocks that can be reached, those in regions after all around these."""
    ops: list[Operation] = []
    unreachable: list[Block] = []
    pending = [region]
    while pending:
        region = pending.pop()
        blocks = blocks_in_order(region)
        if region.blocks.first is not region.blocks.last:
            reachable = set(blocks)
            unreachable += (b for b in region.blocks if b not in reachable)
        for block in blocks:
            for op in block.ops:
                ops.append(op)
                if op.regions:
                    pending += op.regions
    return ops, unreachable


def _are_all_live(ops: list[Operation], effects: NestedEffects) -> bool:
    """
    Whether all ops are live, as most are, told from the users of each: these come later, so
    they are visited before it. In a cycle they do not, and the answer is no.
    """
    live: set[Operation] = set()
    for op in reversed(ops):
        for result in op.results:
            use = result.first_use
            if use is not None and use.operation in live:
                break
        else:
            if effects.may_be_erased(op) and not any(
                use.operation in live for result in op.results for use in result.uses
            ):
                return False
        live.add(op)
    return True


def _live(ops: list[Operation], effects: NestedEffects) -> set[Operation]:
    """The ops that have effects, and those whose results a live op uses."""
    reached = set(ops)
    live = {op for op in ops if not effects.may_be_erased(op)}
    pending = [*live]
    while pending:
        for operand in pending.pop().operands:
            owner = operand.owner
            if isinstance(owner, Operation) and owner in reached and owner not in live:
                live.add(owner)
                pending.append(owner)
    return live
