"""
Hoists the buffers of loops into memory that they share.

All decisions are taken before the function changes, those of inner loops first: what is
hoisted out of an inner loop is allocated by the loop around it.

Buffers that are hoisted out of a loop share memory, so that the peak stays what it was:

    scf.for ... {                                  %m = memref.alloc() : memref<8xf32>
      %a = memref.alloc() : memref<8xf32>          scf.for ... {
      use(%a)                                        use(%m)
      %b = memref.alloc() : memref<8xf32>    ->      use(%m)
      use(%b)                                      }
    }

Hoisted memory is live in all of the loop. It keeps the peak if each iteration used to have as
much memory at once, and had it also wherever the loop allocates something else: above, `%m` is
as large as `%a`. With another allocation between the uses of `%a` and `%b` nothing is hoisted,
as the two would be live together with `%m`.

Buffers of equal types share allocations; where that takes more than the peak, those of known
sizes are parts of one arena. Buffers of branches are hoisted only into memory that iterations
without the branch need, too. The time is that of sorting, and of planning the arena.

Sizes of allocations that are the same in each iteration are computed before the loop:

    scf.for ... iter_args(%h = %x) {                %d = memref.dim %x, %c0
      %d = memref.dim %h, %c0                 ->    scf.for ... iter_args(%h = %x) {
      %m = memref.alloc(%d)                           %m = memref.alloc(%d)

Here `%h` is as large as `%x` in each iteration (`memrefs/sizes/size_analysis.py`). After that, the
allocation can leave the loop.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from heapq import heappop, heappush
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.interfaces.allocation import (
    HoistingKind,
    allocated_by,
    may_be_hoisted,
)
from xdsl_bufferization.memrefs.buffers.allocation_uses import (
    MemrefFlows,
)
from xdsl_bufferization.memrefs.placement.arena_allocation import allocate
from xdsl_bufferization.memrefs.placement.arena_buffers import ONE, ArenaBuffer
from xdsl_bufferization.memrefs.placement.arenas import Arena, Region
from xdsl_bufferization.memrefs.placement.hoisting_targets import (
    Execution,
    execution_of_region,
    move_before,
)
from xdsl_bufferization.memrefs.placement.loop_buffers import (
    HoistableBuffers,
    LoopBuffer,
    LoopBuffers,
    Site,
)
from xdsl_bufferization.memrefs.sizes.computation import SizeComputation
from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes
from xdsl_bufferization.planning import Plan, lower_bound, plan
from xdsl_bufferization.support.call_graph import (
    is_call,
    outermost_function,
    within_function,
)
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.regions import block_of, reachable, walk

_EFFORT = 100_000
"""Planning an arena that is small enough is given up after this much work."""


@dataclass(frozen=True, slots=True)
class LoopMemory:
    """The allocations that buffers of a loop share when they are hoisted."""

    slots: Sequence[Sequence[LoopBuffer]]
    """Buffers of one allocation each, live one after the other."""
    arena: Sequence[ArenaBuffer] = ()
    plan: Plan | None = None
    """The plan of the arena, if there is one."""

    @property
    def size(self) -> int:
        """In bytes, without allocations of unknown size."""
        known = sum(slot[0].size or 0 for slot in self.slots)
        return known + (0 if self.plan is None else self.plan.height)

    @property
    def unknown(self) -> int:
        """How many allocations are of unknown size."""
        return sum(slot[0].size is None for slot in self.slots)

    def buffers(self) -> Iterator[ArenaBuffer | LoopBuffer]:
        """All that is hoisted."""
        for slot in self.slots:
            yield from slot
        yield from self.arena


def memory_for(
    buffers: Sequence[LoopBuffer],
    others: Callable[[Iterable[LoopBuffer]], Iterator[Site]],
) -> LoopMemory | None:
    """
    Memory for as many of the buffers, which can be hoisted out of one loop, as it can hold
    without raising the peak; `None` if there is none.

    `others` gives the sites at which the loop allocates if some buffers are hoisted.
    """
    for chosen in _choices(buffers):
        moments = [*_moments(chosen, others(chosen))]
        peak = max((moment.size for moment in moments), default=0)
        # It holds at least what is live at once.
        if _keep_peak(moments, peak, 0):
            for memory in _layouts(chosen, peak):
                if _keep_peak(moments, memory.size, memory.unknown):
                    return memory
    return None


def _choices(buffers: Sequence[LoopBuffer]) -> Iterator[Sequence[LoopBuffer]]:
    """Which buffers to hoist, the most first."""
    yield buffers
    certain = [b for b in buffers if b.is_certain]
    if 0 < len(certain) < len(buffers):
        yield certain
    known = [b for b in certain if b.size is not None]
    if 0 < len(known) < len(certain):
        yield known


class _Moment(NamedTuple):
    """The memory that is live, in each iteration, where a loop allocates."""

    site: Site
    is_hoisted: bool
    """Whether a buffer that is to be hoisted is allocated there."""
    size: int
    """The bytes of the buffers to be hoisted that are live then."""
    unknown: int
    """How many of them are of unknown size."""
    freed: float
    """The position at which the first of them may be freed."""


def _moments(
    hoisted: Iterable[LoopBuffer], others: Iterable[Site]
) -> Iterator[_Moment]:
    """The sites of a loop, in order, with what is live of the buffers that are `hoisted`."""
    sites: list[tuple[Site, LoopBuffer | None]] = [
        *((buffer.site, buffer) for buffer in hoisted if buffer.is_certain),
        *((site, None) for site in others),
    ]
    sites.sort(key=lambda entry: entry[0])
    size = unknown = 0
    ends: list[tuple[float, int, LoopBuffer]] = []
    for number, (site, buffer) in enumerate(sites):
        while ends and ends[0][0] <= site.first:
            _, _, dead = heappop(ends)
            size -= dead.size or 0
            unknown -= dead.size is None
        if buffer is not None:
            heappush(ends, (buffer.freed, number, buffer))
            size += buffer.size or 0
            unknown += buffer.size is None
        freed = ends[0][0] if ends else math.inf
        yield _Moment(site, buffer is not None, size, unknown, freed)


def _keep_peak(moments: Iterable[_Moment], size: int, unknown: int) -> bool:
    """
    Whether buffers of the `size`, and as many of `unknown` size, are live at once, and wherever
    the loop allocates other memory.
    """
    is_reached = False
    for moment in moments:
        is_full = moment.size >= size and moment.unknown >= unknown
        if moment.is_hoisted:
            is_reached |= is_full
        elif not is_full or moment.site.first < moment.site.last >= moment.freed:
            return False
    return is_reached


def _layouts(buffers: Sequence[LoopBuffer], peak: int) -> Iterator[LoopMemory]:
    """Ways to share memory, the simplest first, for a peak of so many bytes."""
    yield LoopMemory(_slots(buffers))
    # An allocation of its own needs no padding.
    for may_be_padded in (True, False):
        parts = {
            buffer: part
            for buffer in buffers
            if (part := buffer.static) is not None
            and (may_be_padded or part.size % part.alignment == 0)
        }
        apart = LoopMemory(_slots(b for b in buffers if b not in parts))
        arena = [*parts.values()]
        if (found := _offsets_within(arena, peak - apart.size)) is not None:
            yield LoopMemory(apart.slots, arena, found)
            return


def _offsets_within(arena: Sequence[ArenaBuffer], height: int) -> Plan | None:
    """Offsets in an arena of at most that height."""
    if len(arena) < 2 or lower_bound(arena) > height:
        return None
    found = plan(arena, target=height, effort=_EFFORT)
    return found if found.height <= height else None


def _slots(buffers: Iterable[LoopBuffer]) -> Sequence[Sequence[LoopBuffer]]:
    """The fewest allocations for buffers of equal keys that are not live at once."""
    slots: list[list[LoopBuffer]] = []
    free: dict[object, list[tuple[float, int]]] = {}
    """By key the allocations, each with the position at which it is free again."""
    for buffer in sorted(buffers, key=lambda b: b.lower):
        ends = free.setdefault(buffer.key, [])
        if ends and ends[0][0] <= buffer.lower:
            _, number = heappop(ends)
        else:
            number = len(slots)
            slots.append([])
        slots[number].append(buffer)
        heappush(ends, (buffer.upper, number))
    return slots


def hoist_shared(module: ModuleOp, functions: Sequence[Operation]) -> None:
    """
    Move allocations of these functions of the module out of loops as far as that does not
    raise the peak, whatever memory functions need that the loops call.
    """
    for function in functions:
        _compute_sizes_before_loops(function)
    flows = MemrefFlows(module)
    callees = AllocatingCalls(flows)
    # No function changes before all are known to be valid.
    found = [HoistableBuffers(flows.uses(f), callees.allocates) for f in functions]
    for buffers, memories in [(buffers, _plan(buffers)) for buffers in found]:
        for op, anchor in buffers.on_stack:
            move_before(op, anchor)
        for group, memory in memories:
            _hoist(buffers.function, group, memory)


def _plan(found: HoistableBuffers) -> Sequence[tuple[LoopBuffers, LoopMemory]]:
    """The memory that buffers of each loop share, if they are hoisted."""
    anchors: dict[Operation, Operation] = {}
    """By allocation that has left inner loops: the loop before which it is."""
    memories: list[tuple[LoopBuffers, LoopMemory]] = []
    for group in found.inner_first():
        memory = memory_for(group.buffers, partial(found.others, group, anchors))
        if memory is not None:
            memories.append((group, memory))
            anchors.update((buffer.op, group.anchor) for buffer in memory.buffers())
    return memories


def _hoist(function: Operation, group: LoopBuffers, memory: LoopMemory) -> None:
    for slot in memory.slots:
        _share(slot, group.anchor)
    if memory.plan is not None:
        region = Region(ONE, memory.arena, memory.plan)
        arena = Arena(function, group.memory_space, [region])
        allocate(arena, builder_for(group.anchor, InsertPoint.before(group.anchor)))


def _share(slot: Sequence[LoopBuffer], anchor: Operation) -> None:
    """Let the buffers be one allocation before the op."""
    first, *rest = (buffer.op for buffer in slot)
    move_before(first, anchor)
    for op in rest:
        op.results[0].replace_all_uses_with(first.results[0])
        Rewriter.erase_op(op)


class AllocatingCalls:
    """
    The calls of a module that may allocate, found by one walk when it is first asked.

    A function without a body does not count: what it allocates is not the program's.
    """

    def __init__(self, flows: MemrefFlows):
        self._flows = flows

    def allocates(self, op: Operation) -> bool:
        """Whether the op is a call that may allocate."""
        if not is_call(op):
            return False
        if not isinstance(op, func.CallOp):
            return True
        return self._flows.calls.callee(op) in self._allocating

    @cached_property
    def _allocating(self) -> Container[func.FuncOp | None]:
        """The functions that may allocate, themselves or by what they call."""
        allocating = [
            f for f in self._flows.calls.functions if any(map(_allocates, walk([f])))
        ]
        return reachable(allocating, self._callers)

    def _callers(self, function: func.FuncOp) -> Iterator[func.FuncOp]:
        return filter(None, map(outermost_function, self._flows.calls.calls[function]))


def _allocates(op: Operation) -> bool:
    return bool(allocated_by(op)) or (is_call(op) and not isinstance(op, func.CallOp))


def _compute_sizes_before_loops(function: Operation) -> None:
    """
    Compute the sizes of allocations that can leave loops before these loops, where their symbols
    are available. A symbol in a block around the loop is: it is defined before the loop, as
    something in it depends on it.
    """
    sizes = Sizes()
    found = [
        (op, index, anchor)
        for op in walk([function])
        if op.operands and may_be_hoisted(op, HoistingKind.LOOP)
        for index, operand in enumerate(op.operands)
        if isinstance(operand.type, IndexType)
        and (anchor := _anchor(op, operand, sizes)) is not None
    ]
    # Nothing changes before all sizes are known.
    values = [sizes.number(op.operands[index]) for op, index, _ in found]
    computations: dict[Operation, SizeComputation] = {}
    for (op, index, anchor), value in zip(found, values, strict=True):
        if anchor not in computations:
            builder = builder_for(anchor, InsertPoint.before(anchor))
            computations[anchor] = SizeComputation(builder)
        op.operands[index] = computations[anchor].value(value)


def _anchor(op: Operation, operand: SSAValue, sizes: Sizes) -> Operation | None:
    """
    The op around the allocation before which the operand can be computed, and that is, or
    contains, a loop in which it is computed now.
    """
    around = [*within_function(op)]
    blocks = [*map(block_of, around)]
    depths = {block: depth for depth, block in enumerate(blocks)}
    defined = depths.get(block_of(operand))
    if defined is None or defined == len(around) - 1:
        return None
    innermost = len(around) - 1
    for symbol in sizes.number(operand).symbols:
        depth = depths.get(block_of(symbol.value))
        if depth is None:
            return None
        innermost = min(innermost, depth)
    is_outside = any(
        execution_of_region(block) is Execution.REPEATEDLY
        for block in blocks[defined:innermost]
    )
    return around[innermost] if is_outside else None
