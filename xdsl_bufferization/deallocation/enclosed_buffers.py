"""
Functions whose memory is freed without an analysis of ownership.

A buffer is *enclosed* if one block encloses all uses of it and of its views. It is dead after the
last op of that block that uses it, itself or in its regions, whatever path control takes:

    %m = memref.alloc() : memref<4xf32>
    scf.for %i = %a to %b step %c { memref.store %f, %m[%i] : memref<4xf32> }
    // %m is dead here

Forwarded where it dies, it becomes another enclosed buffer (`handovers.py`). A call may return one
(`enclosed_deallocs.py`). The counter-example is a buffer that is handed over, or freed, on some
paths only. Then the function's memory is analysed by `ownership.py`:

    %r = scf.if %c -> (memref<4xf32>) { scf.yield %new } else { scf.yield %argument }

One walk finds the last use of each buffer, in time linear in the ops and operands of the function.
It visits ops after those that dominate them, so that the memory of each operand is known
(`enclosed_memory.py`). It ends at the first op whose memory is not known before run time, or that
deallocation has to look at for another reason, such as one that frees memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import memref
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Block, Operation, OpResult
from xdsl.traits import MemoryEffectKind

from xdsl_bufferization.buffers.addresses import kept_operands
from xdsl_bufferization.deallocation.enclosed_memory import (
    OTHERS,
    EnclosedBuffer,
    EnclosedMemory,
    Memory,
    NotEnclosed,
)
from xdsl_bufferization.deallocation.handovers import forward, hand_over
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


class EnclosedBuffers(NamedTuple):
    """The memory of a function all of whose allocations are enclosed buffers."""

    buffers: Sequence[EnclosedBuffer]
    """
    Allocations and results of calls in the order of the program, and then what they are handed
    over to.
    """
    cloned: Sequence[tuple[Operation, int]]
    """
    The operands of returns, by index, that are memory of others: the caller, who frees what it
    gets, gets clones.
    """

    def allocations(self) -> Iterator[Operation]:
        """The ops of the function that allocate the buffers."""
        for buffer in self.buffers:
            if isinstance(buffer.value.owner, memref.AllocOp):
                yield buffer.value.owner


def enclosed_buffers(
    function: Operation,
    *,
    returns_flags: bool,
    returns_new: Callable[[Operation], bool] = lambda call: False,
) -> EnclosedBuffers | None:
    """
    The buffers that the function allocates and returns; `None` if its memory has to be analysed.

    `returns_flags` says that it returns an `i1` for each memref that it returns. `returns_new`
    says that a call neither frees nor stores its operands, and that its results are new buffers,
    no two of them the same.
    """
    walk = _Walk(function, returns_flags, returns_new)
    try:
        walk.run()
    except NotEnclosed:
        return None
    memory = walk.memory
    return EnclosedBuffers([*memory.allocated, *memory.received], walk.cloned)


class _Walk:
    """The walk over one function, which raises `NotEnclosed` where it ends early."""

    def __init__(
        self,
        function: Operation,
        returns_flags: bool,
        returns_new: Callable[[Operation], bool],
    ):
        self.memory = EnclosedMemory()
        self.cloned: list[tuple[Operation, int]] = []
        self._function = function
        self._returns_flags = returns_flags
        self._returns_new = returns_new
        self._donated = donated_arguments(function)
        self._forwarding: dict[Operation, Sequence[OpResult]] = {}
        """The ops with regions that may forward memrefs, with their results that are memrefs."""

    def run(self) -> None:
        """Find the buffers."""
        stack: list[tuple[int, Iterator[Operation]]] = []
        self._enter(self._function, 0, stack)
        while stack:
            depth, ops = stack[-1]
            for op in ops:
                self.memory.visit(op, depth)
                self._visit(op, depth)
                if op.regions:
                    self._enter(op, depth + 1, stack)
                    break
            else:
                stack.pop()
        for results in self._forwarding.values():
            if any(result not in self.memory.of for result in results):
                raise NotEnclosed  # Nothing is known of their memory.
        self.memory.finish()

    def _enter(
        self, op: Operation, depth: int, stack: list[tuple[int, Iterator[Operation]]]
    ) -> None:
        """Continue the walk with the regions of the op, the first one first."""
        for region in reversed(op.regions):
            blocks = blocks_in_order(region)
            if len(blocks) > 1 and len(blocks) != len(region.blocks):
                raise NotEnclosed  # Uses in the other blocks do not count.
            stack.extend((depth, self._ops(b, depth)) for b in reversed(blocks))

    def _ops(self, block: Block, depth: int) -> Iterator[Operation]:
        """The ops of the block, after a look at its arguments."""
        for argument in block.args:
            if not is_memref_type(argument.type):
                if may_hold_memory(argument.type):
                    raise NotEnclosed
            elif argument not in self.memory.of:
                if depth or block.parent_op() is not self._function:
                    raise NotEnclosed
                self.memory.add(argument, OTHERS)
        yield from block.ops

    def _visit(self, op: Operation, depth: int) -> None:
        if op.attributes and any(map(is_of_dialect, op.attributes)):
            raise NotEnclosed
        memrefs: list[OpResult] = []
        for result in op.results:
            if is_memref_type(result.type):
                memrefs.append(result)
            elif may_hold_memory(result.type):
                raise NotEnclosed
        known = self.memory.of
        used = [index for index, value in enumerate(op.operands) if value in known]
        if not (used or memrefs or op.regions or op.successors):
            if self._forwarding and self._ends_region(op):
                forward(self.memory, op, depth, used)
            return
        if op.name == UnregisteredOp.name or is_function(op):
            raise NotEnclosed
        if op.successors and BranchOpInterface.of(op) is None:
            raise NotEnclosed
        if op.regions and RegionBranchOpInterface.of(op) is None:
            raise NotEnclosed
        if used or memrefs:
            self._visit_memrefs(op, depth, used, memrefs)

    def _visit_memrefs(
        self,
        op: Operation,
        depth: int,
        used: Sequence[int],
        results: Sequence[OpResult],
    ) -> None:
        """Visit an op with memrefs; `used` are the indices of those among the operands."""
        view = ViewLikeOpInterface.of(op)
        if view is None and _frees_or_is_unknown(op, used):
            raise NotEnclosed
        if op.regions or op.next_op is None:
            if results and not op.regions:
                raise NotEnclosed
            if op.regions:
                self._forwarding[op] = results
            if not op.regions and self._returns(op):
                self._return(op, used)
            else:
                forward(self.memory, op, depth, used)
            return
        for index in used:
            self.memory.use(op.operands[index])
        if view is not None:
            for result in results:
                self._add_view(op, result, view, depth)
        elif is_call(op):
            self._add_results_of_call(op, results, depth)
        elif results and allocated_by(op):
            self._add_allocated(op, depth)
        else:
            if (results or kept_operands(op)) and self._uses_buffers(op, used):
                raise NotEnclosed
            for result in results:
                self.memory.add(result, OTHERS)
        for index in used:
            self.memory.count_use(op.operands[index])

    def _uses_buffers(self, op: Operation, used: Sequence[int]) -> bool:
        return any(self.memory.of[op.operands[i]].source is not None for i in used)

    def _ends_region(self, op: Operation) -> bool:
        """Whether the op ends a region from which memrefs may be forwarded."""
        return op.next_op is None and op.parent_op() in self._forwarding

    def _returns(self, op: Operation) -> bool:
        """Whether the op, the last one of its block, returns from the function."""
        return not op.successors and op.parent_op() is self._function

    def _return(self, op: Operation, used: Sequence[int]) -> None:
        """Note what the function returns, no buffer twice."""
        if used and self._returns_flags:
            raise NotEnclosed
        for index in used:
            source, is_base = self.memory.of[op.operands[index]]
            if source is None:
                if index not in self._donated:
                    self.cloned.append((op, index))
            else:
                hand_over(source, op, is_base=is_base)

    # Results

    def _add_view(
        self, op: Operation, result: OpResult, view: ViewLikeOpInterface, depth: int
    ) -> None:
        viewed = [op.operands[i] for i in view.viewed(op, result)]
        memories = [self.memory.of.get(v, OTHERS) for v in viewed or op.operands]
        sources = dict.fromkeys(m.source for m in memories if m.source is not None)
        if len(viewed) == 1:
            ((source, _),) = memories
            if (
                isinstance(source, EnclosedBuffer)
                and source.value is viewed[0]
                and view.is_shifted(op)
            ):
                source.has_parts = True
            self.memory.add(result, memories[0])
        elif not sources:
            self.memory.add(result, OTHERS)
        elif not viewed:
            raise NotEnclosed
        elif len(sources) == 1:
            self.memory.add(result, Memory(next(iter(sources)), is_base=False))
        else:
            self.memory.add_choice(result, sources, depth)

    def _add_allocated(self, op: Operation, depth: int) -> None:
        model = AllocationOpInterface.of(op)
        if (
            not isinstance(op, memref.AllocOp)
            or is_of_other_package(type(model))
            or not has_identity_layout(op.results[0].type)
        ):
            raise NotEnclosed  # `memref.dealloc` may not free it, or only its base.
        self.memory.add_allocated(op.results[0], depth)

    def _add_results_of_call(
        self, call: Operation, results: Sequence[OpResult], depth: int
    ) -> None:
        if not self._returns_new(call):
            raise NotEnclosed
        for result in results:
            self.memory.add_allocated(result, depth)


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
