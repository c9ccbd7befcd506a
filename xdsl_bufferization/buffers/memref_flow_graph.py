"""
The memrefs of a function as a graph: from each memref to those that may share its memory
because of one op.

Source: MLIR's BufferViewFlowAnalysis
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import cached_property
from typing import NamedTuple, TypeVar

from xdsl.dialects.builtin import NoneType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.buffers.addresses import addresses, computed_from, kept_operands
from xdsl_bufferization.buffers.buffer_flow import BufferFlow, Edge, ForwardedMemref
from xdsl_bufferization.buffers.stored_memrefs import element_that_holds, may_hold
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface, allocated_by
from xdsl_bufferization.interfaces.buffer_effects import has_buffers
from xdsl_bufferization.interfaces.view_like import viewed_by
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.shaped_types import is_memref_type

NodeT = TypeVar("NodeT")


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


class MemrefFlow(NamedTuple):
    """An edge of the graph."""

    source: SSAValue
    target: SSAValue
    kind: FlowKind
    op: Operation
    """The op that has the source as an operand."""
    edge: Edge | None = None
    """If the source is forwarded, the edge of the control flow."""
    forwarded: ForwardedMemref | None = None
    """If the source is forwarded, the operand of that edge."""


class MemrefFlowGraph:
    """
    The flows between the memrefs of a function, regions within it included, in the order of
    its ops; `FORWARDED` ones last.

    What may have been stored in memory, and loaded from there, is not part of it. If the flow
    goes through tensors, these are part of it, but control flow does not forward them. With
    addresses, values through which memory may be used without a memref are part of it.
    """

    def __init__(self, flow: BufferFlow, *, with_addresses: bool = False):
        self._flow = flow
        self._sources: dict[SSAValue, list[MemrefFlow]] = {}
        self._derived: dict[SSAValue, list[MemrefFlow]] = {}
        self._kept: set[SSAValue] = set()
        for op in flow.position:
            if op.results and op not in flow.edges:
                if has_buffers(op) or flow.through_tensors:
                    for of_result in _flows_to_results(op, flow.is_followed):
                        self._add(of_result)
        for edge in flow.all_edges():
            for memref in edge.memrefs:
                for target in memref.targets:
                    self._add(
                        MemrefFlow(
                            memref.value,
                            target,
                            FlowKind.FORWARDED,
                            edge.source,
                            edge,
                            memref,
                        )
                    )
        if with_addresses:
            self._add_addresses()

    def sources(self, value: SSAValue) -> Sequence[MemrefFlow]:
        """The flows to the memref."""
        return self._sources.get(value, ())

    def derived(self, value: SSAValue) -> Sequence[MemrefFlow]:
        """The flows from the memref."""
        return self._derived.get(value, ())

    def forwarded_to(self, value: SSAValue) -> Sequence[SSAValue]:
        """The memrefs that are forwarded to a block argument or a result."""
        return [f.source for f in self.sources(value) if f.kind is FlowKind.FORWARDED]

    @cached_property
    def pointed_to(self) -> Container[SSAValue]:
        """The memrefs whose memory may be used through values that are no memrefs."""
        return reachable(
            self._kept, lambda value: (flow.source for flow in self.sources(value))
        )

    def alias_classes(self) -> DisjointSet[SSAValue]:
        """The memrefs, in one set if flows connect them; but not by calls."""
        classes = DisjointSet([*self._flow.memrefs()])
        for flows in self._derived.values():
            for flow in flows:
                if flow.kind not in (FlowKind.CALL, FlowKind.ADDRESS):
                    classes.union(flow.source, flow.target)
        return classes

    def _add_addresses(self) -> None:
        pending: list[SSAValue] = []
        for op in self._flow.position:
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
                if op in self._flow.position:
                    for target in computed_from(op):
                        self._add(MemrefFlow(value, target, FlowKind.ADDRESS, op))
                        if target not in seen and not is_memref_type(target.type):
                            seen.add(target)
                            pending.append(target)

    def _add(self, flow: MemrefFlow) -> None:
        self._sources.setdefault(flow.target, []).append(flow)
        self._derived.setdefault(flow.source, []).append(flow)


def _flows_to_results(
    op: Operation, is_followed: Callable[[SSAValue], bool]
) -> Iterator[MemrefFlow]:
    allocated = memory_of(op)
    results = [r for r in op.results if is_followed(r) and r not in allocated]
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


def _holds(memref: SSAValue, result: SSAValue) -> bool:
    """Whether the result may be loaded from the memref, so that it is no part of it."""
    element = element_that_holds(memref.type)
    return element is not None and may_hold(element, result.type)


def memory_of(op: Operation) -> Sequence[SSAValue]:
    """The results of the op that are new memory, on the heap or on the stack."""
    model = AllocationOpInterface.of(op)
    return allocated_by(op) if model is None else model.allocated(op)


def reachable(
    values: Iterable[NodeT], following: Callable[[NodeT], Iterable[NodeT]]
) -> dict[NodeT, None]:
    """The values, and all that follow them, directly or not, in the order of their visit."""
    seen = dict.fromkeys(values)
    pending = [*seen]
    while pending:
        for value in following(pending.pop()):
            if value not in seen:
                seen[value] = None
                pending.append(value)
    return seen
