"""
Walking nested ops without a Python frame for each level of nesting.

A walk follows the links from op to op itself, which takes a third of the time that iterators of
blocks take, and keeps the first op of each block that it has not entered yet. Ops may be inserted
and erased meanwhile, as during iteration over a block: the op that follows is looked up before an
op is given to the caller, and what is in its regions afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from xdsl.ir import Block, Operation, Region


def blocks_in_order(region: Region) -> Sequence[Block]:
    """
    The blocks of the region that can be reached, in reverse post-order: each after the blocks
    that dominate it, and after its predecessors, except for branches back.
    """
    first = region.first_block
    if first is None or first is region.last_block:
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


def ancestors(op: Operation) -> Iterator[Operation]:
    """The op, and those around it, the innermost first."""
    around: Operation | None = op
    while around is not None:
        yield around
        around = around.parent_op()


def walk(
    scope: Iterable[Operation], without: Container[Operation] = ()
) -> Iterator[Operation]:
    """
    The ops and those nested in them, parents first, each after the ops that dominate it;
    without unreachable blocks, and `without` some ops and all that is nested in them.
    """
    return _walk(scope, blocks_in_order, without)


def walk_all(scope: Iterable[Operation]) -> Iterator[Operation]:
    """
    The ops and those nested in them, parents first, in the order of the text;
    unreachable blocks included.
    """
    return _walk(scope, lambda region: region.blocks)


def _walk(
    scope: Iterable[Operation],
    blocks: Callable[[Region], Iterable[Block]],
    without: Container[Operation] = (),
) -> Iterator[Operation]:
    pending: list[Operation] = []
    for outermost in scope:
        if outermost in without:
            continue
        yield outermost
        op: Operation | None = None
        if outermost.regions:
            op = _enter(outermost.regions, blocks, pending)
        while op is not None:
            following = op.next_op
            if op not in without:
                yield op
                if op.regions:
                    if following is not None:
                        pending.append(following)
                    following = _enter(op.regions, blocks, pending)
            op = pending.pop() if following is None and pending else following


def _enter(
    regions: Sequence[Region],
    blocks: Callable[[Region], Iterable[Block]],
    pending: list[Operation],
) -> Operation | None:
    """
    The op with which the regions start, if there is one. The first ops of the other blocks are
    pending, the last block first.
    """
    if len(regions) == 1:
        (region,) = regions
        if (block := region.first_block) is region.last_block:
            return None if block is None else block.first_op
    found = [
        first
        for region in regions
        for block in blocks(region)
        if (first := block.first_op) is not None
    ]
    pending += reversed(found)
    return pending.pop() if found else None
