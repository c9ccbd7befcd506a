"""
Dominators and loops among the blocks of one region.

Source: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001, as networkx
has it; loops are those of Steensgaard, "Sequentializing Program Dependence Graphs for
Irreducible Programs", 1993
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import networkx as nx
from xdsl.ir import Block

from xdsl_bufferization.analysis.block_tree import BlockLoop


def dominators(blocks: Sequence[Block]) -> Mapping[Block, Block]:
    """
    The closest dominator of each of the blocks but the first, from which all are reached.
    """
    closest = nx.immediate_dominators(_graph(blocks), blocks[0])
    return {block: closest[block] for block in blocks[1:]}


def block_loops(blocks: Sequence[Block]) -> Mapping[Block, BlockLoop]:
    """
    The innermost loop of each of the blocks that is in any.

    A loop is a set of blocks, as large as it can be, each of which can be reached from each;
    the loops within it are those of its blocks without the ones at which it is entered.
    """
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
    graph: nx.DiGraph[Block] = nx.DiGraph()
    graph.add_nodes_from(blocks)
    graph.add_edges_from(_edges(blocks))
    return graph


def _edges(blocks: Sequence[Block]) -> Iterator[tuple[Block, Block]]:
    for block in blocks:
        assert block.last_op is not None
        for successor in block.last_op.successors:
            yield block, successor
