"""
Which memref frees which memory.

Each piece of memory that has to be freed is *owned* by one memref at a time. The first
owner is the memref that is allocated. It stays the owner until control leaves the blocks
in which it is live; if a memref of that memory is forwarded on that edge, ownership goes
to the block argument or the result that it becomes. Memory that is owned and not forwarded
is freed.

    ^bb0: cf.cond_br %c, ^bb1, ^bb2(%m : memref<4xf32>)    // to ^bb1 it dies, and is freed
    ^bb2(%a: memref<4xf32>):                                // %a owns the memory

Where ownership of a block argument or a result is known at run time only, an `i1` is
forwarded with the memref. Elsewhere ownership is known here, and there is no `i1`.

Source: https://mlir.llvm.org/docs/OwnershipBasedBufferDeallocation/, which forwards an `i1`
with each memref, and compares all memrefs that may be freed at the end of a block
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects.builtin import MemRefType, StridedLayoutAttr
from xdsl.dialects.memref import DeallocOp, ExtractStridedMetaDataOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.interfaces.allocation import is_allocated
from xdsl_bufferization.interfaces.view_like import viewed_by
from xdsl_bufferization.memrefs.buffers.buffer_flow import (
    BufferFlow,
    Edge,
    EdgeKind,
    base_of,
)
from xdsl_bufferization.memrefs.deallocation.owners import (
    Owned,
    Owner,
    Owners,
    Transfer,
)
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.memref_types import has_identity_layout
from xdsl_bufferization.support.regions import walk


class Ownership:
    """Which owners of a function own memory, and what happens to each on each edge."""

    def __init__(self, owners: Owners):
        self.owners = owners
        self.flow = flow = owners.flow
        self._transfers: dict[Edge, Sequence[Transfer]] = {}
        self._given: dict[tuple[Edge, int], list[Transfer]] = {}
        """By edge and index of the forwarded memref."""
        self._decide()
        if entries := [*self._borrowed()]:
            self.owners.borrow(entries)
            self._decide()
        self._forwarded = {
            (edge, index): self._contribution(edge, index) or Owned.NEVER
            for edge in flow.all_edges()
            for index in range(len(edge.memrefs))
        }

    def transfers(self, edge: Edge) -> Sequence[Transfer]:
        """The fate of the owners that die on the edge, if they own memory."""
        return [t for t in self._transfers[edge] if t.owner.owned is not Owned.NEVER]

    def owned(self, target: SSAValue) -> Owned:
        """Whether a memref owns its memory."""
        owner = self.owners.by_value.get(target)
        return Owned.NEVER if owner is None or owner.owned is None else owner.owned

    def forwarded(self, edge: Edge, index: int) -> Owned:
        """Whether ownership is forwarded with the edge's memref of that index."""
        return self._forwarded[edge, index]

    def given(self, edge: Edge, index: int) -> Iterator[Owner]:
        """
        The owners whose memory the edge's memref of that index may alias, and owns after the
        edge if it does.
        """
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

    def _decide(self) -> None:
        """Find what each target owns: a fix-point, from unknown upwards."""
        self._given.clear()
        for edge in self.flow.all_edges():
            transfers = self._transfers[edge] = [*self.owners.transfers(edge)]
            for transfer in transfers:
                for index in (*transfer.receivers, *transfer.candidates):
                    self._given.setdefault((edge, index), []).append(transfer)
        forwarded = [
            (edge, index)
            for edge in self.flow.all_edges()
            for index, memref in enumerate(edge.memrefs)
            if memref.targets
        ]
        classes = classes_of_targets(self.flow)
        together: dict[SSAValue, list[Owner]] = {}
        for target in dict.fromkeys(
            target for edge, i in forwarded for target in edge.memrefs[i].targets
        ):
            if (owner := self.owners.by_value.get(target)) is not None:
                owner.owned = None
                together.setdefault(classes[target], []).append(owner)
        changed = True
        while changed:
            changed = False
            for edge, index in forwarded:
                if (known := self._contribution(edge, index)) is None:
                    continue
                target = edge.memrefs[index].targets[0]
                for owner in together.get(classes[target], ()):
                    before = owner.owned
                    owner.owned = (
                        known if before in (None, known) else Owned.AT_RUN_TIME
                    )
                    changed |= owner.owned is not before
        for owner in self.owners.by_value.values():
            owner.owned = owner.owned or Owned.NEVER

    def _borrowed(self) -> Iterator[tuple[Owner, Edge]]:
        """
        The buffers that loops borrow, with their entries: each is swapped with memory that the
        function does not own, and what it is swapped with is dead at the end of the region.

            %r, %s = scf.for ... iter_args(%x = %argument, %y = %m) { scf.yield %y, %x }
            // %m is freed after the last use of %r and %s, whichever is its memory

        With a second buffer, uses of one would keep both.
        """
        entries = [
            (transfer.owner, edge, edge.memrefs[index].targets[0])
            for edge, transfers in self._transfers.items()
            if edge.kind is EdgeKind.ENTRY
            for transfer in transfers
            for index in transfer.receivers
            if self.owned(edge.memrefs[index].targets[0]) is Owned.AT_RUN_TIME
        ]
        if not entries:
            return
        webs = classes_of_targets(self.flow, are_webs=True)
        number_owned = Counter[SSAValue]()
        with_others: set[tuple[Edge, SSAValue]] = set()
        leaving: set[tuple[Region, SSAValue]] = set()
        for edge in self.flow.all_edges():
            for index, memref in enumerate(edge.memrefs):
                if (base := base_of(memref.value)) in webs:
                    if edge.kind is not EdgeKind.ENTRY:
                        leaving.add((edge.region, webs[base]))
                    continue
                if not memref.targets:
                    continue
                web = webs[memref.targets[0]]
                if self._contribution(edge, index) in (None, Owned.NEVER):
                    with_others.add((edge, web))
                else:
                    number_owned[web] += 1
        for owner, edge, target in entries:
            web = webs[target]
            if (
                number_owned[web] == 1
                and (edge, web) in with_others
                and (edge.region, web) not in leaving
            ):
                yield owner, edge

    def _contribution(self, edge: Edge, index: int) -> Owned | None:
        """
        Whether ownership is forwarded with the edge's memref of that index, as far as it is
        known; `None` while it is unknown.
        """
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
        owner = self.owners.by_value.get(target)
        return owner is None or owner.owned is Owned.NEVER

    def _is_any_always(self, edge: Edge, index: int) -> bool:
        """
        Whether the edge's memref of that index is certainly memory that is owned and leaves,
        whichever of several owners it aliases.
        """
        leaving = {
            transfer.owner.value
            for transfer in self._given[edge, index]
            if transfer.owner.owned is Owned.ALWAYS
            and (self.owners.are_all_owned(edge) or len(transfer.candidates) == 1)
        }
        compared = {
            transfer.owner.value
            for transfer in self._given[edge, index]
            if transfer.owner.value in self.owners.compared
        }
        pending, seen = [edge.memrefs[index].value], set[SSAValue]()
        followed: dict[Operation | Block, int] = {}
        """By call: the number of results, from the first one on, that have been added."""
        while pending:
            value = pending.pop()
            if value in leaving or value in seen:
                continue
            seen.add(value)
            if value in compared:
                earlier = self.owners.compared[value]  # it is owned, or is one of these
                first = followed.get(value.owner, 0)
                pending.extend(earlier[first:])
                followed[value.owner] = max(first, len(earlier))
            elif isinstance(value, OpResult) and (viewed := viewed_by(value)):
                pending.extend(value.op.operands[i] for i in viewed)
            elif (
                sources := self.owners.graph.forwarded_to(value)
            ) and self._owns_nothing(value):
                pending.extend(sources)
            else:
                return False
        return True


