"""Regions and blocks: what is passed to them, what is in them, and what can be reached."""

from __future__ import annotations

from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region,
    SSAValue,
)

from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.support.walk import ancestors, blocks_in_order


def passes_tensors_to_regions(op: Operation) -> bool:
    """Whether tensors are among the arguments with which a region of the op starts."""
    return any(
        is_tensor(argument)
        for region in op.regions
        if region.blocks
        for argument in region.blocks[0].args
    )


def block_of(item: SSAValue | Operation) -> Block:
    """The block that an op is in, or that has the value as an argument or result of its op."""
    owner = item if isinstance(item, Operation) else item.owner
    block = owner if isinstance(owner, Block) else owner.parent
    assert block is not None
    return block


def region_of(item: Block | Operation) -> Region:
    """The region that a block or an op is in."""
    region = item.parent if isinstance(item, Block) else item.parent_region()
    assert region is not None
    return region


def parent_of(item: Region | Block | Operation) -> Operation:
    """The op that a region, a block or an op is in."""
    parent = item.parent_op()
    assert parent is not None
    return parent


def op_result(value: SSAValue) -> OpResult:
    """A value that is known to be no block argument."""
    assert isinstance(value, OpResult)
    return value


def defining_op(value: SSAValue) -> Operation:
    """The op that a value, which is no block argument, is a result of."""
    return op_result(value).op


def index_of(value: SSAValue) -> int:
    """The index of a value among the results of its op, or the arguments of its block."""
    assert isinstance(value, (OpResult, BlockArgument))
    return value.index


def terminator_of(block: Block) -> Operation:
    """The last op of a block that has one."""
    assert block.last_op is not None
    return block.last_op


def ancestor_in(region: Region, op: Operation) -> Operation | None:
    """
    The op directly in the region that is `op`, or has it in its regions; `None` if `op` is
    not within the region.
    """
    return next((a for a in ancestors(op) if a.parent_region() is region), None)


def is_within(region: Region, value: SSAValue) -> bool:
    """Whether the value is defined in the region, or in one that is nested in it."""
    block = block_of(value)
    parent = block.parent_op()
    return block.parent is region or (
        parent is not None and ancestor_in(region, parent) is not None
    )


def replace_argument(argument: BlockArgument, type: Attribute) -> BlockArgument:
    """
    Put a new argument of that type in the place of the argument, which may be used until it
    is erased. xDSL's methods to insert and to erase one visit all arguments after it.
    """
    block, index = argument.block, argument.index
    new = BlockArgument(type, block, index, argument.location)
    new.name_hint = argument.name_hint
    arguments = (*block.args[:index], new, *block.args[index + 1 :])
    block._args = arguments  # pyright: ignore[reportPrivateUsage] # As xDSL's Rewriter does.
    return new


def replace_body(op: Operation, body: Region) -> None:
    """Give an op with at most one region this one, in place of what it has."""
    if op.regions:
        op.detach_region(0).drop_all_references()
    op.add_region(body)


def erase_unreachable_blocks(op: Operation) -> None:
    """Erase the blocks of the op's regions that control cannot reach."""
    for region in op.regions:
        if region.first_block is region.last_block:
            continue
        reachable = set(blocks_in_order(region))
        unreachable = [b for b in region.blocks if b not in reachable]
        # Such blocks may use each other's values, in any order.
        for nested in [op for block in unreachable for op in block.ops]:
            nested.drop_all_references()
        for block in unreachable:
            region.erase_block(block, safe_erase=False)
