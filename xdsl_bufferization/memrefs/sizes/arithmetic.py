"""
The integers that ops compute, as polynomials (`NUMBERS`), the sizes of tensors and memrefs that
they make (`SHAPES`), and comparison of sizes (`Relations`).

Integers are those of `index` and of `i64`: a cast between the two keeps every number that is a
size, one to a narrower type may not. Sizes are compared by what the program says of the integers
that they depend on:

    %h = arith.floordivsi %n1, %c2      // %n1 = %n + 1: %n <= 2 * %h <= %n + 1
    %m = arith.minsi %n, %c1000         // %m <= %n and %m <= 1000
    %p = arith.maxsi %m, %c0            // %m <= %p; and %p <= %m, as %m is 1 or more

If sizes are 1 or more, `64 * %h <= 64 * %n` holds as 2 * (64 * %n - 64 * %h), with the upper bound
in place of `%h`, is `64 * %n - 64`. Symbols are eliminated one by one, each by the bound that makes
the difference least. Takes time linear in the terms, for `MAX_ELIMINATED` symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from operator import add, mul, sub
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IndexType,
    IntegerAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from xdsl_bufferization.interfaces.sizes import (
    Expression,
    IndexArithmeticOpInterface,
    LinearForm,
    SizesOpInterface,
    Symbol,
    clamp_of,
    number_of,
    shape_or_none,
    size_of,
)
from xdsl_bufferization.support.attributes import (
    constant_integer,
    integers,
    known_attribute,
    reassociation,
)
from xdsl_bufferization.support.limits import MAX_ELIMINATED
from xdsl_bufferization.support.names import op_name

_MAX_DEPTH = 32
"""Nesting of the expression of an affine map; a deeper one is unknown."""


def is_number(type: Attribute) -> bool:
    """Whether values of the type are followed."""
    return isinstance(type, IndexType) or type == i64


class _OfIntegers(SizesOpInterface):
    """An op on integers of a type that is followed; `number` computes its result."""

    def __init__(self, number: Callable[[Operation], Expression | None]):
        self._number = number

    def size(
        self, op: Operation, result: OpResult, dimension: int | None
    ) -> Expression | None:
        if not all(map(is_number, (*op.operand_types, *op.result_types))):
            return None
        return self._number(op)


def _of_two(
    compute: Callable[[Expression, Expression], Expression],
) -> SizesOpInterface:
    """An op whose result is a function of its two operands."""
    return _OfIntegers(
        lambda op: compute(number_of(op.operands[0]), number_of(op.operands[1]))
    )


def _shifted_left(op: Operation) -> Expression | None:
    bits = constant_integer(op.operands[1])
    if bits is None or not 0 <= bits < 63:
        return None
    return number_of(op.operands[0]).times(1 << bits)


def _applied(op: Operation) -> Expression | None:
    """The result of `affine.apply`, if its map only adds and multiplies."""
    map = known_attribute(op, "map", AffineMapAttr).data
    operands = [number_of(operand) for operand in op.operands]
    dims, symbols = operands[: map.num_dims], operands[map.num_dims :]
    return _value_of(map.results[0], dims, symbols, _MAX_DEPTH)


def _value_of(
    expr: AffineExpr, dims: list[Expression], symbols: list[Expression], depth: int
) -> Expression | None:
    match expr:
        case AffineConstantExpr(value):
            return Expression.constant(value)
        case AffineDimExpr(position):
            return dims[position]
        case AffineSymExpr(position):
            return symbols[position]
        case AffineBinaryOpExpr(kind, lhs, rhs) if depth:
            a = _value_of(lhs, dims, symbols, depth - 1)
            b = _value_of(rhs, dims, symbols, depth - 1)
            if a is None or b is None:
                return None
            if kind is AffineBinaryOpKind.Add:
                return a + b
            return a * b if kind is AffineBinaryOpKind.Mul else None
        case _:
            return None


class _Dim(SizesOpInterface):
    """`tensor.dim` and `memref.dim`."""

    def size(
        self, op: Operation, result: OpResult, dimension: int | None
    ) -> Expression | None:
        index = constant_integer(op.operands[1])
        return None if index is None else size_of(op.operands[0], index)


class LinearArithmetic(IndexArithmeticOpInterface):
    """An op of `NUMBERS`, if its result is linear in one operand."""

    def linear(self, op: Operation) -> LinearForm | None:
        number = NUMBERS[op_name(op)].size(op, op.results[0], None)
        if number is None:
            return None
        constant = number.terms.get(frozenset(), 0)
        match [*(number - Expression.constant(constant)).terms.items()]:
            case []:
                return LinearForm(None, 0, constant)
            case [(product, factor)] if number.degree == 1:
                ((symbol, _),) = product
                return LinearForm(symbol.value, factor, constant)
            case _:
                return None


_CONSTANT = _OfIntegers(lambda op: number_of(op.results[0]))
_SAME = _OfIntegers(lambda op: number_of(op.operands[0]))
_SUM, _DIFFERENCE, _PRODUCT = map(_of_two, (add, sub, mul))

NUMBERS: Mapping[str, SizesOpInterface] = {
    "affine.apply": _OfIntegers(_applied),
    "arith.addi": _SUM,
    "arith.constant": _CONSTANT,
    "arith.index_cast": _SAME,
    "arith.index_castui": _SAME,
    "arith.muli": _PRODUCT,
    "arith.shli": _OfIntegers(_shifted_left),
    "arith.subi": _DIFFERENCE,
    "index.add": _SUM,
    "index.constant": _CONSTANT,
    "index.mul": _PRODUCT,
    "index.sub": _DIFFERENCE,
    "memref.dim": _Dim(),
    "tensor.dim": _Dim(),
}
"""The answers by op."""

Extent: TypeAlias = Callable[[Operation, OpResult, int], Expression | None]
"""The size of an op's result in a dimension, which is dynamic."""


