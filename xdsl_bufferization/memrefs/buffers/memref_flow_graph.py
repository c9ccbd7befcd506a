"""
The memrefs of a function as a graph: from each memref to those that may share its memory
because of one op.

Source: MLIR's BufferViewFlowAnalysis

Values other than memrefs through which memory may be used: pointers to it, numbers computed
from its address, and tokens of ops that still run.
"""

from __future__ import annotations

import itertools
from collections.abc import (
    Callable,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from enum import Enum, auto
from functools import cached_property
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import IndexType, IntegerType, NoneType, i1
from xdsl.dialects.memref import DmaStartOp, ExtractAlignedPointerAsIndexOp, GetGlobalOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.interfaces.allocation import AllocationOpInterface, allocated_by
from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
    effect_on,
    has_buffers,
)
from xdsl_bufferization.interfaces.copy import CopyOpInterface, may_return_source
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface, viewed_by
from xdsl_bufferization.memrefs.buffers.buffer_flow import (
    BufferFlow,
    Edge,
    base_of,
)
from xdsl_bufferization.memrefs.buffers.call_effects import (
    element_that_holds,
    is_pointer_like,
    may_hold,
    stored_operands,
)
from xdsl_bufferization.support.call_graph import (
    is_call,
    is_function,
    is_function_argument,
)
from xdsl_bufferization.support.regions import DominatorTree, block_of, reachable
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
)


class FlowKind(Enum):
    """Why one memref may share the memory of another."""

    VIEW = auto()
    """The target is a view of the source, or of one of several sources (`arith.select`)."""
    UNKNOWN = auto()
    """An unknown op has the source as an operand and the target as a result."""
    CALL = auto()
    """
    From an argument of a call to the memory of the call, or from there to one of its results.
    That memory is a value of no type, which is not in the program: `n` arguments and `n` results
    have `2 * n` edges.
    """
    FORWARDED = auto()
    """
    A terminator or an op with regions forwards the source to a block argument or a result,
    the target.
    """
    ADDRESS = auto()
    """The target may be an address of the source's memory, or of what the source points to."""
    LOADED = auto()
    """The target may be loaded from where the source is stored."""


class MemrefFlow(NamedTuple):
    """An edge of the graph."""

    source: SSAValue
    target: SSAValue
    kind: FlowKind
    op: Operation
    """The op that has the source as an operand."""
    edge: Edge | None = None
    """If the source is forwarded, the edge of the control flow."""


