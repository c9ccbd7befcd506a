"""Ops that compute sizes from the symbols that they depend on."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.interfaces.sizes import Expression, Symbol
from xdsl_bufferization.support.polynomials import Monomial
from xdsl_bufferization.support.regions import index_of
from xdsl_bufferization.support.xdsl_releases import memref_dim


class SizeComputation:
    """
    Inserts ops, where the builder is, that compute `index` values; each value once.

    All symbols have to be available there.
    """

    def __init__(self, builder: Builder):
        self.builder = builder
        self._constants: dict[int, SSAValue] = {}
        self._symbols: dict[Symbol, SSAValue] = {}
        self._values: dict[Expression, SSAValue] = {}

    def constant(self, number: int) -> SSAValue:
        """A constant."""
        if number not in self._constants:
            self._constants[number] = self._insert(
                arith.ConstantOp(IntegerAttr.from_index_int_value(number))
            )
        return self._constants[number]

    def value(self, expression: Expression) -> SSAValue:
        """The value of the expression."""
        if expression not in self._values:
            terms = [self._term(p, n) for p, n in expression.terms.items()]
            total = terms[0] if terms else self.constant(0)
            for term in terms[1:]:
                total = self._insert(arith.AddiOp(total, term))
            self._values[expression] = total
        return self._values[expression]

    def times(self, value: SSAValue, number: int) -> SSAValue:
        """The product of a value and a number."""
        if number == 0 or value is self._constants.get(0):
            return self.constant(0)
        if number == 1:
            return value
        return self._insert(arith.MuliOp(value, self.constant(number)))

    def plus(self, value: SSAValue, number: int) -> SSAValue:
        """The sum of a value and a number."""
        if number == 0:
            return value
        return self._insert(arith.AddiOp(value, self.constant(number)))

    def sum(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The sum of two values."""
        zero = self._constants.get(0)
        if zero in (a, b):
            return b if a is zero else a
        return self._insert(arith.AddiOp(a, b))

    def at_least_zero(self, value: SSAValue) -> SSAValue:
        """The value, or 0 if it is negative."""
        return self._insert(arith.MaxSIOp(value, self.constant(0)))

    def rounded_up(self, value: SSAValue, multiple: int) -> SSAValue:
        """The least multiple of the number from the value on, which is not negative."""
        if multiple == 1:
            return value
        quotient = self._insert(
            arith.DivUIOp(self.plus(value, multiple - 1), self.constant(multiple))
        )
        return self.times(quotient, multiple)

    def _term(self, product: Monomial[Symbol], number: int) -> SSAValue:
        value: SSAValue | None = None
        for symbol, exponent in sorted(product, key=lambda factor: _order(factor[0])):
            for _ in range(exponent):
                factor = self._symbol(symbol)
                value = (
                    factor
                    if value is None
                    else self._insert(arith.MuliOp(value, factor))
                )
        return self.constant(number) if value is None else self.times(value, number)

    def _symbol(self, symbol: Symbol) -> SSAValue:
        if symbol not in self._symbols:
            self._symbols[symbol] = self._value_of(symbol)
        return self._symbols[symbol]

    def _value_of(self, symbol: Symbol) -> SSAValue:
        value = symbol.value
        if symbol.dimension is not None:
            dimension = self.constant(symbol.dimension)
            if isinstance(value.type, TensorType):
                return self._insert(tensor.DimOp(value, dimension))
            return self._insert(memref_dim(value, dimension))
        if isinstance(value.type, IndexType):
            return value
        return self._insert(arith.IndexCastOp(value, IndexType()))

    def _insert(self, op: Operation) -> SSAValue:
        return self.builder.insert(op).results[0]


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


def is_never_negative(expression: Expression) -> bool:
    """Whether the value is evidently not negative: it adds and multiplies sizes and numbers."""
    return expression.is_nonnegative(lambda symbol: symbol.dimension is not None)


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
