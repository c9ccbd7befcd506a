"""
affine. Source: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, ArrayAttr
from xdsl.interpreter import PythonValues
from xdsl.ir import Attribute, Operation
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
from xdsl_bufferization.semantics.dialects.scf import iterations
from xdsl_bufferization.semantics.dialects.shared.elements import along_last_dimensions
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import (
    DialectFunctions,
    ScalarFunction,
    impl_named,
)
from xdsl_bufferization.semantics.values import (
    INDEX,
    Value,
    integer,
    mixed,
    segments,
    shape_of,
)
from xdsl_bufferization.support.attributes import attribute, integers


def _of_results(combine: Callable[..., Any]) -> ScalarFunction:
    """A function of the results of the op's map at its operands, such as their maximum."""

    def compute(op: Operation, operands: Sequence[Value]) -> Value:
        return reduce(combine, _apply(_map(op, "map"), operands))

    return compute


def _delinearize_index(op: Operation, operands: Sequence[Value]) -> tuple[Value, ...]:
    rest, *dynamic = operands
    basis = mixed(integers(op, "static_basis"), dynamic)
    # The outermost index is not reduced, also if the basis has a bound for it.
    indices: list[Value] = []
    for size in reversed(basis[len(basis) - len(op.results) + 1 :]):
        if size <= 0:
            raise UndefinedBehaviorError(f"the basis has {size}, which is not positive")
        indices.append(rest % size)
        rest = rest // size
    return (rest, *reversed(indices))


def _linearize_index(op: Operation, operands: Sequence[Value]) -> Value:
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
        "affine.apply": lambda op, operands: _apply(_map(op, "map"), operands)[0],
        "affine.max": _of_results(np.maximum),
        "affine.min": _of_results(np.minimum),
    }

    pure: ClassVar = {
        "affine.delinearize_index": _delinearize_index,
        "affine.linearize_index": _linearize_index,
    }

    # Control flow

    @impl_named("affine.if")
    def if_(self, op: Operation, operands: PythonValues) -> PythonValues:
        condition = attribute(op, "condition")
        if not isinstance(condition, AffineSetAttr):
            raise MissingSemanticsError(f"the condition '{condition}' has no meaning")
        dims, symbols = _split(condition.data.num_dims, operands)
        holds = all(
            _compare(
                constraint.kind,
                _eval(constraint.lhs, dims, symbols),
                _eval(constraint.rhs, dims, symbols),
            )
            for constraint in condition.data.constraints
        )
        return self.interpreter.run_region(op.regions[0 if holds else 1])

    @impl_named("affine.for")
    def for_(self, op: Operation, operands: PythonValues) -> PythonValues:
        lower, upper, carried = segments(op, operands)
        steps = iterations(
            max(map(int, _apply(_map(op, "lowerBoundMap"), lower))),
            min(map(int, _apply(_map(op, "upperBoundMap"), upper))),
            integer(op, "step"),
        )
        return self.interpreter.run_loop(op, map(INDEX.type, steps), carried)

    @impl_named("affine.parallel")
    def parallel(self, op: Operation, operands: PythonValues) -> PythonValues:
        lower_map, upper_map = _map(op, "lowerBoundsMap"), _map(op, "upperBoundsMap")
        split = lower_map.num_dims + lower_map.num_symbols
        steps = integers(op, "steps")
        lower = _groups(op, "lowerBoundsGroups", _apply(lower_map, operands[:split]))
        upper = _groups(op, "upperBoundsGroups", _apply(upper_map, operands[split:]))
        ranges = (
            iterations(max(first), min(end), step)
            for first, end, step in zip(lower, upper, steps, strict=True)
        )
        types = [result.type for result in op.results]
        kinds = [read_modify_write_kind(kind) for kind in _reductions(op)]
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
    def load(self, op: Operation, operands: PythonValues) -> PythonValues:
        source, *indices = operands
        element_indices = _apply(_map(op, "map"), indices)
        return (self.memory.load(source, element_indices, op),)

    @impl_named("affine.store")
    def store(self, op: Operation, operands: PythonValues) -> PythonValues:
        element, target, *indices = operands
        element_indices = _apply(_map(op, "map"), indices)
        self.memory.store(target, element_indices, element, op)
        return ()

    @impl_named("affine.vector_load")
    def vector_load(self, op: Operation, operands: PythonValues) -> PythonValues:
        source, *indices = operands
        elements = _vector_indices(op, indices, shape_of(op.results[0].type))
        return (np.array(self.memory.load(source, elements, op)),)

    @impl_named("affine.vector_store")
    def vector_store(self, op: Operation, operands: PythonValues) -> PythonValues:
        vector, target, *indices = operands
        elements = _vector_indices(op, indices, vector.shape)
        self.memory.store(target, elements, vector, op)
        return ()


def _map(op: Operation, name: str) -> AffineMap:
    found = attribute(op, name)
    if not isinstance(found, AffineMapAttr):
        raise MissingSemanticsError(f"has no affine map '{name}'")
    return found.data


def _apply(map: AffineMap, operands: Sequence[Value]) -> list[Value]:
    """The map's results at the operands: its dimensions, then its symbols."""
    dims, symbols = _split(map.num_dims, operands)
    return [INDEX.type(_eval(result, dims, symbols)) for result in map.results]


def _split(
    dimensions: int, operands: Sequence[Value]
) -> tuple[Sequence[Value], Sequence[Value]]:
    return operands[:dimensions], operands[dimensions:]


def _eval(
    expression: AffineExpr, dims: Sequence[Value], symbols: Sequence[Value]
) -> Value:
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


def _compare(kind: AffineConstraintKind, a: Value, b: Value) -> bool:
    match kind:
        case AffineConstraintKind.ge:
            return bool(a >= b)
        case AffineConstraintKind.le:
            return bool(a <= b)
        case AffineConstraintKind.eq:
            return bool(a == b)


def _groups(op: Operation, name: str, bounds: Sequence[Value]) -> list[list[int]]:
    """The bounds, grouped by induction variable."""
    sizes = integers(op, name)
    groups: list[list[int]] = []
    rest = [int(bound) for bound in bounds]
    for size in sizes:
        groups.append(rest[:size])
        rest = rest[size:]
    return groups


def _reductions(op: Operation) -> Sequence[Attribute]:
    found = attribute(op, "reductions")
    if isinstance(found, ArrayAttr):
        return found.data
    return ()


def _vector_indices(
    op: Operation, indices: Sequence[Value], shape: Sequence[int]
) -> list[Value]:
    """The indices of the vector's elements, along the memref's last dimensions."""
    return along_last_dimensions(_apply(_map(op, "map"), indices), shape)


FUNCTIONS = AffineFunctions
