"""
Functions whose memory is freed without an analysis of ownership.

A buffer is *enclosed* if the block that allocates it encloses all uses of it and of its views,
and no op hands it on: it is dead after the last op of that block that uses it, itself or in its
regions, whatever path control takes.

    %m = memref.alloc() : memref<4xf32>
    scf.for %i = %a to %b step %c { memref.store %f, %m[%i] : memref<4xf32> }
    // %m is dead here

Handed on, it may be used, or freed, as another memref, which only `ownership.py` knows:

    %s = arith.select %c, %m, %n : memref<4xf32>
    // not freed here: %s is used below, and is %m or %n
    memref.store %f, %s[%i] : memref<4xf32>

One walk finds the last use of each buffer, in time linear in the ops and operands of the function.
It visits ops after those that dominate them, so that the buffer of each operand is known, and keeps
the op around the visited one at each depth of nesting, which is the use in the buffer's block. It
ends at the first op that hands a buffer on, or that deallocation has to look at for another reason,
such as one that frees memory; such functions are analysed. Results of calls are, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects import memref
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.traits import MemoryEffectKind

from xdsl_bufferization.buffers.addresses import kept_operands
from xdsl_bufferization.buffers.stored_memrefs import element_that_holds
from xdsl_bufferization.interfaces.allocation import (
    AllocationOpInterface,
    allocated_by,
)
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
)
from xdsl_bufferization.interfaces.dialect_attributes import is_of_dialect
from xdsl_bufferization.interfaces.region_branch import (
    BranchOpInterface,
    RegionBranchOpInterface,
)
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.support.call_graph import is_call, is_function
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.failures import is_of_other_package
from xdsl_bufferization.support.memory_effects import memory_effects
from xdsl_bufferization.support.memref_types import has_identity_layout
from xdsl_bufferization.support.shaped_types import is_memref_type, may_hold_memory
from xdsl_bufferization.support.walk import blocks_in_order


@dataclass(eq=False, slots=True)
class EnclosedBuffer:
    """A buffer that one block encloses."""

    value: OpResult
    block: Block
    depth: int
    """The number of regions of the function around the block."""
    last_use: Operation
    """
    The last op of the block that uses the buffer, itself or in its regions; the one that
    allocates it if none does.
    """
    is_returned: bool = False
    """Whether the function returns it, or a view of it, so that its caller frees it."""


class EnclosedBuffers(NamedTuple):
    """The memory of a function all of whose allocations are enclosed buffers."""

    buffers: Sequence[EnclosedBuffer]
    """In the order of the program."""
    cloned: Sequence[tuple[Operation, int]]
    """
    The operands of returns, by index, that are memory of others: the caller, who frees what it
    gets, gets clones.
    """


def enclosed_buffers(
    function: Operation, *, returns_flags: bool
) -> EnclosedBuffers | None:
    """
    What the function allocates and returns; `None` if its memory has to be analysed.

    `returns_flags` says that it returns an `i1` for each memref that it returns.
    """
    walk = _Walk(function, returns_flags)
    return EnclosedBuffers(walk.buffers, walk.cloned) if walk.run() else None


class _Walk:
    """
    The walk over one function. The methods for its parts return whether the function still may
    have nothing but enclosed buffers.
    """

    def __init__(self, function: Operation, returns_flags: bool):
        self.buffers: list[EnclosedBuffer] = []
        self.cloned: list[tuple[Operation, int]] = []
        self._function = function
        self._returns_flags = returns_flags
        self._donated = donated_arguments(function)
        self._buffer_of: dict[SSAValue, EnclosedBuffer | None] = {}
        """The memrefs so far, with the buffer that each is memory of: `None` for others."""
        self._around: list[Operation] = []
        """The visited op after the ops around it, by depth."""

    def run(self) -> bool:
        """Find the buffers; returns whether there are no others."""
        stack: list[tuple[int, Iterator[Operation]]] = []
        if not all(self._enter(region, 0, stack) for region in self._function.regions):
            return False
        while stack:
            depth, ops = stack[-1]
            for op in ops:
                self._around[depth:] = (op,)
                if not self._visit(op, depth):
                    return False
                if op.regions:
                    if not all(self._enter(r, depth + 1, stack) for r in op.regions):
                        return False
                    break
            else:
                stack.pop()
        return True

    def _enter(
        self, region: Region, depth: int, stack: list[tuple[int, Iterator[Operation]]]
    ) -> bool:
        """Continue the walk with the region; memrefs are only passed to the function."""
        blocks = blocks_in_order(region)
        stack.extend((depth, iter(block.ops)) for block in reversed(blocks))
        for block in blocks:
            for argument in block.args:
                if not is_memref_type(argument.type):
                    if may_hold_memory(argument.type):
                        return False
                elif depth or block is not blocks[0] or not self._add(argument, None):
                    return False
        return True

    def _add(self, value: SSAValue, buffer: EnclosedBuffer | None) -> bool:
        """Note what buffer a memref is memory of."""
        self._buffer_of[value] = buffer
        return element_that_holds(value.type) is None

    def _visit(self, op: Operation, depth: int) -> bool:
        if op.attributes and any(map(is_of_dialect, op.attributes)):
            return False
        memrefs: list[OpResult] = []
        for result in op.results:
            if is_memref_type(result.type):
                memrefs.append(result)
            elif may_hold_memory(result.type):
                return False
        used = [i for i, v in enumerate(op.operands) if v in self._buffer_of]
        if not (used or memrefs or op.regions or op.successors):
            return True
        if op.name == UnregisteredOp.name or is_function(op):
            return False
        if op.successors and BranchOpInterface.of(op) is None:
            return False
        if op.regions and RegionBranchOpInterface.of(op) is None:
            return False
        return not (used or memrefs) or self._visit_memrefs(op, depth, used, memrefs)

    def _visit_memrefs(
        self,
        op: Operation,
        depth: int,
        used: Sequence[int],
        results: Sequence[OpResult],
    ) -> bool:
        """Visit an op with memrefs; `used` are the indices of those among the operands."""
        view = ViewLikeOpInterface.of(op)
        if is_call(op) or (op.regions and results):
            return False
        if view is None and _frees_or_is_unknown(op, used):
            return False
        if op.next_op is None and op.parent_op() is self._function:
            return not results and self._return(op, used)
        buffers = [b for i in used if (b := self._buffer_of[op.operands[i]])]
        if not all(map(self._use, buffers)):
            return False
        if view is not None:
            return all(self._add_view(op, result, view) for result in results)
        if results and allocated_by(op):
            return self._add_allocated(op, depth)
        if buffers and (results or kept_operands(op)):
            return False
        return all(self._add(result, None) for result in results)

    def _use(self, buffer: EnclosedBuffer) -> bool:
        """Note that the visited op uses the buffer."""
        buffer.last_use = around = self._around[buffer.depth]
        return around.parent is buffer.block and around.next_op is not None

    def _return(self, op: Operation, used: Sequence[int]) -> bool:
        """Note what the function returns, no buffer twice."""
        if used and self._returns_flags:
            return False
        for index in used:
            buffer = self._buffer_of[op.operands[index]]
            if buffer is None:
                if index not in self._donated:
                    self.cloned.append((op, index))
            elif buffer.block is op.parent and not buffer.is_returned:
                buffer.is_returned = True
            else:
                return False
        return True

    def _add_view(
        self, op: Operation, result: OpResult, view: ViewLikeOpInterface
    ) -> bool:
        viewed = view.viewed(op, result)
        sources = [op.operands[i] for i in viewed] or op.operands
        buffers = {self._buffer_of.get(source) for source in sources}
        if len(viewed) == 1 or buffers == {None}:
            return self._add(result, buffers.pop())
        return False

    def _add_allocated(self, op: Operation, depth: int) -> bool:
        model = AllocationOpInterface.of(op)
        if (
            not isinstance(op, memref.AllocOp)
            or is_of_other_package(type(model))
            or not has_identity_layout(op.results[0].type)
        ):
            return False  # `memref.dealloc` may not free it, or only its base.
        (result,), block = op.results, op.parent
        assert block is not None
        buffer = EnclosedBuffer(result, block, depth, op)
        self.buffers.append(buffer)
        return self._add(result, buffer)


def _frees_or_is_unknown(op: Operation, memrefs: Sequence[int]) -> bool:
    """Whether the op may free one of the operands, or allocate unlike its model says."""
    if (model := BufferEffectsOpInterface.of(op)) is not None:
        return any(BufferEffect.FREE in model.effect(op, index) for index in memrefs)
    if AllocationOpInterface.of(op) is not None or op.regions:
        return False
    effects = memory_effects(op)
    return effects is None or any(
        effect.kind in (MemoryEffectKind.ALLOC, MemoryEffectKind.FREE)
        for effect in effects
    )
