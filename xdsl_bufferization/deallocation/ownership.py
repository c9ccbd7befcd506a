"""
Who frees which memory.

Each piece of memory that has to be freed is *owned* by one memref at a time: by the one
that was allocated, until control is handed over together with a memref of that memory, and
the owner is of no use any more. Ownership then goes to what that memref becomes: a block
argument, or a result. What is owned and not handed over is freed.

Where it depends on the run whether a block argument or a result owns its memory, an `i1`
goes with it. Everywhere else that is known here, so that no `i1` is needed.

An owner is alive as long as any memref that may be its memory is used. Such memrefs are its
`members`; nothing is asked of pairs of memrefs, and the cost is in proportion to them.

Source: https://mlir.llvm.org/docs/OwnershipBasedBufferDeallocation/, which hands an `i1` over
with each memref, and compares all memrefs that may be freed at the end of a block
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from xdsl.dialects import func
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.buffers.buffer_flow import (
    MANUAL_DEALLOCATION,
    BufferFlow,
    Edge,
    EdgeKind,
    base_of,
)
from xdsl_bufferization.buffers.memref_flow_graph import FlowKind, MemrefFlowGraph
from xdsl_bufferization.interfaces.allocation import allocated_by, has_own_dealloc
from xdsl_bufferization.interfaces.view_like import is_shifted_view, viewed_by
from xdsl_bufferization.support.shaped_types import is_memref_type

_LIVE_OUT = 1 << 62
"""The position of a last use that is in another block."""


class Owned(Enum):
    """What is known of whether a memref owns its memory."""

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
    """`None` until something is known."""
    has_own_dealloc: bool = False
    """Whether another op than `memref.dealloc` frees the memory."""
    has_parts: bool = False
    """Whether there are views of it that can not be freed in its place."""
    members: set[SSAValue] = field(default_factory=set[SSAValue])
    last_use: dict[Block, int] = field(default_factory=dict[Block, int])
    """In blocks of the region; `_LIVE_OUT` if a later block uses a member."""
    live_in: dict[Block, None] = field(default_factory=dict[Block, None])
    used_within: set[Operation] = field(default_factory=set[Operation])
    """Ops of the region that use a member in regions of their own."""
    arriving: dict[Block, list[SSAValue]] = field(
        default_factory=dict[Block, list[SSAValue]]
    )
    """Block arguments that members are handed to."""
    consumed: dict[Edge, Sequence[SSAValue]] = field(
        default_factory=dict[Edge, Sequence[SSAValue]]
    )
    """Where ownership goes into an op with regions, and what members become there."""

    def is_present(self, block: Block) -> bool:
        """Whether it is still there at the end of the block, to be freed or to live on."""
        return (block is self.block or block in self.live_in) and not any(
            edge.block is block for edge in self.consumed
        )

    def leaves(self, edge: Edge) -> bool:
        """Whether it is of no use behind the edge."""
        if edge.region is not self.region:
            return False
        if edge.kind is EdgeKind.ENTRY:
            return edge in self.consumed
        return edge.target_block not in self.live_in and self.is_present(edge.block)


@dataclass(frozen=True, slots=True)
class Transfer:
    """What becomes of an owner that leaves on an edge."""

    owner: Owner
    receivers: Sequence[int]
    """
    The indices of memrefs handed over that certainly are its memory, and own it now: at
    most one, but where functions return it.
    """
    candidates: Sequence[int]
    """Those of memrefs that may be its memory, and own it if they are."""


class Ownership:
    """
    The owners of a function's memory, and what they do on each edge.

    `dynamic_calls` are those to functions that tell with an `i1` for each memref that they
    return whether the caller owns it; `distinct` tells of a call whether it is known not to
    return the same memory twice. `returns_flags` says that the function itself is one that
    returns an `i1` for each memref.
    """

    def __init__(
        self,
        flow: BufferFlow,
        *,
        dynamic_calls: frozenset[Operation] = frozenset(),
        distinct: frozenset[Operation] = frozenset(),
        returns_flags: bool = False,
    ):
        self.flow = flow
        self.owners: dict[SSAValue, Owner] = {}
        self.owners_of: dict[SSAValue, dict[Owner, None]] = {}
        """Of each memref the owners that its memory may have."""
        self.compared: dict[SSAValue, Sequence[SSAValue]] = {}
        """
        Results of calls that are owned unless they are the memory of one of these, earlier
        results.
        """
        self.dynamic_calls = dynamic_calls
        self._distinct = distinct
        self._returns_flags = returns_flags
        self._pending: list[tuple[Owner, SSAValue]] = []
        self._present: dict[Block, list[Owner]] = {block: [] for block in flow.ops}
        """The owners at the end of each block, and those that went into an op in it."""
        self._graph = MemrefFlowGraph(flow)
        self._freed_elsewhere = _freed_elsewhere(flow, self._graph)
        self._targets: Sequence[SSAValue] = [
            *dict.fromkeys(
                target
                for edge in flow.all_edges()
                for memref in edge.memrefs
                for target in memref.targets
            )
        ]
        self._slots = DisjointSet(self._targets)
        """Targets of edges; those together that are given the same operands."""
        for edge in flow.all_edges():
            for memref in edge.memrefs:
                for target in memref.targets[1:]:
                    self._slots.union(memref.targets[0], target)
        self._find_owners()
        self._settle()
        self._transfers: dict[Edge, list[Transfer]] = {}
        self._given: dict[tuple[Edge, int], list[Transfer]] = {}
        """By edge and index of the memref handed over."""
        for edge in flow.all_edges():
            transfers = self._transfers[edge] = [*self._find_transfers(edge)]
            for transfer in transfers:
                for index in (*transfer.receivers, *transfer.candidates):
                    self._given.setdefault((edge, index), []).append(transfer)
        self._decide()

    def is_managed(self, value: SSAValue) -> bool:
        """Whether the program itself frees memory that the memref may be."""
        return self._freed_elsewhere(value)

    def transfers(self, edge: Edge) -> Sequence[Transfer]:
        """What becomes of the owners that leave on the edge, without those of nothing."""
        return [t for t in self._transfers[edge] if t.owner.owned is not Owned.NEVER]

    def owned(self, target: SSAValue) -> Owned:
        """Whether a memref owns its memory."""
        owner = self.owners.get(target)
        return Owned.NEVER if owner is None or owner.owned is None else owner.owned

    def handed_over(self, edge: Edge, index: int) -> Owned:
        """Whether ownership goes with the edge's memref of that index."""
        return self._handed_over[edge, index]

    def given(self, edge: Edge, index: int) -> Iterator[Owner]:
        """The owners whose memory the edge's memref of that index may be, and own then."""
        for transfer in self._given.get((edge, index), ()):
            if transfer.owner.owned is not Owned.NEVER:
                yield transfer.owner

    def may_return_twice(self) -> bool:
        """Whether the function may return the same memory as two of its results."""
        return any(
            len(transfer.receivers) + len(transfer.candidates) > 1
            for edge, transfers in self._transfers.items()
            if edge.kind is EdgeKind.RETURN
            for transfer in transfers
        )

    # Owners, and how long they are needed

    def _find_owners(self) -> None:
        for op in self.flow.position:
            if MANUAL_DEALLOCATION in op.attributes:
                continue
            for result in allocated_by(op):
                if owner := self._add_owner(result, Owned.ALWAYS):
                    owner.has_own_dealloc = has_own_dealloc(op)
            if isinstance(op, func.CallOp):
                self._add_call_results(op)
        for edge in self.flow.all_edges():
            for memref in edge.memrefs:
                for target in memref.targets:
                    self._add_owner(target, None)

    def _add_call_results(self, call: func.CallOp) -> None:
        results = [r for r in call.results if is_memref_type(r.type)]
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
        if value in self.owners or self._freed_elsewhere(value):
            return None
        place = value.owner
        block = place if isinstance(place, Block) else place.parent
        assert block is not None
        assert block.parent is not None
        owner = self.owners[value] = Owner(value, block, block.parent, owned)
        owner.has_parts = any(is_shifted_view(use.operation) for use in value.uses)
        self._present[block].append(owner)
        self._join(owner, value)
        return owner

    def _join(self, owner: Owner, value: SSAValue) -> None:
        if value not in owner.members:
            owner.members.add(value)
            self.owners_of.setdefault(value, {})[owner] = None
            self._pending.append((owner, value))

    def _settle(self) -> None:
        """Find all members, and which owners may go into ops with regions."""
        changed = True
        while changed:
            while self._pending:
                self._follow(*self._pending.pop())
            for owner in self.owners.values():
                for edge in [*owner.consumed]:
                    if not self._is_last_use(owner, edge):
                        for target in owner.consumed.pop(edge):
                            self._join(owner, target)
            if not self._pending:
                for edge in self.flow.all_edges():
                    self._join_receivers(edge)
            changed = bool(self._pending)

    def _follow(self, owner: Owner, member: SSAValue) -> None:
        """Note the uses of a new member, and what else they make a member."""
        for use in [*member.uses]:
            op = use.operation
            if op not in self.flow.position:
                continue
            self._note_use(owner, op)
        for flow in self._graph.derived(member):
            if flow.edge is not None:
                self._follow_edge(owner, flow.edge, flow.source, flow.target)
            elif flow.kind is not FlowKind.CALL or flow.op in self.dynamic_calls:
                self._join(owner, flow.target)

    def _follow_edge(
        self, owner: Owner, edge: Edge, member: SSAValue, target: SSAValue
    ) -> None:
        if edge.region is not owner.region:
            stays = True  # an op in a region around that of the edge owns it
        elif edge.kind is EdgeKind.BRANCH:
            block = edge.target_block
            assert block is not None
            if owner.has_parts and owner.block is owner.region.first_block:
                self._make_live_in(owner, block)
            stays = block in owner.live_in
            owner.arriving.setdefault(block, []).append(target)
        elif edge.kind is EdgeKind.ENTRY:
            stays = (
                owner.has_own_dealloc
                or base_of(member) is not owner.value
                or owner.has_parts
            )
            if not stays:
                owner.consumed[edge] = (*owner.consumed.get(edge, ()), target)
        else:
            stays = False
        if stays:
            self._join(owner, target)

    def _note_use(self, owner: Owner, op: Operation) -> None:
        place = op
        while place.parent_region() is not owner.region:
            parent = place.parent_op()
            assert parent is not None
            place = parent
        if place is not op:
            owner.used_within.add(place)
        block = place.parent
        assert block is not None
        position = self.flow.position[place]
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
            for before in self.flow.into[block]:
                owner.last_use[before] = _LIVE_OUT
                if before is not owner.block:
                    pending.append(before)

    def _is_last_use(self, owner: Owner, edge: Edge) -> bool:
        op = edge.source
        return (
            owner.last_use[edge.block] == self.flow.position[op]
            and op not in owner.used_within
        )

    def _join_receivers(self, edge: Edge) -> None:
        """
        If an owner leaves together with several memrefs that may be its memory, one of
        those becomes the owner, and the others are its members.
        """
        if edge.kind is EdgeKind.RETURN:
            return
        for transfer in self._find_transfers(edge):
            members = self._members(transfer.owner, edge)
            for receiver in transfer.receivers or transfer.candidates:
                for target in edge.memrefs[receiver].targets:
                    if (owner := self.owners.get(target)) is None:
                        continue
                    for member in members:
                        for other in edge.memrefs[member].targets:
                            if other is not target and other.owner is target.owner:
                                self._join(owner, other)

    # What becomes of them

    def _find_transfers(self, edge: Edge) -> Iterator[Transfer]:
        for owner in self._leaving(edge):
            members = self._members(owner, edge)
            certain = [
                index
                for index in members
                if base_of(edge.memrefs[index].value) is owner.value
            ]
            if self._are_all_owned(edge):
                others = [index for index in members if index not in certain]
                yield Transfer(owner, certain, others)
            else:
                yield Transfer(owner, certain[:1], () if certain else members)

    def _are_all_owned(self, edge: Edge) -> bool:
        """Whether the memrefs handed over may own the same memory, several at a time."""
        return edge.kind is EdgeKind.RETURN and not self._returns_flags

    def _leaving(self, edge: Edge) -> Iterator[Owner]:
        if edge.kind is EdgeKind.ENTRY:
            owners = dict.fromkeys(
                owner
                for memref in edge.memrefs
                for owner in self.owners_of.get(memref.value, ())
            )
        else:
            owners = self._present[edge.block]
        return (owner for owner in owners if owner.leaves(edge))

    def _members(self, owner: Owner, edge: Edge) -> Sequence[int]:
        return [i for i, m in enumerate(edge.memrefs) if m.value in owner.members]

    def _decide(self) -> None:
        """Find what each target owns, from nothing known up."""
        together: dict[SSAValue, list[Owner]] = {}
        depends: dict[Owner, list[tuple[Edge, int]]] = {}
        for target in self._targets:
            if (owner := self.owners.get(target)) is not None:
                together.setdefault(self._slots.find(target), []).append(owner)
        for (edge, index), transfers in self._given.items():
            if edge.memrefs[index].targets:
                for transfer in transfers:
                    depends.setdefault(transfer.owner, []).append((edge, index))
        handed = [
            (edge, index)
            for edge in self.flow.all_edges()
            for index, memref in enumerate(edge.memrefs)
            if memref.targets
        ]
        # Whether all that a memref may be is owned depends on more than its owners, so
        # that it takes a last round to see that nothing changes any more.
        changed = True
        while changed:
            changed = False
            pending = handed[::-1]
            while pending:
                edge, index = pending.pop()
                if (known := self._contribution(edge, index)) is None:
                    continue
                slot = self._slots.find(edge.memrefs[index].targets[0])
                for owner in together.get(slot, ()):
                    joined = (
                        known if owner.owned in (None, known) else Owned.AT_RUN_TIME
                    )
                    if joined is not owner.owned:
                        changed = True
                        owner.owned = joined
                        pending.extend(depends.get(owner, ()))
        for owner in self.owners.values():
            owner.owned = owner.owned or Owned.NEVER
        self._handed_over = {
            (edge, index): self._contribution(edge, index) or Owned.NEVER
            for edge in self.flow.all_edges()
            for index in range(len(edge.memrefs))
        }

    def _contribution(self, edge: Edge, index: int) -> Owned | None:
        """What is known so far of the memref of that index; `None` if nothing is."""
        known = at_run_time = False
        given = self._given.get((edge, index), ())
        for transfer in given:
            owned = transfer.owner.owned
            if owned is Owned.ALWAYS and index in transfer.receivers:
                return Owned.ALWAYS
            if owned in (Owned.ALWAYS, Owned.AT_RUN_TIME):
                at_run_time = True
            known |= owned is not None
        if at_run_time:
            certain = self._is_any_always(edge, index)
            return Owned.ALWAYS if certain else Owned.AT_RUN_TIME
        return Owned.NEVER if known or not given else None

    def _owns_nothing(self, target: SSAValue) -> bool:
        owner = self.owners.get(target)
        return owner is None or owner.owned is Owned.NEVER

    def _is_any_always(self, edge: Edge, index: int) -> bool:
        """Whether, whichever owner's memory the memref is, that is owned and leaves."""
        leaving = {
            transfer.owner.value
            for transfer in self._given[edge, index]
            if transfer.owner.owned is Owned.ALWAYS
            and (self._are_all_owned(edge) or len(transfer.candidates) == 1)
        }
        compared = {
            transfer.owner.value
            for transfer in self._given[edge, index]
            if transfer.owner.value in self.compared
        }
        pending, seen = [edge.memrefs[index].value], set[SSAValue]()
        while pending:
            value = pending.pop()
            if value in leaving or value in seen:
                continue
            seen.add(value)
            if value in compared:
                pending.extend(self.compared[value])  # it is owned, or is one of these
            elif isinstance(value, OpResult) and (viewed := viewed_by(value)):
                pending.extend(value.op.operands[i] for i in viewed)
            elif (sources := self._graph.forwarded_to(value)) and self._owns_nothing(
                value
            ):
                pending.extend(sources)
            else:
                return False
        return True


def _freed_elsewhere(
    flow: BufferFlow, graph: MemrefFlowGraph
) -> Callable[[SSAValue], bool]:
    """Tells of a memref whether an op of the program frees memory that it may be."""
    freed = [memref for _, memref in flow.frees()]
    if not freed:
        return lambda value: False
    classes = graph.alias_classes()
    found = {classes.find(memref) for memref in freed}
    return lambda value: classes.find(value) in found
