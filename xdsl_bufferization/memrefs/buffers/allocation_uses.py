"""
The aliases of what a function allocates, and whether it is freed, is returned or escapes.

Memrefs are followed through views, branches, regions, calls and unknown ops. A call of a
function without a body, or an unknown op, may return its operands, but neither frees nor keeps
them: passes on buffers may rely on that, as in MLIR.

Source: MLIR's BufferViewFlowAnalysis

The live ranges of allocations: from the first op that touches the memory to the last one,
and all of a loop around such an op that is not around the allocation.

Which of their arguments the functions of a module may free, store or return: the least fixed
point, computed with a worklist of functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    effect_on,
    has_buffers,
)
from xdsl_bufferization.interfaces.copy import may_return_source
from xdsl_bufferization.interfaces.region_branch import (
    BranchOpInterface,
    RegionBranchOpInterface,
)
from xdsl_bufferization.memrefs.buffers.buffer_flow import BufferFlow, EdgeKind
from xdsl_bufferization.memrefs.buffers.call_effects import (
    ArgumentEffect,
    CallEffects,
    freed_operands,
    stored_operands,
)
from xdsl_bufferization.memrefs.buffers.memref_flow_graph import (
    FlowKind,
    MemrefFlow,
    MemrefFlowGraph,
    kept_operands,
)
from xdsl_bufferization.memrefs.buffers.program_points import ProgramPoints
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    function_around,
    is_call,
    is_function,
    outermost_function,
)
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.regions import block_of, reachable, region_of, walk
from xdsl_bufferization.support.shaped_types import is_memref_type, may_hold_memory


@dataclass(eq=False, slots=True)
class Allocation:
    """An op that allocates, and the aliases of what it allocates."""

    op: Operation
    aliases: Sequence[SSAValue]
    """All memrefs that may be its memory, the allocated one first."""
    is_freed: bool = False
    """Whether an op of the function frees it."""
    is_returned: bool = False
    """Whether the function may return it."""
    escapes: bool = False
    """
    Whether it may be used through values that are not followed, or a memref or a pointer to it may
    be stored in memory, and loaded from there.
    """
    is_cloned: bool = False
    """
    Whether a clone of it is made, which may become the same memory: it must not be written, or
    give it to another execution of the op, as long as the clone is used. A function that returns
    its argument returns a clone after deallocation, and its caller may write that.
    """
    entered: set[Region] = field(default_factory=set[Region])
    """The regions with an alias that has uses among the arguments of their first block."""
    joined: set[Region] = field(default_factory=set[Region])
    """The regions with an alias that has uses among the arguments of any other block."""

    @property
    def memref(self) -> SSAValue:
        """The allocated memref."""
        return self.aliases[0]

    @property
    def block(self) -> Block:
        """The block that it is allocated in."""
        return block_of(self.memref)

    @property
    def needed(self) -> AbstractSet[Block]:
        """The blocks that define the operands of the op."""
        return {block_of(operand) for operand in self.op.operands}

    @property
    def blocks(self) -> Iterator[Block]:
        """The blocks in which aliases are defined."""
        for alias in self.aliases:
            yield block_of(alias)


class AllocationUses:
    """
    The allocations of a function, on the heap and on the stack, in the order of its ops;
    `calls` says what calls free and store.
    """

    def __init__(self, graph: MemrefFlowGraph, calls: CallEffects):
        self._calls = calls
        self.flow = graph.flow
        self._graph = graph
        self._returning_new: set[Operation] = set()
        self._returned_by_calls: set[tuple[Operation, SSAValue]] = set()
        self._freed = {value for _, value in calls.frees(self.flow.position)}
        self._returned: set[SSAValue] = set()
        self._stored = {value for _, value in calls.stores(self.flow.position)}
        self._escaping: set[SSAValue] = set()
        self._cloned: set[SSAValue] = set()
        for op in self.flow.position:
            if has_buffers(op):
                self._follow(op)
        for edge in self.flow.all_edges():
            if edge.kind is EdgeKind.RETURN:
                self._returned.update(memref.value for memref in edge.memrefs)

    def allocations(self) -> Iterator[Allocation]:
        """Each op that allocates one memref."""
        for op in self.flow.position:
            model = AllocationOpInterface.of(op)
            if model is not None and len(allocated := model.allocated(op)) == 1:
                yield self.allocation(op, allocated[0])

    def allocation(self, op: Operation, allocated: SSAValue) -> Allocation:
        """The aliases of a result of the op, as if the op allocated it."""
        aliases = self._aliases(allocated)
        result = Allocation(
            op,
            aliases,
            is_freed=not self._freed.isdisjoint(aliases),
            is_returned=not self._returned.isdisjoint(aliases),
            escapes=not (self._escaping | self._stored).isdisjoint(aliases),
            is_cloned=not self._cloned.isdisjoint(aliases),
        )
        for alias in aliases:
            # An argument without uses makes no difference.
            if isinstance(alias, BlockArgument) and alias.uses:
                region = region_of(alias.block)
                is_first = alias.block is region.first_block
                (result.entered if is_first else result.joined).add(region)
        return result

    def effect(self) -> ArgumentEffect:
        """The effects that the function, a `func.func`, may have on its arguments."""
        function = self.flow.function
        assert isinstance(function, func.FuncOp)

        def among(memrefs: Iterable[SSAValue]) -> frozenset[int]:
            found = reachable(memrefs, self._direct_sources)
            return frozenset(i for i, arg in enumerate(function.args) if arg in found)

        returned = among(self._returned)
        return ArgumentEffect(
            among(self._freed),
            among(self._stored),
            returned,
            returned.difference(donated_arguments(function).values()),
        )

    def assume_new_results(self, op: Operation) -> None:
        """From now on, assume that the op, such as a call, returns none of its operands."""
        self._returning_new.add(op)

    def _aliases(self, value: SSAValue) -> Sequence[SSAValue]:
        found = reachable([value], self._direct_aliases)
        return [alias for alias in found if is_memref_type(alias.type)]

    def _direct_aliases(self, value: SSAValue) -> Iterator[SSAValue]:
        return (f.target for f in self._graph.derived(value) if self._shares_memory(f))

    def _direct_sources(self, value: SSAValue) -> Iterator[SSAValue]:
        return (f.source for f in self._graph.sources(value) if self._shares_memory(f))

    def _shares_memory(self, flow: MemrefFlow) -> bool:
        if flow.op in self._returning_new:
            return False
        return (
            flow.kind is not FlowKind.CALL
            or not is_memref_type(flow.source.type)
            or (flow.op, flow.source) in self._returned_by_calls
        )

    def _follow(self, op: Operation) -> None:
        """Note which operands the op frees, which it clones, and which are not followed."""
        memrefs = [value for value in op.operands if is_memref_type(value.type)]
        if is_call(op):
            effect = self._calls.of_call(op)
            self._returned_by_calls.update(
                (op, op.operands[i]) for i in effect.returned
            )
            self._cloned.update(op.operands[i] for i in effect.cloned)
        if may_return_source(op):
            self._cloned.update(memrefs)
        if self._lets_escape(op):
            self._escaping.update(memrefs)

    def _lets_escape(self, op: Operation) -> bool:
        """Whether operands of the op may be used through values that are not followed."""
        if op.successors:
            return BranchOpInterface.of(op) is None
        if op in self.flow.edges:
            around = op if op.regions else op.parent_op()
            return (
                around is not None
                and not is_function(around)
                and RegionBranchOpInterface.of(around) is None
            )
        # An op with regions that is known, and the last one of its block, has no edge.
        if op.regions and RegionBranchOpInterface.of(op) is None:
            return True
        return bool(kept_operands(op)) or any(map(may_hold_memory, op.result_types))


class Touch(NamedTuple):
    """An op that may touch memory."""

    op: Operation
    effect: BufferEffect | None
    """The effect on the memory; `None` if it is unknown."""

    @property
    def frees(self) -> bool:
        """Whether it frees the memory."""
        return self.effect is not None and BufferEffect.FREE in self.effect


class LiveRanges:
    """The live ranges of a function's allocations."""

    def __init__(self, flow: BufferFlow, points: ProgramPoints):
        self.points = points
        self._flow = flow

    def interval(self, op: Operation, allocated: float) -> tuple[int, int]:
        """
        The first and the last position of the op; or of the outermost loop around it that
        is not around the allocation, whose position is `allocated`.
        """
        position = int(self.points.position(op))
        loop = self.points.loop(position, without=allocated)
        if loop is not None:
            return loop.first, loop.last
        return position, self.points.end(op)

    def loop_carried(self, allocation: Allocation) -> Iterator[BlockArgument]:
        """
        The aliases that are block arguments defined before the allocation: they may be the
        memory of an earlier iteration.
        """
        allocated = self.points.position(allocation.op)
        for alias in allocation.aliases:
            if (
                isinstance(alias, BlockArgument)
                and alias.uses
                and self.points.defined_at(alias) < allocated
            ):
                yield alias

    def touches(self, allocation: Allocation) -> Iterator[Touch]:
        """The ops that may touch the memory, once for each operand that may alias it."""
        for alias in allocation.aliases:
            for use in alias.uses:
                op = use.operation
                if (
                    self.points.is_reached(op)
                    and not self._flow.is_forwarded(op, use.index)
                    and (effect := effect_on(op, use.index)) is not BufferEffect.NONE
                ):
                    yield Touch(op, effect)


