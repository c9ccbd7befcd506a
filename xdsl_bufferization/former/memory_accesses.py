"""
Where a function accesses each piece of memory.

An allocation of the function that does not escape is a piece of its own, and so is each
constant global; all other memory is one piece, since it may alias. Calls, and the callers of
the function after it returns, access that piece, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TypeAlias

from sortedcontainers import SortedList
from xdsl.dialects import memref
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.host.effects import memory_effects
from xdsl_bufferization.interfaces.allocation import (
    AllocationOpInterface,
    has_own_dealloc,
)
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
    effect_on,
)
from xdsl_bufferization.interfaces.copy import may_return_source
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.memrefs.buffers.buffer_aliases import BufferAliases, Origin
from xdsl_bufferization.memrefs.buffers.buffer_flow import BufferFlow, EdgeKind, base_of
from xdsl_bufferization.memrefs.buffers.program_points import ProgramPoints
from xdsl_bufferization.support.call_graph import is_call, is_function
from xdsl_bufferization.support.memref_types import without_casts
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor_type

Key: TypeAlias = SSAValue | str | None
"""An allocated memref, the name of a constant global, or `None`: all other memory."""


Positions: TypeAlias = SortedList[float]


def first_from(positions: Positions, position: float) -> float:
    """The first of the positions that is not smaller; infinite if there is none."""
    return next(positions.irange(position), math.inf)


def first_after(positions: Positions, position: float) -> float:
    """The first of the positions that is greater; infinite if there is none."""
    return next(positions.irange(position, inclusive=(False, True)), math.inf)


def last_of(positions: Positions) -> float:
    """The greatest of the positions; minus infinite if there is none."""
    return positions[-1] if positions else -math.inf


@dataclass(eq=False, slots=True)
class Memory:
    """A piece of memory, or several pieces that are treated as one."""

    fresh_at: float | None = None
    """
    The position of its allocation, if there is one only, and no memory of an earlier
    execution of that is accessed after it.
    """
    allocated: OpResult | None = None
    """The allocated memref, if there is one only."""
    is_local: bool = False
    """Whether it does not escape from the function."""
    is_constant: bool = False
    is_on_stack: bool = False
    """Whether other ops than `memref.dealloc` free some of it."""
    is_returned: bool = False
    is_clone: bool = False
    """Whether it may be the source of a clone, which is outside memory, and is the clone."""
    reads: Positions = field(default_factory=SortedList[float])
    writes: Positions = field(default_factory=SortedList[float])
    frees: Positions = field(default_factory=SortedList[float])
    forwarded: Positions = field(default_factory=SortedList[float])
    """Where it is forwarded, to a block, a region or the results of an op."""
    deallocs: dict[Operation, None] = field(default_factory=dict[Operation, None])
    """The ops that only free it."""

    @property
    def size(self) -> int:
        """The number of positions in all lists."""
        return sum(map(len, (self.reads, self.writes, self.frees, self.forwarded)))


class MemoryAccesses:
    """The memory of a function, and where it is accessed."""

    def __init__(self, function: Operation, constants: AbstractSet[Operation]):
        """`constants` are the `memref.get_global`s of globals that are never written."""
        self.points = ProgramPoints(function)
        self.first_use: dict[SSAValue, float] = {}
        """By memref: the position of the first op that uses it, if only for its size."""
        self.first_access: dict[SSAValue, float] = {}
        """By allocated memref: the position where it is first accessed or forwarded."""
        self.is_promised: set[SSAValue] = set()
        """Memrefs with an assumed alignment, which others of the type may not have."""
        self._aliases = BufferAliases(function)
        self._constants = constants
        self._keys = DisjointSet[Key]()
        """In one set if their memory is one piece."""
        self._known: set[Key] = set()
        self._memories: dict[Key, Memory] = {}
        self._to_tensors: set[SSAValue] = set()
        self._of_clones: Positions = SortedList()
        """Where clones are accessed."""
        flow = self._aliases.flow
        ops = [op for op in self.points.at if op is not None]
        for op in ops:
            if any(map(is_tensor_type, (*op.operand_types, *op.result_types))):
                for value in op.operands:
                    if is_memref_type(value.type):
                        self._to_tensors.update(self._aliases.origins(value))
        carried: set[SSAValue] = set()
        for edge in flow.all_edges():
            for forwarded in edge.memrefs:
                self._forward(edge.source, forwarded.value, edge.kind)
                for target in forwarded.targets:
                    if isinstance(target, BlockArgument):
                        carried.update(self._carried(target))
        for op in ops:
            self._add_accesses(op, flow)
        for origin in carried:
            self.memory(origin).fresh_at = None

    def memories(self, value: SSAValue) -> Sequence[Memory]:
        """The pieces that the memref, which may be a cast made since, may be in."""
        origins = self._aliases.origins(without_casts(value))
        keys = dict.fromkeys(self._piece(self._key(o)) for o in origins)
        return [self._memories[key] for key in keys]

    def memory(self, allocated: SSAValue) -> Memory:
        """The piece that an allocated memref is in."""
        return self._memories[self._piece(self._key(allocated))]

    def is_new(self, value: SSAValue) -> bool:
        """Whether the memref is allocated in the function."""
        return self._aliases.kind(value) in (Origin.NEW, Origin.ESCAPING)

    @staticmethod
    def is_on_stack(allocated: OpResult) -> bool:
        """Whether another op than `memref.dealloc` frees the allocated memref."""
        model = AllocationOpInterface.of(allocated.op)
        is_freed = model is None or model.is_freed(allocated.op)
        return not is_freed or has_own_dealloc(allocated.op)

    def partners(self, memory: Memory) -> Sequence[Positions]:
        """
        Where memory is accessed that may be the same, since one is a clone of the other:
        neither may be written while the other is used.
        """
        if memory.is_clone:
            outside = self._memories[self._piece(None)]
            return outside.reads, outside.writes
        return () if memory.is_local else (self._of_clones,)

    def join(self, values: Iterable[SSAValue], allocated: SSAValue) -> Memory:
        """
        Treat the memory of the memrefs and of the allocated memref as one piece from now on:
        the latter is used instead of them.
        """
        first, *others = [
            self._piece(key)
            for key in dict.fromkeys(
                self._key(o) for value in values for o in self._aliases.origins(value)
            )
        ]
        for other in others:
            first = self._union(first, other, keeps_allocation=False)
        first = self._union(
            first, self._piece(self._key(allocated)), keeps_allocation=not others
        )
        return self._memories[first]

    def uses(self, value: SSAValue, position: float) -> None:
        """Note a new use of the value."""
        if position < self.first_use.get(value, math.inf):
            self.first_use[value] = position

    def forget(self, op: Operation) -> None:
        """Forget what an op accesses that is about to be removed."""
        position = self.points.position(op)
        for value in op.operands:
            if is_memref_type(value.type):
                for memory in self.memories(value):
                    for positions in (memory.reads, memory.writes, memory.frees):
                        while position in positions:
                            positions.remove(position)
                    memory.deallocs.pop(op, None)

    # Building

    def _piece(self, key: Key) -> Key:
        """The representative of the piece that the memory of the key is in."""
        if key not in self._known:
            self._known.add(key)
            self._keys.add(key)
            self._memories[key] = self._new_memory(key)
        return self._keys.find(key)

    def _key(self, origin: SSAValue) -> Key:
        if (
            self._aliases.kind(origin) is Origin.NEW
            and origin not in self._to_tensors
            and isinstance(origin, OpResult)
            and self.points.is_reached(origin.op)
        ):
            return origin
        if isinstance(owner := origin.owner, memref.GetGlobalOp):
            return owner.name_.string_value() if owner in self._constants else None
        return None

    def _new_memory(self, key: Key) -> Memory:
        if isinstance(key, OpResult):
            return Memory(
                fresh_at=self.points.position(key.op),
                allocated=key,
                is_local=True,
                is_on_stack=self.is_on_stack(key),
                is_clone=may_return_source(key.op),
            )
        memory = Memory(is_constant=key is not None)
        memory.reads.add(len(self.points.at))
        return memory

    def _union(self, a: Key, b: Key, *, keeps_allocation: bool) -> Key:
        """`keeps_allocation` if the allocation of `a` is the allocation of both."""
        if a == b:
            return a
        first, second = self._memories[a], self._memories[b]
        is_fresh = first.fresh_at is not None and second.fresh_at is not None
        large, small = (first, second) if first.size >= second.size else (second, first)
        for name in ("reads", "writes", "frees", "forwarded"):
            getattr(large, name).update(getattr(small, name))
        large.deallocs.update(small.deallocs)
        allocated, fresh_at = first.allocated, first.fresh_at
        large.is_local = first.is_local and second.is_local
        keeps_allocation = keeps_allocation and large.is_local
        large.allocated = allocated if keeps_allocation else None
        large.fresh_at = fresh_at if keeps_allocation and is_fresh else None
        large.is_constant = first.is_constant and second.is_constant
        large.is_on_stack = first.is_on_stack or second.is_on_stack
        large.is_clone = first.is_clone or second.is_clone
        large.is_returned = first.is_returned or second.is_returned
        del self._memories[a], self._memories[b]
        self._keys.union(a, b)
        root = self._keys.find(a)
        self._memories[root] = large
        return root

    def _carried(self, argument: BlockArgument) -> Iterator[SSAValue]:
        """The allocated memrefs that a branch back forwards to the argument."""
        start = self.points.defined_at(argument)
        for origin in self._aliases.origins(argument):
            key = self._key(origin)
            if isinstance(key, OpResult) and self.points.defined_at(key) > start:
                yield key

    def _forward(self, source: Operation, value: SSAValue, kind: EdgeKind) -> None:
        position = self.points.position(source)
        self._note(value, position)
        for memory in self.memories(value):
            memory.forwarded.add(position)
            if memory.is_clone:
                self._of_clones.add(position)
            if kind is EdgeKind.RETURN:
                memory.is_returned = True
                memory.reads.add(position)

    def _note(self, value: SSAValue, position: float) -> None:
        base = base_of(value)
        known = self.first_access.get(base, math.inf)
        self.first_access[base] = min(known, position)

    def _add_accesses(self, op: Operation, flow: BufferFlow) -> None:
        position = self.points.position(op)
        for index, value in enumerate(op.operands):
            if not is_memref_type(value.type):
                continue
            self.first_use.setdefault(value, position)
            if op_name(op) == "memref.assume_alignment":
                self.is_promised.add(base_of(value))
            if flow.is_forwarded(op, index):
                continue
            effect = access_to(op, index)
            if effect is BufferEffect.NONE:
                if any(is_memref_type(r.type) and base_of(r) is r for r in op.results):
                    # An access through the result is noted for the result only.
                    self._note(value, position)
                continue
            memories = self.memories(value)
            is_dealloc = (
                effect is BufferEffect.FREE
                and len(op.operands) == 1
                and not op.results
                and len(memories) == 1
                and memories[0].allocated is not None
            )
            if not is_dealloc:
                self._note(value, position)
            for memory in memories:
                if memory.is_clone:
                    self._of_clones.add(position)
                if BufferEffect.READ in effect:
                    memory.reads.add(position)
                if BufferEffect.WRITE in effect:
                    memory.writes.add(position)
                if BufferEffect.FREE in effect:
                    memory.frees.add(position)
                if is_dealloc:
                    memory.deallocs[op] = None
        if _may_touch_more(op):
            outside = self._memories[self._piece(None)]
            outside.reads.add(position)
            outside.writes.add(position)


def access_to(op: Operation, operand: int) -> BufferEffect:
    """The effects that the op may have on the memory of a memref among its operands."""
    if ViewLikeOpInterface.of(op) is not None:
        return BufferEffect.NONE
    effect = effect_on(op, operand)
    return BufferEffect.TOUCH | BufferEffect.FREE if effect is None else effect


def _may_touch_more(op: Operation) -> bool:
    """Whether the op may access memory other than its operands."""
    if is_call(op):
        return True
    return (
        BufferEffectsOpInterface.of(op) is None
        and ViewLikeOpInterface.of(op) is None
        and AllocationOpInterface.of(op) is None
        and RegionBranchOpInterface.of(op) is None
        and not is_function(op)
        and memory_effects(op) is None
    )