class _OfShapes(SizesOpInterface):
    """An op whose results are tensors or memrefs."""

    def __init__(self, extent: Extent):
        self._extent = extent

    def size(
        self, op: Operation, result: OpResult, dimension: int | None
    ) -> Expression | None:
        return None if dimension is None else self._extent(op, result, dimension)


def _new(first: int = 0) -> Extent:
    """An op with an operand for each dynamic size of its result, from `first` on."""

    def extent(op: Operation, result: OpResult, dimension: int) -> Expression | None:
        shape = shape_or_none(result) or ()
        return _number_at(dimension, shape, op.operands[first:])

    return extent


def _new_or_copy(op: Operation, result: OpResult, dimension: int) -> Expression | None:
    """`bufferization.alloc_tensor`: as large as the tensor that it copies, if it copies one."""
    for operand in op.operands:
        if shape_or_none(operand) is not None:
            return size_of(operand, dimension)
    return _new()(op, result, dimension)


def _same(operand: int = 0) -> Extent:
    """An op whose result has the sizes of an operand."""

    def extent(op: Operation, result: OpResult, dimension: int) -> Expression | None:
        source = op.operands[operand]
        ranks = {len(shape_or_none(value) or ()) for value in (source, result)}
        return size_of(source, dimension) if len(ranks) == 1 else None

    return extent


def _slice(op: Operation, result: OpResult, dimension: int) -> Expression | None:
    """An op that names the sizes of a slice, whose type may leave out dimensions of size 1."""
    sizes = integers(op, "static_sizes")
    dropped = len(sizes) - len(shape_or_none(result) or ())
    # Which ones are left out is only clear if that is all of them, or none.
    if dropped and sizes.count(1) != dropped:
        return None
    kept = [n for n, size in enumerate(sizes) if not dropped or size != 1]
    return _mixed(op, "sizes", "static_sizes", kept[dimension])


