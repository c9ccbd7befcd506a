"""
Regions and blocks: what is passed to them, what is in them, and what can be reached.

A walk takes no Python frame for each level of nesting. It follows the links from op to op itself,
which takes a third of the time that iterators of blocks take, and keeps the first op of each block
that it has not entered yet. Ops may be inserted and erased meanwhile, as during iteration over a
block: the op that follows is looked up before an op is given to the caller, and what is in its
regions afterwards.

`DominatorTree` and `block_loops` have dominators, post-dominators and loops of the blocks of a
function. Source: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001, as
networkx has it; jump pointers are due to Myers, "An Applicative Random-Access Stack", 1983; loops
to Steensgaard, "Sequentializing Program Dependence Graphs for Irreducible Programs", 1993

`reachable`: what is reached in a graph of any nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    import networkx as nx
from typing import TypeVar


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


def defined_by(value: SSAValue) -> Operation | None:
    """The op that the value is a result of, or whose regions it is an argument of."""
    owner = value.owner
    return owner.parent_op() if isinstance(owner, Block) else owner


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


def erase_unreachable_blocks(op: Operation) -> bool:
    """
    Erase the blocks of the op's regions that control cannot reach; return whether there are any.
    """
    has_any = False
    for region in op.regions:
        if region.first_block is region.last_block:
            continue
        reachable = set(blocks_in_order(region))
        unreachable = [b for b in region.blocks if b not in reachable]
        has_any |= bool(unreachable)
        # Such blocks may use each other's values, in any order.
        for nested in [op for block in unreachable for op in block.ops]:
            nested.drop_all_references()
        for block in unreachable:
            region.erase_block(block, safe_erase=False)
    return has_any


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


def exits(op: Operation) -> Iterator[Operation]:
    """The terminators in the regions of `op` that end a region, and can be reached."""
    for region in op.regions:
        for block in blocks_in_order(region):
            if (last := block.last_op) is not None and not last.successors:
                yield last


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


class BlockLoops:
    """The loops of blocks of regions, found when they are asked for first."""

    def __init__(self) -> None:
        self._loops: dict[Region, Mapping[Block, BlockLoop]] = {}

    def loop(self, block: Block) -> BlockLoop | None:
        """The innermost loop of blocks of the same region that the block is in."""
        region = region_of(block)
        if region not in self._loops:
            self._loops[region] = block_loops(region)
        return self._loops[region].get(block)


class DominatorTree(BlockLoops):
    """
    The blocks of some regions that can be reached, each below its immediate dominator.

    If regions are `nested`, the blocks of regions within them are in the tree, too: the
    entry block of such a region is below the block that holds the region's op.
    """

    def __init__(self, regions: Iterable[Region], *, nested: bool = True):
        super().__init__()
        self._parents: dict[Block, Block] = {}
        self._entries: set[Block] = set()
        self._intervals: dict[Block, tuple[int, int]] = {}
        """By these numbers, the blocks below one, and itself, are an interval."""
        roots: list[Block] = []
        pending: list[tuple[Region, Block | None]] = [(r, None) for r in regions]
        while pending:
            region, parent = pending.pop()
            blocks = blocks_in_order(region)
            if not blocks:
                continue
            self._entries.add(blocks[0])
            if parent is None:
                roots.append(blocks[0])
            else:
                self._parents[blocks[0]] = parent
            self._parents.update(_immediate_dominators(blocks))
            if nested:
                pending.extend(
                    (r, block)
                    for block in blocks
                    for op in block.ops
                    for r in op.regions
                )
        self._number(roots)

    def immediate_dominator(self, block: Block) -> Block:
        """
        The immediate dominator of the block, which is not the entry block of an outermost
        region; of another entry block, the block that holds the region's op.
        """
        return self._parents[block]

    def is_entry(self, block: Block) -> bool:
        """Whether the block is the first one of its region."""
        return block in self._entries

    def dominates(self, block: Block, other: Block) -> bool:
        """Whether the one block dominates the other, or is it, and both can be reached."""
        if block not in self._intervals or other not in self._intervals:
            return False
        return self.covers(block, self.hull([other]))

    def number(self, block: Block) -> int:
        """A number that is greater than the numbers of all blocks that dominate the block."""
        return self._intervals[block][0]

    def hull(self, blocks: Iterable[Block]) -> tuple[int, int]:
        """The interval that `covers` takes for these blocks, at least one."""
        numbers = [self._intervals[block][0] for block in blocks]
        return min(numbers), max(numbers)

    def covers(self, block: Block, hull: tuple[int, int]) -> bool:
        """Whether the block dominates, or is, each of the blocks of that `hull`."""
        first, last = self._intervals[block]
        return first <= hull[0] and hull[1] <= last

    def _number(self, roots: Sequence[Block]) -> None:
        children: dict[Block, list[Block]] = {}
        for block, parent in self._parents.items():
            children.setdefault(parent, []).append(block)
        first: dict[Block, int] = {}
        pending = [*roots]
        while pending:
            block = pending.pop()
            if block in first:
                self._intervals[block] = first[block], len(first) - 1
            else:
                first[block] = len(first)
                pending.append(block)
                pending.extend(children.get(block, ()))


@dataclass(eq=False, frozen=True, slots=True)
class BlockLoop:
    """Blocks of one region, each reachable from all."""

    blocks: frozenset[Block]
    parent: BlockLoop | None
    """The loop around it, in the same region."""


def block_loops(region: Region) -> Mapping[Block, BlockLoop]:
    """
    The innermost loop of each block of the region that can be reached, and is in any.

    A loop is a strongly connected component of the control-flow graph; the loops within it
    are the components of its blocks without those at which it is entered.
    """
    blocks = blocks_in_order(region)
    numbers = {block: number for number, block in enumerate(blocks)}
    if all(n < numbers[s] for block, n in numbers.items() for s in successors(block)):
        # Most regions do not wait for networkx.
        return {}
    import networkx as nx

    graph = _graph(blocks)
    loops: dict[Block, BlockLoop] = {}
    pending: list[tuple[frozenset[Block], BlockLoop | None]] = [
        (frozenset(blocks), None)
    ]
    while pending:
        within, parent = pending.pop()
        for members in nx.strongly_connected_components(graph.subgraph(within)):
            entered = {
                block
                for block in members
                if block is blocks[0]
                or any(p not in members for p in graph.predecessors(block))
            }
            if len(members) == 1 and not graph.has_edge(*members, *members):
                continue
            loop = BlockLoop(frozenset(members), parent)
            loops.update(dict.fromkeys(members, loop))
            pending.append((loop.blocks - entered, loop))
    return loops


def _immediate_dominators(blocks: Sequence[Block]) -> Mapping[Block, Block]:
    """The immediate dominators of a region's blocks but the entry block, the first one."""
    if len(blocks) < 2:
        return {}
    import networkx as nx

    dominators = nx.immediate_dominators(_graph(blocks), blocks[0])
    return {block: dominators[block] for block in blocks[1:]}


def _graph(blocks: Sequence[Block]) -> nx.DiGraph[Block]:
    # Loading networkx takes longer than most functions, which have one block.
    import networkx as nx

    graph: nx.DiGraph[Block] = nx.DiGraph()
    graph.add_nodes_from(blocks)
    graph.add_edges_from((b, following) for b in blocks for following in successors(b))
    return graph


NodeT = TypeVar("NodeT")


def reachable(
    values: Iterable[NodeT], following: Callable[[NodeT], Iterable[NodeT]]
) -> dict[NodeT, None]:
    """The values, and all that follow them, directly or not, in the order of their visit."""
    seen = dict.fromkeys(values)
    pending = [*seen]
    while pending:
        for value in following(pending.pop()):
            if value not in seen:
                seen[value] = None
                pending.append(value)
    return seen
