"""complex ops, compared with Python's complex numbers."""

from __future__ import annotations

import cmath
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from tests.peer.numpy_types import Array
from tests.peer.runner import parse_module
from tests.semantics import run, without_semantics

NUMBERS = [1 + 2j, -0.5 + 0.25j, 3 - 1j, -2j, 0.75 + 0j, -1.5 - 2.5j]
OTHERS = [0.5 - 1j, 2 + 2j, -1 + 0.5j, 1 + 1j, -3 + 0j, 0.125 + 1j]
PRECISION = {np.complex64: 2**-22, np.complex128: 2**-50}
TYPES: Mapping[str, Any] = {"f32": np.complex64, "f64": np.complex128}

UNARY: Mapping[str, Callable[[complex], complex]] = {
    "conj": lambda z: z.conjugate(),
    "cos": cmath.cos,
    "exp": cmath.exp,
    "expm1": lambda z: cmath.exp(z) - 1,
    "log": cmath.log,
    "log1p": lambda z: cmath.log(1 + z),
    "neg": lambda z: -z,
    "rsqrt": lambda z: 1 / cmath.sqrt(z),
    "sign": lambda z: z / abs(z),
    "sin": cmath.sin,
    "sqrt": cmath.sqrt,
    "tan": cmath.tan,
    "tanh": cmath.tanh,
}
TO_FLOATS: Mapping[str, Callable[[complex], float]] = {
    "abs": abs,
    "angle": cmath.phase,
    "im": lambda z: z.imag,
    "re": lambda z: z.real,
}
BINARY: Mapping[str, Callable[[complex, complex], complex]] = {
    "add": lambda a, b: a + b,
    "atan2": lambda y, x: -1j * cmath.log((x + 1j * y) / cmath.sqrt(x * x + y * y)),
    "div": lambda a, b: a / b,
    "mul": lambda a, b: a * b,
    "pow": lambda a, b: a**b,
    "sub": lambda a, b: a - b,
}


def call(name: str, operand: str, result: str, *inputs: Any) -> Any:
    """What the op computes of operands and a result of these types."""
    names = ["%a", "%b"][: len(inputs)]
    arguments = ", ".join(f"{name}: {operand}" for name in names)
    program = f"""
func.func @f({arguments}) -> {result} {{
  %r = "complex.{name}"({", ".join(names)})
      : ({", ".join([operand] * len(inputs))}) -> {result}
  func.return %r : {result}
}}"""
    # Not all ops that MLIR has on tensors are so in xDSL: this is not verified.
    return run(parse_module(program), *inputs)[0]


def check(name: str, type: str, element: str, expected: list[Any], *inputs: Array):
    """The op on tensors, and on each element, which makes no difference at all."""
    tensor = f"tensor<6xcomplex<{type}>>"
    result = call(name, tensor, f"tensor<6x{element}>", *inputs)
    tolerance = PRECISION[TYPES[type]]
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)
    for i in range(6):
        alone = call(name, f"complex<{type}>", element, *(x[i] for x in inputs))
        assert alone.dtype == result.dtype
        assert alone.tobytes() == result[i].tobytes()


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_a_number(name: str, type: str):
    exact = [UNARY[name](z) for z in NUMBERS]
    check(name, type, f"complex<{type}>", exact, np.array(NUMBERS, TYPES[type]))


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("name", TO_FLOATS)
def test_functions_to_a_float(name: str, type: str):
    exact = [TO_FLOATS[name](z) for z in NUMBERS]
    check(name, type, type, exact, np.array(NUMBERS, TYPES[type]))


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name: str, type: str):
    exact = [BINARY[name](a, b) for a, b in zip(NUMBERS, OTHERS, strict=True)]
    inputs = [np.array(numbers, TYPES[type]) for numbers in (NUMBERS, OTHERS)]
    check(name, type, f"complex<{type}>", exact, *inputs)


@pytest.mark.parametrize("name, same", [("eq", True), ("neq", False)])
def test_comparisons(name: str, same: bool):
    a, b = np.complex64(1 + 2j), np.complex64(1 - 2j)
    assert call(name, "complex<f32>", "i1", a, a) == same
    assert call(name, "complex<f32>", "i1", a, b) != same


def test_a_number_is_created_of_its_parts():
    real, imaginary = np.float32(np.inf), np.float32(-2)
    result = call("create", "f32", "complex<f32>", real, imaginary)
    assert result.dtype == np.complex64
    assert (result.real, result.imag) == (real, imaginary)


def test_the_sign_of_zero_is_zero():
    result = call("sign", "complex<f32>", "complex<f32>", np.complex64(0))
    assert result == 0


def test_bits():
    number = np.complex64(1 + 2j)
    result = call("bitcast", "complex<f32>", "i64", number)
    assert result.tobytes() == number.tobytes()


def test_constants():
    (result,) = run("""
func.func @f() -> complex<f64> {
  %c = complex.constant [1.5, -2.0] : complex<f64>
  func.return %c : complex<f64>
}""")
    assert result == np.complex128(1.5 - 2j)
    assert isinstance(result, np.complex128)


def test_all_ops_have_a_meaning():
    assert without_semantics("complex") == set()
