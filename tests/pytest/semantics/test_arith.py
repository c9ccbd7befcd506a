"""arith ops, compared with what MLIR compiles them to, and where that is undefined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import IntegerType

from tests.peer import MlirTools
from tests.peer.numpy_types import Array
from tests.peer.runner import parse_module
from tests.semantics import BUFFERIZATION, compare_with_mlir, run, without_semantics
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.values import wrap

PASSES = ("--convert-elementwise-to-linalg", BUFFERIZATION)

FLOATS: Mapping[str, Any] = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
NUMBERS = np.array([0.0, -0.0, 1.5, -2.75, np.inf, -np.inf, 1e-3, 333.25, 7.0, 0.1])
LEFT, RIGHT = (x.ravel() for x in np.meshgrid(NUMBERS, NUMBERS))
# All operations have results that are numbers: nobody says what a NaN's sign is.
IS_NUMBER = np.isfinite(LEFT) & np.isfinite(RIGHT) & (RIGHT != 0)

INTEGERS: Mapping[str, Any] = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
}


def on_tensors(
    name: str, expression: str, types: Sequence[str], result: str, size: int
) -> str:
    """A function of tensors; in the expression `#` stands for the operands, `T` for a type."""
    tensors = [f"tensor<{size}x{type}>" for type in types]
    arguments = ", ".join(f"%{i}: {tensor}" for i, tensor in enumerate(tensors))
    operands = ", ".join(f"%{i}" for i in range(len(types)))
    text = expression.replace("#", operands).replace("T", tensors[0])
    result = f"tensor<{size}x{result}>"
    return f"""
func.func @{name}({arguments}) -> {result} {{
  %result = {text.replace("R", result)}
  return %result : {result}
}}"""


def compare(
    tools: MlirTools,
    cases: Mapping[str, tuple[str, Sequence[str], str, Sequence[Array]]],
) -> None:
    """All functions at once: what each computes, the operands' and the result's types."""
    program = [
        on_tensors(name, expression, types, result, len(inputs[0]))
        for name, (expression, types, result, inputs) in cases.items()
    ]
    inputs = {name: case[3] for name, case in cases.items()}
    compare_with_mlir(tools, "\n".join(program), inputs, *PASSES)


def test_floats_are_computed_as_mlir_does(mlir_tools: MlirTools):
    cases: dict[str, Any] = {}
    for type, dtype in FLOATS.items():
        inputs = [x[IS_NUMBER].astype(dtype) for x in (LEFT, RIGHT)]
        for name in "addf divf mulf remf subf".split():
            cases[f"{name}_{type}"] = (f"arith.{name} # : T", [type] * 2, type, inputs)
        cases[f"negf_{type}"] = ("arith.negf # : T", [type], type, inputs[:1])
        inputs = [x.astype(dtype) for x in (LEFT, RIGHT)]
        for name in "maximumf minimumf".split():
            cases[f"{name}_{type}"] = (f"arith.{name} # : T", [type] * 2, type, inputs)
        inputs = [
            np.concatenate([x, y]).astype(dtype)
            for x, y in ((LEFT, [np.nan, 1, np.nan]), (RIGHT, [np.nan, np.nan, 1]))
        ]
        for name in (
            "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()
        ):
            expression = f"arith.cmpf {name}, # : T"
            cases[f"{name}_{type}"] = (expression, [type] * 2, "i1", inputs)
    compare(mlir_tools, cases)


def some_integers(dtype: Any) -> tuple[Array, Array]:
    """Pairs of small numbers, and of those at the ends of the type's range."""
    if dtype == np.bool_:
        return np.array([0, 0, 1, 1], dtype), np.array([0, 1, 0, 1], dtype)
    ends = np.iinfo(dtype)
    numbers = np.array([0, 1, -1, 2, 3, -3, 7, 100, ends.min, ends.max], dtype)
    a, b = np.meshgrid(numbers, numbers)
    return a.ravel(), b.ravel()