class MemrefFlows:
    """
    The flow of memrefs in the functions of a module, and the effects of its calls. What is known
    of a function is found when it is first asked for, and kept until the function has changed.
    """

    def __init__(self, module: Operation):
        self._module = module
        self._graphs: dict[Operation, MemrefFlowGraph] = {}

    @cached_property
    def calls(self) -> CallGraph:
        """The functions, and which call which."""
        return CallGraph(self._module)

    def graph(self, function: Operation) -> MemrefFlowGraph:
        """The flow of memrefs in a function."""
        if function not in self._graphs:
            self._graphs[function] = MemrefFlowGraph(BufferFlow(function))
        return self._graphs[function]

    def uses(self, function: Operation) -> AllocationUses:
        """The allocations of a function, and their uses."""
        return AllocationUses(self.graph(function), self.effects)

    def will_change(self, ops: Iterable[Operation]) -> None:
        """
        Forget what is known of the functions around the ops, which are about to be changed: an op
        that has been replaced is in no function any more.
        """
        for op in ops:
            if (function := function_around(op)) is not None:
                self._graphs.pop(function, None)

    @cached_property
    def effects(self) -> CallEffects:
        """
        The effects of the calls on memrefs among their operands. An indirect call may call each
        function of its type.

        The time is linear in the length of the program, unless functions are recursive.
        """
        calls = [op for op in walk([self._module]) if is_call(op)]
        if not any(is_memref_type(type) for op in calls for type in op.operand_types):
            return CallEffects()
        by_function: dict[Operation, ArgumentEffect] = {
            function: ArgumentEffect()
            for component in self.calls.callees_first()
            for function in component
            if function.body.blocks
        }
        by_type: dict[Attribute, ArgumentEffect] = {}
        effects = CallEffects(self.calls, by_function, by_type)
        callers: dict[Operation | Attribute, dict[func.FuncOp, None]] = {}
        """By callee, or type of the callee."""
        for call in calls:
            is_direct = isinstance(call, func.CallOp)
            callee = self.calls.callee(call) if is_direct else call.operand_types[0]
            caller = outermost_function(call)
            if callee is not None and caller is not None:
                callers.setdefault(callee, {})[caller] = None
        pending = {
            function: None
            for function in by_function
            if isinstance(function, func.FuncOp)
            and (_returns_memrefs(function) or _frees_or_stores(function))
        }
        while pending:
            function = next(iter(pending))
            del pending[function]
            uses = AllocationUses(self.graph(function), effects)
            effect, type = uses.effect(), function.function_type
            if effect != by_function[function]:
                by_function[function] = effect
                of_type = by_type.get(type, ArgumentEffect())
                by_type[type] = ArgumentEffect(
                    *(a | b for a, b in zip(of_type, effect, strict=True))
                )
                pending.update(callers.get(function, {}))
                pending.update(callers.get(type, {}))
        return effects


def _returns_memrefs(function: func.FuncOp) -> bool:
    type = function.function_type
    return any(map(is_memref_type, type.inputs)) and any(
        map(is_memref_type, type.outputs)
    )


def _frees_or_stores(function: func.FuncOp) -> bool:
    """Whether an op of the function itself frees memrefs, or stores them."""
    return any(freed_operands(op) or stored_operands(op) for op in walk([function]))
