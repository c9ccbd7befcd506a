"""
cf, func and scf: loops, also parallel ones, run their iterations in order.

Source: https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/,
https://mlir.llvm.org/docs/Dialects/Func/, https://mlir.llvm.org/docs/Dialects/SCFDialect/
Source of affine: https://mlir.llvm.org/docs/Dialects/Affine/
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial, reduce
from itertools import islice, product
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    FunctionType,
    StringAttr,
)
from xdsl.interpreter import PythonValues, Successor
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
from xdsl_bufferization.semantics.dialects.shared import (
    StridedSlice,
    along_last_dimensions,
    slice_of,
    symbol,
    write_slice,
)
from xdsl_bufferization.semantics.errors import (
    ExecutionError,
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import (
    DialectFunctions,
    ReferenceInterpreter,
    impl_named,
)
from xdsl_bufferization.semantics.values import (
    INDEX,
    Array,
    MemRef,
    Value,
    dtype_of,
    integer,
    mixed,
    result_type,
    segments,
    shape_of,
    unsigned,
    wrap,
)
from xdsl_bufferization.support.attributes import attribute, integers, known_attribute
from xdsl_bufferization.support.names import op_name, printed_symbol


class CfFunctions(DialectFunctions):
    @impl_named("cf.assert")
    def assert_(self, op: Operation, holds: Value) -> None:
        if not holds:
            raise ExecutionError("the assertion does not hold")

    @impl_named("cf.br")
    def branch(self, op: Operation, *operands: Value) -> Successor:
        return Successor(op.successors[0], operands)

    @impl_named("cf.cond_br")
    def conditional_branch(self, op: Operation, *operands: Value) -> Successor:
        (condition,), then, otherwise = segments(op, operands)
        taken, arguments = (0, then) if condition else (1, otherwise)
        return Successor(op.successors[taken], tuple(arguments))

    @impl_named("cf.switch")
    def switch(self, op: Operation, *operands: Value) -> Successor:
        (flag,), default, cases = segments(op, operands)
        start = 0
        for block, value, size in zip(
            op.successors[1:],
            integers(op, "case_values"),
            integers(op, "case_operand_segments"),
            strict=True,
        ):
            if wrap(op.operands[0].type, value) == flag:
                return Successor(block, tuple(cases[start : start + size]))
            start += size
        return Successor(op.successors[0], tuple(default))


class FuncFunctions(DialectFunctions):
    terminators: ClassVar = ("func.return",)

    def __init__(self) -> None:
        # Loops look up the same functions again and again.
        self._function = cache(_function)

    @impl_named("func.call")
    def call(self, op: Operation, *operands: Value) -> PythonValues:
        return self.call_indirect(op, self._function(op, "callee"), *operands)

    @impl_named("func.call_indirect")
    def call_indirect(
        self, op: Operation, function: Operation, *arguments: Value
    ) -> PythonValues:
        passed = op.operand_types[len(op.operands) - len(arguments) :]
        _check_type(function, FunctionType.from_lists(passed, op.result_types))
        return self.interpreter.call(function, arguments)

    @impl_named("func.constant")
    def constant(self, op: Operation) -> Operation:
        # The value of a function is the op that defines it.
        function = self._function(op, "value")
        _check_type(function, result_type(op))
        return function


def _function(op: Operation, name: str) -> Operation:
    """The function that the attribute names."""
    return symbol(op, attribute(op, name), "function")


def _check_type(function: Operation, wanted: Attribute) -> None:
    """Raises `ExecutionError` if the function is not of the wanted type."""
    type = attribute(function, "function_type")
    if type is None:
        raise MissingSemanticsError(f"'{op_name(function)}' is no function")
    if type != wanted:
        name = known_attribute(function, "sym_name", StringAttr).data
        raise ExecutionError(
            f"the type of {printed_symbol(name)} is '{type}', but it is taken for a "
            f"function of type '{wanted}'"
        )


class ScfFunctions(DialectFunctions):
    terminators: ClassVar = (
        "scf.condition",
        "scf.forall.in_parallel",  # The loop runs the ops inside.
        "scf.reduce",
        "scf.reduce.return",
        "scf.yield",
    )

    @impl_named("scf.execute_region")
    def execute_region(self, op: Operation) -> PythonValues:
        return self.run(op)

    @impl_named("scf.if")
    def if_(self, op: Operation, condition: Value) -> PythonValues:
        return self.run(op, region=0 if condition else 1)

    @impl_named("scf.index_switch")
    def index_switch(self, op: Operation, flag: Value) -> PythonValues:
        cases = integers(op, "cases")
        # The first region is the default.
        taken = cases.index(flag) + 1 if flag in cases else 0
        return self.run(op, region=taken)

    @impl_named("scf.while")
    def while_(self, op: Operation, *carried: Value) -> PythonValues:
        while True:
            again, *values = self.run(op, *carried)
            if not again:
                return tuple(values)
            carried = self.run(op, *values, region=1)

    @impl_named("scf.for")
    def for_(
        self, op: Operation, lower: Value, upper: Value, step: Value, *carried: Value
    ) -> PythonValues:
        type = op.operands[0].type
        number = dtype_of(type).type
        if attribute(op, "unsignedCmp") is not None:
            number = partial(wrap, type)
            lower, upper, step = (unsigned(type, n) for n in (lower, upper, step))
        indices = map(number, iterations(int(lower), int(upper), int(step)))
        return self.interpreter.run_loop(op, indices, carried)

    @impl_named("scf.forall")
    def forall(self, op: Operation, *operands: Value) -> PythonValues:
        lower, upper, step, shared = segments(op, operands)
        ranges = map(
            iterations,
            mixed(integers(op, "staticLowerBound"), lower),
            mixed(integers(op, "staticUpperBound"), upper),
            mixed(integers(op, "staticStep"), step),
        )
        results = [np.array(tensor) for tensor in shared]
        visible = [np.array(tensor) for tensor in shared]
        for index in product(*ranges):
            with self.interpreter.stack(op):
                # Each iteration has tensors of its own, which do not change.
                tensors = [tensor.view() for tensor in visible]
                self.run(op, *map(INDEX.type, index), *tensors)
                inserted = _insert(self.interpreter, op, results)
            for number, part in inserted:
                # Other iterations may run earlier or later, so may find it or not.
                tensor = visible[number]
                part.view(tensor)[...] = self.memory.uninitialised(
                    part.sizes, tensor.dtype, op
                )
        return tuple(results)

    @impl_named("scf.parallel")
    def parallel(self, op: Operation, *operands: Value) -> PythonValues:
        *bounds, results = segments(op, operands)
        ranges = (iterations(*map(int, b)) for b in zip(*bounds, strict=True))
        reductions = op.regions[0].block.last_op
        for index in product(*ranges):
            with self.interpreter.stack(op):
                reduced = self.run(op, *map(INDEX.type, index))
                if results and reductions is not None:
                    results = [
                        self.interpreter.run_region(region, result, value)[0]
                        for region, result, value in zip(
                            reductions.regions, results, reduced, strict=True
                        )
                    ]
        return tuple(results)


def iterations(lower: int, upper: int, step: int) -> range:
    """The iterations of a loop. Raises `UndefinedBehaviorError` for a step that is not positive."""
    if step <= 0:
        raise UndefinedBehaviorError(f"the step is {step}, but must be positive")
    return range(lower, upper, step)


def _insert(
    interpreter: ReferenceInterpreter, forall: Operation, results: Sequence[Value]
) -> list[tuple[int, StridedSlice]]:
    """
    Run the insertions in the terminator of the loop's body, for one iteration. Returns the
    slices that they overwrite, each with the index of the result.
    """
    block = forall.regions[0].block
    outputs = block.args[len(block.args) - len(results) :]
    terminator = block.last_op
    inserted: list[tuple[int, StridedSlice]] = []
    if terminator is None or not terminator.regions:
        return inserted
    for op in terminator.regions[0].block.ops:
        if op_name(op) != "tensor.parallel_insert_slice":
            raise MissingSemanticsError("has no semantics here", op)
        (source,), _, *dynamic = segments(op, interpreter.get_values(op.operands))
        number = outputs.index(op.operands[1])
        try:
            part = slice_of(op, results[number], dynamic)
            write_slice(results[number], part, source)
        except UndefinedBehaviorError as error:
            error.op = op
            raise
        inserted.append((number, part))
    return inserted


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
        return self.run(op, region=0 if holds else 1)

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
                values = self.run(op, *map(INDEX.type, index))
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
        shape = shape_of(result_type(op))
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
