"""Walking nested ops without a Python frame for each level of nesting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.ir import Block, Operation, Region
from xdsl.ir.post_order import PostOrderIterator


def blocks_in_order(region: Region) -> Sequence[Block]:
    """
    The blocks of the region that can be reached, each after those that dominate it.
    """
    first = region.blocks.first
    if first is None or first is region.blocks.last:
        return () if first is None else (first,)
    # Where a branch names a block twice, the iterator does so too.
    return [*dict.fromkeys(PostOrderIterator(first))][::-1]


def walk(scope: Iterable[Operation]) -> Iterator[Operation]:
    """
    The ops and those nested in them, parents first, each after those that dominate it;
    without blocks that can not be reached.
    """
    stack = [iter(scope)]
    while stack:
        op = next(stack[-1], None)
        if op is None:
            stack.pop()
            continue
        yield op
        stack.extend(
            iter(block.ops)
            for region in reversed(op.regions)
            for block in reversed(blocks_in_order(region))
        )
