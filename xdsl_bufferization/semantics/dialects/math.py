"""
math and complex on numbers and arrays of them.

NumPy's loops over arrays may round in another way than those over one number, so
transcendental functions are computed in a type that has no such loops, and rounded: the
result does not depend on where the number is. Products and quotients of complex numbers are
computed from the parts in separate operations, as MLIR lowers them; NumPy fuses some of these
operations for arrays, but not for single numbers.

Source: https://mlir.llvm.org/docs/Dialects/MathOps/,
https://mlir.llvm.org/docs/Dialects/ComplexOps/
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.semantics.dialects.arith import (
    bitcast,
    computes,
    signed,
    widened,
    width_of,
)
from xdsl_bufferization.semantics.dialects.shared import constant_value
from xdsl_bufferization.semantics.errors import UndefinedBehaviorError
from xdsl_bufferization.semantics.interpreter import (
    DialectFunctions,
    OpFunction,
)
from xdsl_bufferization.semantics.values import (
    Array,
    Value,
    dtype_of,
    result_type,
    unsigned,
    wrap,
)
from xdsl_bufferization.support.attributes import attribute


def precisely(function: Callable[..., Any]) -> Callable[..., Value]:
    """
    The NumPy function of floats or complex numbers, rounded from a wider type. The result
    for a number does not depend on its position in an array.
    """

    def compute(*operands: Value) -> Value:
        dtype = np.asarray(operands[0]).dtype
        is_complex = dtype.kind == "c"
        long = np.clongdouble if is_complex else np.longdouble
        arrays = np.broadcast_arrays(*(_long(operand, long) for operand in operands))
        shape = arrays[0].shape
        # NumPy has shortcuts for single numbers, such as exponents.
        flat = [np.append(array.ravel(), array.ravel()[:1]) for array in arrays]
        result: Array = function(*flat)[: math.prod(shape)].reshape(shape)
        return _rounded(result, dtype)

    return compute


def _long(value: Value, dtype: Any) -> Array:
    array = np.asarray(value)
    if array.dtype.kind == "V" or array.dtype.itemsize < 4:
        # Types of other packages need not have casts from NumPy's widest ones.
        array = array.astype(np.float32)
    return array.astype(dtype)


def _rounded(result: Array, dtype: np.dtype[Any]) -> Value:
    if result.dtype.kind != "c" and dtype.kind != "c":
        result = result.astype(np.float64)
    rounded = result.astype(dtype)
    return rounded if rounded.ndim else rounded[()]


def reciprocal_root(value: Value) -> Value:
    return 1 / np.sqrt(value)


def _round(value: Value) -> Value:
    """To the nearest integer; ties are rounded away from zero."""
    whole = np.trunc(value)
    up = np.greater_equal(np.abs(value - whole), 0.5)
    return np.copysign(np.abs(whole) + up, value)


def _exactly(function: Callable[..., Any]) -> OpFunction:
    """A function with exact results, computed in `float64`."""
    return computes(
        lambda *operands: function(
            *(np.asarray(operand).astype(np.float64) for operand in operands)
        )
    )


def _by_number(function: Callable[[float], float]) -> OpFunction:
    """A function of single numbers, applied element by element."""
    every = np.frompyfunc(function, 1, 1)

    def compute(value: Value) -> Value:
        return np.asarray(every(value)).astype(np.float64)

    return _exactly(compute)


# Fused multiply-add -----------------------------------------------------------------------


def fma(a: Value, b: Value, c: Value) -> Value:
    """a * b + c, rounded once."""
    dtype = np.asarray(a).dtype
    x, y, z = (np.asarray(value).astype(np.float64) for value in (a, b, c))
    if dtype == np.float64:
        return np.asarray(_fma_of_doubles(x, y, z)).astype(np.float64)
    # The product is exact, and the sum is rounded to odd, so rounding it again is correct.
    product = x * y
    total = product + z
    part = total - product
    error = (product - (total - part)) + (z - part)
    bits = np.asarray(total).view(np.int64)
    inexact = np.isfinite(total) & (error != 0) & (bits & 1 == 0)
    away = (error > 0) == (total > 0)
    odd = bits + np.where(inexact, np.where(away, 1, -1), 0)
    return odd.view(np.float64).astype(dtype)


def _fma_of_numbers(a: float, b: float, c: float) -> float:
    plain = a * b + c
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return plain
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if not exact:
        return plain
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


_fma_of_doubles = np.frompyfunc(_fma_of_numbers, 3, 1)


# Integers ---------------------------------------------------------------------------------


def _count(function: Callable[[Array, int], Value]) -> OpFunction:
    """A function of the bits of an integer, and of its width."""

    def count(op: Operation, number: Value) -> Value:
        type = result_type(op)
        bits = np.asarray(unsigned(type, number))
        return wrap(type, function(bits, width_of(type)))

    return count


def _leading_zeros(bits: Array, width: int) -> Value:
    for shift in (1, 2, 4, 8, 16, 32):
        bits = bits | (bits >> np.uint64(shift))
    return width - np.bitwise_count(bits).astype(np.int64)


def _trailing_zeros(bits: Array, width: int) -> Value:
    below_lowest = ~bits & (bits - np.uint64(1))
    return np.minimum(np.bitwise_count(below_lowest), width)


def _integer_power(op: Operation, *operands: Value) -> Value:
    """Modulo 2^width; for a negative exponent, 1 / base ** -exponent towards zero."""
    base, exponent = np.broadcast_arrays(*map(signed, operands))
    base, exponent = base.astype(np.int64), exponent.astype(np.int64)
    if np.any((base == 0) & (exponent < 0)):
        raise UndefinedBehaviorError("a negative power of zero")
    has_inverse = np.abs(base) == 1
    factor = np.where((exponent < 0) & ~has_inverse, 0, base)
    # 1 and -1 are their own inverses.
    power = factor.astype(np.uint64) ** np.abs(exponent).astype(np.uint64)
    return wrap(result_type(op), power)


def _clamp(value: Value, low: Value, high: Value) -> Value:
    return np.fmin(np.fmax(value, low), high)


def _is_normal(value: Value) -> Value:
    array = np.asarray(value)
    smallest = float(np.ldexp(1.0, _MINIMAL_EXPONENTS[array.dtype.name]))
    return np.isfinite(value) & (np.abs(array.astype(np.float64)) >= smallest)


_MINIMAL_EXPONENTS = {
    "bfloat16": -126,
    "float16": -14,
    "float32": -126,
    "float64": -1022,
}

_OF_NUMPY = """
    acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp exp2 expm1 log log10 log1p log2 sin
    sinh tan tanh
