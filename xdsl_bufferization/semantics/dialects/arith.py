"""
arith on numbers and arrays of them.

A poisoned result (of a shift by too many bits, or for a float outside of the integer's
range) is zero: programs may compute such a result without using it.

Source: https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, StringAttr
from xdsl.dialects.test import TestOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.test_value import create_ssa_value

from xdsl_bufferization.semantics.dialects.shared import constant_value
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import (
    DialectFunctions,
    OpFunction,
)
from xdsl_bufferization.semantics.values import (
    Array,
    Binary,
    Value,
    dtype_of,
    element_type,
    integer,
    result_type,
    unsigned,
    wrap,
)
from xdsl_bufferization.support.attributes import attribute

_where: Callable[..., Value] = np.where


def computes(function: Callable[..., Any]) -> OpFunction:
    """The function of the operands, wrapped to the result's type."""

    def compute(op: Operation, *operands: Value) -> Value:
        return wrap(result_type(op), function(*operands))

    return compute


def width_of(type: Attribute) -> int:
    """The bit width of an integer or index type, or of the type's elements."""
    element = element_type(type)
    return element.bitwidth if isinstance(element, IntegerType) else 64


def signed(value: Value) -> Value:
    """The integers for signed arithmetic in NumPy, where a true `i1` is -1."""
    array = np.asarray(value)
    return -array.astype(np.int8) if array.dtype == np.bool_ else value


def _on_integers(function: Callable[..., Any]) -> OpFunction:
    return computes(lambda *operands: function(*map(signed, operands)))


def _on_unsigned(function: Callable[..., Any]) -> OpFunction:
    """The function of the operands as unsigned 64-bit integers."""

    def compute(op: Operation, *operands: Value) -> Value:
        type = op.operands[0].type
        numbers = (unsigned(type, operand) for operand in operands)
        return wrap(result_type(op), function(*numbers))

    return compute


# Floats -----------------------------------------------------------------------------------


def widened(value: Value) -> Value:
    """The floats, in a type for which NumPy has all functions."""
    array = np.asarray(value)
    return array.astype(np.float32) if array.dtype.itemsize < 4 else value


def minimum(nan_wins: bool) -> Binary:
    """IEEE 754 minimum or, if NaNs lose, minimumNumber: -0 is less than 0."""
    # The negated sum of the negated zeros is -0 if one of the zeros is.
    return _extremum(
        np.minimum if nan_wins else np.fmin,
        lambda a, b: -np.add(np.negative(a), np.negative(b)),
    )


def maximum(nan_wins: bool) -> Binary:
    """IEEE 754 maximum or, if NaNs lose, maximumNumber: 0 is larger than -0."""
    # The sum of two zeros is -0 only if both are.
    return _extremum(np.maximum if nan_wins else np.fmax, np.add)


def _extremum(function: Binary, of_zeros: Binary) -> Binary:
    """The NumPy function, except that it may return either of two zeros."""

    def choose(a: Value, b: Value) -> Value:
        a, b = widened(a), widened(b)
        result: Value = function(a, b)
        # Which zero NumPy chooses depends on the processor.
        zeros = np.equal(result, 0) & np.equal(a, b)
        if not np.any(zeros):
            return result
        return _where(zeros, of_zeros(a, b), result)

    return choose


def _remainder(a: Value, b: Value) -> Value:
    remainder: Value = np.fmod(widened(a), widened(b))
    return remainder


def _truncf(op: Operation, number: Value) -> Value:
    mode = attribute(op, "roundingmode")
    if isinstance(mode, IntegerAttr) and mode.value.data:
        raise MissingSemanticsError("rounds to the nearest here, and in no other way")
    return wrap(result_type(op), number)


def _to_integer(lowest: Callable[[int], float], bits: int) -> OpFunction:
    """
    Rounding towards zero; poison outside of `lowest(width) ... 2**(width + bits)`.
    """

    def convert(op: Operation, number: Value) -> Value:
        type = result_type(op)
        width = width_of(type)
        whole = np.trunc(np.asarray(number).astype(np.float64))
        fits = (whole >= lowest(width)) & (whole < 2.0 ** (width + bits))
        whole = _where(fits, whole, 0.0)
        integers = whole.astype(np.uint64 if bits == 0 else np.int64)
        return wrap(type, integers)

    return convert


# Integers ---------------------------------------------------------------------------------


def _divides(function: Binary) -> OpFunction:
    """A signed division or remainder; undefined for a zero divisor or on overflow."""

    def divide(op: Operation, *operands: Value) -> Value:
        a, b = map(signed, operands)
        _check_divisor(b)
        type = result_type(op)
        lowest = -(1 << (width_of(type) - 1))
        if np.any(np.equal(b, -1) & np.equal(a, lowest)):
            raise UndefinedBehaviorError(f"{lowest} divided by -1 overflows")
        return wrap(type, function(a, b))

    return divide


def _divides_unsigned(function: Binary) -> OpFunction:
    def divide(a: Value, b: Value) -> Value:
        _check_divisor(b)
        return function(a, b)

    return _on_unsigned(divide)


