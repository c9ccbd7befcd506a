"""
The sizes of a function's results that its callers can compute from the arguments.

A size is a number, a value, or an unknown dimension of a memref.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free, is_speculatable

from xdsl_bufferization.buffers.returned_buffers import Returned, ReturnedKind
from xdsl_bufferization.support.call_graph import CallGraph, returns_of
from xdsl_bufferization.support.shaped_types import ranked_memref, ranked_shape
from xdsl_bufferization.support.walk import blocks_in_order
from xdsl_bufferization.support.xdsl_releases import memref_dim


@dataclass(frozen=True)
class Dimension:
    """The size of a memref in a dimension."""

    memref: SSAValue
    index: int


Size: TypeAlias = int | SSAValue | Dimension


def sizes_needed(
    calls: CallGraph,
    returned: Mapping[func.FuncOp, Sequence[Returned]],
    changing: Container[func.FuncOp],
) -> Mapping[func.FuncOp, Sequence[int | None]]:
    """
    For each result of each function in `changing`, the arguments that its sizes depend on,
    as a bit mask; `None` if callers cannot compute them. In the callers of these functions,
    the sizes of their results count as known, since the callers will allocate them.
    """
    needed: dict[func.FuncOp, Sequence[int | None]] = {}
    for functions in calls.callees_first():
        found: dict[func.FuncOp, Sequence[int | None]] = {}
        for function in functions:
            if function in changing:
                sizes = ResultSizes(function, calls.callees, returned, needed)
                found[function] = [
                    sizes.needed(i) for i in range(len(function.function_type.outputs))
                ]
        needed.update(found)
    return needed


class ResultSizes:
    """
    The sizes of the memrefs in a function, as far as they follow from its arguments by ops
    that are speculatable and have no side effects. `known` has the result of `sizes_needed`
    for callees; the sizes of the results of other calls are unknown.
    """

    def __init__(
        self,
        function: func.FuncOp,
        callees: Mapping[func.CallOp, func.FuncOp],
        returned: Mapping[func.FuncOp, Sequence[Returned]],
        known: Mapping[func.FuncOp, Sequence[int | None]],
    ):
        self._function = function
        self._callees = callees
        self._returned = returned
        self._known = known
        self._needed: dict[Size, int] = {}
        self._same: dict[SSAValue, Size] = {}
        self._shapes: dict[SSAValue, Sequence[Size]] = {}
        for argument in function.args:
            bit = 1 << argument.index
            self._needed[argument] = bit
            if isinstance(argument.type, MemRefType):
                for size in self.shape(argument):
                    if isinstance(size, Dimension):
                        self._needed[size] = bit
        for block in blocks_in_order(function.body):
            for op in block.ops:
                self._visit(op)

    def shape(self, value: SSAValue) -> Sequence[Size]:
        """The sizes of a ranked memref."""
        known = self._shapes.get(value)
        if known is None:
            known = self._shapes[value] = [
                Dimension(value, i) if size == DYNAMIC_INDEX else size
                for i, size in enumerate(ranked_shape(value))
            ]
        return known

    def result(self, index: int) -> Sequence[Size] | None:
        """The dynamic sizes of the result; `None` if they differ between returns."""
        type = self._function.function_type.outputs.data[index]
        static_shape = ranked_memref(type).get_shape()
        sizes: Sequence[Size] | None = None
        for op in returns_of(self._function):
            shape = self.shape(op.operands[index])
            these = [
                size
                for size, static in zip(shape, static_shape, strict=True)
                if static == DYNAMIC_INDEX
            ]
            if sizes is not None and these != sizes:
                return None
            sizes = these
        return sizes if DYNAMIC_INDEX in static_shape else ()

    def needed(self, index: int) -> int | None:
        """The arguments that the sizes of the result depend on, as a bit mask, or `None`."""
        if not isinstance(self._function.function_type.outputs.data[index], MemRefType):
            return None
        sizes = self.result(index)
        return None if sizes is None else self._needed_by(sizes)

    def build(
        self, size: Size, arguments: Sequence[SSAValue], builder: Builder
    ) -> SSAValue:
        """
        Build ops that compute a size of a result for a call with these arguments. Callers
        must be able to compute the sizes of that result (see `needed`).
        """
        built: dict[Size, SSAValue] = {}
        pending: list[Size] = [size]
        while pending:
            current = pending[-1]
            if current in built:
                pending.pop()
                continue
            match current:
                case int():
                    built[current] = _constant(builder, current)
                case Dimension(memref=BlockArgument(index=number), index=index):
                    op = memref_dim(arguments[number], _constant(builder, index))
                    built[current] = builder.insert(op).result
                case BlockArgument(index=number):
                    built[current] = arguments[number]
                case OpResult(op=op):
                    operands = [self._same.get(value, value) for value in op.operands]
                    if missing := [o for o in operands if o not in built]:
                        pending.extend(missing)
                        continue
                    mapper = {
                        old: built[new]
                        for old, new in zip(op.operands, operands, strict=True)
                    }
                    clone = builder.insert(op.clone(mapper))
                    built.update(zip(op.results, clone.results, strict=True))
                case _:
                    raise AssertionError(
                        f"{current} depends on more than the arguments"
                    )
        return built[size]

    def _needed_by(self, sizes: Sequence[Size]) -> int | None:
        needed = 0
        for size in sizes:
            if isinstance(size, int):
                continue
            if size not in self._needed:
                return None
            needed |= self._needed[size]
        return needed

    def _visit(self, op: Operation) -> None:
        match op:
            case arith.ConstantOp(value=IntegerAttr() as number) if isinstance(
                op.result.type, IndexType
            ):
                self._same[op.result] = number.value.data
            case memref.DimOp():
                index = self._same.get(op.index)
                if isinstance(op.source.type, MemRefType) and isinstance(index, int):
                    shape = self.shape(op.source)
                    if 0 <= index < len(shape):
                        self._same[op.result] = shape[index]
            case memref.AllocOp():
                dynamic = iter(op.dynamic_sizes)
                self._shapes[op.memref] = [
                    self._size(next(dynamic)) if size == DYNAMIC_INDEX else size
                    for size in op.memref.type.get_shape()
                ]
            case memref.CastOp():
                types = op.dest.type, op.source.type
                if all(isinstance(type, MemRefType) for type in types):
                    self._shapes[op.dest] = self._cast(op.dest.type, op.source)
            case func.CallOp():
                self._visit_call(op)
            case _:
                self._visit_other(op)

    def _visit_other(self, op: Operation) -> None:
        if (
            not op.results
            or op.regions
            or not all(
                isinstance(type, IndexType | IntegerType)
                for types in (op.operand_types, op.result_types)
                for type in types
            )
            or not is_speculatable(op)
            or not is_side_effect_free(op)
        ):
            return
        needed = self._needed_by([self._size(value) for value in op.operands])
        if needed is not None:
            self._needed.update(dict.fromkeys(op.results, needed))

    def _visit_call(self, op: func.CallOp) -> None:
        callee = self._callees.get(op)
        if callee is None or callee not in self._known:
            return
        returned = self._returned[callee]
        for result, what, needed in zip(
            op.results, returned, self._known[callee], strict=True
        ):
            same = result
            if what.kind is ReturnedKind.ARGUMENT:
                same = op.operands[what.index]
            elif what.kind is ReturnedKind.AGAIN:
                same = op.results[what.index]
            elif what.kind is ReturnedKind.NEW and needed is not None:
                self._visit_new(op, result, needed)
            types = result.type, same.type
            if same is not result and all(isinstance(t, MemRefType) for t in types):
                self._shapes[result] = self._cast(result.type, same)

    def _visit_new(self, op: func.CallOp, result: OpResult, needed: int) -> None:
        here: int | None = 0
        for index, value in enumerate(op.operands):
            if needed >> index & 1 and here is not None:
                sizes = (
                    self.shape(value)
                    if isinstance(value.type, MemRefType)
                    else [self._size(value)]
                )
                more = self._needed_by(sizes)
                here = None if more is None else here | more
        if here is not None:
            for size in self.shape(result):
                if isinstance(size, Dimension):
                    self._needed[size] = here

    def _cast(self, type: Attribute, source: SSAValue) -> Sequence[Size]:
        """The sizes of a cast of the memref to the type."""
        return [
            size if static == DYNAMIC_INDEX else static
            for size, static in zip(
                self.shape(source), ranked_memref(type).get_shape(), strict=True
            )
        ]

    def _size(self, value: SSAValue) -> Size:
        return self._same.get(value, value)


def _constant(builder: Builder, number: int) -> SSAValue:
    return builder.insert(
        arith.ConstantOp.from_int_and_width(number, IndexType())
    ).result