""".split()
"""The ops that have the names of NumPy's functions."""

_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in _OF_NUMPY},
    "fpowi": np.power,
    "powf": np.power,
    "rsqrt": reciprocal_root,
}


class MathFunctions(DialectFunctions):
    scalar: ClassVar[Mapping[str, OpFunction]] = {
        **{f"math.{name}": computes(precisely(f)) for name, f in _FUNCTIONS.items()},
        "math.absf": computes(np.abs),
        "math.absi": computes(lambda *numbers: np.abs(*map(signed, numbers))),
        "math.ceil": _exactly(np.ceil),
        "math.clampf": _exactly(_clamp),
        "math.copysign": _exactly(np.copysign),
        "math.ctlz": _count(_leading_zeros),
        "math.ctpop": _count(lambda bits, width: np.bitwise_count(bits)),
        "math.cttz": _count(_trailing_zeros),
        "math.erf": _by_number(math.erf),
        "math.erfc": _by_number(math.erfc),
        "math.floor": _exactly(np.floor),
        "math.fma": computes(fma),
        "math.ipowi": _integer_power,
        "math.isfinite": computes(np.isfinite),
        "math.isinf": computes(np.isinf),
        "math.isnan": computes(np.isnan),
        "math.isnormal": computes(_is_normal),
        "math.round": _exactly(_round),
        "math.roundeven": _exactly(np.rint),
        "math.sqrt": computes(lambda *numbers: np.sqrt(*map(widened, numbers))),
        "math.trunc": _exactly(np.trunc),
    }
    pure: ClassVar = {
        "math.sincos": lambda op, *operands: (
            precisely(np.sin)(*operands),
            precisely(np.cos)(*operands),
        ),
    }


