"""vector ops, compared with what MLIR makes of them."""

import re
from math import prod

import numpy as np
import pytest

from tests.peer import MlirTools
from tests.peer.runner import parse_module
from tests.semantics import (
    compare_with_mlir,
    memref,
    run,
    without_semantics,
)
from xdsl_bufferization.semantics.errors import (
    ExecutionError,
    MemoryFault,
    MissingSemanticsError,
    UndefinedBehaviorError,
)

LINE = np.array([3, -1.5, 0.25, 7], np.float32)
MATRIX = np.arange(20, dtype=np.float32).reshape(4, 5) * 0.75 - 4
NUMBERS = np.array([5, -3, 2, 9], np.int32)
ONE, THREE = np.array(1, np.int64), np.array(3, np.int64)
X = np.array(0.1, np.float32)

V, M, T = "vector<4xf32>", "memref<4x5xf32>", "tensor<4x5xf32>"

OPS = {
    # On vectors: %v is 2x4, %w 4, %k a mask of 4 with the last two false, %i a number.
    "bitcast": ("vector.bitcast %v : vector<2x4xf32> to vector<2x8xi16>", "2x8xi16"),
    "broadcast": ("vector.broadcast %w : vector<4xf32> to vector<2x4xf32>", "2x4xf32"),
    "stretch": (
        "vector.broadcast %column : vector<2x1xf32> to vector<2x4xf32>",
        "2x4xf32",
    ),
    "contract": (
        "vector.contract {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
        "affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = "
        '["parallel", "reduction"], kind = #vector.kind<add>} %v, %w, %two : '
        "vector<2x4xf32>, vector<4xf32> into vector<2xf32>",
        "2xf32",
    ),
    "constant_mask": ("vector.constant_mask [1, 3] : vector<2x4xi1>", "2x4xi1"),
    "create_mask": ("vector.create_mask %i, %n : vector<2x4xi1>", "2x4xi1"),
    "interleave": (
        "vector.interleave %w, %w : vector<4xf32> -> vector<8xf32>",
        "8xf32",
    ),
    "extract": ("vector.extract %v[1] : vector<4xf32> from vector<2x4xf32>", "4xf32"),
    "insert": ("vector.insert %x, %v[1, %n] : f32 into vector<2x4xf32>", "2x4xf32"),
    "extract_strided_slice": (
        "vector.extract_strided_slice %v {offsets = [0, 2], sizes = [2, 2], "
        "strides = [1, 1]} : vector<2x4xf32> to vector<2x2xf32>",
        "2x2xf32",
    ),
    "insert_strided_slice": (
        "vector.insert_strided_slice %two, %v {offsets = [1, 2], strides = [1]} : "
        "vector<2xf32> into vector<2x4xf32>",
        "2x4xf32",
    ),
    "from_elements": ("vector.from_elements %x, %x : vector<2xf32>", "2xf32"),
    "multi_reduction": (
        "vector.multi_reduction <add>, %v, %two [1] : vector<2x4xf32> to vector<2xf32>",
        "2xf32",
    ),
    "multi_reduction_of_rows": (
        "vector.multi_reduction <maximumf>, %v, %w [0] : vector<2x4xf32> to "
        "vector<4xf32>",
        "4xf32",
    ),
    "outerproduct": (
        "vector.outerproduct %two, %w {kind = #vector.kind<add>} : vector<2xf32>, "
        "vector<4xf32>",
        "2x4xf32",
    ),
    "shape_cast": ("vector.shape_cast %v : vector<2x4xf32> to vector<8xf32>", "8xf32"),
    "shuffle": (
        "vector.shuffle %w, %two [5, 0, 3] : vector<4xf32>, vector<2xf32>",
        "3xf32",
    ),
    "step": ("vector.step : vector<4xindex>", "4xindex"),
    "transpose": (
        "vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>",
        "4x2xf32",
    ),
    "fma": ("vector.fma %w, %w, %w : vector<4xf32>", "4xf32"),
    # From memory: %m is 4x5, %index a vector of indices.
    "load": (f"vector.load %m[%i, %i] : {M}, {V}", "4xf32"),
    "maskedload": (
        f"vector.maskedload %m[%n, %i], %k, %w : {M}, vector<4xi1>, {V} into {V}",
        "4xf32",
    ),
    "expandload": (
        f"vector.expandload %m[%n, %i], %k, %w : {M}, vector<4xi1>, {V} into {V}",
        "4xf32",
    ),
    "gather": (
        f"vector.gather %m[%i, %i] [%index], %k, %w : {M}, vector<4xindex>, "
        f"vector<4xi1>, {V} into {V}",
        "4xf32",
    ),
    "transfer_read": (
        f"vector.transfer_read %m[%i, %n], %x : {M}, {V}",
        "4xf32",
    ),
    "transfer_read_column": (
        f"vector.transfer_read %m[%i, %n], %x {{permutation_map = "
        f"affine_map<(i, j) -> (i)>}} : {M}, {V}",
        "4xf32",
    ),
    "transfer_read_transposed": (
        f"vector.transfer_read %m[%i, %n], %x {{permutation_map = "
        f"affine_map<(i, j) -> (j, i)>}} : {M}, vector<3x4xf32>",
        "3x4xf32",
    ),
    "transfer_read_repeated": (
        f"vector.transfer_read %m[%i, %n], %x {{in_bounds = [true, false], "
        f"permutation_map = affine_map<(i, j) -> (0, j)>}} : {M}, vector<3x4xf32>",
        "3x4xf32",
    ),
    "transfer_read_masked": (
        f"vector.transfer_read %m[%i, %i], %x, %k : {M}, {V}",
        "4xf32",
    ),
    "transfer_read_in_mask": (
        f"vector.mask %k {{ vector.transfer_read %m[%i, %i], %x : {M}, {V} }} : "
        f"vector<4xi1> -> {V}",
        "4xf32",
    ),
}
"""By name: an op, and the shape of the vector that it results in."""