class MemrefFlowGraph:
    """
    The flows between the memrefs of a function, regions within it included, in the order of
    its ops; `FORWARDED` ones last.

    If the flow goes through tensors, these are part of it, but control flow does not forward
    them. With addresses, values through which memory may be used without a memref are part of it,
    and so are memrefs that are stored and loaded, as far as `local_stores` goes. Other memrefs
    that are stored, and loaded from there, are not.
    """

    def __init__(self, flow: BufferFlow, *, with_addresses: bool = False):
        self.flow = flow
        self._sources: dict[SSAValue, list[MemrefFlow]] = {}
        self._derived: dict[SSAValue, list[MemrefFlow]] = {}
        self._kept: set[SSAValue] = set()
        self.local_stores: set[Operation] = set()
        """
        The ops that store a memref in memory that only the function uses, so that all that is
        loaded from there is known. One block allocates that memory, and is dominated by the block
        that defines the memref, so that nothing is loaded that is older than the memref.
        """
        for op in flow.position:
            if op.results and op not in flow.edges:
                if has_buffers(op) or flow.complete:
                    for of_result in _flows_to_results(op, flow.is_followed):
                        self._add(of_result)
        for edge in flow.all_edges():
            for memref in edge.memrefs:
                source, kind = memref.value, FlowKind.FORWARDED
                for target in memref.targets:
                    self._add(MemrefFlow(source, target, kind, edge.source, edge))
        if with_addresses:
            self._add_addresses()
            self._add_loads()

    def sources(self, value: SSAValue) -> Sequence[MemrefFlow]:
        """The flows to the memref."""
        return self._sources.get(value, ())

    def derived(self, value: SSAValue) -> Sequence[MemrefFlow]:
        """The flows from the memref."""
        return self._derived.get(value, ())

    def is_from_outside(self, value: SSAValue) -> bool:
        """Whether the memref may be memory that is neither allocated nor forwarded here."""
        if is_memory(value):
            return False
        flows = self.sources(value)
        kinds = [flow.kind for flow in flows if flow.kind is not FlowKind.ADDRESS]
        return not kinds or FlowKind.CALL in kinds or FlowKind.UNKNOWN in kinds

    def aliases_of(self, value: SSAValue) -> Iterator[SSAValue]:
        """The memrefs that the memref may be a view of, or that may be forwarded to it."""
        for flow in self.sources(value):
            if flow.kind not in (FlowKind.CALL, FlowKind.ADDRESS):
                yield flow.source

    def forwarded_to(self, value: SSAValue) -> Sequence[SSAValue]:
        """The memrefs that are forwarded to a block argument or a result."""
        return [f.source for f in self.sources(value) if f.kind is FlowKind.FORWARDED]

    @cached_property
    def pointed_to(self) -> Container[SSAValue]:
        """The memrefs whose memory may be used through values that are no memrefs."""
        return reachable(
            self._kept, lambda value: (flow.source for flow in self.sources(value))
        )

    @cached_property
    def class_of(self) -> Callable[[SSAValue], SSAValue]:
        """Returns a memref that stands for all of one set of `alias_classes`."""
        return self.alias_classes().find

    def alias_classes(self) -> DisjointSet[SSAValue]:
        """The memrefs, in one set if flows connect them; but not by calls."""
        classes = DisjointSet([*self.flow.memrefs()])
        for value in self._sources:
            for source in self.aliases_of(value):
                classes.union(source, value)
        return classes

    def _add_addresses(self) -> None:
        pending: list[SSAValue] = []
        for op in self.flow.position:
            kept = [op.operands[index] for index in kept_operands(op)]
            self._kept.update(kept)
            for result in addresses(op) if kept else ():
                for operand in kept:
                    self._add(MemrefFlow(operand, result, FlowKind.ADDRESS, op))
                pending.append(result)
        seen = {*pending}
        while pending:
            value = pending.pop()
            for op in {use.operation: None for use in value.uses}:
                if op in self.flow.position:
                    for target in computed_from(op):
                        self._add(MemrefFlow(value, target, FlowKind.ADDRESS, op))
                        if target not in seen and not is_memref_type(target.type):
                            seen.add(target)
                            pending.append(target)

    def _add_loads(self) -> None:
        """Find the local stores, and add the flows from these to loads."""
        leaving = dict.fromkeys(self.flow.stores)
        stores: list[tuple[Operation, SSAValue, SSAValue]] = []
        for op, value in leaving:
            holders = [holder for holder in op.operands if _holds(holder, value)]
            if is_memref_type(value.type) and len(holders) == 1:
                stores.append((op, value, holders[0]))
        if not stores:
            return
        leaving.update(
            ((edge.source, memref.value), None)
            for edge in self.flow.all_edges()
            for memref in edge.memrefs
            if not memref.targets
        )
        tree = DominatorTree(self.flow.function.regions)
        local: dict[SSAValue, tuple[Block | None, dict[OpResult, None]]] = {}
        # Inner memrefs come last, as they are loaded from what is loaded from outer ones.
        stores.sort(key=lambda store: -str(store[1].type).count("memref"))
        for op, value, holder in stores:
            if holder not in local:
                same = reachable([holder], self._connected)
                local.update(dict.fromkeys(same, self._local_memory(same, leaving)))
            base, (block, loads) = base_of(value), local[holder]
            if block and (base in loads or tree.dominates(block_of(base), block)):
                self.local_stores.add(op)
                for load in itertools.islice(reversed(loads), 1):
                    self._add(MemrefFlow(value, load, FlowKind.LOADED, op))

    def _connected(self, value: SSAValue) -> Iterator[SSAValue]:
        yield from (flow.source for flow in self.sources(value))
        yield from (flow.target for flow in self.derived(value))

    def _local_memory(
        self,
        holders: Iterable[SSAValue],
        leaving: Container[tuple[Operation, SSAValue]],
    ) -> tuple[Block | None, dict[OpResult, None]]:
        """
        The block that allocates what these memrefs may be, and the memrefs that are loaded from it,
        with flows from the first one to the others; `None` for the block if it is not one block, or
        others may load from that memory. Ops store or return the memrefs that are `leaving`.
        """
        blocks, loads = set[Block](), dict[OpResult, None]()
        for holder in holders:
            if self.is_from_outside(holder):
                return None, loads
            if not self.sources(holder):
                blocks.add(block_of(holder))
            for use in holder.uses:
                op = use.operation
                if (op, holder) in leaving and op not in self.local_stores:
                    return None, loads
                if self.flow.is_forwarded(op, use.index):
                    continue
                if (
                    op not in self.flow.position
                    or op in self.flow.edges
                    or op.regions
                    or is_call(op)
                    or memory_of(op)
                    or CopyOpInterface.of(op) is not None
                    or effect_on(op, use.index) is None
                ):
                    return None, loads
                loads.update((r, None) for r in op.results if _holds(holder, r))
        # Later uses are listed first, and loads are followed from the first one on.
        for load, following in itertools.pairwise(reversed(loads)):
            self._add(MemrefFlow(load, following, FlowKind.LOADED, following.op))
        return (blocks.pop() if len(blocks) == 1 else None), loads

    def _add(self, flow: MemrefFlow) -> None:
        self._sources.setdefault(flow.target, []).append(flow)
        self._derived.setdefault(flow.source, []).append(flow)


