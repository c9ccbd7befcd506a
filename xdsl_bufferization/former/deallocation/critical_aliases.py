"""
Which memrefs need memory of their own, so that it is known at compile time where to free all
memory.

Allocated memory is freed after the last use of its *aliases*: its views, and the block
arguments and results that it is forwarded to. That works for aliases that the allocation
dominates. Any other alias is *critical*: on another path it is other memory. The operands
that are forwarded to a critical alias are copied first, so that it always is memory of its
own, which is freed like allocated memory. Its aliases are critical or not by the same rule, up
to a fix-point.

Source: "Introduction of Copies" in the documentation of MLIR's pass `buffer-deallocation`,
https://mlir.llvm.org/docs/Bufferization/ as of LLVM 12
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import count

from xdsl.dialects import memref
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.buffers.buffer_flow import (
    BufferFlow,
    Edge,
    EdgeKind,
    ForwardedMemref,
)
from xdsl_bufferization.buffers.memref_flow_graph import (
    FlowKind,
    MemrefFlowGraph,
    reachable,
)
from xdsl_bufferization.deallocation.left_memory import LeftMemory, owned_results
from xdsl_bufferization.interfaces.allocation import has_own_dealloc
from xdsl_bufferization.interfaces.dialect_attributes import MANUAL_DEALLOCATION
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.dominance import DominatorTree
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.support.shaped_types import is_memref_type


@dataclass(frozen=True, slots=True)
class Slot:
    """An operand that an op forwards, a memref."""

    op: Operation
    operand: int
    successor: int | None = None
    """For a branch, the index of the successor that the operand is forwarded to."""

    @classmethod
    def of(cls, edge: Edge, memref: ForwardedMemref) -> Slot:
        """The operand of the edge's source."""
        return cls(edge.source, memref.operand, edge.successor)


