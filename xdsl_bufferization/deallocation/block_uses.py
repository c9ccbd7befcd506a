"""
Memrefs that only their own block uses, itself or in its regions.

Many memrefs may be derived from one, and one from many, as views, by `arith.select`, and as what
loops and conditionals hand on:

    %s = scf.if %c -> (memref<4xf32>) { scf.yield %new } else { scf.yield %r }
    %t = scf.if %d -> (memref<4xf32>) { scf.yield %other } else { scf.yield %s }
    // %r, %s and %t are used until here

Each is followed once, not once for each memory that it may be in. Invariant: what is known of a
memref holds for all owners in the region of its block or around it, as far as they do not leave
where it is forwarded. Those that may are exceptions: memrefs that a terminator forwards, and the
base of one that an op forwards into its regions, which owns its memory there.

Direction: backwards, from the uses; blocks within regions before the blocks around them. The cost
is linear in the uses: no set has more than `MAX_FOLLOWED` elements, and memrefs that would need
more have no entry, so that each owner follows them itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.ir import Block, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow, EdgeKind
from xdsl_bufferization.buffers.memref_flow_graph import (
    FlowKind,
    MemrefFlow,
    MemrefFlowGraph,
)
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.regions import block_of, region_of

MAX_FOLLOWED = 4
"""A memref from which more others are derived is followed as if it were one of them."""


@dataclass(eq=False, slots=True)
class BlockUses:
    """The uses of a memref, and of those that are derived from it."""

    last: int = -1
    """The position in the block of the last op that uses one of them; -1 if none does."""
    is_within: bool = False
    """Whether that op uses it in its regions."""
    enters: bool = False
    """Whether an op of the block forwards one of them to its regions or results."""
    followed: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """The derived memrefs without an entry, which owners follow."""
    forwarded: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """Those of the block that its terminator uses; owners in the region follow them."""
    exits: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """The values that the terminator forwards them to, outside of the block."""

    def note(self, position: int, *, is_within: bool) -> None:
        """Add a use at that position."""
        if position > self.last:
            self.last, self.is_within = position, is_within
        elif position == self.last:
            self.is_within |= is_within

    def is_small(self) -> bool:
        """Whether the sets have few elements."""
        sets = self.followed, self.forwarded, self.exits
        return all(len(memrefs) <= MAX_FOLLOWED for memrefs in sets)


def block_uses(flow: BufferFlow, graph: MemrefFlowGraph) -> dict[SSAValue, BlockUses]:
    """The memrefs that only their blocks use, with their uses."""
    search = _Search(flow, graph)
    # Blocks come before those in their regions.
    for block, ops in reversed(flow.ops.items()):
        for op in reversed(ops):
            for result in filter(flow.is_followed, op.results):
                search.visit(result, block)
        for argument in filter(flow.is_followed, block.args):
            search.visit(argument, block)
    return search.found


class _Search:
    def __init__(self, flow: BufferFlow, graph: MemrefFlowGraph):
        self.found: dict[SSAValue, BlockUses] = {}
        self._flow = flow
        self._graph = graph

    def visit(self, value: SSAValue, block: Block) -> None:
        """Find the uses of a memref that is defined in the block."""
        uses = BlockUses()
        if self._add_own(value, block, uses) and self._add_derived(value, block, uses):
            self.found[value] = uses

    def _add_own(self, value: SSAValue, block: Block, uses: BlockUses) -> bool:
        """Add the uses of the memref itself; returns whether its block has them all."""
        for use in value.uses:
            user = use.operation
            if user not in self._flow.position:
                continue
            outermost = self._flow.ancestor_in(region_of(block), user)
            if (
                outermost is None
                or outermost.parent is not block
                or is_call(user)
                or (outermost is user and user.successors)
            ):
                return False
            uses.note(self._flow.position[outermost], is_within=outermost is not user)
            if outermost is user and user is block.last_op:
                uses.forwarded[value] = None
        return True

    def _add_derived(self, value: SSAValue, block: Block, uses: BlockUses) -> bool:
        """Add the uses of what is derived from the memref; returns whether that is little."""
        pending: dict[SSAValue, None] = {}
        for flow in self._graph.derived(value):
            if (
                flow.kind in (FlowKind.ADDRESS, FlowKind.LOADED)
                and block_of(flow.target) is not block
            ):
                return False
            if _leaves(flow, block):
                uses.exits[flow.target] = None
            else:
                uses.enters |= flow.edge is not None and flow.edge.block is block
                pending[flow.target] = None
        seen = {*pending}
        while pending:
            target, _ = pending.popitem()
            for following in self._add_target(target, block, uses):
                if following not in seen:
                    seen.add(following)
                    pending[following] = None
            if not uses.is_small() or len(seen) > 8 * MAX_FOLLOWED:
                return False
        return uses.is_small()

    def _add_target(
        self, target: SSAValue, block: Block, uses: BlockUses
    ) -> Iterator[SSAValue]:
        """Add the uses of a derived memref; yields what else may be its memory then."""
        known = self.found.get(target)
        if known is None:
            uses.followed[target] = None
            return
        uses.followed.update(known.followed)
        defined_in = block_of(target)
        if defined_in is block:
            uses.note(known.last, is_within=known.is_within)
            uses.enters |= known.enters
            uses.forwarded.update(known.forwarded)
            uses.exits.update(known.exits)
            return
        around = defined_in.parent_op()
        outermost = None if around is None else block.find_ancestor_op_in_block(around)
        assert outermost is not None
        if known.last >= 0:
            uses.note(self._flow.position[outermost], is_within=True)
        yield from known.exits


def _leaves(flow: MemrefFlow, block: Block) -> bool:
    """Whether the terminator of the block forwards the memref out of its region."""
    edge = flow.edge
    return edge is not None and edge.kind is EdgeKind.EXIT and edge.block is block
