"""
Removes copies, and the memory that is not needed without them: copies whose source and target
may be the same memory.

After the copy, both have the same contents. They may be the same memory if that changes no
result: neither is written while the other one's contents are still to be read, and neither
is freed while the other one is still used. If the target is kept, it also must not be
accessed between the first write to the source and the copy.

Source: the pass `copy-removal` that MLIR had until LLVM 12; the conditions are those for
coalescing the source and the target of a copy, Chaitin, "Register Allocation & Spilling via
Graph Coloring", 1982
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    IntegerAttr,
    ModuleOp,
)
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.former.memory_accesses import (
    Memory,
    MemoryAccesses,
    access_to,
    first_after,
    first_from,
    last_of,
    replace_allocated,
    unused_views,
)
from xdsl_bufferization.interfaces.buffer_effects import BufferEffect
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.copy import CopyOpInterface, may_return_source
from xdsl_bufferization.memrefs.buffers.returned_buffers import constant_globals
from xdsl_bufferization.support.call_graph import functions_in, is_function_argument
from xdsl_bufferization.support.memref_types import (
    has_identity_layout,
    without_casts,
)
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
)


@dataclass(frozen=True, slots=True)
class Reuse:
    """A copy that is superfluous if one memref replaces another."""

    copy: Operation
    removed: OpResult
    """The allocated memref that is replaced."""
    kept: SSAValue
    """The memref that replaces it."""
    deallocs: Sequence[Operation]
    """The deallocations to remove: they would free the kept memory too early, or nothing."""


class _Removal:
    """The copies of one function: finds memrefs that can be reused instead of copied."""

    def __init__(self, function: Operation, constants: AbstractSet[Operation]):
        self._accesses = MemoryAccesses(function, constants)
        self._points = self._accesses.points

    def run(self, copies: Sequence[Operation]) -> None:
        """Remove the copies that are superfluous."""
        for _ in range(_ROUNDS):
            left = [copy for copy in copies if not self._remove(copy)]
            if len(left) == len(copies):
                return
            copies = left

    def _remove(self, copy: Operation) -> bool:
        if copy.parent is None:
            return True  # It allocated what another one no longer needs.
        model = CopyOpInterface.expect(copy)
        source, target = model.source(copy), model.target(copy)
        if without_casts(source) is without_casts(target) and not copy.results:
            self._accesses.forget(copy)
            Rewriter.erase_op(copy)
            return True
        for reuse in filter(None, self._reuses(copy, source, target)):
            if self._apply(reuse):
                for value in (source, target):
                    for view in unused_views(value):
                        Rewriter.erase_op(view)
                return True
        return False

    def _apply(self, reuse: Reuse) -> bool:
        """Remove the copy, if one memref can take the place of the other in all its uses."""
        points, removed, anchor = self._points, reuse.removed, reuse.copy
        users = (use.operation for use in removed.uses)
        first = min(
            filter(points.is_reached, users), key=points.position, default=anchor
        )
        if points.position(first) < points.position(anchor):
            control_class = points.control_class(anchor)
            anchor = points.ancestor_in_class(control_class, first) or removed.op
        without = {reuse.copy, *reuse.deallocs}
        if not replace_allocated(removed, reuse.kept, anchor, without, points):
            return False
        self._accesses.join(reuse.kept, removed)
        for op in without:
            self._accesses.forget(op)
        _keep_alignment(reuse)
        for op in {*without, removed.op}:
            Rewriter.erase_op(op)
        return True

    def _reuses(
        self, copy: Operation, source: SSAValue, target: SSAValue
    ) -> Iterator[Reuse | None]:
        """The reuses that make the copy superfluous, the best one first; `None` for some others."""
        if not (is_memref_type(source.type) and is_memref_type(target.type)):
            return
        old, new = self._allocated(source, copy), self._allocated(target, copy)
        if new is not None:
            dead = None if old is None else self._reuse_dead(copy, source, old, new)
            yield dead or self._reuse_source(copy, source, new)
        if old is not None and target.owner is not copy:
            yield self._reuse_target(copy, old, target)

    def _allocated(self, value: SSAValue, copy: Operation) -> OpResult | None:
        """
        The allocation that the memref is all of, if the function executes it once for each
        execution of the copy.
        """
        value = without_casts(value)
        if (
            not isinstance(value, OpResult)
            or not self._points.is_reached(value.op)
            or self._points.control_class(value.op)
            is not self._points.control_class(copy)
            or value in self._accesses.is_promised
            or len(value.op.results) != 1
            or not self._accesses.is_new(value)
        ):
            return None
        return value

    # Reusing the source

    def _reuse_dead(
        self, copy: Operation, source: SSAValue, old: OpResult, target: OpResult
    ) -> Reuse | None:
        """
        Use the source, which is all of `old`, as the target if the source itself is not used
        after the copy, even if the target escapes.
        """
        accesses, points = self._accesses, self._points
        position = points.position(copy)
        memories = accesses.memories(source)
        if [m.allocated for m in memories] != [old] or old is target:
            return None
        memory = memories[0]
        deallocs = [*memory.deallocs]
        if (
            memory.fresh_at is None
            or memory.is_on_stack
            or memory.is_clone
            or accesses.is_on_stack(target)
            or memory.is_returned
            or max(map(last_of, memory.used)) > position
            or len(memory.frees) > len(deallocs)
            or len(deallocs) > 1
            or accesses.first_access.get(target, math.inf) < position
        ):
            return None
        if deallocs and not (
            points.control_class(deallocs[0]) is points.control_class(copy)
            and points.position(deallocs[0]) > position
        ):
            return None
        return Reuse(copy, target, source, deallocs)

    def _reuse_source(
        self, copy: Operation, source: SSAValue, target: OpResult
    ) -> Reuse | None:
        memory = self._accesses.memory(target)
        position = self._points.position(copy)
        if (
            not self._is_replaceable(memory, target)
            or min(first_from(positions, 0) for positions in memory.used) < position
            or not self._can_share_memory(memory, target, source, copy)
        ):
            return None
        return Reuse(copy, target, source, [*memory.deallocs])

    # Reusing the target

    def _reuse_target(
        self, copy: Operation, source: OpResult, target: SSAValue
    ) -> Reuse | None:
        memory = self._accesses.memory(source)
        points = self._points
        if not self._is_replaceable(memory, source) or may_return_source(source.op):
            return None
        allocated = points.position(source.op)
        if min(first_from(positions, 0) for positions in memory.used) < allocated:
            return None
        position = points.position(copy)
        first = first_from(memory.writes, 0)
        start = min(self._extended(first, memory)[0], position)
        for other in self._accesses.memories(target):
            if other is memory:
                return None
            read = self._first_read(other, target, start, source, first)
            others = other.writes, other.frees, *self._accesses.partners(other)
            if min(read, *(first_from(p, start) for p in others)) < position:
                return None
        if not self._can_share_memory(memory, source, target, copy):
            return None
        return Reuse(copy, source, target, [*memory.deallocs])

    # Conditions

    @staticmethod
    def _is_replaceable(memory: Memory, allocated: OpResult) -> bool:
        """Whether all accesses to the allocated memory, and all that frees it, are known."""
        return (
            memory.allocated is allocated
            and memory.is_local
            and memory.fresh_at is not None
            and not memory.is_returned
            and len(memory.frees) == len(memory.deallocs)
        )

    def _can_share_memory(
        self, memory: Memory, removed: OpResult, kept: SSAValue, copy: Operation
    ) -> bool:
        """Whether no access after the copy observes that one memref is the other."""
        position = self._points.position(copy)
        write = first_after(memory.writes, position)
        start = math.inf
        last_read = last_of(memory.reads)
        read_end, write_end = (
            self._extended(last, memory)[1] if last > position else position
            for last in (last_read, last_of(memory.writes))
        )
        end = max(write_end, read_end)
        for other in self._accesses.memories(kept):
            if other is memory or (other.is_on_stack and len(memory.forwarded)):
                return False
            if write < math.inf:
                if other.is_constant or other.is_clone:
                    return False
                start, _ = self._extended(write, other)
                if self._first_read(other, kept, start, removed, write) < math.inf:
                    return False
            if first_after(other.frees, position) <= end:
                return False
            overwritten = first_after(other.writes, position)
            if overwritten <= read_end and not (
                overwritten == read_end == last_read
                and self._is_elementwise(overwritten, removed, kept)
            ):
                return False
        return True

    def _first_read(
        self,
        memory: Memory,
        value: SSAValue,
        start: float,
        written: SSAValue,
        write: float,
    ) -> float:
        """
        The first read of the memory, which `value` is in, from `start` on; without one by the op at
        `write` that reads each element before it writes that of `written`.
        """
        read = first_from(memory.reads, start)
        if read == start == write and self._is_elementwise(write, value, written):
            return first_after(memory.reads, start)
        return read

    def _extended(self, position: float, memory: Memory) -> tuple[float, float]:
        """From when to when the access may happen to the same instance of the memory."""
        if position < len(self._points.at):
            loop = self._points.loop(int(position), memory.fresh_at)
            if loop is not None:
                return loop.first, loop.last
        return position, position

    def _is_elementwise(
        self, position: float, read: SSAValue, written: SSAValue
    ) -> bool:
        """
        Whether the op at the position accesses the memrefs `read` and `written` element by
        element: it reads each element before it writes the one at the same index.
        """
        op = self._points.op_at(int(position))
        model, copy = BufferizableOpInterface.of(op), CopyOpInterface.of(op)
        sources = [*self._operands_in(op, read, BufferEffect.READ)]
        targets = [*self._operands_in(op, written, BufferEffect.WRITE)]
        for a in sources:
            for b in targets:
                if a == b:
                    continue
                is_elementwise = (
                    copy is not None and not op.results
                    if model is None
                    else model.is_elementwise(op, a, b)
                )
                if not (
                    is_elementwise
                    and without_casts(op.operands[b]) is without_casts(written)
                    and _are_same_or_disjoint(op.operands[a], read)
                ):
                    return False
        return True

    def _operands_in(
        self, op: Operation, value: SSAValue, wanted: BufferEffect
    ) -> Iterator[int]:
        """The operands that may alias the value and on which the op has the wanted effect."""
        memories = self._accesses.memories(value)
        for index, operand in enumerate(op.operands):
            if is_memref_type(operand.type):
                if wanted in access_to(op, index) and any(
                    memory in memories for memory in self._accesses.memories(operand)
                ):
                    yield index


def _are_same_or_disjoint(a: SSAValue, b: SSAValue) -> bool:
    """
    Whether the memrefs never overlap in part: they are equivalent, or arguments without a
    layout, which each are a whole buffer.
    """
    a, b = without_casts(a), without_casts(b)
    return a is b or (
        a.type == b.type
        and has_identity_layout(a.type)
        and is_function_argument(a)
        and is_function_argument(b)
    )


_ROUNDS = 4
"""
How often all copies that are left are tried again: one copy less may make others
superfluous.
"""


def remove_copies(module: ModuleOp) -> None:
    """Remove the copies of the module that are superfluous."""
    constants = constant_globals(module)
    removals: list[tuple[_Removal, Sequence[Operation]]] = []
    for function in functions_in(module):
        copies = [op for op in walk([function]) if CopyOpInterface.of(op) is not None]
        if copies:
            removals.append((_Removal(function, constants), copies))
    # No function changes before all are known to be valid.
    for removal, copies in removals:
        removal.run(copies)


def _keep_alignment(reuse: Reuse) -> None:
    """Align the allocation that remains at least like the one that is removed."""
    removed, kept = reuse.removed.op, without_casts(reuse.kept).owner
    if not isinstance(kept, memref.AllocOp | memref.AllocaOp):
        return
    wanted, found = removed.properties.get("alignment"), kept.alignment
    if isinstance(wanted, IntegerAttr) and (
        found is None or found.value.data < wanted.value.data
    ):
        kept.alignment = wanted


@dataclass(frozen=True)
class CopyRemovalPass(BufferizationPass):
    """
    Remove each copy whose source and target can be one buffer, and the allocation and
    deallocation of the other one. Either the target is allocated for the copy, and becomes the
    source; or the source is allocated for the contents that are copied then, and becomes the
    target.

    The pass may run before or after memory is freed. It takes any op with
    `CopyOpInterface`: `memref.copy`, `linalg.copy`, `bufferization.clone`.
    """

    name = "copy-removal"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        remove_copies(op)
