"""
Where the memory that a function allocates gets to.

A memref is followed through views, branches, regions and calls. Calls and ops of which
nothing is known may return memrefs that they are given, but do not keep them: as in MLIR,
that is what passes on buffers may rely on.

Source: MLIR's BufferViewFlowAnalysis; for ownership-based deallocation, which knows what
calls return, see `buffer_flow.py`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from xdsl_bufferization.buffers.buffer_flow import BufferFlow, EdgeKind
from xdsl_bufferization.buffers.memref_flow_graph import MemrefFlowGraph, reachable
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    effect_on,
    has_buffers,
)
from xdsl_bufferization.interfaces.region_branch import (
    BranchOpInterface,
    RegionBranchOpInterface,
)
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.support.walk import block_of


@dataclass(eq=False, slots=True)
class Allocation:
    """An op that allocates, and what is known of the memrefs that are its memory."""

    op: Operation
    aliases: Sequence[SSAValue]
    """All memrefs that may be in the memory, first that which is allocated."""
    is_freed: bool = False
    """Whether an op of the function frees it."""
    is_returned: bool = False
    """Whether the function may return it."""
    is_lost: bool = False
    """Whether it may get to where memrefs are not followed, as into other memory."""
    entered: set[Region] = field(default_factory=set[Region])
    """The regions with an alias, in use, among the arguments of their first block."""
    joined: set[Region] = field(default_factory=set[Region])
    """The regions with an alias, in use, among the arguments of any other block."""

    @property
    def memref(self) -> SSAValue:
        """What is allocated."""
        return self.aliases[0]

    @property
    def blocks(self) -> Iterator[Block]:
        """The blocks in which aliases are defined."""
        for alias in self.aliases:
            yield block_of(alias)


class AllocationUses:
    """
    The allocations of a function, those on the stack among them, in the order of its ops.
    """

    def __init__(self, function: Operation):
        self.flow = BufferFlow(function, complete=False)
        self._graph = MemrefFlowGraph(self.flow)
        self._returning_new: set[Operation] = set()
        self._freed: set[SSAValue] = set()
        self._returned: set[SSAValue] = set()
        self._lost: set[SSAValue] = set()
        for op in self.flow.position:
            if has_buffers(op):
                self._follow(op)
        for edge in self.flow.all_edges():
            if edge.kind is EdgeKind.RETURN:
                self._returned.update(memref.value for memref in edge.memrefs)

    def allocations(self) -> Iterator[Allocation]:
        """What is known of each op that allocates one memref."""
        for op in self.flow.position:
            model = AllocationOpInterface.of(op)
            if model is not None and len(allocated := model.allocated(op)) == 1:
                yield self.allocation(op, allocated[0])

    def allocation(self, op: Operation, allocated: SSAValue) -> Allocation:
        """What is known of the memref, a result of the op, taken for one it allocates."""
        aliases = self._aliases(allocated)
        result = Allocation(
            op,
            aliases,
            is_freed=not self._freed.isdisjoint(aliases),
            is_returned=not self._returned.isdisjoint(aliases),
            is_lost=not self._lost.isdisjoint(aliases),
        )
        for alias in aliases:
            # What nobody uses can not be seen.
            if isinstance(alias, BlockArgument) and alias.uses:
                region = alias.block.parent
                assert region is not None
                is_first = alias.block is region.first_block
                (result.entered if is_first else result.joined).add(region)
        return result

    def take_for_new(self, op: Operation) -> None:
        """Know that results of the op, such as a call, are no memory of its operands."""
        self._returning_new.add(op)

    def _aliases(self, value: SSAValue) -> Sequence[SSAValue]:
        return [*reachable([value], self._direct_aliases)]

    def _direct_aliases(self, value: SSAValue) -> Iterator[SSAValue]:
        for flow in self._graph.derived(value):
            if flow.op not in self._returning_new:
                yield flow.target

    def _follow(self, op: Operation) -> None:
        """Note what becomes of the op's operands."""
        operands = [*enumerate(op.operands)]
        memrefs = [(i, v) for i, v in operands if is_memref_type(v.type)]
        for index, operand in memrefs:
            effect = effect_on(op, index)
            if effect is not None and BufferEffect.FREE in effect:
                self._freed.add(operand)
        if op in self.flow.edges:
            if not _hands_over_what_is_known(op):
                self._lost.update(v for _, v in memrefs)
            return
        if isinstance(op, memref.StoreOp):
            self._lost.add(op.value)
        elif _loses(op):
            self._lost.update(v for _, v in memrefs)


def _hands_over_what_is_known(op: Operation) -> bool:
    """Whether the flow has all that an op which hands control over does with memrefs."""
    if op.successors:
        return BranchOpInterface.of(op) is not None
    if op.regions:
        return RegionBranchOpInterface.of(op) is not None
    parent = op.parent_op()
    return (
        parent is None
        or is_function(parent)
        or RegionBranchOpInterface.of(parent) is not None
    )


def _loses(op: Operation) -> bool:
    """Whether memrefs that the op is given may be where they are not followed."""
    if isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
        return True
    if op.regions and RegionBranchOpInterface.of(op) is None:
        return True
    return any(_may_hold_memory(result.type) for result in op.results)


def _may_hold_memory(type: Attribute) -> bool:
    """Whether a value of the type may be memory without being a memref."""
    return not is_memref_type(type) and not isinstance(
        type, IntegerType | IndexType | AnyFloat | ComplexType | VectorType
    )
