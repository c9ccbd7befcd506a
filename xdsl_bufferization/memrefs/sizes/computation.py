"""Ops that compute sizes from the symbols that they depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.host.releases import memref_dim
from xdsl_bufferization.interfaces.sizes import Expression, Symbol, clamp_of
from xdsl_bufferization.memrefs.sizes.arithmetic import is_number
from xdsl_bufferization.support.polynomials import Monomial
from xdsl_bufferization.support.regions import index_of

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
