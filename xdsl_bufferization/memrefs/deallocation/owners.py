"""
The memrefs of a function that may own memory, and until when each is needed.

An owner is live as long as a memref that may alias it is used. These memrefs are its
`members`, except for those that only their own blocks use. Pairs of memrefs are
never compared, so that the cost is proportional to the number of members, and of blocks in which
an owner is live. In a chain of `n` branches that may each forward the memref of the one before,
these are `n * n / 2`:

    ^join0(%s0: memref<4xf32>): cf.cond_br %c, ^new1, ^join1(%s0 : memref<4xf32>)
    ^new1:                      cf.br ^join1(%m1 : memref<4xf32>)
    ^join1(%s1: memref<4xf32>): // %s1 may be %s0, which is live until %s1 is dead

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

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.interfaces.allocation import allocated_by, has_own_dealloc
from xdsl_bufferization.interfaces.dialect_attributes import MANUAL_DEALLOCATION
from xdsl_bufferization.interfaces.view_like import is_shifted_view
from xdsl_bufferization.memrefs.buffers.buffer_flow import (
    BufferFlow,
    Edge,
    EdgeKind,
    base_of,
)
from xdsl_bufferization.memrefs.buffers.memref_flow_graph import (
    FlowKind,
    MemrefFlowGraph,
)
from xdsl_bufferization.memrefs.deallocation.left_memory import (
    LeftMemory,
    owned_results,
)
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.regions import (
    block_of,
    is_within,
    region_of,
)

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


class _BlockSearch:
    """Finds the memrefs that only their blocks use, with their uses."""

    def __init__(self, flow: BufferFlow, graph: MemrefFlowGraph):
        self.found: dict[SSAValue, BlockUses] = {}
        self._flow = flow
        self._graph = graph
        # Blocks come before those in their regions.
        for block, ops in reversed(flow.ops.items()):
            results = (result for op in reversed(ops) for result in op.results)
            for value in filter(flow.is_followed, (*results, *block.args)):
                uses = BlockUses()
                if self._add_own(value, block, uses) and self._add_derived(
                    value, block, uses
                ):
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
            edge = flow.edge
            if edge is not None and edge.block is not block:
                edge = None
            if edge is not None and edge.kind is EdgeKind.EXIT:
                uses.exits[flow.target] = None
            else:
                uses.enters |= edge is not None
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


LIVE_OUT = 1 << 62
"""The position of a last use that is in a later block."""


class Owned(Enum):
    """Whether a memref owns its memory, as far as that is known."""

    NEVER = "never"
    ALWAYS = "always"
    AT_RUN_TIME = "at run time"


@dataclass(eq=False, slots=True)
class Owner:
    """A memref that may own its memory."""

    value: SSAValue
    block: Block
    region: Region
    owned: Owned | None = None
    """`None` while unknown."""
    has_own_dealloc: bool = False
    """Whether another op than `memref.dealloc` frees the memory."""
    has_parts: bool = False
    """Whether it has views that cannot be freed in its place."""
    members: set[SSAValue] = field(default_factory=set[SSAValue])
    """The memrefs that may alias it, unless only their own blocks use them."""
    last_use: dict[Block, int] = field(default_factory=dict[Block, int])
    """
    By block of the region the position of the last use of a member; `LIVE_OUT` if it is live
    at the end of the block.
    """
    live_in: dict[Block, None] = field(default_factory=dict[Block, None])
    used_within: set[Operation] = field(default_factory=set[Operation])
    """Ops of the region that use a member in regions of their own."""
    arriving: dict[Block, list[SSAValue]] = field(
        default_factory=dict[Block, list[SSAValue]]
    )
    """By block of the region its arguments that members are forwarded to."""
    consumed: dict[Edge, Sequence[SSAValue]] = field(
        default_factory=dict[Edge, Sequence[SSAValue]]
    )
    """
    The entries of ops with regions that take ownership, with what members are forwarded to
    there.
    """

    def is_present(self, block: Block) -> bool:
        """Whether it reaches the end of the block: it is live there, or freed there."""
        return (block is self.block or block in self.live_in) and not any(
            edge.block is block for edge in self.consumed
        )

    def leaves(self, edge: Edge) -> bool:
        """Whether the owner dies on the edge."""
        if edge.region is not self.region:
            return False
        if edge.kind is EdgeKind.ENTRY:
            return edge in self.consumed
        return edge.target_block not in self.live_in and self.is_present(edge.block)


class Transfer(NamedTuple):
    """The fate of an owner that dies on an edge."""

    owner: Owner
    receivers: Sequence[int]
    """
    The indices of forwarded memrefs that must alias its memory, and own it after the edge: at
    most one, except where a function returns it.
    """
    candidates: Sequence[int]
    """The indices of forwarded memrefs that may be its memory, and own it if they are."""
    members: Sequence[int]
    """The indices of all forwarded memrefs that may be its memory."""


class Owners:
    """
    The owners of a function, which memrefs may alias each, and on which edges each leaves.

    `dynamic_calls` are calls of functions that return an `i1` for each memref that they
    return: whether the caller owns it. `distinct` are calls that are known not to return the
    same memory twice. `donated` are results of calls that are operands, and not used.
    Block arguments and results that are `borrowed` own nothing: memory that is forwarded to them
    keeps its owner. `returns_flags` says that the function itself returns such `i1`s.
    """

    def __init__(
        self,
        flow: BufferFlow,
        *,
        dynamic_calls: AbstractSet[Operation] = frozenset(),
        distinct: AbstractSet[Operation] = frozenset(),
        donated: AbstractSet[SSAValue] = frozenset(),
        borrowed: AbstractSet[SSAValue] = frozenset(),
        returns_flags: bool = False,
    ):
        self.flow = flow
        self.graph = MemrefFlowGraph(flow, with_addresses=True)
        self.by_value: dict[SSAValue, Owner] = {}
        self.compared: dict[SSAValue, Sequence[SSAValue]] = {}
        """
        Results of calls that own their memory unless they alias one of these, earlier
        results.
        """
        self.left = LeftMemory(flow, self.graph)
        """The memory that is left to the program."""
        self._block_uses = _BlockSearch(flow, self.graph).found
        self.dynamic_calls = dynamic_calls
        self._distinct = distinct
        self._donated = donated
        self._borrowed = borrowed
        self._returns_flags = returns_flags
        self._owners_of: dict[SSAValue, dict[Owner, None]] = {}
        """By member."""
        self._pending: list[tuple[Owner, SSAValue]] = []
        self._present: dict[Block, list[Owner]] = {block: [] for block in flow.ops}
        """The owners at the end of each block, and those that an op in it consumes."""
        self._find_owners()
        self._settle()

    def transfers(self, edge: Edge) -> Iterator[Transfer]:
        """The fate of each owner that dies on the edge."""
        indices: dict[SSAValue, list[int]] = {}
        for index, memref in enumerate(edge.memrefs):
            indices.setdefault(memref.value, []).append(index)
        for owner in self._leaving(edge):
            forwarded = owner.members & indices.keys()
            members = sorted(i for value in forwarded for i in indices[value])
            certain = [
                index
                for index in members
                if base_of(edge.memrefs[index].value) is owner.value
            ]
            if self.are_all_owned(edge):
                others = [index for index in members if index not in certain]
                yield Transfer(owner, certain, others, members)
            else:
                candidates = () if certain else members
                yield Transfer(owner, certain[:1], candidates, members)

    def are_all_owned(self, edge: Edge) -> bool:
        """Whether several of the forwarded memrefs may own the same memory."""
        return edge.kind is EdgeKind.RETURN and not self._returns_flags

    def _leaving(self, edge: Edge) -> Iterator[Owner]:
        if edge.kind is EdgeKind.ENTRY:
            owners = dict.fromkeys(
                owner
                for memref in edge.memrefs
                for owner in self._owners_of.get(memref.value, ())
            )
        else:
            owners = self._present[edge.block]
        return (owner for owner in owners if owner.leaves(edge))

    def borrow(self, entries: Iterable[tuple[Owner, Edge]]) -> None:
        """Let the owners keep their memory at entries of ops with regions."""
        for owner, edge in entries:
            self._keep(owner, edge)
        self._settle()

    # Building

    def _find_owners(self) -> None:
        for op in self.flow.position:
            if MANUAL_DEALLOCATION in op.attributes:
                continue
            for result in allocated_by(op):
                if owner := self._add_owner(result, Owned.ALWAYS):
                    owner.has_own_dealloc = has_own_dealloc(op)
            if is_call(op):
                self._add_call_results(op)
        for edge in self.flow.all_edges():
            for memref in edge.memrefs:
                for target in memref.targets:
                    self._add_owner(target, None)

    def _add_call_results(self, call: Operation) -> None:
        results = [r for r in owned_results(call) if r not in self._donated]
        dynamic = call in self.dynamic_calls
        for index, result in enumerate(results):
            earlier, later = results[:index], results[index + 1 :]
            owned = Owned.ALWAYS
            if dynamic:
                owned = Owned.AT_RUN_TIME
            elif call in self._distinct:
                earlier, later = (), ()
            elif earlier:
                self.compared[result] = earlier
                owned = Owned.AT_RUN_TIME
            if (owner := self._add_owner(result, owned)) is not None:
                for other in (*earlier, *later) if dynamic else later:
                    self._join(owner, other)

    def _add_owner(self, value: SSAValue, owned: Owned | None) -> Owner | None:
        if value in self.by_value or value in self._borrowed or value in self.left:
            return None
        block = block_of(value)
        owner = self.by_value[value] = Owner(value, block, region_of(block), owned)
        owner.has_parts = any(is_shifted_view(use.operation) for use in value.uses)
        self._present[block].append(owner)
        self._join(owner, value)
        return owner

    def _join(self, owner: Owner, value: SSAValue) -> None:
        """Note that the memref may alias the owner."""
        uses, block = self._block_uses.get(value), block_of(value)
        if (
            uses is None
            or region_of(block) is not owner.region
            or value in uses.forwarded
            or (uses.enters and base_of(value) is owner.value)
        ):
            self._add_member(owner, value)
            return
        if uses.last >= 0:
            self._note_last_use(owner, block, uses.last)
            if uses.is_within:
                owner.used_within.add(self.flow.ops[block][uses.last])
        for others in (uses.followed, uses.forwarded):
            for other in others:
                self._add_member(owner, other)

    def _add_member(self, owner: Owner, value: SSAValue) -> None:
        if value not in owner.members:
            owner.members.add(value)
            self._owners_of.setdefault(value, {})[owner] = None
            self._pending.append((owner, value))

    def _settle(self) -> None:
        """Find all members, and which ops with regions take ownership."""
        changed = True
        while changed:
            while self._pending:
                self._follow(*self._pending.pop())
            for owner in self.by_value.values():
                for edge in [*owner.consumed]:
                    if not self._is_last_use(owner, edge):
                        self._keep(owner, edge)
            if not self._pending:
                for edge in self.flow.all_edges():
                    self._join_receivers(edge)
            changed = bool(self._pending)

    def _keep(self, owner: Owner, edge: Edge) -> None:
        """Note that the op with regions takes no ownership: what it forwards are members."""
        for target in owner.consumed.pop(edge, ()):
            self._join(owner, target)

    def _follow(self, owner: Owner, member: SSAValue) -> None:
        """Note the uses of a new member, and join what it is forwarded to."""
        for use in member.uses:
            if use.operation in self.flow.position:
                self._note_use(owner, use.operation)
        for flow in self.graph.derived(member):
            if flow.edge is not None:
                self._follow_edge(owner, flow.edge, flow.source, flow.target)
            elif flow.kind is FlowKind.ADDRESS:
                # It may be handed over to where the owner is unknown.
                if is_within(owner.region, flow.target):
                    self._add_member(owner, flow.target)
            elif flow.kind is not FlowKind.CALL or flow.op in self.dynamic_calls:
                self._join(owner, flow.target)

    def _follow_edge(
        self, owner: Owner, edge: Edge, member: SSAValue, target: SSAValue
    ) -> None:
        if edge.region is not owner.region:
            stays = True  # its owner is in a region around that of the edge
        elif edge.kind is EdgeKind.BRANCH:
            block, _ = edge.branch
            if target in self._borrowed or (
                owner.has_parts and owner.block is owner.region.first_block
            ):
                self._make_live_in(owner, block)
            stays = block in owner.live_in
            owner.arriving.setdefault(block, []).append(target)
        elif edge.kind is EdgeKind.ENTRY:
            stays = (
                owner.has_own_dealloc
                or target in self._borrowed
                or base_of(member) is not owner.value
                or owner.has_parts
                or owner.value in self.graph.pointed_to
            )
            if not stays:
                owner.consumed[edge] = (*owner.consumed.get(edge, ()), target)
        else:
            stays = False
        if stays:
            self._join(owner, target)

    def _note_use(self, owner: Owner, op: Operation) -> None:
        outermost = self.flow.ancestor_in(owner.region, op)
        assert outermost is not None
        if outermost is not op:
            owner.used_within.add(outermost)
        block = block_of(outermost)
        self._note_last_use(owner, block, self.flow.position[outermost])

    def _note_last_use(self, owner: Owner, block: Block, position: int) -> None:
        owner.last_use[block] = max(position, owner.last_use.get(block, -1))
        if block is not owner.block:
            self._make_live_in(owner, block)

    def _make_live_in(self, owner: Owner, block: Block) -> None:
        pending = [block]
        while pending:
            block = pending.pop()
            if block in owner.live_in:
                continue
            owner.live_in[block] = None
            self._present[block].append(owner)
            for target in owner.arriving.get(block, ()):
                self._join(owner, target)
            for predecessor in self.flow.into[block]:
                owner.last_use[predecessor] = LIVE_OUT
                if predecessor is not owner.block:
                    pending.append(predecessor)

    def _is_last_use(self, owner: Owner, edge: Edge) -> bool:
        op = edge.source
        return (
            owner.last_use[edge.block] == self.flow.position[op]
            and op not in owner.used_within
        )

    def _join_receivers(self, edge: Edge) -> None:
        """
        If several memrefs that may alias an owner are forwarded where it leaves, one of them
        becomes the owner, and the others are its members.
        """
        if edge.kind is EdgeKind.RETURN:
            return
        for transfer in self.transfers(edge):
            for receiver in transfer.receivers or transfer.candidates:
                for target in edge.memrefs[receiver].targets:
                    if (owner := self.by_value.get(target)) is None:
                        continue
                    for member in transfer.members:
                        for other in edge.memrefs[member].targets:
                            if other is not target and other.owner is target.owner:
                                self._join(owner, other)