def _flows_to_results(
    op: Operation, is_followed: Callable[[SSAValue], bool]
) -> Iterator[MemrefFlow]:
    results = [r for r in op.results if is_followed(r)]
    if not results:
        return
    allocated = memory_of(op)
    results = [r for r in results if r not in allocated]
    memrefs = [v for v in op.operands if is_followed(v)] if results else ()
    if is_call(op):
        yield from _flows_of_call(op, memrefs, results)
        return
    for result in results:
        kind, operands = FlowKind.VIEW, [op.operands[i] for i in viewed_by(result)]
        if not operands:
            kind = FlowKind.UNKNOWN
            operands = [memref for memref in memrefs if not _holds(memref, result)]
        for operand in operands:
            yield MemrefFlow(operand, result, kind, op)


def _flows_of_call(
    call: Operation, memrefs: Sequence[SSAValue], results: Sequence[SSAValue]
) -> Iterator[MemrefFlow]:
    by_element: dict[Attribute | None, list[SSAValue]] = {}
    for memref in memrefs:
        by_element.setdefault(element_that_holds(memref.type), []).append(memref)
    for group in by_element.values():
        memory = OpResult(NoneType(), call, len(call.results))
        for memref in group:
            yield MemrefFlow(memref, memory, FlowKind.CALL, call)
        for result in results:
            if not _holds(group[0], result):
                yield MemrefFlow(memory, result, FlowKind.CALL, call)


def _holds(memref: SSAValue, value: SSAValue) -> bool:
    """Whether the value may be an element of the memref, so that it is no part of it."""
    element = element_that_holds(memref.type)
    return element is not None and may_hold(element, value.type)


def memory_of(op: Operation) -> Sequence[SSAValue]:
    """The results of the op that are new memory, on the heap or on the stack."""
    model = AllocationOpInterface.of(op)
    return allocated_by(op) if model is None else model.allocated(op)