REDUCTIONS = {
    "reduction": "vector.reduction <add>, %w : vector<4xf32> into f32",
    "reduction_from": "vector.reduction <add>, %w, %x : vector<4xf32> into f32",
    "reduction_mul": "vector.reduction <mul>, %w : vector<4xf32> into f32",
    "reduction_in_mask": "vector.mask %k { vector.reduction <add>, %w, %x : "
    "vector<4xf32> into f32 } : vector<4xi1> -> f32",
    "extract_element": "vector.extract %v[1, %n] : f32 from vector<2x4xf32>",
}
INTEGER_REDUCTIONS = (
    "add",
    "mul",
    "minui",
    "minsi",
    "maxui",
    "maxsi",
    "and",
    "or",
    "xor",
)

WRITES = {
    "store": f"vector.store %w, %m[%i, %i] : {M}, {V}",
    "maskedstore": f"vector.maskedstore %m[%n, %i], %k, %w : {M}, vector<4xi1>, {V}",
    "compressstore": f"vector.compressstore %m[%n, %i], %k, %w : {M}, vector<4xi1>, {V}",
    "scatter": f"vector.scatter %m[%i, %i] [%index], %k, %w : {M}, vector<4xindex>, "
    f"vector<4xi1>, {V}",
    "transfer_write": f"vector.transfer_write %w, %m[%i, %n] : {V}, {M}",
    "transfer_write_column": f"vector.transfer_write %w, %m[%i, %n] {{permutation_map = "
    f"affine_map<(i, j) -> (i)>}} : {V}, {M}",
    "transfer_write_transposed": f"vector.transfer_write %v, %m[%i, %n] {{permutation_map "
    f"= affine_map<(i, j) -> (j, i)>}} : vector<2x4xf32>, {M}",
    "transfer_write_masked": f"vector.transfer_write %w, %m[%i, %i], %k : {V}, {M}",
    "transfer_write_in_mask": f"vector.mask %k {{ vector.transfer_write %w, %m[%i, %i] : "
    f"{V}, {M} }} : vector<4xi1>",
}
"""By name: an op that writes %m."""

ARGUMENTS = f"%m: {M}, %l: memref<4xf32>, %x: f32, %i: index, %n: index"
CONSTANTS = """
  %zero = arith.constant 0 : index
  %two_ = arith.constant 2 : index
"""
VALUES = {
    "v": "arith.constant dense<[[3.0, -1.5, 0.25, 7.0], [0.1, 5.0, -4.0, 8.0]]> : "
    "vector<2x4xf32>",
    "w": f"vector.load %l[%zero] : memref<4xf32>, {V}",
    "two": "vector.load %l[%two_] : memref<4xf32>, vector<2xf32>",
    "column": "arith.constant dense<[[3.0], [0.1]]> : vector<2x1xf32>",
    "k": "vector.create_mask %two_ : vector<4xi1>",
    "index": "arith.constant dense<[2, 0, 9, 9]> : vector<4xindex>",
}