class CriticalAliases:
    """
    The memory that a function has to free, and the operands that are copied for that.

    The function has no loops of blocks, but may have loops of regions. `donated` are results
    of calls that are operands, and not used.

    Raises `BufferizationError` if the program frees a critical alias: it would free the copy,
    and nothing would free the memory itself.
    """

    def __init__(
        self,
        flow: BufferFlow,
        tree: DominatorTree,
        donated: AbstractSet[SSAValue] = frozenset(),
    ):
        self.flow = flow
        self.tree = tree
        self.critical: dict[SSAValue, None] = {}
        """The critical aliases, in a deterministic order."""
        self.allocated: dict[SSAValue, Operation] = {}
        """The memory to free, with the op or the call that allocates it."""
        self.left: dict[SSAValue, None] = {}
        """Allocated memory that the program frees itself."""
        self.copied: dict[Slot, ForwardedMemref] = {}
        """The operands that are copied before they are forwarded or returned."""
        self.returned: dict[Operation, set[SSAValue]] = {}
        """By return the owners that it returns, so that they are not freed."""
        self.graph = MemrefFlowGraph(flow, with_addresses=True)
        self.left_memory = LeftMemory(flow, self.graph)
        frees = (value for _, value in flow.frees if value in self.left_memory)
        own = reachable(frees, self.sources)
        for op in flow.position:
            for value in owned_results(op):
                if value in donated:
                    continue
                if value in own:
                    self.left[value] = None
                elif MANUAL_DEALLOCATION not in op.attributes:
                    self.allocated[value] = op
        self._find_critical()
        self._check(own)
        self._copy_forwarded()
        self._copy_returned()

    def owners(self) -> Iterator[SSAValue]:
        """The memrefs whose memory is to be freed, critical aliases first."""
        yield from self.critical
        yield from self.allocated

    def aliases(self, value: SSAValue) -> Iterator[SSAValue]:
        """
        The direct aliases of a memref, without critical ones; and addresses of its memory.
        """
        for flow in self.graph.derived(value):
            if flow.kind is not FlowKind.CALL and flow.target not in self.critical:
                yield flow.target

    def sources(self, value: SSAValue) -> Iterator[SSAValue]:
        """The memrefs that the value is a direct alias of; none if it is critical."""
        if value not in self.critical:
            for flow in self.graph.sources(value):
                if flow.kind is not FlowKind.CALL:
                    yield flow.source

    # Critical aliases

    def _find_critical(self) -> None:
        """
        Find the fix-point.

        The blocks of all owners of an alias dominate it, so that they dominate each other:
        the alias of an alias is critical if the innermost of these blocks does not dominate
        it. So only the innermost one is kept for each alias.
        """
        innermost: dict[SSAValue, int] = {}
        blocks: dict[int, Block] = {}
        pending: list[tuple[int, int, SSAValue]] = []
        order = count()

        def reach(value: SSAValue, number: int) -> None:
            if innermost.get(value, -1) < number:
                innermost[value] = number
                heapq.heappush(pending, (-number, next(order), value))

        def own(value: SSAValue) -> None:
            block = block_of(value)
            number = self.tree.number(block)
            blocks[number] = block
            reach(value, number)

        for value in self.allocated:
            own(value)
        while pending:
            number, _, value = heapq.heappop(pending)
            number = -number
            if innermost[value] > number:
                continue
            for alias in self.aliases(value):
                if not is_memref_type(alias.type):
                    continue
                if not self._is_critical(blocks[number], alias):
                    reach(alias, number)
                    continue
                for critical in self._together(alias):
                    self.critical[critical] = None
                    own(critical)

    def _is_critical(self, block: Block, alias: SSAValue) -> bool:
        """Whether it may be other memory than that of an owner that the block defines."""
        other = block_of(alias)
        if isinstance(alias, BlockArgument) and other is block:
            return True  # forwarded to the next iteration
        return not self.tree.dominates(block, other)

    def _together(self, alias: SSAValue) -> Iterable[SSAValue]:
        """The alias, and all other aliases that the copies for these are forwarded to."""
        return reachable([alias], self._forwarded_with)

    def _forwarded_with(self, alias: SSAValue) -> Iterator[SSAValue]:
        """The other targets of the operands that are forwarded to the alias."""
        for flow in self.graph.sources(alias):
            if flow.forwarded is not None:
                yield from flow.forwarded.targets

    def _check(self, own: Container[SSAValue]) -> None:
        for value in self.critical:
            if value in own:
                owner = value.owner
                raise BufferizationError(
                    owner.parent_op() if isinstance(owner, Block) else owner,
                    "hands over memory that the program frees where it also hands over "
                    "memory that the program does not free",
                    hint="free all of it, or nothing",
                )

    def _copy_forwarded(self) -> None:
        """Copy the operands that are forwarded to critical aliases."""
        for edge in self.flow.all_edges():
            for forwarded in edge.memrefs:
                if any(target in self.critical for target in forwarded.targets):
                    self.copied[Slot.of(edge, forwarded)] = forwarded

    # Results of the function

    def _copy_returned(self) -> None:
        """
        Decide what is returned without a copy: what certainly is all of an owner, or of
        memory that the program frees itself, and is not returned already; and donated
        arguments.
        """
        donated = donated_arguments(self.flow.function)
        memory: Mapping[SSAValue, SSAValue | None] | None = None
        for edge in self.flow.all_edges():
            if edge.kind is not EdgeKind.RETURN:
                continue
            for forwarded in edge.memrefs:
                if forwarded.operand in donated:
                    continue
                if memory is None:
                    memory = self._memory()
                returned = memory.get(forwarded.value)
                without_copy = self.returned.setdefault(edge.source, set())
                if returned is None or returned in without_copy:
                    self.copied[Slot.of(edge, forwarded)] = forwarded
                else:
                    without_copy.add(returned)

    def _memory(self) -> Mapping[SSAValue, SSAValue | None]:
        """
        The owner that each memref must alias as a whole, or `None`. A memref that may be one of
        several, if the program frees all of them itself, counts as an owner.
        """
        memory: dict[SSAValue, SSAValue | None] = {}
        pending: list[SSAValue] = []
        left: set[SSAValue | None] = {*self.left}

        def reach(value: SSAValue, owner: SSAValue | None) -> None:
            if value in memory:
                known = memory[value]
                if known is owner or known is None:
                    return
                owner = value if known in left and owner in left else None
                if known is owner:
                    return
                if owner is not None:
                    left.add(owner)
            memory[value] = owner
            pending.append(value)

        for value in self.flow.memrefs():
            if value in self.critical:
                reach(value, value)
            elif isinstance(value, OpResult) and value in owned_results(value.op):
                is_returnable = value in self.left or not has_own_dealloc(value.op)
                reach(value, value if is_returnable else None)
            elif not self.graph.forwarded_to(value) and not isinstance(
                value.owner, memref.CastOp
            ):
                # It is a part of something, or unknown.
                reach(value, None)
        while pending:
            value = pending.pop()
            for alias in self.aliases(value):
                reach(alias, memory[value])
        return memory
