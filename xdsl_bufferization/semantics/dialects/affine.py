"""
affine. Source: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice, product
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, ArrayAttr
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstraintKind,
    AffineExpr,
    AffineMap,
)

from xdsl_bufferization.semantics.dialects.arith import (
    combining,
    neutral,
    read_modify_write_kind,
)
from xdsl_bufferization.semantics.dialects.control_flow import iterations
from xdsl_bufferization.semantics.dialects.shared import along_last_dimensions
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named
from xdsl_bufferization.semantics.memory.buffers import MemRef
from xdsl_bufferization.semantics.values import (
    INDEX,
    Array,
    Value,
    integer,
    mixed,
    segments,
    shape_of,
)
from xdsl_bufferization.support.attributes import attribute, integers


def _delinearize_index(op: Operation, rest: Value, *dynamic: Value) -> Value:
    basis = mixed(integers(op, "static_basis"), dynamic)
    # The outermost index is not reduced, also if the basis has a bound for it.
    indices: list[Value] = []
    for size in reversed(basis[len(basis) - len(op.results) + 1 :]):
        if size <= 0:
            raise UndefinedBehaviorError(f"the basis has {size}, which is not positive")
        indices.append(rest % size)
        rest = rest // size
    return (rest, *reversed(indices))


def _linearize_index(op: Operation, *operands: Value) -> Value:
    indices, dynamic = segments(op, operands)
    basis = mixed(integers(op, "static_basis"), dynamic)
    result = INDEX.type(0)
    basis = (1, *basis) if len(basis) < len(indices) else basis
    for index, size in zip(indices, basis, strict=True):
        result = result * size + index
    return result


class AffineFunctions(DialectFunctions):
    terminators: ClassVar = ("affine.yield",)
    without_effects: ClassVar = ("affine.prefetch",)

    scalar: ClassVar = {
        "affine.apply": lambda op, *operands: _apply(op, "map", operands)[0],
        "affine.max": lambda op, *operands: reduce(
            np.maximum, _apply(op, "map", operands)
        ),
        "affine.min": lambda op, *operands: reduce(
            np.minimum, _apply(op, "map", operands)
        ),
    }

    pure: ClassVar = {
        "affine.delinearize_index": _delinearize_index,
        "affine.linearize_index": _linearize_index,
    }

    # Control flow

    @impl_named("affine.if")
    def if_(self, op: Operation, *operands: Value) -> PythonValues:
        condition = attribute(op, "condition")
        if not isinstance(condition, AffineSetAttr):
            raise MissingSemanticsError(f"the condition '{condition}' has no meaning")
        dimensions = condition.data.num_dims
        holds = all(
            _COMPARISONS[constraint.kind](
                _eval(constraint.lhs, dimensions, operands),
                _eval(constraint.rhs, dimensions, operands),
            )
            for constraint in condition.data.constraints
        )
        return self.interpreter.run_region(op.regions[0 if holds else 1])

    @impl_named("affine.for")
    def for_(self, op: Operation, *operands: Value) -> PythonValues:
        lower, upper, carried = segments(op, operands)
        steps = iterations(
            max(map(int, _apply(op, "lowerBoundMap", lower))),
            min(map(int, _apply(op, "upperBoundMap", upper))),
            integer(op, "step"),
        )
        return self.interpreter.run_loop(op, map(INDEX.type, steps), carried)

    @impl_named("affine.parallel")
    def parallel(self, op: Operation, *operands: Value) -> PythonValues:
        lower_map = _map(op, "lowerBoundsMap")
        split = lower_map.num_dims + lower_map.num_symbols
        ranges = (
            iterations(max(first), min(end), step)
            for first, end, step in zip(
                _bounds(op, "lowerBounds", operands[:split]),
                _bounds(op, "upperBounds", operands[split:]),
                integers(op, "steps"),
                strict=True,
            )
        )
        reductions = attribute(op, "reductions")
        kinds = [
            read_modify_write_kind(kind)
            for kind in (reductions if isinstance(reductions, ArrayAttr) else ())
        ]
        types = op.result_types
        results = [neutral(k, type) for k, type in zip(kinds, types, strict=True)]
        for index in product(*ranges):
            with self.interpreter.stack(op):
                values = self.interpreter.run_region(
                    op.regions[0], *map(INDEX.type, index)
                )
            results = [
                combining(kind, type)(result, value)
                for kind, type, result, value in zip(
                    kinds, types, results, values, strict=True
                )
            ]
        return tuple(results)

    # Memory

    @impl_named("affine.load")
    def load(self, op: Operation, source: MemRef, *indices: Value) -> Value:
        return self.memory.load(source, _apply(op, "map", indices), op)

    @impl_named("affine.store")
    def store(
        self, op: Operation, element: Value, target: MemRef, *indices: Value
    ) -> None:
        self.memory.store(target, _apply(op, "map", indices), element, op)

    @impl_named("affine.vector_load")
    def vector_load(self, op: Operation, source: MemRef, *indices: Value) -> Value:
        shape = shape_of(op.results[0].type)
        elements = along_last_dimensions(_apply(op, "map", indices), shape)
        return np.array(self.memory.load(source, elements, op))

    @impl_named("affine.vector_store")
    def vector_store(
        self, op: Operation, vector: Array, target: MemRef, *indices: Value
    ) -> None:
        elements = along_last_dimensions(_apply(op, "map", indices), vector.shape)
        self.memory.store(target, elements, vector, op)


def _map(op: Operation, name: str) -> AffineMap:
    found = attribute(op, name)
    if not isinstance(found, AffineMapAttr):
        raise MissingSemanticsError(f"has no affine map '{name}'")
    return found.data


def _apply(op: Operation, name: str, operands: Sequence[Value]) -> list[Value]:
    """The results of the op's map at the operands: its dimensions, then its symbols."""
    map = _map(op, name)
    return [INDEX.type(_eval(result, map.num_dims, operands)) for result in map.results]


def _eval(expression: AffineExpr, dimensions: int, operands: Sequence[Value]) -> Value:
    dims, symbols = operands[:dimensions], operands[dimensions:]
    for part in expression.dfs():
        if isinstance(part, AffineBinaryOpExpr) and part.kind in _DIVISIONS:
            divisor = part.rhs.eval(dims, symbols)
            if np.any(np.less_equal(divisor, 0)):
                raise UndefinedBehaviorError(f"'{part}' divides by {divisor}")
    return expression.eval(dims, symbols)


_DIVISIONS = {
    AffineBinaryOpKind.Mod,
    AffineBinaryOpKind.FloorDiv,
    AffineBinaryOpKind.CeilDiv,
}
_COMPARISONS: Mapping[AffineConstraintKind, Callable[[Value, Value], bool]] = {
    AffineConstraintKind.ge: operator.ge,
    AffineConstraintKind.le: operator.le,
    AffineConstraintKind.eq: operator.eq,
}


def _bounds(
    op: Operation, name: str, operands: Sequence[Value]
) -> Iterator[Sequence[int]]:
    """The bounds of each induction variable."""
    bounds = map(int, _apply(op, f"{name}Map", operands))
    return (list(islice(bounds, n)) for n in integers(op, f"{name}Groups"))


FUNCTIONS = {"affine": AffineFunctions}