def is_memory(value: SSAValue) -> bool:
    """Whether the value is new memory, on the heap or on the stack."""
    return isinstance(value, OpResult) and value in memory_of(value.op)


def kept_operands(op: Operation) -> Sequence[int]:
    """
    The memref operands whose memory may be used after the op through values other than memrefs
    that are derived from them.
    """
    if not isinstance(op, DmaStartOp) and not any(addresses(op)):
        return ()
    return [
        index
        for index, operand in enumerate(op.operands)
        # What is loaded from memory is not its address.
        if is_memref_type(operand.type)
        and effect_on(op, index) is not BufferEffect.READ
    ]


def addresses(op: Operation) -> Sequence[OpResult]:
    """The results of the op through which the memory of its operands may be used."""
    if isinstance(op, ExtractAlignedPointerAsIndexOp):
        return op.results
    return [result for result in op.results if is_pointer_like(result.type)]


def computed_from(op: Operation) -> Iterator[SSAValue]:
    """The values that the op may compute from addresses among its operands, or forward them to."""
    for target in targets_of(op):
        if _may_be_address(target.type) or (
            is_memref_type(target.type) and target.owner is op and not is_call(op)
        ):
            yield target


def targets_of(op: Operation) -> Iterator[SSAValue]:
    """The values that the op may compute from its operands, or forward them to."""
    yield from op.results
    for block in op.successors:
        yield from block.args
    regions, parent = [*op.regions], op.parent_op()
    if (
        parent is not None
        and not is_function(parent)
        and op.next_op is None
        and not op.successors
    ):
        yield from parent.results
        regions += parent.regions
    for region in regions:
        if region.first_block is not None:
            yield from region.first_block.args


def _may_be_address(type: Attribute) -> bool:
    if isinstance(type, IntegerType):
        return type != i1
    return isinstance(type, IndexType) or is_pointer_like(type)


class Origin(Enum):
    """Kinds of origins of memrefs."""

    NEW = "allocated"
    ESCAPING = "allocated, and passed to what may keep it"
    BEFORE = "allocated before the function was called"
    GLOBAL = "a global"
    UNKNOWN = "unknown"


_MAY_BE_SAME: Mapping[Origin, Sequence[Origin]] = {
    Origin.NEW: (),
    Origin.ESCAPING: (Origin.UNKNOWN,),
    Origin.BEFORE: (Origin.BEFORE, Origin.GLOBAL, Origin.UNKNOWN),
    Origin.GLOBAL: (Origin.BEFORE, Origin.UNKNOWN),
    Origin.UNKNOWN: (Origin.BEFORE, Origin.ESCAPING, Origin.GLOBAL, Origin.UNKNOWN),
}
"""By kind of origin: the kinds of others that it may alias."""

Identity: TypeAlias = SSAValue | Attribute | Origin
"""An origin, the name of a global, or the kind of an origin."""