def _expanded(op: Operation, result: OpResult, dimension: int) -> Expression | None:
    """`expand_shape`: the sizes that it names."""
    return _number_at(dimension, integers(op, "static_output_shape"), op.operands[1:])


def _collapsed(op: Operation, result: OpResult, dimension: int) -> Expression | None:
    """`collapse_shape`: products of sizes."""
    group = reassociation(op)[dimension]
    return _reduced(mul, (size_of(op.operands[0], source) for source in group))


def _concatenated(op: Operation, result: OpResult, dimension: int) -> Expression | None:
    """`tensor.concat`: the sum of the sizes in one dimension; one that is static in the others."""
    sizes = [size_of(operand, dimension) for operand in op.operands]
    if dimension == known_attribute(op, "dim", IntegerAttr).value.data:
        return _reduced(add, sizes)
    known = (size for size in sizes if size is not None and size.number is not None)
    return next(known, sizes[0])


def _padded(op: Operation, result: OpResult, dimension: int) -> Expression | None:
    """`tensor.pad`: the size of the source, and the padding on both sides."""
    sizes = (
        size_of(op.operands[0], dimension),
        _mixed(op, "low", "static_low", dimension),
        _mixed(op, "high", "static_high", dimension),
    )
    return _reduced(add, sizes)


def _reduced(
    combine: Callable[[Expression, Expression], Expression],
    sizes: Iterable[Expression | None],
) -> Expression | None:
    """The sum or product of one or more sizes; `None` if one of them is unknown."""
    known = all_known(sizes)
    return reduce(combine, known) if known else None


def all_known(sizes: Iterable[Expression | None]) -> Sequence[Expression]:
    """The sizes; none if one of them is unknown."""
    sizes = [*sizes]
    known = [size for size in sizes if size is not None]
    return known if len(known) == len(sizes) else ()


def _mixed(
    op: Operation, dynamic: str, static: str, dimension: int
) -> Expression | None:
    """A number of the attribute `static`, or the operand of `dynamic` in its place."""
    return _number_at(dimension, integers(op, static), getattr(op, dynamic))


def _number_at(
    index: int, numbers: Sequence[int], values: Sequence[SSAValue]
) -> Expression | None:
    """The number at the index, or the value in its place if it is dynamic."""
    if index >= len(numbers):
        return None
    if numbers[index] != DYNAMIC_INDEX:
        return Expression.constant(numbers[index])
    before = numbers[:index].count(DYNAMIC_INDEX)
    return number_of(values[before]) if before < len(values) else None


SHAPES: Mapping[str, SizesOpInterface] = {
    name: _OfShapes(extent)
    for name, extent in {
        "bufferization.alloc_tensor": _new_or_copy,
        "bufferization.clone": _same(),
        "bufferization.to_buffer": _same(),
        "bufferization.to_tensor": _same(),
        "memref.alloc": _new(),
        "memref.alloca": _new(),
        "memref.assume_alignment": _same(),
        "memref.cast": _same(),
        "memref.collapse_shape": _collapsed,
        "memref.expand_shape": _expanded,
        "memref.memory_space_cast": _same(),
        "memref.reinterpret_cast": _slice,
        "memref.subview": _slice,
        "memref.view": _new(first=2),
        "tensor.cast": _same(),
        "tensor.collapse_shape": _collapsed,
        "tensor.concat": _concatenated,
        "tensor.empty": _new(),
        "tensor.expand_shape": _expanded,
        "tensor.extract_slice": _slice,
        "tensor.generate": _new(),
        "tensor.insert": _same(operand=1),
        "tensor.pad": _padded,
        "tensor.splat": _new(first=1),
    }.items()
}
"""The answers by op."""


_DOWN = {"arith.floordivsi", "arith.divsi", "arith.divui", "index.floordivs"}
"""Quotients rounded down, if the dividend is not negative; `arith.divsi` rounds to zero."""
_UP = {"arith.ceildivsi", "arith.ceildivui", "index.ceildivs", "index.ceildivu"}
MINIMA = {"arith.minsi", "arith.minui", "index.mins", "index.minu"}
MAXIMA = {"arith.maxsi", "arith.maxui", "index.maxs", "index.maxu"}
QUOTIENTS = _DOWN | _UP