def values_of(op: str) -> str:
    """The lines that define what the op takes; more would take long to compile."""
    used = {*re.findall(r"%(\w+)", op)}
    lines = [f"  %{name} = {value}\n" for name, value in VALUES.items() if name in used]
    return CONSTANTS + "".join(lines)


def between(shape: str, other: str) -> str:
    return f"vector<{shape}> to vector<{other}>"


def program() -> str:
    """A function for each op, named like it, which returns what the op makes."""
    functions: list[str] = []
    for name, (op, shape) in OPS.items():
        *sizes, element = re.split(r"(?<=\d)x", shape)
        flat = f"{prod(map(int, sizes))}x{element}"
        lines = f"%r = {op}\n%s = vector.shape_cast %r : {between(shape, flat)}\n"
        stored = "%s"
        if element == "i1":
            # Compiled, a vector of bits is not stored as a memref of bits is.
            bits, flat, stored = flat, flat.replace("i1", "i8"), "%bytes"
            lines += f"%bytes = arith.extui %s : {between(bits, flat)}\n"
        functions.append(
            f"func.func @{name}({ARGUMENTS}) -> memref<{flat}> {{ {values_of(op)}"
            f"{lines}%out = memref.alloc() : memref<{flat}>\n"
            f"vector.store {stored}, %out[%zero] : memref<{flat}>, vector<{flat}>\n"
            f"func.return %out : memref<{flat}> }}"
        )
    for name, op in REDUCTIONS.items():
        functions.append(
            f"func.func @{name}({ARGUMENTS}) -> f32 {{ {values_of(op)}"
            f"%r = {op}\n func.return %r : f32 }}"
        )
    for name, op in WRITES.items():
        functions.append(
            f"func.func @{name}({ARGUMENTS}) -> {M} {{ {values_of(op)}"
            f"{op}\n func.return %m : {M} }}"
        )
    for kind in INTEGER_REDUCTIONS:
        functions.append(
            f"func.func @reduce_{kind}(%l: memref<4xi32>) -> i32 {{"
            "%zero = arith.constant 0 : index\n"
            "%w = vector.load %l[%zero] : memref<4xi32>, vector<4xi32>\n"
            f"%r = vector.reduction <{kind}>, %w : vector<4xi32> into i32\n"
            "func.return %r : i32 }"
        )
    return "\n".join(functions)


def test_ops_do_what_mlir_compiles_them_to(mlir_tools: MlirTools):
    names = (*OPS, *REDUCTIONS, *WRITES)
    calls = [(name, [MATRIX, LINE, X, ONE, THREE]) for name in names]
    calls += [(f"reduce_{kind}", [NUMBERS]) for kind in INTEGER_REDUCTIONS]
    compare_with_mlir(
        mlir_tools,
        program(),
        calls,
        "--lower-vector-mask",
        "--lower-vector-multi-reduction",
        "--convert-vector-to-scf",
    )