class BufferAliases:
    """
    The memrefs of a function, and of the regions within it: which of them may alias.

    Each memref is traced back to its origins, through views, branches, loops and conditionals. Two
    allocations do not alias, nor does an allocation alias an argument of the function. An unknown
    memref may alias every memref that escapes, as operands of calls do.

    Source: MLIR's local alias analysis, https://mlir.llvm.org/docs/Passes/, to which results of
    calls may alias everything
    """

    def __init__(self, function: Operation):
        self.flow = BufferFlow(function)
        self._graph = MemrefFlowGraph(self.flow)
        self._origins: dict[SSAValue, Mapping[SSAValue, None]] = {}
        self._escaping: set[SSAValue] = set()
        for op in self.flow.position:
            if _lets_escape(op):
                for operand in op.operands:
                    if is_memref_type(operand.type):
                        self._escaping.update(self.origins(operand))

    def origins(self, value: SSAValue) -> Mapping[SSAValue, None]:
        """The memrefs at which the memory may come into the function."""
        if (known := self._origins.get(value)) is not None:
            return known
        origins: dict[SSAValue, None] = {}
        pending, seen = [value], {value}
        while pending:
            memref = pending.pop()
            if (known := self._origins.get(memref)) is not None:
                origins.update(known)
            elif sources := [*self._graph.aliases_of(memref)]:
                pending.extend(source for source in sources if source not in seen)
                seen.update(sources)
            else:
                origins[memref] = None
        self._origins[value] = origins
        return origins

    def kind(self, origin: SSAValue) -> Origin:
        """The kind of an origin."""
        if is_memory(origin):
            return Origin.ESCAPING if origin in self._escaping else Origin.NEW
        if isinstance(origin.owner, GetGlobalOp):
            return Origin.GLOBAL
        return Origin.BEFORE if is_function_argument(origin) else Origin.UNKNOWN

    def identities(self, value: SSAValue) -> Iterator[Identity]:
        """The identities that the memref may have."""
        for origin in self.origins(value):
            yield _identity(origin)
            yield self.kind(origin)

    def aliases(self, value: SSAValue) -> Iterator[Identity]:
        """The identities that a memref has one of if the two may share memory."""
        for origin in self.origins(value):
            yield _identity(origin)
            yield from _MAY_BE_SAME[self.kind(origin)]

    def must_alias(self, a: SSAValue, b: SSAValue) -> bool:
        """
        Whether the memrefs certainly are views of one memref: because of the ops that view it,
        or because control flow forwards no other memref to them.
        """
        a, b = base_of(a), base_of(b)
        if a is b:
            return True
        origin = self._only_origin(a)
        return origin is not None and origin is self._only_origin(b)

    def _only_origin(self, value: SSAValue) -> SSAValue | None:
        """
        The memref that the value certainly is a view of; `None` if it may be one of several.

        A value with one origin is what the latest execution of that op has defined. The origin
        dominates all that forwards it, so that no path leads from a later execution of the op
        to a use of the value without forwarding it again.
        """
        origins = self.origins(value)
        if len(origins) > 1:
            return None
        for alias in reachable([value], self._graph.aliases_of):
            flows = self._graph.sources(alias)
            if any(flow.kind is FlowKind.UNKNOWN for flow in flows):
                return None
            # Unknown branches have no flows.
            if flows and isinstance(alias, BlockArgument):
                if len(flows) < len(self.flow.into.get(alias.block, ())):
                    return None
        (origin,) = origins
        return origin

    def groups(self, memrefs: Sequence[SSAValue]) -> Sequence[Sequence[int]]:
        """
        The indices of the memrefs, in one group if they may alias each other, or other
        members of the group.
        """
        has = [set(self.identities(value)) for value in memrefs]
        aliases = [set(self.aliases(value)) for value in memrefs]
        shared = set[Identity]().union(*has) & set[Identity]().union(*aliases)
        classes = DisjointSet([*range(len(memrefs)), *shared])
        for index, keys in enumerate(zip(has, aliases, strict=True)):
            for key in shared.intersection(set[Identity]().union(*keys)):
                classes.union(index, key)
        groups: dict[object, list[int]] = {}
        for index in range(len(memrefs)):
            groups.setdefault(classes.find(index), []).append(index)
        return [*groups.values()]


def _identity(origin: SSAValue) -> Identity:
    return origin.owner.name_ if isinstance(origin.owner, GetGlobalOp) else origin


def _lets_escape(op: Operation) -> bool:
    """Whether other ops may use the memory of the op's operands without these."""
    if ViewLikeOpInterface.of(op) is not None:
        return False
    if stored_operands(op):
        return True
    if is_call(op) or may_return_source(op) or kept_operands(op):
        return True
    return BufferEffectsOpInterface.of(op) is None
