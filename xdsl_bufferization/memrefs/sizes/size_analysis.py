"""
Sizes as polynomials over the symbols that they depend on.

    %n = tensor.dim %x, %c0                          // %x.0
    %e = tensor.empty(%n, %n) : tensor<?x?xf32>      // %x.0 by %x.0
    %c = tensor.concat dim(0) %e, %e                 // 2 * %x.0 by %x.0

A symbol is the size of a value in a dimension, or an integer, that nothing more is known of: of
an argument, of the result of an unknown op, loaded from memory.

Control flow joins sizes. A joined value has the size that all values have that reach it, through
other joins too. So a loop-carried tensor has the size of its initial value if each iteration
yields one of that size, by induction over the iterations:

    %r = scf.for ... iter_args(%h = %x) {            // %h.0 = %x.0, %r.0 = %x.0
      %d = tensor.dim %h, %c0
      %e = tensor.empty(%d)
      scf.yield %e }

If they differ, the joined value is a symbol itself. A polynomial over symbols in a loop holds for
their values in the iteration at hand; no value outside of the loop equals one of these.

A minimum or maximum is the operand that it is known to be, else the symbol of the first one of the
same two numbers. So the clamps of an ONNX slice, one after the other, are one symbol:

    %a = arith.minsi %n, %max                        // %a; %n is 0 or more
    %b = arith.maxsi %a, %c0                         // %a
    %c = arith.minsi %b, %max                        // %a

Results are memoized, and valid as long as the program does not change. Each symbol is expanded
once; the walk over joins is repeated for joins whose sizes differ, `MAX_JOINED` at most.

Bounds are constants that sizes do not exceed, where the program says so:

    %ok = arith.cmpi ule, %n, %c64
    cf.assert %ok                           // after it, %n is 64 at most
    %rest = arith.subi %n, %i
    %t = arith.minsi %rest, %c32            // 32 at most, whatever the program asserts
    %a = memref.alloc(%t) : memref<?xf32>   // 128 bytes at most

Only conditions that are asserted in the first block of a function count, for what follows them:
they hold wherever an allocation is moved to that stays after them. Each answer takes time linear in
the terms of the size and in the clamps around its symbols.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from math import prod
from typing import TypeAlias

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Dialect, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.region_branch import (
    BranchOpInterface,
    RegionBranchOpInterface,
)
from xdsl_bufferization.interfaces.registry import load_models
from xdsl_bufferization.interfaces.sizes import (
    ConditionOpInterface,
    Expression,
    SizesOpInterface,
    Symbol,
    UpperBound,
    clamp_of,
    number_of,
    shape_or_none,
    size_like,
    size_of,
    upper_bound_of,
)
from xdsl_bufferization.memrefs.sizes.arithmetic import (
    MAXIMA,
    MINIMA,
    NUMBERS,
    SHAPES,
    Relations,
    all_known,
    is_number,
)
from xdsl_bufferization.support.call_graph import CallGraph, is_function, returns_of
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import (
    ancestors,
    defining_op,
    exits,
    index_of,
    op_result,
    reachable,
)

MAX_TERMS = 16
"""Terms of a polynomial; with more, or a higher degree, the value is a symbol of its own."""

MAX_DEGREE = 8
"""The degree of a polynomial: shapes of more dynamic dimensions are rare."""

MAX_COEFFICIENT = 2**62
"""The absolute value of a coefficient: larger ones are no sizes."""

MAX_JOINED = 64
"""Joins that forward to one another and are followed for one size."""

for _name, _model in {**NUMBERS, **SHAPES}.items():
    # Models of other packages are registered before those of this one, and answer instead.
    load_models(Dialect.split_name(_name)[0])
    if SizesOpInterface.named(_name) is None:
        SizesOpInterface.add_model(_name, _model)

_Alternatives: TypeAlias = Sequence[Expression]
"""The possible values of a symbol: a single one for most ops, none if nothing is known."""


class Sizes:
    """
    The sizes of the tensors and memrefs of a program, and the integers they come from; `calls` is
    its call graph, if there is one already.
    """

    def __init__(self, calls: CallGraph | None = None) -> None:
        self._known: dict[Symbol, Expression] = {}
        """The values of symbols; provisional ones may contain symbols of `_open`."""
        self._open: dict[Symbol, _Alternatives] = {}
        """Symbols whose values are being computed."""
        self._entered: set[Symbol] = set()
        """Symbols for which what their callees return has been asked for."""
        self._natural: set[Symbol] = set()
        """Integers that are known not to be negative; sizes never are."""
        self._extremes: dict[tuple[bool, frozenset[Expression]], Expression] = {}
        """The first minimum, or maximum, of those numbers."""
        self._relations = Relations(
            lambda value: self._closed(number_of(value)), self._is_natural
        )
        self._calls = calls

    def shape(self, value: SSAValue) -> Sequence[Expression] | None:
        """The sizes of a tensor or memref; `None` if it has no rank."""
        shape = shape_or_none(value)
        if shape is None:
            return None
        sizes = (size_of(value, dimension) for dimension in range(len(shape)))
        return [self.value(size) for size in sizes if size is not None]

    def elements(self, value: SSAValue) -> Expression | None:
        """The number of elements of a tensor or memref; `None` if it has no rank."""
        shape = self.shape(value)
        return None if shape is None else prod(shape, start=Expression.constant(1))

    def number(self, value: SSAValue) -> Expression:
        """The value of an integer."""
        return self.value(number_of(value))

    def value(self, expression: Expression) -> Expression:
        """The expression in terms of symbols that nothing is known of."""
        for symbol in expression.symbols:
            self._evaluate(symbol)
        return self._closed(expression)

    def are_equal(self, a: SSAValue, b: SSAValue) -> bool:
        """Whether two tensors or memrefs provably have equal shapes."""
        shapes = self.shape(a), self.shape(b)
        return shapes[0] is not None and shapes[0] == shapes[1]

    def _closed(self, expression: Expression) -> Expression:
        """The expression, in which symbols were provisional, with their final values."""
        while True:
            closed = expression.substituted(self._known)
            if closed == expression:
                return closed
            expression = closed

    def _evaluate(self, symbol: Symbol) -> None:
        """Find the value of the symbol; a stack of its own, as chains are as long as programs."""
        pending = [symbol]
        while pending:
            current = pending[-1]
            if current in self._known:
                pending.pop()
            elif current in self._open:
                pending.pop()
                self._conclude(current, self._open.pop(current))
            elif current not in self._entered:
                self._entered.add(current)
                pending.extend(self._new_symbols(self._returned(current)))
            else:
                alternatives = self._open[current] = self._alternatives(current)
                pending.extend(self._new_symbols(alternatives))

    def _new_symbols(self, expressions: _Alternatives) -> Iterator[Symbol]:
        for expression in expressions:
            for symbol in expression.symbols:
                if symbol not in self._known and symbol not in self._open:
                    yield symbol

    def _conclude(self, symbol: Symbol, alternatives: _Alternatives) -> None:
        """The symbol's value, now that those that it depends on are known."""
        itself = Expression.of(symbol)
        values = dict.fromkeys(map(self._closed, alternatives))
        values.pop(itself, None)
        if len(values) == 1:
            (value,) = values
        else:
            value = self._extreme(symbol, values) if _is_extreme(symbol) else itself
        if symbol in value.symbols or not _is_simple(value):
            value = itself
        self._known[symbol] = value

    def _extreme(self, symbol: Symbol, values: Collection[Expression]) -> Expression:
        """The minimum or maximum of the values that the symbol's op computes."""
        is_minimum = _name_of(symbol) in MINIMA
        at_most = self._relations.is_at_most
        for value in values:
            if all(
                at_most(value, other) if is_minimum else at_most(other, value)
                for other in values
                if other != value
            ):
                return value
        if (all if is_minimum else any)(map(self._is_natural, values)):
            self._natural.add(symbol)
        key = is_minimum, frozenset(values)
        return self._extremes.setdefault(key, Expression.of(symbol))

    def _is_natural(self, number: Expression) -> bool:
        return number.is_nonnegative(
            lambda symbol: symbol.dimension is not None or symbol in self._natural
        )

    def _alternatives(self, symbol: Symbol) -> _Alternatives:
        """
        The values that the symbol may have. A join is followed to what reaches it, through ops that
        keep sizes and other joins, except for those that are being followed already.
        """
        sources = self._sources(symbol)
        if len(sources) < 2 or _is_extreme(symbol):
            return sources
        found: dict[Expression, None] = {}
        seen = {symbol}
        pending = [symbol]
        while pending:
            current = pending.pop()
            for expression in self._sources(current) or (Expression.of(current),):
                source = expression.symbol
                if source == current or source is None or not self._is_followed(source):
                    found[expression] = None
                elif source not in seen:
                    seen.add(source)
                    pending.append(source)
            if len(seen) > MAX_JOINED:
                return ()
        return [*found]

    def _is_followed(self, symbol: Symbol) -> bool:
        if symbol in self._known or len(self._open.get(symbol, ())) > 1:
            return False
        return _may_be_joined(symbol.value)

    def _sources(self, symbol: Symbol) -> _Alternatives:
        """The symbol's values by the op or block that defines it; none if these are unknown."""
        value = symbol.value
        if isinstance(value, BlockArgument):
            sources = [*_branched(value)]
            if (parent := value.block.parent_op()) is not None:
                sources += _forwarded_by(parent, value)
        else:
            value = op_result(value)
            if _is_extreme(symbol):
                return [number_of(operand) for operand in value.op.operands]
            if (model := SizesOpInterface.of(value.op)) is not None:
                size = model.size(value.op, value, symbol.dimension)
                return () if size is None else (size,)
            if isinstance(value.op, func.CallOp):
                return self._called(symbol, value.op)
            sources = [*_destinations(value), *_forwarded_by(value.op, value)]
        return all_known(size_like(symbol, source) for source in sources)

    # Calls ------------------------------------------------------------------------------

    def _returned(self, symbol: Symbol) -> _Alternatives:
        """The size of the result of a call that the callee returns, for each of its returns."""
        result = symbol.value
        if not isinstance(result, OpResult) or not isinstance(result.op, func.CallOp):
            return ()
        if (callee := self._callee(result.op)) is None:
            return ()
        return all_known(
            size_like(symbol, op.operands[result.index]) for op in returns_of(callee)
        )

    def _called(self, symbol: Symbol, call: func.CallOp) -> _Alternatives:
        """The size of the result of the call, if the arguments determine it."""
        values = {self._closed(size) for size in self._returned(symbol)}
        callee = self._callee(call)
        if len(values) != 1 or callee is None:
            return ()
        (value,) = values
        given: dict[Symbol, Expression] = {}
        for root in value.symbols:
            argument = root.value
            if argument.owner is not callee.body.first_block:
                return ()
            size = size_like(root, call.operands[index_of(argument)])
            if size is None:
                return ()
            given[root] = size
        return (value.substituted(given),)

    def _callee(self, call: func.CallOp) -> func.FuncOp | None:
        if self._calls is None:
            *_, around = ancestors(call)
            if not isinstance(around, ModuleOp):
                return None
            self._calls = CallGraph(around)
        function = self._calls.callee(call)
        if function is None or not function.body.blocks:
            return None
        return function


