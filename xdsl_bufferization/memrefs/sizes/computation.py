"""
Ops that compute sizes from the symbols that they depend on, and where these can stand in their
function and in its callers.

    %n = memref.dim %x, %c0               // at the start of the function, as %x is an argument
    ...
    %lo = arith.minsi %n, %big            // at the start, too: from a copy of the op
    %k = memref.load %m[]                 // after the load
    %h = arith.floordivsi %k, %c2         // after the load

Minima, quotients and other results of ops on integers are symbols of polynomials. They can be
computed, by the same ops, wherever their *roots* are known: the values from which they are computed
in the end. Callers know a size if all of its roots are arguments. Takes time linear in the
ops that compute sizes, whatever the number of sizes asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free, is_speculatable

from xdsl_bufferization.host.releases import memref_dim
from xdsl_bufferization.interfaces.sizes import Expression, Symbol, clamp_of, size_like
from xdsl_bufferization.memrefs.buffers.program_points import ProgramPoints
from xdsl_bufferization.memrefs.sizes.arithmetic import QUOTIENTS, divisor_of, is_number
from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes
from xdsl_bufferization.support.call_graph import CallGraph, returns_of
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.polynomials import Monomial
from xdsl_bufferization.support.regions import block_of, index_of, reachable
from xdsl_bufferization.support.shaped_types import ranked_shape

Number: TypeAlias = SSAValue | int
"""An `index` value, or a constant for which no op is inserted before it is used."""


class SizeComputation:
    """
    Inserts ops, where the builder is, that compute `index` values; each op once, and none for what
    follows from constants.

    Symbols that are `derived` are computed by copies of their ops, from these operands. `root`
    gives the values of the others; by default themselves, which have to be available there.
    """

    def __init__(
        self,
        builder: Builder,
        derived: Mapping[Symbol, Sequence[Expression]] | None = None,
        root: Callable[[Symbol], Number] | None = None,
    ):
        self.builder = builder
        self._derived = derived or {}
        self._root = root or self._own_value
        self._constants: dict[int, SSAValue] = {}
        self._symbols: dict[Symbol, Number] = {}
        """The values of symbols, of the types that these have."""
        self._casts: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        self._values: dict[Expression, Number] = {}
        self._inserted: dict[tuple[object, SSAValue, SSAValue], SSAValue] = {}

    def index(self, number: Number) -> SSAValue:
        """The number as a value."""
        if not isinstance(number, int):
            return number
        if number not in self._constants:
            constant = arith.ConstantOp(IntegerAttr.from_index_int_value(number))
            self._constants[number] = self._insert(constant)
        return self._constants[number]

    def value(self, expression: Expression) -> SSAValue:
        """The value of the expression."""
        return self.index(self.number(expression))

    def factor(self, expression: Expression) -> Number:
        """The value of the expression, an integer of the type that a symbol itself has."""
        symbol = expression.symbol
        return self.number(expression) if symbol is None else self._symbol(symbol)

    def number(self, expression: Expression) -> Number:
        """The value of the expression, or the constant that it is."""
        if expression not in self._values:
            self._derive(expression)
            self._values[expression] = self._sum_of_terms(expression)
        return self._values[expression]

    def _sum_of_terms(self, expression: Expression) -> Number:
        terms = [self._term(p, n) for p, n in expression.terms.items()]
        return reduce(self.sum, terms, 0)

    def sum(self, a: Number, b: Number) -> Number:
        """The sum of two numbers."""
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if a == 0 or b == 0:
            return b if a == 0 else a
        return self._once(arith.AddiOp, a, b)

    def product(self, a: Number, b: Number) -> Number:
        """The product of two numbers."""
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if 0 in (a, b):
            return 0
        if a == 1 or b == 1:
            return b if a == 1 else a
        return self._once(arith.MuliOp, a, b)

    def maximum(self, a: Number, b: Number) -> Number:
        """The larger one of two numbers."""
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b)
        return a if a is b else self._once(arith.MaxSIOp, a, b)

    def rounded_up(self, number: Number, multiple: int) -> Number:
        """The least multiple from the number on, which is not negative."""
        if isinstance(number, int):
            return -(-number // multiple) * multiple
        if multiple == 1:
            return number
        quotient = self._once(arith.DivUIOp, self.sum(number, multiple - 1), multiple)
        return self.product(quotient, multiple)

    def _derive(self, expression: Expression) -> None:
        """Compute the derived symbols of the expression, after those that they depend on."""
        pending = [*_symbols(expression)]
        while pending:
            symbol = pending.pop()
            operands = self._derived.get(symbol, ())
            missing = [
                s
                for operand in operands
                for s in _symbols(operand)
                if s in self._derived and s not in self._symbols
            ]
            if missing:
                pending += [symbol, *missing]
            elif operands and symbol not in self._symbols:
                self._symbols[symbol] = self._copy(symbol.value, operands)

    def _copy(self, value: SSAValue, operands: Sequence[Expression]) -> SSAValue:
        """Compute the value by its op from the operands; in `index` if they are followed."""
        op = value.owner
        assert isinstance(op, Operation)
        types = [*op.operand_types, value.type]
        if all(map(is_number, types)):
            types = [IndexType()] * len(types)
        copy = type(op).create(
            operands=[*map(self._of_type, operands, types[:-1])],
            result_types=types[-1:],
            properties=op.properties,
        )
        return self._insert(copy)

    def _of_type(self, expression: Expression, type: Attribute) -> SSAValue:
        """The value of the expression, whose symbols are known, as an integer of the type."""
        symbol = expression.symbol
        number = expression.number if symbol is None else self._symbol(symbol)
        if isinstance(number, SSAValue) and number.type == type:
            return number
        if isinstance(number, int) and isinstance(type, IntegerType):
            return self._insert(arith.ConstantOp(IntegerAttr(number, type)))
        return self._cast(self.index(self._sum_of_terms(expression)), type)

    def _cast(self, value: SSAValue, type: Attribute) -> SSAValue:
        if value.type == type:
            return value
        if (value, type) not in self._casts:
            self._casts[value, type] = self._insert(arith.IndexCastOp(value, type))
        return self._casts[value, type]

    def _once(
        self, kind: Callable[[SSAValue, SSAValue], Operation], a: Number, b: Number
    ) -> SSAValue:
        key = kind, self.index(a), self.index(b)
        if key not in self._inserted:
            self._inserted[key] = self._insert(kind(*key[1:]))
        return self._inserted[key]

    def _term(self, product: Monomial[Symbol], number: int) -> Number:
        value: Number = 1
        for symbol, exponent in _factors(product):
            factor = self._symbol(symbol)
            if isinstance(factor, SSAValue):
                factor = self._cast(factor, IndexType())
            for _ in range(exponent):
                value = self.product(value, factor)
        return self.product(value, number)

    def _symbol(self, symbol: Symbol) -> Number:
        if symbol not in self._symbols:
            self._symbols[symbol] = self._root(symbol)
        return self._symbols[symbol]

    def _own_value(self, symbol: Symbol) -> SSAValue:
        value = symbol.value
        if symbol.dimension is not None:
            dimension = self.index(symbol.dimension)
            if isinstance(value.type, TensorType):
                return self._insert(tensor.DimOp(value, dimension))
            return self._insert(memref_dim(value, dimension))
        return value

    def _insert(self, op: Operation) -> SSAValue:
        return self.builder.insert(op).results[0]


def _symbols(expression: Expression) -> Iterator[Symbol]:
    """The symbols of the expression, in each run in the same order."""
    for product in expression.terms:
        for symbol, _ in _factors(product):
            yield symbol


def _factors(product: Monomial[Symbol]) -> Sequence[tuple[Symbol, int]]:
    """The factors in an order that is the same in each run."""
    if len(product) == 1:
        return [*product]
    return sorted(product, key=lambda factor: _order(factor[0]))


def _order(symbol: Symbol) -> tuple[int, ...]:
    """A key that orders the symbols of an expression in each run alike."""
    value, dimension = symbol
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    depth, index = 0, -1
    if block is not None and isinstance(value.owner, Operation):
        index = block.get_operation_index(value.owner)
    while block is not None:
        depth, block = depth + 1, block.parent_block()
    return depth, index, index_of(value), -1 if dimension is None else dimension


def is_size(symbol: Symbol) -> bool:
    """Whether the symbol is the size of a tensor or memref."""
    return symbol.dimension is not None


def is_never_negative(expression: Expression) -> bool:
    """
    Whether the value is evidently not negative: it adds and multiplies sizes, numbers, and
    integers that are clamped to these.
    """
    return expression.is_nonnegative(
        lambda symbol: is_size(symbol) or _is_clamped(symbol)
    )


def _is_clamped(symbol: Symbol) -> bool:
    lower = None if (clamp := clamp_of(symbol.value)) is None else clamp.lower
    return lower is not None and lower >= 0


def names_of(expression: Expression) -> str:
    """
    The expression for people, as in `2*%x.0*%x.1 + 4`; symbols without a name are numbered.
    """
    numbers: dict[SSAValue, str] = {}
    return expression.text(lambda symbol: _name(symbol, numbers))


def _name(symbol: Symbol, numbers: dict[SSAValue, str]) -> str:
    value = symbol.value
    if value.name_hint is not None:
        name = f"%{value.name_hint}"
    else:
        name = numbers.setdefault(value, f"%<{len(numbers)}>")
    return name if symbol.dimension is None else f"{name}.{symbol.dimension}"


class Start(NamedTuple):
    """Where a size is known."""

    position: float
    """-1 for the start of the function; infinite if it is not known in its first block."""
    op: Operation | None = None
    """The op of the first block after which it is known; `None` for the start."""


AT_START = Start(-1)


class AvailableSizes:
    """
    The sizes of a function that does not change. `called` gives the sizes from which the size of
    the result of a call follows, if any are known.
    """

    def __init__(
        self,
        function: Operation,
        sizes: Sizes,
        called: Callable[[Symbol], Sequence[Expression]] = lambda symbol: (),
    ):
        self.function = function
        self.sizes = sizes
        self.derived: dict[Symbol, Sequence[Expression]] = {}
        """The operands of symbols that are asked for, or that these are computed from, if any."""
        self._called = called
        self._first = function.regions[0].first_block
        self._starts: dict[Symbol, Start] = {}

    @cached_property
    def points(self) -> ProgramPoints:
        """The positions of the function's ops."""
        return ProgramPoints(self.function)

    def start(self, size: Expression) -> Start:
        """Where the size can be computed."""
        pending = [*size.symbols]
        while pending:
            symbol = pending.pop()
            operands = [
                *map(self.sizes.number, _operands(symbol)),
                *self._called(symbol),
            ]
            new = [s for e in operands for s in e.symbols if s not in self._starts]
            if new:
                pending += [symbol, *new]
            elif operands:
                self.derived[symbol] = operands
                self._starts[symbol] = max(
                    map(self._of_known, operands), key=itemgetter(0)
                )
            else:
                self._starts[symbol] = self._of_root(symbol)
        return self._of_known(size)

    def roots(self, size: Expression) -> Sequence[Symbol] | None:
        """The roots of a size that follows from the arguments; `None` for another one."""
        if self.start(size).position > AT_START.position:
            return None
        return [
            symbol
            for symbol in reachable(size.symbols, self._derived_from)
            if symbol not in self.derived
        ]

    def _derived_from(self, symbol: Symbol) -> Iterator[Symbol]:
        for operand in self.derived.get(symbol, ()):
            yield from operand.symbols

    def _of_known(self, size: Expression) -> Start:
        starts = (self._starts[symbol] for symbol in size.symbols)
        return max(starts, key=itemgetter(0), default=AT_START)

    def _of_root(self, symbol: Symbol) -> Start:
        value = symbol.value
        if block_of(value) is not self._first:
            return Start(math.inf)
        if value.owner is self._first or not isinstance(value.owner, Operation):
            return AT_START
        return Start(self.points.end(value.owner), value.owner)