def _check_divisor(divisor: Value) -> None:
    if not np.all(divisor):
        raise UndefinedBehaviorError("division by zero")


def _towards_zero(a: Value, b: Value) -> Value:
    quotient = np.floor_divide(a, b)
    inexact = np.not_equal(quotient * b, a)
    return quotient + (inexact & (np.less(a, 0) != np.less(b, 0)))


def _ceiling(a: Value, b: Value) -> Value:
    quotient = np.floor_divide(a, b)
    return quotient + np.not_equal(quotient * b, a)


def _shifts(function: Binary, signs: bool) -> OpFunction:
    """A shift of the number, widened to 64 bits; poison for shifts by the width or more."""

    def shift(op: Operation, value: Value, amount: Value) -> Value:
        type = result_type(op)
        by = unsigned(type, amount)
        defined = np.less(by, width_of(type))
        by = _where(defined, by, 0)
        if signs:
            shifted = function(
                np.asarray(signed(value)).astype(np.int64), by.view("i8")
            )
        else:
            shifted = function(unsigned(type, value), by)
        return wrap(type, _where(defined, shifted, 0))

    return shift


# Comparisons ------------------------------------------------------------------------------

_COMPARISONS = (
    np.equal,
    np.greater,
    np.greater_equal,
    np.less,
    np.less_equal,
    np.not_equal,
)
_INTEGER_COMPARISONS = (
    np.equal,
    np.not_equal,
    *(np.less, np.less_equal, np.greater, np.greater_equal) * 2,
)
"""By predicate; the last four are unsigned."""


_FLOAT_COMPARISONS: Sequence[Binary] = (
    *(lambda a, b: False, *_COMPARISONS, lambda a, b: True),
    *(*_COMPARISONS, lambda a, b: False, lambda a, b: True),
)
"""By predicate, for operands that are no NaN; for NaNs, the second half is true."""


def _predicate(op: Operation, number: int) -> int:
    predicate = integer(op, "predicate")
    if not 0 <= predicate < number:
        raise MissingSemanticsError(f"has no predicate {predicate}")
    return predicate


def _cmpi(op: Operation, *operands: Value) -> Value:
    predicate = _predicate(op, len(_INTEGER_COMPARISONS))
    compare = _INTEGER_COMPARISONS[predicate]
    if predicate < len(_INTEGER_COMPARISONS) - 4:
        return compare(*map(signed, operands))
    type = op.operands[0].type
    return compare(*(unsigned(type, operand) for operand in operands))


def _cmpf(op: Operation, a: Value, b: Value) -> Value:
    predicate = _predicate(op, len(_FLOAT_COMPARISONS))
    of_nans = predicate >= len(_FLOAT_COMPARISONS) // 2
    is_nan = np.isnan(a) | np.isnan(b)
    return _where(is_nan, of_nans, _FLOAT_COMPARISONS[predicate](a, b))[()]


# Others -----------------------------------------------------------------------------------


def _select(op: Operation, condition: Value, true: Value, false: Value) -> Value:
    if np.ndim(condition) == 0:
        return true if condition else false
    return _where(condition, true, false)


def bitcast(op: Operation, value: Value) -> Value:
    bits = np.asarray(value)
    dtype = dtype_of(result_type(op))
    if dtype.itemsize != bits.dtype.itemsize:
        raise MissingSemanticsError(
            f"casts between {op.operands[0].type} and {result_type(op)}, "
            "whose elements have different sizes"
        )
    result: Array = bits.view(dtype)
    return result if result.ndim else result[()]


def _addui_extended(op: Operation, a: Value, b: Value) -> tuple[Value, Value]:
    """The sum, and whether it overflows."""
    type = result_type(op)
    total = wrap(type, np.add(signed(a), signed(b)))
    return total, np.less(unsigned(type, total), unsigned(type, a))


def _extended(op: Operation, operands: Iterable[Value]) -> tuple[Value, Value]:
    """The lower and the upper half of the product of the operands."""
    a, b = (np.asarray(operand).astype(object) for operand in operands)
    product = np.asarray(a * b, object)
    type = result_type(op)
    return _bits(type, product), _bits(type, product >> width_of(type))


def _bits(type: Attribute, numbers: Array) -> Value:
    """The low 64 bits of each number, wrapped to the type."""
    return wrap(type, np.asarray(numbers & (2**64 - 1), object).astype(np.uint64))