class _Bounds(NamedTuple):
    """`lower <= factor * symbol <= upper`, for each of the bounds."""

    factor: int = 1
    lower: Sequence[Expression] = ()
    upper: Sequence[Expression] = ()


def is_evident(difference: Expression) -> bool:
    """Whether the difference is evidently not negative if all symbols are 1 or more."""
    return Expression({}).is_at_most(difference)


class Relations:
    """
    Bounds of the integers of a program that does not change, by the ops that compute them. `number`
    gives the polynomials of values, and `is_evident` the differences that are not negative.
    """

    def __init__(
        self,
        number: Callable[[SSAValue], Expression],
        is_evident: Callable[[Expression], bool] = is_evident,
    ) -> None:
        self._number = number
        self._is_evident = is_evident

    def is_at_most(self, size: Expression, other: Expression) -> bool:
        """Whether the size is never more than the other; false if that is not evident."""
        return self._is_positive(other - size, MAX_ELIMINATED)

    def _is_positive(self, difference: Expression, depth: int) -> bool:
        if self._is_evident(difference):
            return True
        if not depth:
            MAX_ELIMINATED.met()
            return False
        return any(
            self._is_positive(reduced, depth - 1)
            for symbol in dict.fromkeys(difference.symbols)
            for reduced in self._without(difference, symbol)
        )

    def _without(self, difference: Expression, symbol: Symbol) -> Iterator[Expression]:
        """Expressions without the symbol, at most a positive multiple of the difference."""
        if (bounds := self._bounds(symbol)) is None:
            return
        terms = difference.terms.items()
        linear = {p: n for p, n in terms if (symbol, 1) in p}
        rest = Expression({p: n for p, n in terms if p not in linear})
        if symbol in rest.symbols:
            return
        factor = Expression({p - {(symbol, 1)}: n for p, n in linear.items()})
        more = Expression({p: n for p, n in factor.terms.items() if n > 0})
        less = factor - more
        # Only the bounds of the signs that there are have to be known.
        none = (Expression({}),)
        for low, high in product(
            bounds.lower if more.terms else none, bounds.upper if less.terms else none
        ):
            yield rest.times(bounds.factor) + more * low + less * high

    def _bounds(self, symbol: Symbol) -> _Bounds | None:
        """The bounds by the op that computes the symbol; `None` if there are none."""
        op = symbol.value.owner
        if symbol.dimension is not None or not isinstance(op, Operation):
            return None
        name = op_name(op)
        if name in QUOTIENTS:
            value, divisor = self._number(op.operands[0]), divisor_of(op)
            if divisor is None or not self._is_natural(value):
                return None
            rounded = Expression.constant(divisor - 1)
            if name in _UP:
                return _Bounds(divisor, [value], [value + rounded])
            return _Bounds(divisor, [value - rounded], [value])
        operands = [self._number(operand) for operand in op.operands]
        if name in MINIMA:
            return _Bounds(upper=operands)
        if name in MAXIMA:
            first, second = operands
            at_most = [
                a
                for a, b in ((first, second), (second, first))
                if self.is_at_most(b, a)
            ]
            return _Bounds(lower=operands, upper=at_most)
        clamp = clamp_of(symbol.value)
        if clamp is None or (clamp.lower, clamp.upper) != (None, None):
            return None
        value = self._number(clamp.value)
        return _Bounds(lower=[value], upper=[value])

    def _is_natural(self, value: Expression) -> bool:
        return self._is_positive(value, 1)


def divisor_of(op: Operation) -> int | None:
    """The constant, positive divisor of a quotient; `None` for another one."""
    divisor = constant_integer(op.operands[1])
    return divisor if divisor is not None and divisor > 0 else None