def _operands(symbol: Symbol) -> Sequence[SSAValue]:
    """
    The operands of the op on integers that computes the symbol wherever they are known; none for
    other symbols.
    """
    op = symbol.value.owner
    if symbol.dimension is not None or not isinstance(op, Operation) or op.regions:
        return ()
    types = *op.operand_types, *op.result_types
    if len(op.results) != 1 or not all(
        isinstance(type, IndexType | IntegerType) for type in types
    ):
        return ()
    if op_name(op) in QUOTIENTS:
        return () if divisor_of(op) is None else op.operands
    return op.operands if is_speculatable(op) and is_side_effect_free(op) else ()


# Callers --------------------------------------------------------------------------------


class ResultSizes:
    """The sizes of the results of functions that their callers can compute."""

    def __init__(self, calls: CallGraph):
        self._calls = calls
        self._sizes = Sizes(calls)
        self._roots: dict[tuple[func.FuncOp, int], Sequence[Symbol]] = {}
        """By function and result: all that its sizes are computed from."""

    def of(
        self, function: func.FuncOp, results: Iterable[int]
    ) -> Mapping[int, CallerSizes]:
        """
        The sizes of those of the results that are known to callers. Those of later functions may
        follow from them: callers will allocate these results.
        """
        available = AvailableSizes(function, self._sizes, self._of_call)
        found: dict[int, CallerSizes] = {}
        for result in results:
            sizes = self._returned(function, result)
            roots = [available.roots(size) for size in sizes or ()]
            known = [symbol for symbols in roots for symbol in symbols or ()]
            if sizes is not None and None not in roots:
                found[result] = CallerSizes(sizes, available.derived)
                self._roots[function, result] = known
        return found

    def _returned(
        self, function: func.FuncOp, result: int
    ) -> Sequence[Expression] | None:
        """The dynamic sizes of the result; `None` if they differ between returns."""
        found: set[tuple[Expression, ...]] = set()
        for op in returns_of(function):
            sizes = self._sizes.shape(op.operands[result]) or ()
            shape = ranked_shape(op.operands[result])
            found.add(
                tuple(
                    size
                    for size, static in zip(sizes, shape, strict=True)
                    if static == DYNAMIC_INDEX
                )
            )
        return found.pop() if len(found) == 1 else None

    def _of_call(self, symbol: Symbol) -> Sequence[Expression]:
        result = symbol.value
        if not isinstance(result, OpResult) or not isinstance(result.op, func.CallOp):
            return ()
        callee = self._calls.callee(result.op)
        if callee is None or symbol.dimension is None:
            return ()
        roots = self._roots.get((callee, result.index), ())
        return [given(root, result.op.operands) for root in roots]


class CallerSizes(NamedTuple):
    """Sizes by what a function gets as arguments."""

    sizes: Sequence[Expression]
    derived: Mapping[Symbol, Sequence[Expression]]
    """As in `AvailableSizes`."""

    def computed(
        self, arguments: Sequence[SSAValue], builder: Builder
    ) -> Sequence[SSAValue]:
        """Compute the sizes for a call with these arguments."""
        computation = computation_for(arguments, self.derived, builder)
        return [*map(computation.value, self.sizes)]


def computation_for(
    arguments: Sequence[SSAValue],
    derived: Mapping[Symbol, Sequence[Expression]],
    builder: Builder,
) -> SizeComputation:
    """A computation of sizes that a function has if it gets these arguments."""
    caller = SizeComputation(builder)
    return SizeComputation(
        builder, derived, lambda symbol: caller.factor(given(symbol, arguments))
    )


def given(symbol: Symbol, arguments: Sequence[SSAValue]) -> Expression:
    """The value of a root that is an argument, or its size, given all arguments."""
    size = size_like(symbol, arguments[index_of(symbol.value)])
    assert size is not None
    return size