def computed_size(result: OpResult, dimension: int | None) -> Expression | None:
    """The size, or integer, that the op computes, or that the result has of an init."""
    if (model := SizesOpInterface.of(result.op)) is not None:
        return model.size(result.op, result, dimension)
    init = next(_destinations(result), None)
    return None if init is None else size_like(Symbol(result, dimension), init)


def _is_extreme(symbol: Symbol) -> bool:
    """Whether the symbol is a minimum or maximum of two integers."""
    return _name_of(symbol) in MINIMA | MAXIMA and is_number(symbol.value.type)


def _name_of(symbol: Symbol) -> str:
    """The name of the op that computes the integer; empty for other symbols."""
    owner = symbol.value.owner
    if symbol.dimension is not None or isinstance(owner, Block):
        return ""
    return op_name(owner)


def _is_simple(value: Expression) -> bool:
    return (
        len(value.terms) <= MAX_TERMS
        and value.degree <= MAX_DEGREE
        and all(abs(number) < MAX_COEFFICIENT for number in value.terms.values())
    )


def _may_be_joined(value: SSAValue) -> bool:
    """Whether the value may be forwarded by control flow, or as large as another value."""
    if isinstance(value, BlockArgument):
        parent = value.block.parent_op()
        return parent is not None and not is_function(parent)
    op = defining_op(value)
    return (
        RegionBranchOpInterface.of(op) is not None
        or DestinationStyleOpInterface.of(op) is not None
        or SizesOpInterface.of(op) is not None
    )