def classes_of_targets(
    flow: BufferFlow, *, are_webs: bool = False
) -> Mapping[SSAValue, SSAValue]:
    """
    By block argument or result that memrefs are forwarded to, one that stands for its class: those
    that the same operand is forwarded to, and in webs also those that are forwarded to it.
    """
    forwarded = [memref for edge in flow.all_edges() for memref in edge.memrefs]
    targets = dict.fromkeys(t for memref in forwarded for t in memref.targets)
    classes = DisjointSet([*targets])
    for memref in forwarded if targets else ():
        same = [*memref.targets]
        if are_webs and (base := base_of(memref.value)) in targets:
            same.append(base)
        for target in same[1:]:
            classes.union(same[0], target)
    return {target: classes.find(target) for target in targets}


def deallocs_of(buffer: SSAValue, *, may_be_part: bool) -> Sequence[Operation]:
    """
    Ops that free a memref, or the allocation that it is a part of if its type says so, or it
    `may_be_part`; not inserted.
    """
    if not (may_be_part or _is_strided(buffer)):
        return (DeallocOp.create(operands=[buffer]),)
    metadata = ExtractStridedMetaDataOp(buffer)
    return metadata, DeallocOp.get(metadata.base_buffer)


def _is_strided(buffer: SSAValue) -> bool:
    """Whether the type of a memref says that it may be a part."""
    return isinstance(buffer.type, MemRefType) and isinstance(
        buffer.type.layout, StridedLayoutAttr
    )


def may_hide_part(buffer: SSAValue) -> bool:
    """Whether a memref may be a hidden part, in a program that hides parts."""
    return isinstance(buffer.type, MemRefType) and not is_allocated(buffer)


def hides_parts(program: Operation) -> bool:
    """
    Whether an op in the program hides that its result is a part of a buffer, which
    `memref.dealloc` does not free as it is. The type of a part has an offset or strides, as a rule:

        %v = memref.view %m[%shift][] : memref<64xi8> to memref<4xf32>   // may start anywhere in %m
    """
    return any(map(_hides_part, walk([program])))


def _hides_part(op: Operation) -> bool:
    """Whether the op gives a part of a buffer a type that a whole one may have."""
    return any(
        not _is_strided(view)
        and not _is_whole(view, op.operands[viewed])
        and not _is_only_freed(view)
        for view in op.results
        for viewed in viewed_by(view)
    )


def _is_only_freed(memref_: SSAValue) -> bool:
    """Whether nothing but `memref.dealloc` uses the memref, such as one of `deallocs_of`."""
    return all(isinstance(use.operation, DeallocOp) for use in memref_.uses)


def _is_whole(view: SSAValue, viewed: SSAValue) -> bool:
    """Whether the view has all elements, as far as the types tell."""
    if _is_strided(viewed) or not has_identity_layout(viewed.type):
        return False
    sizes = bytes_of_contents(view), bytes_of_contents(viewed)
    return None in sizes or sizes[0] == sizes[1]