@pytest.mark.parametrize(
    "types, body, arguments, expected",
    [
        (
            f"%a: {V}) -> (vector<2xf32>, vector<2xf32>)",
            '%r:2 = "vector.deinterleave"(%a) : (vector<4xf32>) -> '
            "(vector<2xf32>, vector<2xf32>)\n"
            "func.return %r#0, %r#1 : vector<2xf32>, vector<2xf32>",
            [LINE],
            [LINE[::2], LINE[1::2]],
        ),
        (
            "%a: vector<2xf32>) -> (f32, f32)",
            '%r:2 = "vector.to_elements"(%a) : (vector<2xf32>) -> (f32, f32)\n'
            "func.return %r#0, %r#1 : f32, f32",
            [LINE[:2]],
            [LINE[0], LINE[1]],
        ),
        (
            f"%a: {V}) -> (vector<3xf32>)",
            '%r = "vector.shuffle"(%a, %a) <{mask = array<i64: 5, -1, 0>}> : '
            f"({V}, {V}) -> vector<3xf32>\nfunc.return %r : vector<3xf32>",
            [LINE],
            [np.array([-1.5, 77, 3], np.float32)],
        ),
        *(
            (
                "%a: vector<2x4xf32>, %b: vector<2xf32>) -> "
                "(vector<2x4xf32>, vector<2xf32>)",
                f'%r:2 = "vector.scan"(%a, %b) <{{inclusive = {inclusive}, kind = '
                "#vector.kind<add>, reduction_dim = 1 : i64}> : (vector<2x4xf32>, "
                "vector<2xf32>) -> (vector<2x4xf32>, vector<2xf32>)\n"
                "func.return %r#0, %r#1 : vector<2x4xf32>, vector<2xf32>",
                [np.ones((2, 4), np.float32), np.full(2, 5, np.float32)],
                [np.array([sums, sums], np.float32), np.full(2, sums[-1], np.float32)],
            )
            for inclusive, sums in (("true", [1, 2, 3, 4]), ("false", [5, 6, 7, 8]))
        ),
        (
            f"%a: {M}, %i: index) -> (vector<2x4xf32>)",
            f'%r = "vector.load"(%a, %i, %i) : ({M}, index, index) -> '
            "vector<2x4xf32>\nfunc.return %r : vector<2x4xf32>",
            [memref(MATRIX), ONE[()]],
            [MATRIX[1:3, 1:5]],
        ),
        (
            f"%a: {T}, %b: {V}, %i: index) -> ({T})",
            f'%r = "vector.transfer_write"(%b, %a, %i, %i) <{{in_bounds = [false], '
            "operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = "
            f"affine_map<(i, j) -> (j)>}}> : ({V}, {T}, index, index) -> {T}\n"
            f"func.return %r : {T}",
            [np.zeros((4, 5), np.float32), LINE, THREE[()]],
            [np.array([*[[0] * 5] * 3, [0, 0, 0, 3, -1.5]], np.float32)],
        ),
        (
            "%a: vector<f32>, %i: index) -> (f32, vector<f32>)",
            '%r = "vector.extractelement"(%a) : (vector<f32>) -> f32\n'
            '%v = "vector.insertelement"(%r, %a) : (f32, vector<f32>) -> vector<f32>\n'
            "func.return %r, %v : f32, vector<f32>",
            [np.array(3, np.float32), ONE[()]],
            [np.float32(3), np.array(3, np.float32)],
        ),
    ],
)
def test_what_mlir_does_not_compile(
    types: str, body: str, arguments: list[object], expected: list[object]
):
    results = run(f"func.func @f({types} {{\n{body}\n}}", *arguments)
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, wanted, strict=True)


@pytest.mark.parametrize(
    "op, error, message",
    [
        (
            f'"vector.load"(%m, %i, %i) : ({M}, index, index) -> {V}',
            MemoryFault,
            "out of",
        ),
        (
            f'"vector.transfer_read"(%m, %i, %i, %x) <{{in_bounds = [true], '
            "operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = "
            f"affine_map<(i, j) -> (j)>}}> : ({M}, index, index, f32) -> {V}",
            UndefinedBehaviorError,
            r"dimension 1 of size 5 is said to have all the indices \[3, 4, 5, 6\]",
        ),
        (
            f'"vector.transfer_read"(%m, %i, %i, %x) <{{in_bounds = [true], '
            "operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = "
            f"affine_map<(i, j) -> (i + j)>}}> : ({M}, index, index, f32) -> {V}",
            MissingSemanticsError,
            "permutation map",
        ),
        (
            '"vector.extract"(%v, %i) <{static_position = array<i64: '
            "-9223372036854775808>}> : (vector<3xf32>, index) -> f32",
            UndefinedBehaviorError,
            r"indices \[3\] are out of the bounds of shape \[3\]",
        ),
    ],
)
def test_what_is_not_allowed(op: str, error: type[ExecutionError], message: str):
    program = f"""
func.func @f(%m: {M}, %v: vector<3xf32>, %i: index, %x: f32) {{
  %r = {op}
  func.return
}}"""
    with pytest.raises(error, match=message):
        run(parse_module(program), memref(MATRIX), LINE[:3], THREE[()], X[()])


def test_all_ops_have_a_meaning():
    # A memref of one vector is a view that is not modelled, and no vector is scalable.
    assert without_semantics("vector") == {
        "vector.scalable.extract",
        "vector.scalable.insert",
        "vector.type_cast",
        "vector.vscale",
    }
