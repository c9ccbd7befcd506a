"""
complex on numbers and arrays of them.

Products and quotients are computed from the parts in separate operations, as MLIR lowers
them; NumPy fuses some of these operations for arrays, but not for single numbers.

Source: https://mlir.llvm.org/docs/Dialects/ComplexOps/
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from xdsl.ir import Operation

from xdsl_bufferization.semantics.dialects.arith import bitcast, computes
from xdsl_bufferization.semantics.dialects.math import precisely, reciprocal_root
from xdsl_bufferization.semantics.dialects.shared.attributes import constant_value
from xdsl_bufferization.semantics.interpreter import DialectFunctions, OpFunction
from xdsl_bufferization.semantics.values import Array, Value, dtype_of, element_type
from xdsl_bufferization.support.attributes import attribute


def _create(op: Operation, real: Value, imaginary: Value) -> Value:
    return _of_parts(dtype_of(element_type(op.results[0].type)), real, imaginary)


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


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "atan2": _arc_tangent,
    "cos": np.cos,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "pow": np.power,
    "rsqrt": reciprocal_root,
    "sin": np.sin,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
}


class ComplexFunctions(DialectFunctions):
    scalar: ClassVar[Mapping[str, OpFunction]] = {
        **{
            f"complex.{name}": computes(precisely(function))
            for name, function in _FUNCTIONS.items()
        },
        "complex.abs": computes(_absolute),
        "complex.add": computes(np.add),
        "complex.angle": computes(_angle),
        "complex.bitcast": bitcast,
        "complex.conj": computes(np.conjugate),
        "complex.constant": lambda op: constant_value(
            attribute(op, "value"), op.results[0].type
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


FUNCTIONS = ComplexFunctions