def _create(op: Operation, real: Value, imaginary: Value) -> Value:
    return _of_parts(dtype_of(result_type(op)), real, imaginary)


def _of_parts(dtype: np.dtype[Any], real: Value, imaginary: Value) -> Value:
    shape = np.broadcast_shapes(np.shape(real), np.shape(imaginary))
    result: Array = np.empty(shape, dtype)
    # Not `real + 1j * imaginary`: infinity times i is NaN.
    result.real, result.imag = real, imaginary
    return result if shape else result[()]


def _in_parts(
    function: Callable[[Value, Value, Value, Value], tuple[Value, Value]],
) -> OpFunction:
    """A function of the real and imaginary parts of both operands."""

    def compute(op: Operation, a: Value, b: Value) -> Value:
        parts = function(np.real(a), np.imag(a), np.real(b), np.imag(b))
        return _create(op, *parts)

    return compute


def _product(a: Value, b: Value, c: Value, d: Value) -> tuple[Value, Value]:
    """(a + bi) * (c + di)"""
    return a * c - b * d, a * d + b * c


def _quotient(a: Value, b: Value, c: Value, d: Value) -> tuple[Value, Value]:
    """(a + bi) / (c + di)"""
    norm = c * c + d * d
    return (a * c + b * d) / norm, (b * c - a * d) / norm


def _absolute(value: Value) -> Value:
    return precisely(np.hypot)(np.real(value), np.imag(value))


def _angle(value: Value) -> Value:
    return precisely(np.arctan2)(np.imag(value), np.real(value))


def _sign(value: Value) -> Value:
    """The number divided by its absolute value, or zero."""
    value = np.asarray(value)
    absolute = np.asarray(_absolute(value))
    # Zero is left as it is.
    divisor = absolute + (absolute == 0)
    return _of_parts(value.dtype, np.real(value) / divisor, np.imag(value) / divisor)


def _arc_tangent(y: Value, x: Value) -> Value:
    """-i * log((x + iy) / sqrt(x**2 + y**2))"""
    return -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))


_COMPLEX_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{
        n: getattr(np, n)
        for n in "cos exp expm1 log log1p pow sin sqrt tan tanh".split()
    },
    "atan2": _arc_tangent,
    "rsqrt": reciprocal_root,
}


class ComplexFunctions(DialectFunctions):
    scalar: ClassVar[Mapping[str, OpFunction]] = {
        **{
            f"complex.{name}": computes(precisely(function))
            for name, function in _COMPLEX_FUNCTIONS.items()
        },
        "complex.abs": computes(_absolute),
        "complex.add": computes(np.add),
        "complex.angle": computes(_angle),
        "complex.bitcast": bitcast,
        "complex.conj": computes(np.conjugate),
        "complex.constant": lambda op: constant_value(
            attribute(op, "value"), result_type(op)
        ),
        "complex.create": _create,
        "complex.div": _in_parts(_quotient),
        "complex.eq": computes(np.equal),
        "complex.im": computes(np.imag),
        "complex.mul": _in_parts(_product),
        "complex.neg": computes(np.negative),
        "complex.neq": computes(np.not_equal),
        "complex.re": computes(np.real),
        "complex.sign": computes(_sign),
        "complex.sub": computes(np.subtract),
    }
