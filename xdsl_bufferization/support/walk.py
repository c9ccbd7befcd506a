"""Walking nested ops without a Python frame for each level of nesting."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from xdsl.ir import Block, Operation, Region


def blocks_in_order(region: Region) -> Sequence[Block]:
    """
    The blocks of the region that can be reached, in reverse post-order: each after the blocks
    that dominate it, and after its predecessors, except for branches back.
    """
    first = region.blocks.first
    if first is None or first is region.blocks.last:
        return () if first is None else (first,)
    # xDSL's PostOrderIterator does not visit in post-order where branches meet.
    finished: list[Block] = []
    seen = {first}
    # The last successor is visited first, so that it is the last in the result.
    stack = [(first, reversed(successors(first)))]
    while stack:
        block, following_blocks = stack[-1]
        following = next(following_blocks, None)
        if following is None:
            finished.append(block)
            stack.pop()
        elif following not in seen:
            seen.add(following)
            stack.append((following, reversed(successors(following))))
    return finished[::-1]


def successors(block: Block) -> Sequence[Block]:
    """The successors of the block in the control-flow graph."""
    return () if block.last_op is None else block.last_op.successors


def walk(
    scope: Iterable[Operation],
    without: Container[Operation] = (),
    *,
    closed: Container[Operation] = (),
) -> Iterator[Operation]:
    """
    The ops and those nested in them, parents first, each after the ops that dominate it;
    without unreachable blocks, `without` some ops and all that is nested in them, and without all
    that is nested in the `closed` ops.
    """
    stack = [iter(scope)]
    while stack:
        for op in stack[-1]:
            if op in without:
                continue
            yield op
            if op.regions and op not in closed:
                stack.extend(
                    iter(block.ops)
                    for region in reversed(op.regions)
                    for block in reversed(blocks_in_order(region))
                )
                break
        else:
            stack.pop()


def walk_all(scope: Iterable[Operation]) -> Iterator[Operation]:
    """
    The ops and those nested in them, parents first, in the order of the text;
    unreachable blocks included.
    """
    stack = [iter(scope)]
    while stack:
        for op in stack[-1]:
            yield op
            if op.regions:
                stack.extend(
                    iter(block.ops)
                    for region in reversed(op.regions)
                    for block in reversed(region.blocks)
                )
                break
        else:
            stack.pop()
