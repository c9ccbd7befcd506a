"""
Which memrefs may alias.

Each memref is traced back to its origins, through views, branches, loops and conditionals.
Two allocations do not alias, nor does an allocation alias an argument of the function. An
unknown memref may alias every memref that escapes, as operands of calls do.

Source: MLIR's local alias analysis, https://mlir.llvm.org/docs/Passes/, to which results of
calls may alias everything
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from xdsl.dialects import memref
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.interfaces.buffer_effects import BufferEffectsOpInterface
from xdsl_bufferization.interfaces.copy import may_return_source
from xdsl_bufferization.interfaces.view_like import ViewLikeOpInterface
from xdsl_bufferization.memrefs.buffers.buffer_flow import BufferFlow, base_of
from xdsl_bufferization.memrefs.buffers.call_effects import stored_operands
from xdsl_bufferization.memrefs.buffers.memref_flow_graph import (
    FlowKind,
    MemrefFlowGraph,
    kept_operands,
    memory_of,
)
from xdsl_bufferization.support.call_graph import is_call, is_function_argument
from xdsl_bufferization.support.regions import reachable
from xdsl_bufferization.support.shaped_types import is_memref_type


class Origin(Enum):
    """Kinds of origins of memrefs."""

    NEW = "allocated"
    ESCAPING = "allocated, and passed to what may keep it"
    BEFORE = "allocated before the function was called"
    UNKNOWN = "unknown"


MAY_BE_SAME: Mapping[Origin, frozenset[Origin]] = {
    Origin.NEW: frozenset(),
    Origin.ESCAPING: frozenset((Origin.UNKNOWN,)),
    Origin.BEFORE: frozenset((Origin.BEFORE, Origin.UNKNOWN)),
    Origin.UNKNOWN: frozenset((Origin.BEFORE, Origin.UNKNOWN, Origin.ESCAPING)),
}
"""By kind of origin: the kinds of others that it may alias."""


class BufferAliases:
    """The memrefs of a function, and of the regions within it."""

    def __init__(self, function: Operation):
        self.flow = BufferFlow(function)
        self._graph = MemrefFlowGraph(self.flow)
        self._origins: dict[SSAValue, Mapping[SSAValue, None]] = {}
        self._kinds: dict[SSAValue, Origin] = {}
        self._kinds_of: dict[SSAValue, frozenset[Origin]] = {}
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
            elif sources := self._direct_sources(memref):
                pending.extend(source for source in sources if source not in seen)
                seen.update(sources)
            else:
                origins[memref] = None
        self._origins[value] = origins
        return origins

    def _direct_sources(self, value: SSAValue) -> Sequence[SSAValue]:
        # The result of a call is an unknown memref.
        flows = self._graph.sources(value)
        return [f.source for f in flows if f.kind is not FlowKind.CALL]

    def kind(self, origin: SSAValue) -> Origin:
        """The kind of an origin."""
        if (known := self._kinds.get(origin)) is None:
            known = self._kinds[origin] = self._find_kind(origin)
        return known

    def _find_kind(self, origin: SSAValue) -> Origin:
        if isinstance(origin, OpResult) and origin in memory_of(origin.op):
            return Origin.ESCAPING if origin in self._escaping else Origin.NEW
        if _is_from_before(origin):
            return Origin.BEFORE
        return Origin.UNKNOWN

    def may_alias(self, a: SSAValue, b: SSAValue) -> bool:
        """Whether the memrefs may share memory."""
        origins, others = self.origins(a), self.origins(b)
        if not origins.keys().isdisjoint(others.keys()):
            return True
        known = self._kinds_of_origins(b)
        if not any(MAY_BE_SAME[kind] & known for kind in self._kinds_of_origins(a)):
            return False
        return any(
            self._may_be_same(origin, other) for origin in origins for other in others
        )

    def _kinds_of_origins(self, value: SSAValue) -> frozenset[Origin]:
        if (known := self._kinds_of.get(value)) is None:
            known = frozenset(map(self.kind, self.origins(value)))
            self._kinds_of[value] = known
        return known

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
        for alias in reachable([value], self._direct_sources):
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
        if len(memrefs) == 1:
            return [[0]]
        kinds = {o: self.kind(o) for value in memrefs for o in self.origins(value)}
        outside = DisjointSet([*range(len(memrefs)), *kinds, None])
        has_unknown = Origin.UNKNOWN in kinds.values()
        for index, value in enumerate(memrefs):
            for origin in self.origins(value):
                kind = kinds[origin]
                if kind in (Origin.NEW, Origin.ESCAPING):
                    outside.union(index, origin)
                if kind in (Origin.BEFORE, Origin.UNKNOWN) or (
                    kind is Origin.ESCAPING and has_unknown
                ):
                    outside.union(index, None)
        groups: dict[object, list[int]] = {}
        for index in range(len(memrefs)):
            groups.setdefault(outside.find(index), []).append(index)
        return [*groups.values()]

    def _may_be_same(self, a: SSAValue, b: SSAValue) -> bool:
        if a is b:
            return True
        if isinstance(a.owner, memref.GetGlobalOp) and isinstance(
            b.owner, memref.GetGlobalOp
        ):
            return a.owner.name_ == b.owner.name_
        return self.kind(b) in MAY_BE_SAME[self.kind(a)]


def _is_from_before(value: SSAValue) -> bool:
    return is_function_argument(value) or isinstance(value.owner, memref.GetGlobalOp)


def _lets_escape(op: Operation) -> bool:
    """Whether other ops may use the memory of the op's operands without these."""
    if ViewLikeOpInterface.of(op) is not None:
        return False
    if stored_operands(op):
        return True
    if is_call(op) or may_return_source(op) or kept_operands(op):
        return True
    return BufferEffectsOpInterface.of(op) is None
