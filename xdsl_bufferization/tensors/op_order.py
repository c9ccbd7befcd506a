"""
The order of ops in their blocks, moving tensor ops to where they are needed, and the memory
effects that say whether they can be moved.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from xdsl.dialects import func
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import (
    EffectInstance,
    IsTerminator,
    MemoryEffectKind,
    RecursiveMemoryEffect,
)

from xdsl_bufferization.dialects.bufferization import MaterializeInDestinationOp
from xdsl_bufferization.host.effects import memory_effects
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffectsOpInterface,
    has_buffers,
)
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.support.call_graph import is_call, outermost_function
from xdsl_bufferization.support.limits import MAX_MOVED_OPS
from xdsl_bufferization.support.regions import (
    DominatorTree,
    ancestor_in,
    block_of,
    region_of,
    walk,
)
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.tensors.changes import Changes


def _effects_of(op: Operation) -> AbstractSet[EffectInstance] | None:
    """
    The effects on memory of the op itself, without the ops in its regions; `None` if they
    are not known.
    """
    if _has_no_effects_of_its_own(type(op)):
        return frozenset()
    if _computes_on_tensors(op) and not has_buffers(op):
        return frozenset()
    return memory_effects(op)


def _computes_on_tensors(op: Operation) -> bool:
    """
    Whether all that the op itself does is to use its operands: where these are tensors, they are
    values, not memory.

        %w = vector.transfer_write %v, %t[%c0] : vector<4xf32>, tensor<4xf32>
        %s = vector.reduction <add>, %v : vector<4xf32> into f32
    """
    if DestinationStyleOpInterface.of(op) is not None:
        return True
    if is_call(op) or BufferEffectsOpInterface.of(op) is None:
        return False
    # What has no results and is not bufferized is there for another effect: `vector.print`.
    return bool(op.results) or BufferizableOpInterface.of(op) is not None


@cache
def _has_no_effects_of_its_own(op: type[Operation]) -> bool:
    """Whether ops of the class have no effects but those of ops in their regions, if any."""
    return any(
        op.has_trait(trait, value_if_unregistered=False)
        for trait in (IsTerminator, RecursiveMemoryEffect)
    )


def may_access_memory(op: Operation) -> bool:
    """Whether the op itself may read, write or free memory that others have."""
    if isinstance(op, MaterializeInDestinationOp) and "restrict" in op.properties:
        # `restrict` says that no other op accesses the memory that it writes.
        return False
    effects = _effects_of(op)
    return effects is None or any(
        effect.kind is not MemoryEffectKind.ALLOC for effect in effects
    )


def is_pure(op: Operation) -> bool:
    """
    Whether the op, apart from those in its regions, has no side effects and no memrefs, so
    that it can be moved to wherever its operands are available.
    """
    effects = _effects_of(op)
    return (
        effects is not None
        and not effects
        and not any(is_memref_type(value.type) for value in (*op.operands, *op.results))
    )


_GAP = 1 << 64
"""The distance of the positions of two ops next to each other at first."""


class OpOrder:
    """
    Compares ops of a block by their order in constant time, also while ops are moved.

    A block is numbered when it is first asked about, and again when no number is left between two
    of its ops. From then on, its ops may only be
    moved by this class, and new ones have to be registered with `add_before`.

    In functions with tensors `in_memory`, which may be memory that other ops access as memrefs, no
    op is moved across ops that access memory.
    """

    def __init__(
        self,
        changes: Changes,
        in_memory: AbstractSet[func.FuncOp | None] = frozenset(),
    ) -> None:
        self._changes = changes
        self._in_memory = in_memory
        self._positions: dict[Operation, int] = {}
        self._numbered: set[Block] = set()
        self._dominators: dict[Region, DominatorTree] = {}
        self._also_needs: dict[Operation, list[Operation]] = {}
        self._also_needed_by: dict[Operation, list[Operation]] = {}
        """By op: the ops that stay after it, though they do not use it now."""
        self._accesses: dict[Block, list[int]] = {}
        """By block: the positions of ops that read, write or free memory, ascending."""
        self._pure: dict[Operation, Sequence[Operation]] = {}
        """By op: what `_if_pure` has found, which holds wherever the op is."""

    def position(self, op: Operation) -> int:
        """The position of the op in its block."""
        if op.parent not in self._numbered:
            self._number(block_of(op))
        return self._positions[op]

    def _number(self, block: Block) -> None:
        self._numbered.add(block)
        self._accesses.pop(block, None)
        for index, other in enumerate(block.ops):
            self._positions[other] = index * _GAP

    def add_before(self, op: Operation) -> None:
        """Register ops that have been inserted right before `op`."""
        if op.parent not in self._numbered:
            return
        new: list[Operation] = []
        previous = op.prev_op
        while previous is not None and previous not in self._positions:
            new.append(previous)
            previous = previous.prev_op
        self._place(new[::-1], previous, op)

    def keep_in_order(self, first: Operation, second: Operation) -> None:
        """From now on, move ops only so that the first stays before the second."""
        self._also_needs.setdefault(second, []).append(first)
        self._also_needed_by.setdefault(first, []).append(second)

    def is_available(self, value: SSAValue, op: Operation) -> bool:
        """Whether the definition of the value dominates the op."""
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent
        if block is None or (region := block.parent) is None:
            return False
        anchor = ancestor_in(region, op)
        if anchor is None or anchor.parent is None:
            return False
        if anchor.parent is not block:
            return self._dominates(block, anchor.parent, region)
        return isinstance(value.owner, Block) or (
            self.position(value.owner) < self.position(anchor)
        )

    def make_available(self, value: SSAValue, op: Operation) -> bool:
        """
        Move ops without side effects so that the value is available where the op is: those
        that compute the value up, or else the op and the ops that depend on it down.

        Returns whether the value is available then; if not, nothing is moved.
        """
        if self.is_available(value, op):
            return True
        producer = value.owner
        if isinstance(producer, Block) or producer.parent is None:
            return False
        region = producer.parent.parent
        anchor = None if region is None else ancestor_in(region, op)
        if anchor is None or anchor.parent is not producer.parent:
            return False
        is_in_memory = outermost_function(anchor) in self._in_memory
        if is_in_memory and self.is_memory_accessed(anchor, producer):
            return False
        if (needed := self.ops_to_hoist(producer, anchor)) is not None:
            self._move(needed, anchor.prev_op, anchor)
            return True
        if (moved := self._closure(anchor, producer, self._users)) is not None:
            self._move(moved, producer, producer.next_op)
            return True
        return False

    def is_memory_accessed(self, first: Operation, last: Operation) -> bool:
        """
        Whether an op of the block from `first` on, and before `last`, may access memory.
        """
        block = block_of(first)
        if (accesses := self._accesses.get(block)) is None:
            # These ops are never moved: they keep their positions as long as the block does.
            accesses = self._accesses[block] = [
                self.position(op)
                for op in block.ops
                if any(map(may_access_memory, walk([op])))
            ]
        start = bisect_left(accesses, self.position(first))
        return start < bisect_left(accesses, self.position(last))

    def ops_to_hoist(
        self, producer: Operation, anchor: Operation
    ) -> AbstractSet[Operation] | None:
        """
        The ops to be moved before `anchor` for `producer`, a later op of the block, to be before
        it: the producer and the ops in between that it depends on. `None` if it depends on
        `anchor`, or if these are many ops, or ops with side effects.
        """
        return self._closure(producer, anchor, self._needed_by)

    def _closure(
        self,
        first: Operation,
        last: Operation,
        next_to: Callable[[Operation], Iterable[Operation]],
    ) -> AbstractSet[Operation] | None:
        """
        The ops between two ops of a block that the first leads to, itself included, if each leads
        to those `next_to` it, or to the ops around these. `None` if the last is one of them, or if
        these are many ops, or ops with side effects.
        """
        block, region = block_of(first), region_of(first)
        low, high = sorted(map(self.position, (first, last)))
        found: set[Operation] = set()
        pending = [first]
        visited = 0
        while pending:
            op = pending.pop()
            if op in found:
                continue
            if op is last:
                return None
            found.add(op)
            nested_ops = self._if_pure(op)
            visited += len(nested_ops)
            if MAX_MOVED_OPS.exceeded_by(visited) or not nested_ops:
                return None
            others = MAX_MOVED_OPS.within(next_to(op))
            if others is None:
                return None
            for other in others:
                if other.parent is not block:
                    other = ancestor_in(region, other)
                if (
                    other is not None
                    and other.parent is block
                    and low <= self.position(other) <= high
                ):
                    pending.append(other)
        return found

    def _if_pure(self, op: Operation) -> Sequence[Operation]:
        """The op and those in its regions; none if one has side effects."""
        if op not in self._pure:
            ops = [*walk([op])]
            self._pure[op] = ops if all(map(is_pure, ops)) else ()
        return self._pure[op]

    def _needed_by(self, op: Operation) -> Iterator[Operation]:
        for nested in self._if_pure(op):
            for operand in nested.operands:
                if isinstance(operand.owner, Operation):
                    yield operand.owner
            yield from self._also_needs.get(nested, ())

    def _users(self, op: Operation) -> Iterator[Operation]:
        for result in op.results:
            for use in result.uses:
                yield use.operation
        yield from self._also_needed_by.get(op, ())

    def _move(
        self,
        ops: Iterable[Operation],
        after: Operation | None,
        before: Operation | None,
    ) -> None:
        """Move the ops, in their order, between two neighbours."""
        ordered = sorted(ops, key=self.position)
        for op in ordered:
            self._changes.move(op, block_of(op), before)
        self._place(ordered, after, before)

    def _place(
        self,
        ops: list[Operation],
        after: Operation | None,
        before: Operation | None,
    ) -> None:
        """Give positions to ops that are between the two neighbours now."""
        if not ops:
            return
        if after is None:
            low = -_GAP if before is None else self._positions[before] - _GAP
        else:
            low = self._positions[after]
        high = low + _GAP if before is None else self._positions[before]
        step = (high - low) // (len(ops) + 1)
        if not step and (block := ops[0].parent) is not None:
            self._number(block)
            return
        for index, op in enumerate(ops, 1):
            self._positions[op] = low + index * step

    def _dominates(self, a: Block, b: Block, region: Region) -> bool:
        if region not in self._dominators:
            self._dominators[region] = DominatorTree([region], nested=False)
        return self._dominators[region].dominates(a, b)