class ArithFunctions(DialectFunctions):
    scalar: ClassVar[Mapping[str, OpFunction]] = {
        "arith.addf": computes(np.add),
        "arith.addi": _on_integers(np.add),
        "arith.andi": computes(np.bitwise_and),
        "arith.bitcast": bitcast,
        "arith.ceildivsi": _divides(_ceiling),
        "arith.ceildivui": _divides_unsigned(_ceiling),
        "arith.cmpf": _cmpf,
        "arith.cmpi": _cmpi,
        "arith.constant": lambda op: constant_value(
            attribute(op, "value"), result_type(op)
        ),
        "arith.convertf": _truncf,
        "arith.divf": computes(np.divide),
        "arith.divsi": _divides(_towards_zero),
        "arith.divui": _divides_unsigned(np.floor_divide),
        "arith.extf": computes(np.asarray),
        "arith.extsi": _on_integers(np.asarray),
        "arith.extui": _on_unsigned(np.asarray),
        "arith.floordivsi": _divides(np.floor_divide),
        "arith.fptosi": _to_integer(lambda width: -(2.0 ** (width - 1)), -1),
        "arith.fptoui": _to_integer(lambda width: 0.0, 0),
        "arith.index_cast": _on_integers(np.asarray),
        "arith.index_castui": _on_unsigned(np.asarray),
        "arith.maximumf": computes(maximum(nan_wins=True)),
        "arith.maxnumf": computes(maximum(nan_wins=False)),
        "arith.maxsi": _on_integers(np.maximum),
        "arith.maxui": _on_unsigned(np.maximum),
        "arith.minimumf": computes(minimum(nan_wins=True)),
        "arith.minnumf": computes(minimum(nan_wins=False)),
        "arith.minsi": _on_integers(np.minimum),
        "arith.minui": _on_unsigned(np.minimum),
        "arith.mulf": computes(np.multiply),
        "arith.muli": _on_integers(np.multiply),
        "arith.negf": computes(np.negative),
        "arith.ori": computes(np.bitwise_or),
        "arith.remf": computes(_remainder),
        "arith.remsi": _divides(np.fmod),
        "arith.remui": _divides_unsigned(np.fmod),
        "arith.select": _select,
        "arith.shli": _shifts(np.left_shift, signs=False),
        "arith.shrsi": _shifts(np.right_shift, signs=True),
        "arith.shrui": _shifts(np.right_shift, signs=False),
        "arith.sitofp": _on_integers(np.asarray),
        "arith.subf": computes(np.subtract),
        "arith.subi": _on_integers(np.subtract),
        "arith.truncf": _truncf,
        "arith.trunci": _on_integers(np.asarray),
        "arith.uitofp": _on_unsigned(np.asarray),
        "arith.xori": computes(np.bitwise_xor),
    }
    pure: ClassVar = {
        "arith.addui_extended": _addui_extended,
        "arith.mulsi_extended": lambda op, *operands: _extended(
            op, map(signed, operands)
        ),
        "arith.mului_extended": lambda op, *operands: _extended(
            op, (unsigned(result_type(op), operand) for operand in operands)
        ),
    }


# Reductions -------------------------------------------------------------------------------


_READ_MODIFY_WRITE = (
    "addf addi andi assign maximumf maxnumf maxsi maxui minimumf minnumf minsi minui mulf "
    "muli ori xori"
).split()
"""By MLIR's number of the kind of `memref.atomic_rmw` and `affine.parallel`."""

_OTHER_NAMES = {
    "and": "andi",
    "maxs": "maxsi",
    "maxu": "maxui",
    "mins": "minsi",
    "minu": "minui",
    "or": "ori",
    "xor": "xori",
}


@cache
def combining(kind: str, type: Attribute) -> Binary:
    """
    The function that combines two values of the type, or arrays of them. The kind is a
    name of the vector dialect or of arith; "add" and "mul" are for all numbers, and
    "assign" gives the second value.
    """
    if kind == "assign":
        return lambda a, b: b
    name = _OTHER_NAMES.get(kind, kind)
    if name in ("add", "mul"):
        whole = isinstance(element_type(type), IntegerType | IndexType)
        name += "i" if whole else "f"
    function = ArithFunctions.scalar.get(f"arith.{name}")
    if function is None:
        raise MissingSemanticsError(f"cannot combine values by '{kind}'")
    # The functions of arith only use the types of an op.
    operands = [create_ssa_value(type), create_ssa_value(type)]
    return partial(function, TestOp(operands, result_types=[type]))


def read_modify_write_kind(kind: Attribute | None) -> str:
    """The name of the kind that the attribute gives by number or, in xDSL, by name."""
    if isinstance(kind, IntegerAttr):
        number = kind.value.data
        if 0 <= number < len(_READ_MODIFY_WRITE):
            return _READ_MODIFY_WRITE[number]
    if isinstance(kind, StringAttr):
        return kind.data
    raise MissingSemanticsError(f"cannot combine values by '{kind}'")


def neutral(kind: str, type: Attribute) -> Value:
    """The neutral element: combined with any value of the type, it gives that value."""
    dtype = dtype_of(type)
    highest = (1 << (width_of(type) - 1)) - 1
    match _OTHER_NAMES.get(kind, kind):
        case "add" | "addf" | "addi" | "ori" | "xori" | "maxui":
            number = 0
        case "mul" | "mulf" | "muli":
            number = 1
        case "andi" | "minui":
            number = -1
        case "maxsi":
            number = -highest - 1
        case "minsi":
            number = highest
        case "maximumf" | "maxnumf":
            return dtype.type(-np.inf)
        case "minimumf" | "minnumf":
            return dtype.type(np.inf)
        case other:
            raise MissingSemanticsError(f"'{other}' of no values is unknown")
    return wrap(type, number)
