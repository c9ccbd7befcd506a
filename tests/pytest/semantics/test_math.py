"""math ops: what they compute, and that it does not depend on where the number is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.peer import MlirTools
from tests.peer.numpy_types import Array
from tests.peer.runner import parse_module
from tests.semantics import BUFFERIZATION, compare_with_mlir, run, without_semantics
from xdsl_bufferization.semantics.errors import UndefinedBehaviorError


def _reciprocal_root(x: float) -> float:
    return 1 / math.sqrt(x)


FUNCTIONS: Mapping[str, Any] = {
    "acos": (math.acos, -1, 1),
    "acosh": (math.acosh, 1, 100),
    "asin": (math.asin, -1, 1),
    "asinh": (math.asinh, -100, 100),
    "atan": (math.atan, -100, 100),
    "atan2": (math.atan2, -10, 10),
    "atanh": (math.atanh, -0.99, 0.99),
    "cbrt": (math.cbrt, -100, 100),
    "cos": (math.cos, -100, 100),
    "cosh": (math.cosh, -8, 8),
    "erf": (math.erf, -4, 4),
    "erfc": (math.erfc, -4, 4),
    "exp": (math.exp, -8, 8),
    "exp2": (math.exp2, -8, 8),
    "expm1": (math.expm1, -8, 8),
    "log": (math.log, 1e-3, 1000),
    "log10": (math.log10, 1e-3, 1000),
    "log1p": (math.log1p, -0.99, 1000),
    "log2": (math.log2, 1e-3, 1000),
    "powf": (math.pow, 1e-2, 5),
    "rsqrt": (_reciprocal_root, 1e-3, 1000),
    "sin": (math.sin, -100, 100),
    "sinh": (math.sinh, -8, 8),
    "sqrt": (math.sqrt, 0, 1000),
    "tan": (math.tan, -1.5, 1.5),
    "tanh": (math.tanh, -4, 4),
}
"""What each computes, and between which numbers."""
TYPES: Mapping[str, Any] = {
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}
TOLERANCES: Mapping[str, tuple[float, float]] = {
    "bf16": (2**-8, 0),
    "f16": (2**-11, 2**-24),
    "f32": (2**-24, 0),
    "f64": (2**-51, 0),
}
"""How far off results may be, relative to the exact one and absolutely."""
BINARY = frozenset(("atan2", "copysign", "fpowi", "ipowi", "powf"))
RANDOM = np.random.default_rng(0)


def call(name: str, type: str, *inputs: Array, result: str | None = None) -> Array:
    """What the op computes of arrays, as tensors, or of scalars."""
    shape = "x".join(map(str, inputs[0].shape)) if np.ndim(inputs[0]) else ""
    wrapped = f"tensor<{shape}x{{}}>" if shape else "{}"
    operand = wrapped.format(type)
    result_type = wrapped.format(result or type)
    names = ["%a", "%b", "%c"][: len(inputs)]
    arguments = ", ".join(f"{name}: {operand}" for name in names)
    program = f"""
func.func @f({arguments}) -> {result_type} {{
  %r = "math.{name}"({", ".join(names)})
      : ({", ".join([operand] * len(inputs))}) -> {result_type}
  func.return %r : {result_type}
}}"""
    (value,) = run(parse_module(program), *inputs)
    return value


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_rounded_well(name: str, type: str):
    function, low, high = FUNCTIONS[name]
    operands = 2 if name in BINARY else 1
    inputs = [
        RANDOM.uniform(low, high, 60).astype(TYPES[type]) for _ in range(operands)
    ]
    if type not in ("f32", "f64"):
        # Rounded, some numbers are out of the function's domain.
        inputs = [np.where((x > low) & (x < high), x, x.dtype.type(1)) for x in inputs]
        inputs = [x if name != "atanh" else x * x.dtype.type(0.5) for x in inputs]
    result = call(name, type, *inputs)
    exact = np.array(
        [function(*map(float, numbers)) for numbers in zip(*inputs, strict=True)]
    )
    assert result.dtype == inputs[0].dtype
    # Python's own functions are not exact either.
    tolerance, smallest = TOLERANCES[type]
    actual = result.astype(np.float64)
    np.testing.assert_allclose(actual, exact, rtol=tolerance, atol=smallest)


@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_does_not_matter_where_the_number_is(name: str, type: str):
    _, low, high = FUNCTIONS[name]
    operands = 2 if name in BINARY else 1
    inputs = [
        RANDOM.uniform(low, high, 67).astype(TYPES[type]) for _ in range(operands)
    ]
    # An exponent for which there are shortcuts.
    inputs[-1][:20] = 2
    together = call(name, type, *inputs)
    strided = call(name, type, *(np.repeat(x, 3)[::3] for x in inputs))
    assert strided.tobytes() == together.tobytes()
    for start, end in ((0, 1), (1, 37)):
        part = call(name, type, *(x[start:end] for x in inputs))
        assert part.tobytes() == together[start:end].tobytes()
    for i in (0, 66):
        alone = call(name, type, *(x[i] for x in inputs))
        assert alone.tobytes() == together[i].tobytes()


EXACT: Mapping[str, Callable[[float], float]] = {
    "absf": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "round": lambda x: math.copysign(math.floor(abs(Fraction(x)) + Fraction(1, 2)), x),
    "roundeven": lambda x: round(x),
    "trunc": math.trunc,
}


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("name", EXACT)
def test_rounding_is_exact(name: str, type: str):
    numbers = [0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, 0.25, 100.0, -3.75, -0.0]
    inputs = np.array(numbers, TYPES[type])
    result = call(name, type, inputs)
    exact = np.array([EXACT[name](float(x)) for x in inputs], inputs.dtype)
    np.testing.assert_array_equal(result, exact, strict=True)
    signs = np.zeros_like(result) if name == "absf" else inputs
    np.testing.assert_array_equal(np.signbit(result), np.signbit(signs))


def test_rounding_is_that_of_mlir(mlir_tools: MlirTools):
    numbers = np.array(
        [0.5, -0.5, 1.5, 2.5, -2.5, 0.25, -3.75, -0.0, np.inf], np.float32
    )
    more = np.array([1, -1, -0.0, 3, 7, -2, 1, 5, -1e-3], np.float32)
    tensor = "tensor<9xf32>"
    program: list[str] = []
    inputs: dict[str, list[Array]] = {}
    for name in (
        "absf",
        "ceil",
        "copysign",
        "floor",
        "round",
        "roundeven",
        "trunc",
        "sqrt",
    ):
        operands = "%a, %b" if name in BINARY else "%a"
        program.append(f"""
