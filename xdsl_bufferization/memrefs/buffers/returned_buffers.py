"""
The origin of the memory that functions return: an argument, new memory, or memory that may be
shared.

For recursive functions it is the greatest fixed point: at first, calls of each other are assumed
never to return.

Which `memref.global`s never change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from types import MappingProxyType

from xdsl.dialects import func, memref
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.allocation import is_allocated
from xdsl_bufferization.memrefs.buffers.allocation_uses import MemrefFlows
from xdsl_bufferization.memrefs.buffers.memref_flow_graph import FlowKind
from xdsl_bufferization.support.call_graph import (
    returns_of,
    symbol_table_around,
)
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.memref_types import without_casts
from xdsl_bufferization.support.regions import op_result, reachable, walk_all
from xdsl_bufferization.support.shaped_types import are_cast_compatible, is_memref_type


class ReturnedKind(Enum):
    """Kinds of results, the same on all paths through the function."""

    NEVER = auto()
    """Unknown so far: no return has been found."""
    ARGUMENT = auto()
    """An argument, or a cast of it."""
    AGAIN = auto()
    """An earlier result, or a cast of it."""
    NEW = auto()
    """
    Memory that the function has allocated, and that no other result aliases; or a constant
    global, which may be copied instead.
    """
    OTHER = auto()
    """No memref; or one that may alias something else."""


@dataclass(frozen=True)
class Returned:
    """The kind of a result, and the index of the argument or result that it aliases."""

    kind: ReturnedKind
    index: int = -1


_NEVER = Returned(ReturnedKind.NEVER)
_NEW = Returned(ReturnedKind.NEW)
_OTHER = Returned(ReturnedKind.OTHER)


def returned_buffers(
    flows: MemrefFlows,
) -> Mapping[func.FuncOp, Sequence[Returned]]:
    """The kind of each result, by function."""
    calls = flows.calls
    constants = constant_globals(calls.module)
    known: dict[func.FuncOp, Sequence[Returned]] = {}
    for functions in calls.callees_first():
        origins: dict[func.FuncOp, BufferOrigins] = {}
        for function in functions:
            types = function.function_type.outputs
            known[function] = _agreed(function)
            if function.body.blocks and any(map(is_memref_type, types)):
                known[function] = [
                    _NEVER if is_memref_type(t) else _OTHER for t in types
                ]
                origins[function] = BufferOrigins(function, flows, known, constants)
        changed = bool(origins)
        while changed:
            changed = False
            for function in origins:
                found = _returned_by(function, origins[function])
                joined = [*map(_join, known[function], found)]
                if joined != known[function]:
                    known[function] = joined
                    changed = True
    return known


def returned_as_agreed(
    flows: MemrefFlows,
) -> Mapping[func.FuncOp, Sequence[Returned]]:
    """
    The origin of each result of each function with donated arguments, provided that each function
    returns the arguments that are donated, and all other results may be anything.

    So it is true also after functions have been changed to return copies where nothing is
    donated.
    """
    functions = flows.calls.functions
    donated = [f for f in functions if f.body.blocks and donated_arguments(f)]
    if not donated:
        return {}
    agreed = {function: _agreed(function) for function in functions}
    return {
        function: _returned_by(function, BufferOrigins(function, flows, agreed))
        for function in donated
    }


def _agreed(function: func.FuncOp) -> Sequence[Returned]:
    """The kinds of the results that follow from the signature."""
    types = function.function_type.outputs.data
    known = [_OTHER] * len(types)
    for result, argument in donated_arguments(function).items():
        if is_memref_type(types[result]):
            known[result] = Returned(ReturnedKind.ARGUMENT, argument)
    return known


def _join(a: Returned, b: Returned) -> Returned:
    if a == b or b.kind is ReturnedKind.NEVER:
        return a
    return b if a.kind is ReturnedKind.NEVER else _OTHER


def _returned_by(function: func.FuncOp, origins: BufferOrigins) -> Sequence[Returned]:
    returns = [*returns_of(function)]
    outputs = function.function_type.outputs.data
    results = [_NEVER if is_memref_type(t) else _OTHER for t in outputs]
    first: dict[tuple[SSAValue, ...], int] = {}
    by_origin: dict[SSAValue, list[int]] = {}
    for index, type in enumerate(outputs):
        if not is_memref_type(type) or not returns:
            continue
        values = [op.operands[index] for op in returns]
        found = origins.of(values)
        results[index] = origins.returned(found)
        if results[index].kind is ReturnedKind.ARGUMENT:
            source = function.function_type.inputs.data[results[index].index]
            if source != type and not are_cast_compatible(source, type):
                results[index] = _OTHER
            continue
        # Two executions of an allocation are different memrefs, so that equal origins do not
        # suffice: the values have to be equal.
        key = tuple(map(without_casts, values))
        earlier = first.setdefault(key, index)
        if earlier != index and are_cast_compatible(outputs[earlier], type):
            results[index] = Returned(ReturnedKind.AGAIN, earlier)
            continue
        for origin in found:
            if not origins.is_constant(origin):
                by_origin.setdefault(origin, []).append(index)
    for sharing in by_origin.values():
        if len(sharing) > 1 and not _are_disjoint(returns, sharing):
            for index in sharing:
                if results[index].kind is ReturnedKind.NEW:
                    results[index] = _OTHER
    return results


def _are_disjoint(returns: Sequence[Operation], results: Sequence[int]) -> bool:
    """Whether these results are different allocations at each return."""
    for op in returns:
        values = {without_casts(op.operands[i]) for i in results}
        if len(values) < len(results) or not all(map(is_allocated, values)):
            return False
    return True


class BufferOrigins:
    """
    The origins of the memrefs of a function: arguments, allocations, results of calls, and
    unknown memrefs.
    """

    def __init__(
        self,
        function: func.FuncOp,
        flows: MemrefFlows,
        returned: Mapping[func.FuncOp, Sequence[Returned]] = MappingProxyType({}),
        constants: AbstractSet[Operation] = frozenset(),
    ):
        self._flows = flows
        self._graph = flows.graph(function)
        self.flow = self._graph.flow
        self._entry: Block | None = function.body.blocks.first
        self._callees = flows.calls.callees
        self._returned = returned
        self._constants = constants

    @cached_property
    def _stored(self) -> Sequence[SSAValue]:
        """The memrefs that ops of the function may store in memory."""
        stores = self._flows.effects.stores(self.flow.position)
        return [value for _, value in stores if is_memref_type(value.type)]

    def of(self, values: Sequence[SSAValue]) -> Mapping[SSAValue, bool]:
        """
        The origins of any of the values, and for each whether control flow forwards all of them, or
        casts do, so that no value is a part of one.
        """
        found: dict[SSAValue, tuple[Sequence[SSAValue], bool, bool]] = {}

        def sources(value: SSAValue) -> Sequence[SSAValue]:
            found[value] = self._sources_of(value)
            return found[value][0]

        reachable(values, sources)
        exact = all(is_exact for _, is_exact, _ in found.values())
        return {value: exact for value, (_, _, is_origin) in found.items() if is_origin}

    def returned(self, origins: Mapping[SSAValue, bool]) -> Returned:
        """The kind of a result with these origins, whatever the other results are."""
        if not origins:
            return _NEVER
        (first, exact), *others = origins.items()
        if isinstance(first, BlockArgument) and not others:
            if exact and first.block is self._entry:
                return Returned(ReturnedKind.ARGUMENT, first.index)
        if not all(self._is_new(o) or self.is_constant(o) for o in origins):
            return _OTHER
        if self._stored and not origins.keys().isdisjoint(self.of(self._stored)):
            return _OTHER
        return _NEW

    def is_constant(self, origin: SSAValue) -> bool:
        """Whether the origin is a constant `memref.global`."""
        return origin.owner in self._constants

    def _is_new(self, origin: SSAValue) -> bool:
        if is_allocated(origin):
            return True
        return (
            isinstance(origin, OpResult)
            and self._returned_by_call(origin).kind is ReturnedKind.NEW
        )

    def _returned_by_call(self, result: OpResult) -> Returned:
        if not isinstance(result.op, func.CallOp) or result.op not in self._callees:
            return _OTHER
        known = self._returned.get(self._callees[result.op])
        return _OTHER if known is None else known[result.index]

    def _sources_of(self, value: SSAValue) -> tuple[Sequence[SSAValue], bool, bool]:
        """
        The memrefs that the value may be or may be a part of, whether it certainly is one of
        them, and whether it may be something else.
        """
        flows = self._graph.sources(value)
        sources = [flow.source for flow in flows]
        if isinstance(value, BlockArgument):
            branches = len(self.flow.into.get(value.block, ()))
            # Unknown branches have no edges.
            return sources, True, len(sources) < branches or not sources
        result = op_result(value)
        op = result.op
        match flows[0].kind if flows else None:
            case FlowKind.FORWARDED:
                return sources, True, False
            case FlowKind.VIEW:
                return sources, isinstance(op, memref.CastOp), False
            case _:
                pass
        if is_allocated(value):
            return (), True, True
        returned = self._returned_by_call(result)
        match returned.kind:
            case ReturnedKind.ARGUMENT:
                return [op.operands[returned.index]], True, False
            case ReturnedKind.AGAIN:
                return [op.results[returned.index]], True, False
            case ReturnedKind.NEW | ReturnedKind.NEVER:
                return (), True, returned.kind is ReturnedKind.NEW
            case ReturnedKind.OTHER:
                return [v for v in op.operands if is_memref_type(v.type)], False, True


def constant_globals(module: Operation) -> AbstractSet[Operation]:
    """The `memref.get_global`s of globals that are constant, in all modules within this one."""
    constants: set[tuple[Operation | None, str]] = set()
    uses: list[memref.GetGlobalOp] = []
    for op in walk_all([module]):
        if isinstance(op, memref.GetGlobalOp):
            uses.append(op)
        elif isinstance(op, memref.GlobalOp) and op.constant is not None:
            constants.add((symbol_table_around(op), op.sym_name.data))
    return {
        op
        for op in uses
        if (symbol_table_around(op), op.name_.string_value()) in constants
    }
