"""
Where in a function each piece of memory is accessed.

What is allocated in the function and not given to what may keep it is a piece of its own,
and so is each constant global; all other memory is one piece, as parts of it may be the
same. That piece is also accessed by calls, and when the function has ended.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import memref
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import get_effects
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.buffers.buffer_aliases import BufferAliases, Origin
from xdsl_bufferization.buffers.buffer_flow import BufferFlow, EdgeKind, base_of
from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.interfaces.allocation import (
    AllocationOpInterface,
    has_own_dealloc,
)
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
    effect_on,
)
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor_type

Key: TypeAlias = SSAValue | str | None
"""What is allocated there, the constant global of that name, or all other memory."""


class Positions:
    """A sorted list of positions."""

    __slots__ = ("_sorted",)

    def __init__(self) -> None:
        self._sorted: list[float] = []

    def __len__(self) -> int:
        return len(self._sorted)

    def add(self, position: float) -> None:
        """Add one that may be there already."""
        if not self._sorted or self._sorted[-1] <= position:
            self._sorted.append(position)
        else:
            insort(self._sorted, position)

    def remove(self, position: float) -> None:
        """Remove it as often as it is there."""
        first = bisect_left(self._sorted, position)
        del self._sorted[first : bisect_right(self._sorted, position)]

    def update(self, others: Iterable[float]) -> None:
        """Add those as well."""
        for other in others:
            self.add(other)

    def __iter__(self) -> Iterator[float]:
        return iter(self._sorted)

    def from_(self, position: float) -> float:
        """The first one that is not smaller; infinite if there is none."""
        index = bisect_left(self._sorted, position)
        return self._sorted[index] if index < len(self._sorted) else math.inf

    def behind(self, position: float) -> float:
        """The first one that is greater; infinite if there is none."""
        index = bisect_right(self._sorted, position)
        return self._sorted[index] if index < len(self._sorted) else math.inf

    def last(self) -> float:
        """The greatest one; minus infinite if there is none."""
        return self._sorted[-1] if self._sorted else -math.inf


@dataclass(eq=False, slots=True)
class Memory:
    """A piece of memory, or pieces that may be the same."""

    fresh_at: float | None = None
    """
    Where it is allocated, if that is one place, and what is allocated there is accessed
    only until it is allocated there again.
    """
    allocated: OpResult | None = None
    """All of it, if it is allocated in one place."""
    is_local: bool = False
    """Whether nobody else knows it."""
    is_constant: bool = False
    is_on_stack: bool = False
    """Whether some of it is not freed by `memref.dealloc`."""
    is_returned: bool = False
    reads: Positions = field(default_factory=Positions)
    writes: Positions = field(default_factory=Positions)
    frees: Positions = field(default_factory=Positions)
    handed: Positions = field(default_factory=Positions)
    """Where it is handed over, to a block, a region or the results of an op."""
    deallocs: dict[Operation, None] = field(default_factory=dict[Operation, None])
    """Ops that free this, only this, and do nothing else."""

    @property
    def size(self) -> int:
        """How much there is in all lists."""
        return sum(map(len, (self.reads, self.writes, self.frees, self.handed)))


class MemoryAccesses:
    """The memory of a function, and where it is accessed."""

    def __init__(self, function: Operation, constants: AbstractSet[str]):
        """`constants` are the names of globals that nobody writes."""
        self.points = ProgramPoints(function)
        self.first_use: dict[SSAValue, float] = {}
        """Where a memref, or a view of it, is used first, be it for its size."""
        self.first_access: dict[SSAValue, float] = {}
        """Where what is allocated is read, written, or handed over first."""
        self.is_promised: set[SSAValue] = set()
        """Memrefs of which more is promised than others of the same type may keep."""
        self._aliases = BufferAliases(function)
        self._constants = constants
        self._keys = DisjointSet[Key]()
        """Those together whose memory is one piece."""
        self._known: set[Key] = set()
        self._memories: dict[Key, Memory] = {}
        self._to_tensors: set[SSAValue] = set()
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
        """The pieces one of which the memref may be in."""
        keys = dict.fromkeys(
            self._piece(self._key(o)) for o in self._aliases.origins(value)
        )
        return [self._memories[key] for key in keys]

    def memory(self, allocated: SSAValue) -> Memory:
        """The piece that is allocated there."""
        return self._memories[self._piece(self._key(allocated))]

    def is_new(self, value: SSAValue) -> bool:
        """Whether it is what an op allocates."""
        return self._aliases.kind(value) in (Origin.NEW, Origin.ESCAPING)

    @staticmethod
    def is_on_stack(allocated: OpResult) -> bool:
        """Whether what is allocated there is not freed by `memref.dealloc`."""
        model = AllocationOpInterface.of(allocated.op)
        is_freed = model is None or model.is_freed(allocated.op)
        return not is_freed or has_own_dealloc(allocated.op)

    def join(self, values: Iterable[SSAValue], allocated: SSAValue) -> Memory:
        """
        Take what is allocated there, from now on, for what the memrefs are in; they are
        one piece from then on.
        """
        first, *others = [
            self._piece(key)
            for key in dict.fromkeys(
                self._key(o) for value in values for o in self._aliases.origins(value)
            )
        ]
        for other in others:
            first = self._union(first, other, keeps_places=False)
        first = self._union(
            first, self._piece(self._key(allocated)), keeps_places=not others
        )
        return self._memories[first]

    def uses(self, value: SSAValue, position: float) -> None:
        """There is a use of the value now."""
        if position < self.first_use.get(value, math.inf):
            self.first_use[value] = position

    def forget(self, op: Operation) -> None:
        """The op is about to be removed."""
        position = self.points.position(op)
        for value in op.operands:
            if is_memref_type(value.type):
                for memory in self.memories(value):
                    for positions in (memory.reads, memory.writes, memory.frees):
                        positions.remove(position)
                    memory.deallocs.pop(op, None)

    # Building

    def _piece(self, key: Key) -> Key:
        """The key of the piece that the memory of this key is part of now."""
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
        if isinstance(origin.owner, memref.GetGlobalOp):
            name = origin.owner.name_.string_value()
            return name if name in self._constants else None
        return None

    def _new_memory(self, key: Key) -> Memory:
        if isinstance(key, OpResult):
            return Memory(
                fresh_at=self.points.position(key.op),
                allocated=key,
                is_local=True,
                is_on_stack=self.is_on_stack(key),
            )
        memory = Memory(is_constant=key is not None)
        memory.reads.add(len(self.points.at))
        return memory

    def _union(self, a: Key, b: Key, *, keeps_places: bool) -> Key:
        """`keeps_places` if what is known of `a`'s allocation holds for both."""
        if a == b:
            return a
        first, second = self._memories[a], self._memories[b]
        is_fresh = first.fresh_at is not None and second.fresh_at is not None
        large, small = (first, second) if first.size >= second.size else (second, first)
        for name in ("reads", "writes", "frees", "handed"):
            getattr(large, name).update(getattr(small, name))
        large.deallocs.update(small.deallocs)
        allocated, fresh_at = first.allocated, first.fresh_at
        large.is_local = first.is_local and second.is_local
        keeps_places = keeps_places and large.is_local
        large.allocated = allocated if keeps_places else None
        large.fresh_at = fresh_at if keeps_places and is_fresh else None
        large.is_constant = first.is_constant and second.is_constant
        large.is_on_stack = first.is_on_stack or second.is_on_stack
        large.is_returned = first.is_returned or second.is_returned
        del self._memories[a], self._memories[b]
        self._keys.union(a, b)
        root = self._keys.find(a)
        self._memories[root] = large
        return root

    def _carried(self, argument: BlockArgument) -> Iterator[SSAValue]:
        """What is allocated behind the start of a block that it is handed to."""
        start = self.points.defined_at(argument)
        for origin in self._aliases.origins(argument):
            key = self._key(origin)
            if isinstance(key, OpResult) and self.points.defined_at(key) > start:
                yield key

    def _forward(self, source: Operation, value: SSAValue, kind: EdgeKind) -> None:
        position = self.points.position(source)
        self._note(value, position)
        for memory in self.memories(value):
            memory.handed.add(position)
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
                    # What is accessed through the result is not seen as access to this.
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
    """What the op may do to the memory of the operand, a memref."""
    if ViewLikeOpInterface.of(op) is not None:
        return BufferEffect.NONE
    effect = effect_on(op, operand)
    return BufferEffect.TOUCH | BufferEffect.FREE if effect is None else effect


def _may_touch_more(op: Operation) -> bool:
    """Whether the op may access memory other than its operands."""
    if op_name(op).startswith("func.call"):
        return True
    return (
        BufferEffectsOpInterface.of(op) is None
        and ViewLikeOpInterface.of(op) is None
        and AllocationOpInterface.of(op) is None
        and RegionBranchOpInterface.of(op) is None
        and not is_function(op)
        and get_effects(op) is None
    )