func.func @{name}(%a: {tensor}, %b: {tensor}) -> {tensor} {{
  %r = math.{name} {operands} : {tensor}
  return %r : {tensor}
}}""")
        inputs[name] = [np.abs(numbers) if name == "sqrt" else numbers, more]
    passes = ("--convert-elementwise-to-linalg", BUFFERIZATION)
    compare_with_mlir(mlir_tools, "\n".join(program), inputs, *passes)


@pytest.mark.parametrize("type", TYPES)
def test_fma_is_rounded_once(type: str):
    dtype = TYPES[type]
    a, b = (RANDOM.uniform(-3, 3, 300).astype(dtype) for _ in range(2))
    c = (-a * b).astype(dtype)
    c[::3] = RANDOM.uniform(-1e-3, 1e3, 100).astype(dtype)
    a[:4], b[:4], c[:4] = [0, np.inf, 1, -0.0], [1, 2, 1, 1], [0, 1, -np.inf, -0.0]
    result = call("fma", type, a, b, c)
    for *numbers, actual in zip(a, b, c, result, strict=True):
        x, y, z = map(float, numbers)
        if not (math.isfinite(x) and math.isfinite(z)):
            assert actual == x * y + z
            continue
        exact = Fraction(x) * Fraction(y) + Fraction(z)
        around = [actual, *(np.nextafter(actual, dtype(s)) for s in (np.inf, -np.inf))]
        errors = [abs(Fraction(float(near)) - exact) for near in around]
        assert errors[0] == min(errors)


def test_fma_of_a_number_is_that_of_an_element():
    a, b, c = (RANDOM.uniform(-3, 3, 9).astype(np.float32) for _ in range(3))
    together = call("fma", "f32", a, b, c)
    assert [call("fma", "f32", *x) for x in zip(a, b, c, strict=True)] == [*together]


@pytest.mark.parametrize("type, dtype, width", [("i8", np.int8, 8), ("i5", np.int8, 5)])
def test_bits_are_counted(type: str, dtype: Any, width: int):
    numbers = [*range(-(1 << (width - 1)), 1 << (width - 1))]
    bits = [f"{number % 2**width:0{width}b}" for number in numbers]
    inputs = np.array(numbers, dtype)
    ones = [text.count("1") for text in bits]
    leading = [len(text) - len(text.lstrip("0")) for text in bits]
    trailing = [len(text) - len(text.rstrip("0")) for text in bits]
    np.testing.assert_array_equal(call("ctpop", type, inputs), ones)
    np.testing.assert_array_equal(call("ctlz", type, inputs), leading)
    np.testing.assert_array_equal(call("cttz", type, inputs), trailing)


def test_integer_powers():
    base = np.array([3, -2, 1, -1, -1, 2, 7, 0, 10], np.int32)
    exponent = np.array([4, 5, -3, -3, -2, -1, 0, 0, 20], np.int32)
    result = call("ipowi", "i32", base, exponent)
    overflown = (10**20 + 2**31) % 2**32 - 2**31
    np.testing.assert_array_equal(result, [81, -32, 1, -1, 1, 0, 1, 1, overflown])


def test_a_negative_power_of_zero_is_undefined():
    with pytest.raises(UndefinedBehaviorError, match="negative power of zero"):
        call("ipowi", "i32", np.array([0], np.int32), np.array([-1], np.int32))


def test_powers_of_whole_exponents():
    program = """
func.func @f(%a: tensor<3xf32>, %b: tensor<3xi32>) -> tensor<3xf32> {
  %r = "math.fpowi"(%a, %b) : (tensor<3xf32>, tensor<3xi32>) -> tensor<3xf32>
  func.return %r : tensor<3xf32>
}"""
    base = np.array([2, -3, 0.5], np.float32)
    (result,) = run(program, base, np.array([-2, 3, 4], np.int32))
    np.testing.assert_array_equal(result, np.array([0.25, -27, 0.0625], np.float32))


def test_the_smallest_integer_has_no_absolute_value():
    result = call("absi", "i8", np.array([-128, -5, 7], np.int8))
    np.testing.assert_array_equal(result, [-128, 5, 7])


def test_kinds_of_numbers():
    numbers = np.array([1, 0, np.inf, np.nan, 1e-40], np.float32)
    for name, expected in (
        ("isfinite", [True, True, False, False, True]),
        ("isinf", [False, False, True, False, False]),
        ("isnan", [False, False, False, True, False]),
        ("isnormal", [True, False, False, False, False]),
    ):
        np.testing.assert_array_equal(call(name, "f32", numbers, result="i1"), expected)


def test_all_ops_have_a_meaning():
    assert without_semantics("math") == set()