def test_integers_are_computed_as_mlir_does(mlir_tools: MlirTools):
    cases: dict[str, Any] = {}
    for type, dtype in INTEGERS.items():
        a, b = some_integers(dtype)
        for name in "addi andi maxsi maxui minsi minui muli ori subi xori".split():
            cases[f"{name}_{type}"] = (f"arith.{name} # : T", [type] * 2, type, [a, b])
        for name in "eq ne slt sle sgt sge ult ule ugt uge".split():
            expression = f"arith.cmpi {name}, # : T"
            cases[f"{name}_{type}"] = (expression, [type] * 2, "i1", [a, b])
        if dtype == np.bool_:
            continue
        defined = (b != 0) & ~((a == np.iinfo(dtype).min) & (b == -1))
        for name in "divsi divui ceildivui floordivsi ceildivsi remsi remui".split():
            # MLIR expands these in a way that overflows at the ends.
            small = defined & (np.abs(a // 2) < 60) & (np.abs(b // 2) < 60)
            chosen = small if name.startswith(("ceil", "floor")) else defined
            inputs = [a[chosen], b[chosen]]
            cases[f"{name}_{type}"] = (f"arith.{name} # : T", [type] * 2, type, inputs)
        shifts = np.arange(len(a), dtype=dtype) % (8 * np.dtype(dtype).itemsize)
        for name in "shli shrsi shrui".split():
            inputs = [a, shifts.astype(dtype)]
            cases[f"{name}_{type}"] = (f"arith.{name} # : T", [type] * 2, type, inputs)
    compare(mlir_tools, cases)


def test_conversions_are_those_of_mlir(mlir_tools: MlirTools):
    cases: dict[str, Any] = {}
    widths = ["i1", "i8", "i32", "i64"]
    for i, narrow in enumerate(widths):
        for wide in widths[i + 1 :]:
            for name, source, target in (
                ("extsi", narrow, wide),
                ("extui", narrow, wide),
                ("trunci", wide, narrow),
            ):
                inputs = [some_integers(INTEGERS[source])[0]]
                expression = f"arith.{name} # : T to R"
                cases[f"{name}_{source}_{target}"] = (
                    expression,
                    [source],
                    target,
                    inputs,
                )
    for integer in widths:
        inputs = [some_integers(INTEGERS[integer])[0]]
        for name in ("sitofp", "uitofp"):
            for type in ("f32", "f64"):
                expression = f"arith.{name} # : T to R"
                cases[f"{name}_{integer}_{type}"] = (
                    expression,
                    [integer],
                    type,
                    inputs,
                )
        for name in ("index_cast", "index_castui"):
            expression = f"arith.{name} # : T to R"
            cases[f"{name}_{integer}"] = (expression, [integer], "index", inputs)
    for name, type in (("fptosi", "i8"), ("fptosi", "i64"), ("fptoui", "i8")):
        numbers = np.array([0.5, 1.75, 100, 126.9, 3], np.float32)
        signs = -1 if name == "fptosi" else 1
        inputs = [np.concatenate([numbers, signs * numbers])]
        cases[f"{name}_{type}"] = (f"arith.{name} # : T to R", ["f32"], type, inputs)
    floats = NUMBERS.astype(np.float32)
    cases["extf"] = ("arith.extf # : T to R", ["f32"], "f64", [floats])
    cases["truncf"] = ("arith.truncf # : T to R", ["f32"], "f16", [floats])
    cases["bitcast"] = ("arith.bitcast # : T to R", ["f32"], "i32", [floats])
    compare(mlir_tools, cases)


WIDTHS = (1, 3, 4, 7, 12, 33)
PYTHON_OPS: Mapping[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "minsi": min,
    "maxsi": max,
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PYTHON_OPS)
def test_integers_of_any_width_wrap(name: str, width: int):
    type = IntegerType(width)
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    numbers = {low, low // 2, -1, 0, high // 2, high}
    pairs = [*product(numbers, numbers)]
    vector = f"vector<{len(pairs)}xi{width}>"
    (result,) = run(
        f"""
func.func @f(%a: {vector}, %b: {vector}) -> {vector} {{
  %r = arith.{name} %a, %b : {vector}
  func.return %r : {vector}
}}""",
        *(wrap(type, [pair[side] for pair in pairs]) for side in (0, 1)),
    )
    exact = [PYTHON_OPS[name](*pair) % 2**width for pair in pairs]
    np.testing.assert_array_equal(result, wrap(type, exact), strict=True)


@pytest.mark.parametrize("width", [4, 8, 64])
@pytest.mark.parametrize("is_signed", [True, False])
def test_an_extended_product_has_two_halves(width: int, is_signed: bool):
    name = "mulsi_extended" if is_signed else "mului_extended"
    type = IntegerType(width)
    low, high = run(
        f"""
func.func @f(%a: i{width}) -> (i{width}, i{width}) {{
  %r:2 = "arith.{name}"(%a, %a) : (i{width}, i{width}) -> (i{width}, i{width})
  func.return %r#0, %r#1 : i{width}, i{width}
}}""",
        wrap(type, -3),
    )
    number = -3 if is_signed else 2**width - 3
    assert low == wrap(type, number**2 % 2**width)
    assert high == wrap(type, number**2 >> width)


def test_an_extended_sum_has_a_carry():
    sums, carries = run(
        """
func.func @f(%a: vector<3xi8>, %b: vector<3xi8>) -> (vector<3xi8>, vector<3xi1>) {
  %r:2 = "arith.addui_extended"(%a, %b)
      : (vector<3xi8>, vector<3xi8>) -> (vector<3xi8>, vector<3xi1>)
  func.return %r#0, %r#1 : vector<3xi8>, vector<3xi1>
}""",
        np.array([1, -1, -128], np.int8),
        np.array([2, 1, -128], np.int8),
    )
    np.testing.assert_array_equal(sums, [3, 0, 0])
    np.testing.assert_array_equal(carries, [False, True, True])


@pytest.mark.parametrize(
    "name, a, b, message",
    [
        ("divsi", 1, 0, "division by zero"),
        ("divui", 1, 0, "division by zero"),
        ("remsi", 1, 0, "division by zero"),
        ("ceildivui", 1, 0, "division by zero"),
        ("divsi", -128, -1, "overflows"),
        ("floordivsi", -128, -1, "overflows"),
    ],
)
def test_a_division_without_a_result_is_undefined(
    name: str, a: int, b: int, message: str
):
    program = f"""
func.func @f(%a: vector<2xi8>, %b: vector<2xi8>) -> vector<2xi8> {{
  %r = arith.{name} %a, %b : vector<2xi8>
  func.return %r : vector<2xi8>
}}"""
    with pytest.raises(UndefinedBehaviorError, match=message):
        run(program, np.array([1, a], np.int8), np.array([1, b], np.int8))


def test_what_is_poison_may_be_computed_in_vain():
    assert run(
        """
func.func @f(%x: f32, %i: i8) -> (i8, i8) {
  %big = arith.constant 9 : i8
  %0 = arith.shli %i, %big : i8
  %1 = arith.fptosi %x : f32 to i8
  func.return %0, %1 : i8, i8
}""",
        np.float32(1e10),
        np.int8(1),
    ) == [0, 0]


@pytest.mark.parametrize("name", ["minnumf", "maxnumf", "minimumf", "maximumf"])
def test_zeros_have_an_order_and_nan_is_no_number(name: str):
    a = np.array([0.0, -0.0, np.nan, 1, -0.0] * 5, np.float32)
    b = np.array([-0.0, 0.0, 1, np.nan, -0.0] * 5, np.float32)
    program = f"""
func.func @f(%a: TYPE, %b: TYPE) -> TYPE {{
  %r = arith.{name} %a, %b : TYPE
  func.return %r : TYPE
}}"""
    (together,) = run(program.replace("TYPE", "tensor<25xf32>"), a, b)
    scalar = program.replace("TYPE", "f32")
    one_by_one = [run(scalar, *pair)[0] for pair in zip(a, b, strict=True)]
    assert together.tobytes() == np.array(one_by_one).tobytes()
    is_minimum = name.startswith("min")
    np.testing.assert_array_equal(np.signbit(together[:2]), [is_minimum] * 2)
    assert np.signbit(together[4])
    assert np.isnan(together[2:4]).all() == name.endswith("imumf")


SMALL: Sequence[tuple[str, Any]] = [
    ("bf16", ml_dtypes.bfloat16),
    ("f8E4M3FN", ml_dtypes.float8_e4m3fn),
    ("f8E5M2", ml_dtypes.float8_e5m2),
]


@pytest.mark.parametrize("type, dtype", SMALL)
@pytest.mark.parametrize(
    "name", ["addf", "subf", "mulf", "divf", "remf", "maximumf", "minnumf"]
)
def test_small_floats_are_rounded_after_each_op(name: str, type: str, dtype: Any):
    function: Any = {
        "addf": np.add,
        "subf": np.subtract,
        "mulf": np.multiply,
        "divf": np.divide,
        "remf": np.fmod,
        "maximumf": np.maximum,
        "minnumf": np.fmin,
    }[name]
    a = np.array([1.5, -2.75, 0.1, 12, 0.3], dtype)
    b = np.array([0.7, 3.5, -7, 5, 0.2], dtype)
    (result,) = run(
        f"""
func.func @f(%a: tensor<5x{type}>, %b: tensor<5x{type}>) -> tensor<5x{type}> {{
  %r = "arith.{name}"(%a, %b)
      : (tensor<5x{type}>, tensor<5x{type}>) -> tensor<5x{type}>
  func.return %r : tensor<5x{type}>
}}""",
        a,
        b,
    )
    exact = function(a.astype(np.float64), b.astype(np.float64))
    np.testing.assert_array_equal(result, exact.astype(dtype), strict=True)


CONSTANTS: Mapping[str, tuple[str, Array]] = {
    "f32": ("1.5 : f32", np.array(1.5, np.float32)),
    "i4": ("-3 : i4", np.array(-3, np.int8)),
    "i1": ("true", np.array(True)),
    "index": ("7 : index", np.array(7)),
    "tensor<2xbf16>": (
        "dense<[1.5, 2.0]> : tensor<2xbf16>",
        np.array([1.5, 2], ml_dtypes.bfloat16),
    ),
    "tensor<3xi1>": (
        "dense<[true, false, true]> : tensor<3xi1>",
        np.array([True, False, True]),
    ),
    "tensor<2x1xi12>": (
        "dense<[[300], [-1]]> : tensor<2x1xi12>",
        np.array([[300], [-1]], np.int16),
    ),
    "vector<2x3xf64>": ("dense<0.25> : vector<2x3xf64>", np.full((2, 3), 0.25)),
    "tensor<0xf32>": ("dense<> : tensor<0xf32>", np.zeros(0, np.float32)),
    "tensor<2xcomplex<f32>>": (
        "dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>",
        np.array([1 + 2j, 3 + 4j], np.complex64),
    ),
}


@pytest.mark.parametrize("type", CONSTANTS)
def test_constants(type: str):
    text, expected = CONSTANTS[type]
    (result,) = run(f"""
func.func @f() -> {type} {{
  %c = arith.constant {text}
  func.return %c : {type}
}}""")
    np.testing.assert_array_equal(np.asarray(result), expected, strict=True)
    assert not isinstance(result, np.ndarray) or not result.flags.writeable


RESOURCE = """
func.func @f() -> tensor<2xf32> {
  %c = arith.constant dense_resource<NAME> : tensor<2xf32>
  func.return %c : tensor<2xf32>
}
"""


def test_a_resource_is_read_from_the_end_of_the_file():
    blob = '{-# dialect_resources: {builtin: {pair: "0x040000000000803F00000040"}} #-}'
    (result,) = run(RESOURCE.replace("NAME", "pair") + blob)
    np.testing.assert_array_equal(result, np.array([1, 2], np.float32), strict=True)


def test_a_resource_that_is_not_there_has_no_value():
    with pytest.raises(MissingSemanticsError, match="the contents of the resource"):
        run(RESOURCE.replace("NAME", "nothing"))


def test_select_takes_all_or_each():
    a, b = np.array([1, 2], np.int32), np.array([3, 4], np.int32)
    program = """
func.func @f(%c: CONDITION, %a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %r = "arith.select"(%c, %a, %b)
      : (CONDITION, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}"""
    all_of_it = parse_module(program.replace("CONDITION", "i1"))
    np.testing.assert_array_equal(run(all_of_it, np.bool_(False), a, b)[0], b)
    # To the verifier of xDSL's op that is wrong, to MLIR's it is not.
    each = parse_module(program.replace("CONDITION", "tensor<2xi1>"))
    np.testing.assert_array_equal(run(each, np.array([True, False]), a, b)[0], [1, 4])


def test_all_ops_have_a_meaning():
    # These are of floats of eight bits, for which NumPy has no scale.
    scaling = {"arith.scaling_extf", "arith.scaling_truncf"}
    assert without_semantics("arith") == scaling
