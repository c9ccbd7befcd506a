"""
The allocations that can be hoisted out of the loops of a function, with their live ranges.

They are grouped by the outermost loop that they can leave, and by memory space. Positions are
those of `ProgramPoints`, valid until the function changes. The time is that of following the
aliases of allocations, and is only spent on functions that allocate in loops or branches.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from xdsl.dialects import memref
from xdsl.ir import Attribute, Block, Operation

from xdsl_bufferization.interfaces.allocation import (
    AllocationOpInterface,
    HoistingKind,
    allocated_by,
    may_be_hoisted,
)
from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.memrefs.buffers.allocation_uses import (
    Allocation,
    AllocationUses,
    LiveRanges,
)
from xdsl_bufferization.memrefs.buffers.program_points import Loop, ProgramPoints
from xdsl_bufferization.memrefs.placement.arena_buffers import (
    MAX_BYTES,
    ArenaBuffer,
    arena_buffer,
    live_interval,
    problem_of_uses,
    size_in_bytes,
)
from xdsl_bufferization.memrefs.placement.hoisting_targets import (
    Execution,
    execution_of_region,
    is_in_entry_block,
    outside_of_loops,
)
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.memref_types import (
    is_view_of_flat_memory,
    memory_space_of,
)
from xdsl_bufferization.support.regions import (
    BlockLoop,
    DominatorTree,
    ancestors,
    block_of,
    parent_of,
    region_of,
    successors,
    terminator_of,
)

_ALIGNMENT = 16
"""Alignment of allocations that do not say theirs, in bytes: that of `malloc`."""


class Site(NamedTuple):
    """Where a loop allocates memory."""

    first: float
    """The position at which it is allocated."""
    last: float
    """The last position of the branch around it; `first` if each iteration allocates it."""


@dataclass(eq=False, frozen=True, slots=True)
class LoopBuffer:
    """An allocation that can be hoisted out of a loop."""

    op: Operation
    site: Site
    lower: int
    """The first position at which its contents are live."""
    upper: float
    """The first position after `lower` at which they are no longer live."""
    freed: float
    """
    The first position at which it may be freed if it is not hoisted: after its last use, or
    at the end of its block, whatever uses it in others.
    """
    size: int | None
    """In bytes, if it is known."""
    key: object
    """Buffers with equal keys can be one allocation if they are not live together."""
    static: ArenaBuffer | None
    """The buffer as a part of an arena, if it can be one."""

    @property
    def is_certain(self) -> bool:
        """Whether each iteration allocates it."""
        return self.site.first == self.site.last


@dataclass(eq=False, slots=True)
class LoopBuffers:
    """The allocations of one memory space that can be hoisted out of a loop."""

    loop: Loop
    memory_space: Attribute
    anchor: Operation
    """Hoisted allocations are inserted before this op."""
    buffers: list[LoopBuffer] = field(default_factory=list[LoopBuffer])


class HoistableBuffers:
    """
    The allocations that can be hoisted out of the loops of a function, given their uses, and
    whether a call may allocate.
    """

    def __init__(
        self,
        uses: AllocationUses,
        allocates: Callable[[Operation], bool],
    ):
        self.function = function = uses.flow.function
        self._uses = uses
        self._allocates = allocates
        self._points = ProgramPoints(function)
        self._live_ranges = LiveRanges(self._uses.flow, self._points)
        self._tree = DominatorTree(function.regions)
        self._certain = CertainBlocks(self._tree)
        self._layout = DataLayout.of(function)
        self._groups: dict[tuple[Loop, Attribute], LoopBuffers] = {}
        self.on_stack: list[tuple[Operation, Operation]] = []
        """Allocations on the stack, each with the op before which it can be inserted."""
        for allocation in self._uses.allocations():
            if not is_in_entry_block(allocation.op, function):
                self._add(allocation)
        in_loops = [
            (self._points.position(op), op)
            for op in self._uses.flow.position
            if self._groups and not is_in_entry_block(op, function)
        ]
        in_loops.sort(key=lambda entry: entry[0])
        self._allocating: list[tuple[float, Operation, Attribute | None]] = [
            (position, op, space)
            for position, op in in_loops
            for space in self._allocated_spaces(op)
        ]
        """
        The ops in loops or branches that allocate, in the order of their positions, each with
        the memory space; `None` stands for all.
        """

    def inner_first(self) -> Sequence[LoopBuffers]:
        """The loops, each after those in it."""
        return sorted(self._groups.values(), key=lambda group: -group.loop.first)

    def others(
        self,
        group: LoopBuffers,
        anchors: Mapping[Operation, Operation],
        hoisted: Iterable[LoopBuffer],
    ) -> Iterator[Site]:
        """
        Where the loop allocates other memory of the memory space than the buffers hoisted;
        those that have left loops in it allocate at their `anchors`.
        """
        without = {buffer.op for buffer in hoisted}
        first = bisect_left(self._allocating, group.loop.first, key=lambda e: e[0])
        end = bisect_right(self._allocating, group.loop.last, key=lambda e: e[0])
        for _, op, space in self._allocating[first:end]:
            if op not in without and space in (None, group.memory_space):
                yield self._site(anchors.get(op, op), group.anchor, group.loop)

    def _add(self, allocation: Allocation) -> None:
        """Add the allocation to those of the loop that it can leave, if there is one."""
        op = allocation.op
        model = AllocationOpInterface.of(op)
        if (
            model is None
            or not may_be_hoisted(op, HoistingKind.LOOP)
            or allocation.is_freed
        ):
            return
        block = outside_of_loops(allocation, self._tree)
        if block is op.parent or any(trip_count(loop) == 0 for loop in ancestors(op)):
            return
        anchor = block.find_ancestor_op_in_block(op) or terminator_of(block)
        if not model.is_freed(op):
            self.on_stack.append((op, anchor))
            return
        around = self._points.position(anchor)
        loop = self._points.loop(int(self._points.position(op)), around)
        if loop is None or any(self._live_ranges.loop_carried(allocation)):
            return
        space = memory_space_of(allocation.memref.type)
        group = self._groups.setdefault((loop, space), LoopBuffers(loop, space, anchor))
        group.buffers.append(self._buffer(allocation, group))

    def _buffer(self, allocation: Allocation, group: LoopBuffers) -> LoopBuffer:
        op = allocation.op
        site = self._site(op, group.anchor, group.loop)
        lower, upper = live_interval(allocation, self._live_ranges)
        last = terminator_of(block_of(op))
        freed = min(max(upper, site.first + 1), self._points.position(last) + 1)
        type = allocation.memref.type
        size: int | str | None = self._layout.bytes_of_contents(type)
        key: object = op
        static = None
        if (
            isinstance(op, memref.AllocOp)
            and not op.attributes
            and not problem_of_uses(allocation)
        ):
            type = op.memref.type
            key = (type, op.alignment, *op.operands)
            size = size_in_bytes(type, self._layout, any_layout=True)
            if (
                isinstance(size, int)
                and size <= MAX_BYTES
                and is_view_of_flat_memory(type)
            ):
                static = arena_buffer(
                    allocation,
                    Expression.constant(size),
                    self._live_ranges,
                    _ALIGNMENT,
                    self._layout,
                )
        return LoopBuffer(
            op,
            site,
            lower,
            math.inf if allocation.is_returned else upper,
            freed,
            size if isinstance(size, int) else None,
            key,
            static,
        )

    def _allocated_spaces(self, op: Operation) -> Iterator[Attribute | None]:
        for allocated in allocated_by(op):
            yield memory_space_of(allocated.type)
        if self._allocates(op):
            yield None

    def _site(self, op: Operation, anchor: Operation, loop: Loop) -> Site:
        """Where the op allocates in the loop; the anchor is outside of it."""
        position = self._points.position(op)
        outside = block_of(anchor)
        branch = self._certain.outermost_branch(block_of(op), outside)
        if branch is None:
            return Site(position, position)
        around = region_of(branch).parent_op()
        if around is None or branch.parent is outside.parent:
            return Site(position, loop.last)
        return Site(position, self._points.end(around))


class CertainBlocks:
    """
    The blocks that each iteration of a loop executes, if the loops within it run at least once.

        scf.for ... {          // certain
          scf.if %c {          // not certain
            scf.for ... {}     // not certain: it is in the branch
          }
          scf.for ... {}       // certain
        }

    In a loop of blocks those are certain that dominate each block that branches back. An answer
    takes a step for each region around the block.
    """

    def __init__(self, tree: DominatorTree):
        self._tree = tree
        self._latches_of = cache(self._hull_of_latches)

    def outermost_branch(self, block: Block, outside: Block) -> Block | None:
        """
        The outermost block around the block, or itself, that is inside of the loops that the
        block `outside` is not in, and that not each of their iterations executes; `None` if
        there is none.
        """
        found = None
        while block is not outside:
            loop = self._tree.loop(block)
            if loop is None and block.parent is outside.parent:
                break
            is_outermost = block.parent is outside.parent
            if not self._is_certain(block, loop, is_outermost=is_outermost):
                found = block
            if is_outermost:
                break
            block = block_of(parent_of(block))
        return found

    def _is_certain(
        self, block: Block, loop: BlockLoop | None, *, is_outermost: bool
    ) -> bool:
        """Whether each execution, or iteration, of the block's region executes it."""
        if loop is not None:
            return (
                is_outermost
                and loop.parent is None
                and self._tree.covers(block, self._latches_of(loop))
            )
        # Nothing tells of other regions whether they always run.
        return (
            self._tree.is_entry(block)
            and execution_of_region(block) is not Execution.ONCE
        )

    def _hull_of_latches(self, loop: BlockLoop) -> tuple[int, int]:
        """The hull of the blocks of the loop that branch back to where it is entered."""
        entered = {
            block
            for block in loop.blocks
            if self._tree.is_entry(block)
            or self._tree.immediate_dominator(block) not in loop.blocks
        }
        return self._tree.hull(
            block for block in loop.blocks if not entered.isdisjoint(successors(block))
        )