def _destinations(result: OpResult) -> Iterator[SSAValue]:
    """The init that the result has the new contents of."""
    model = DestinationStyleOpInterface.of(result.op)
    if model is not None:
        for init in model.inits(result.op):
            if model.tied_result(result.op, init) is result:
                yield result.op.operands[init]


def _forwarded_by(op: Operation, target: SSAValue) -> Iterator[SSAValue]:
    """The values that the op's regions, or the op itself, forward to the target."""
    model = RegionBranchOpInterface.of(op)
    if model is None:
        return
    for source in (op, *exits(op)):
        for branch in model.branches(op, source):
            for index, other in enumerate(branch.targets):
                if other is target:
                    yield source.operands[branch.first + index]


def _branched(argument: BlockArgument) -> Sequence[SSAValue]:
    """The values that branches forward to the argument; none if one of them is unknown."""
    found: list[SSAValue] = []
    for use in argument.block.uses:
        branch = use.operation
        model = BranchOpInterface.of(branch)
        forwarded = () if model is None else model.forwarded(branch, use.index)
        if argument.index >= len(forwarded):
            return ()
        found.append(branch.operands[forwarded[argument.index]])
    return found


MAX_CLAMPS = 16
"""Clamps and casts around a value; further ones are not followed."""


class UpperBounds:
    """The bounds of the sizes of a function that does not change."""

    def __init__(self, function: Operation, sizes: Sizes):
        self._entry = function.regions[0].first_block
        self._sizes = sizes

    def elements(self, memref: SSAValue, at: Operation) -> int | None:
        """The most elements of a tensor or memref whose sizes are computed before `at`."""
        bounds = [
            self._of(size, at, MAX_CLAMPS)
            for size in self._sizes.shape(memref) or [None]
        ]
        known = [max(bound, 0) for bound in bounds if bound is not None]
        return prod(known) if len(known) == len(bounds) else None

    def _of(self, size: Expression | None, at: Operation, depth: int) -> int | None:
        """A number that the size does not exceed where `at` is; `None` if none is known."""
        if size is None or not depth:
            return None
        total = 0
        for product, number in size.terms.items():
            if number < 0:
                # At least 0 is subtracted, if all factors are sizes.
                if any(symbol.dimension is None for symbol, _ in product):
                    return None
                continue
            factors = [(self._symbol(s, at, depth), s, e) for s, e in product]
            is_one = sum(exponent for _, _, exponent in factors) == 1
            for bound, symbol, exponent in factors:
                # The product of two negative numbers has no bound.
                if bound is None or not (is_one or symbol.dimension is not None):
                    return None
                number *= bound**exponent
            total += number
        return total

    def _symbol(self, symbol: Symbol, at: Operation, depth: int) -> int | None:
        bounds = [
            number
            for number, position in self._asserted.get(symbol, ())
            if position < self._position(at)
        ]
        if symbol.dimension is None:
            if (known := upper_bound_of(symbol.value)) is not None:
                bounds.append(known)
            if (clamp := clamp_of(symbol.value)) is not None:
                clamped = self._sizes.number(clamp.value)
                if (bound := self._of(clamped, at, depth - 1)) is not None:
                    lower = bound if clamp.lower is None else clamp.lower
                    bounds.append(max(bound, lower))
        return min(bounds, default=None)

    def _position(self, op: Operation) -> int:
        """The position of the op, or of the one around it, in the first block, or after that."""
        around = self._entry and self._entry.find_ancestor_op_in_block(op)
        return len(self._positions) if around is None else self._positions[around]

    @cached_property
    def _positions(self) -> dict[Operation, int]:
        ops = () if self._entry is None else self._entry.ops
        return {op: position for position, op in enumerate(ops)}

    @cached_property
    def _asserted(self) -> dict[Symbol, list[tuple[int, int]]]:
        """The bounds by symbol, each with the position after which it holds."""
        found: dict[Symbol, list[tuple[int, int]]] = {}
        for op, position in self._positions.items():
            if op.results or ConditionOpInterface.of(op) is None:
                continue
            for condition in reachable([op], _conditions):
                model = ConditionOpInterface.of(condition)
                if model and (bound := model.upper_bound(condition)) is not None:
                    self._add(bound, position, found)
        return found

    def _add(
        self,
        bound: UpperBound,
        position: int,
        found: dict[Symbol, list[tuple[int, int]]],
    ) -> None:
        """Add the bound of a symbol, `n + 8 <= 100`; products may overflow, and have none."""
        value = self._sizes.number(bound.value)
        constant = value.terms.get(frozenset(), 0)
        symbol = (value - Expression.constant(constant)).symbol
        if symbol is not None:
            found.setdefault(symbol, []).append((bound.number - constant, position))


def _conditions(op: Operation) -> Iterator[Operation]:
    """The ops whose results are true if the op has run, or if its own result is true."""
    model = ConditionOpInterface.of(op)
    for condition in () if model is None else model.conditions(op):
        if isinstance(owner := condition.owner, Operation):
            yield owner
