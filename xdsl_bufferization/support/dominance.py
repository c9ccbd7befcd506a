"""
Dominators and loops among the blocks of one region.

Source: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001, as networkx
has it; loops are those of Steensgaard, "Sequentializing Program Dependence Graphs for
Irreducible Programs", 1993
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.ir import Block

from xdsl_bufferization.support.walk import successors

if TYPE_CHECKING:
    import networkx as nx


@dataclass(eq=False, frozen=True, slots=True)
class BlockLoop:
    """Blocks of one region, each of which can be reached from each."""

    blocks: frozenset[Block]
    parent: BlockLoop | None
    """The loop around it, in the same region."""


def dominators(blocks: Sequence[Block]) -> Mapping[Block, Block]:
    """
    The closest dominator of each of the blocks but the first, from which all are reached.
    """
    if len(blocks) < 2:
        return {}
    import networkx as nx

    closest = nx.immediate_dominators(_graph(blocks), blocks[0])
    return {block: closest[block] for block in blocks[1:]}


def block_loops(blocks: Sequence[Block]) -> Mapping[Block, BlockLoop]:
    """
    The innermost loop of each of the blocks that is in any.

    A loop is a set of blocks, as large as it can be, each of which can be reached from each;
    the loops within it are those of its blocks without the ones at which it is entered.
    """
    if len(blocks) < 2:
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


def _graph(blocks: Sequence[Block]) -> nx.DiGraph[Block]:
    # Loading networkx takes longer than most functions, which have one block.
    import networkx as nx

    graph: nx.DiGraph[Block] = nx.DiGraph()
    graph.add_nodes_from(blocks)
    graph.add_edges_from((b, following) for b in blocks for following in successors(b))
    return graph
