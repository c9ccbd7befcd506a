"""
Dominators, post-dominators and loops of the blocks of a function.

Source: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001, as networkx
has it; jump pointers are due to Myers, "An Applicative Random-Access Stack", 1983; loops
to Steensgaard, "Sequentializing Program Dependence Graphs for Irreducible Programs",
1993
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.ir import Block, Region

from xdsl_bufferization.support.regions import blocks_in_order, region_of, successors

if TYPE_CHECKING:
    import networkx as nx


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
