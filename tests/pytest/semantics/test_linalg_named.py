"""linalg's named ops, compared with what MLIR compiles them to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir import Operation

from tests.peer import MlirTools
from tests.peer.numpy_types import Array
from tests.peer.runner import parse_module
from tests.semantics import compare_with_mlir, run
from xdsl_bufferization.semantics.dialects.tensor import indexing_maps
from xdsl_bufferization.support.attributes import attribute
from xdsl_bufferization.support.names import op_name

RANDOM = np.random.default_rng(0)


def numbers(*shape: int, dtype: Any = np.float32) -> Array:
    """Small random numbers of the type."""
    if np.issubdtype(dtype, np.floating):
        return RANDOM.uniform(-2, 2, shape).astype(dtype)
    return RANDOM.integers(-9, 9, shape).astype(dtype)


SIZES = {"n": 2, "c": 3, "f": 4, "g": 2, "m": 2}
FILTER_SIZES = {"d": 2, "h": 2, "w": 3}


def window_attributes(rank: int) -> str:
    if not rank:
        return ""
    strides, dilations = [2, 1, 1][:rank], [1, 2, 1][:rank]
    type = f"tensor<{rank}xi64>"
    return f" {{strides = dense<{strides}> : {type}, dilations = dense<{dilations}> : {type}}}"


def windowed(layout: str, filter: str, output: str) -> tuple[list[list[int]], str]:
    """Shapes of a convolution's or pooling's operands, and its attributes."""
    spatial = [letter for letter in layout if letter in "dhw"]
    sizes = {s: 2 + i for i, s in enumerate(spatial)}
    strides, dilations = [2, 1, 1], [1, 2, 1]
    has_channels = len(layout) > len(spatial)
    reach = {
        s: (sizes[s] - 1) * (strides[i] if has_channels else 1)
        + (FILTER_SIZES[s] - 1) * (dilations[i] if has_channels else 1)
        + 1
        for i, s in enumerate(spatial)
    }
    shapes = [
        [(SIZES | reach)[letter] for letter in layout],
        [(SIZES | FILTER_SIZES)[letter] for letter in filter],
        [(SIZES | sizes)[letter] for letter in output],
    ]
    return shapes, window_attributes(len(spatial) if has_channels else 0)


CONVOLUTIONS = {
    "conv_1d": ("w", "w", "w"),
    "conv_1d_ncw_fcw": ("ncw", "fcw", "nfw"),
    "conv_1d_nwc_wcf": ("nwc", "wcf", "nwf"),
    "conv_2d": ("hw", "hw", "hw"),
    "conv_2d_nchw_fchw": ("nchw", "fchw", "nfhw"),
    "conv_2d_ngchw_fgchw": ("ngchw", "fgchw", "ngfhw"),
    "conv_2d_ngchw_gfchw": ("ngchw", "gfchw", "ngfhw"),
    "conv_2d_nhwc_fhwc": ("nhwc", "fhwc", "nhwf"),
    "conv_2d_nhwc_hwcf": ("nhwc", "hwcf", "nhwf"),
    "conv_2d_nhwgc_gfhwc": ("nhwgc", "gfhwc", "nhwgf"),
    "conv_3d": ("dhw", "dhw", "dhw"),
    "conv_3d_ncdhw_fcdhw": ("ncdhw", "fcdhw", "nfdhw"),
    "conv_3d_ndhwc_dhwcf": ("ndhwc", "dhwcf", "ndhwf"),
    "depthwise_conv_1d_ncw_cw": ("ncw", "cw", "ncw"),
    "depthwise_conv_1d_nwc_wc": ("nwc", "wc", "nwc"),
    "depthwise_conv_1d_nwc_wcm": ("nwc", "wcm", "nwcm"),
    "depthwise_conv_2d_nchw_chw": ("nchw", "chw", "nchw"),
    "depthwise_conv_2d_nhwc_hwc": ("nhwc", "hwc", "nhwc"),
    "depthwise_conv_2d_nhwc_hwcm": ("nhwc", "hwcm", "nhwcm"),
    "depthwise_conv_3d_ncdhw_cdhw": ("ncdhw", "cdhw", "ncdhw"),
    "depthwise_conv_3d_ndhwc_dhwc": ("ndhwc", "dhwc", "ndhwc"),
    "depthwise_conv_3d_ndhwc_dhwcm": ("ndhwc", "dhwcm", "ndhwcm"),
}
QUANTIZED = """
    conv_2d_nchw_fchw conv_2d_ngchw_gfchw conv_2d_nhwc_fhwc conv_2d_nhwc_hwcf
    conv_2d_nhwgc_gfhwc conv_3d_ndhwc_dhwcf depthwise_conv_2d_nhwc_hwc
    depthwise_conv_2d_nhwc_hwcm
""".split()
POOLINGS = {
    "nchw": ("max", "sum"),
    "ncw": ("max", "sum"),
    "ndhwc": ("max", "min", "sum"),
    "nhwc": ("max", "max_unsigned", "min", "min_unsigned", "sum"),
    "nwc": ("max", "max_unsigned", "min", "min_unsigned", "sum"),
}
PRODUCTS: dict[str, Sequence[Sequence[int]]] = {
    "batch_matmul": ((2, 3, 5), (2, 5, 4), (2, 3, 4)),
    "batch_matvec": ((2, 3, 5), (2, 5), (2, 3)),
    "batch_mmt4d": ((2, 2, 3, 2, 3), (2, 4, 3, 3, 3), (2, 2, 4, 2, 3)),
    "batch_reduce_matmul": ((2, 3, 5), (2, 5, 4), (3, 4)),
    "batch_vecmat": ((2, 5), (2, 5, 4), (2, 4)),
    "dot": ((40,), (40,), ()),
    "matmul": ((3, 40), (40, 4), (3, 4)),
    "matvec": ((3, 5), (5,), (3,)),
    "mmt4d": ((2, 3, 2, 3), (4, 3, 3, 3), (2, 4, 2, 3)),
    "vecmat": ((5,), (5, 4), (4,)),
}
UNARY = "abs ceil copy floor negf reciprocal round sqrt square".split()
"""Those that MLIR computes to the bit as NumPy does."""
OTHER_UNARY = "exp log rsqrt tanh erf".split()
BINARY = "add div max min mul sub".split()


class Program:
    """Functions on tensors, and what to call them with."""

    def __init__(self):
        self.functions: list[str] = []
        self.inputs: dict[str, list[Array]] = {}

    def add(
        self,
        op: str,
        inputs: Sequence[Array],
        output: Array,
        attributes: str = "",
        name: str = "",
    ) -> None:
        """A function of the op alone."""
        operands = [*inputs, output]
        types = [tensor_type(operand) for operand in operands]
        arguments = ", ".join(f"%{i}: {type}" for i, type in enumerate(types))
        ins = ", ".join(f"%{i}" for i in range(len(inputs)))
        name = name or op
        self.functions.append(f"""
func.func @{name}({arguments}) -> {types[-1]} {{
  %r = linalg.{op}{attributes} ins({ins} : {", ".join(types[:-1])})
      outs(%{len(inputs)} : {types[-1]}) -> {types[-1]}
  return %r : {types[-1]}
}}""")
        self.inputs[name] = operands

    @property
    def text(self) -> str:
        return "\n".join(self.functions)


TYPES = {"float32": "f32", "float16": "f16", "float64": "f64", "int8": "i8"} | {
    "int32": "i32",
    "bool": "i1",
    "int16": "i16",
}


def tensor_type(array: Array) -> str:
    """A scalar of 64 bits is no tensor, nor is one of 32, unless it is a float."""
    element = TYPES[array.dtype.name]
    if not array.ndim and element != "f32":
        return element
    return f"tensor<{''.join(f'{size}x' for size in array.shape)}{element}>"


def add_convolutions(program: Program) -> None:
    for name, layouts in CONVOLUTIONS.items():
        (image, filter, output), attributes = windowed(*layouts)
        inputs = [numbers(*image), numbers(*filter)]
        program.add(name, inputs, numbers(*output), attributes)
    zeros = [np.array(3, np.int32), np.array(-2, np.int32)]
    for name in QUANTIZED:
        (image, filter, output), attributes = windowed(*CONVOLUTIONS[name])
        inputs = [numbers(*shape, dtype=np.int8) for shape in (image, filter)]
        result = numbers(*output, dtype=np.int32)
        program.add(f"{name}_q", [*inputs, *zeros], result, attributes)


def add_poolings(program: Program) -> None:
    for layout, kinds in POOLINGS.items():
        window = "".join(letter for letter in layout if letter in "dhw")
        (image, window, output), attributes = windowed(layout, window, layout)
        for kind in kinds:
            dtype = np.int32 if "unsigned" in kind else np.float32
            operands = [
                numbers(*shape, dtype=dtype) for shape in (image, window, output)
            ]
            program.add(
                f"pooling_{layout}_{kind}", operands[:2], operands[2], attributes
            )


def add_products(program: Program) -> None:
    for name, shapes in PRODUCTS.items():
        a, b, c = (numbers(*shape) for shape in shapes)
        program.add(name, [a, b], c)
    zeros = [np.array(3, np.int32), np.array(-2, np.int32)]
    for name in ("matmul", "batch_matmul"):
        a, b, c = PRODUCTS[name]
        inputs = [numbers(*shape, dtype=np.int8) for shape in (a, b)]
        output = numbers(*c, dtype=np.int32)
        quantized = name.replace("matmul", "quantized_matmul")
        if name == "batch_matmul":
            quantized = "quantized_batch_matmul"
        program.add(quantized, [*inputs, *zeros], output)
    a, b, c = (numbers(*shape, dtype=np.float16) for shape in PRODUCTS["matmul"])
    program.add("matmul", [a, b], c.astype(np.float32), name="matmul_f16_f32")
    program.add("matmul", [a, b], c, name="matmul_f16")
    a, b, c = (numbers(*shape, dtype=np.int8) for shape in PRODUCTS["matmul"])
    program.add("matmul", [a, b], c, name="matmul_i8")
    transposed = """ indexing_maps = [affine_map<(i, j, k) -> (k, i)>,
      affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]"""
    a, b, c = numbers(5, 3), numbers(4, 5), numbers(3, 4)
    program.add("matmul", [a, b], c, transposed, name="matmul_transposed")
    program.add("contract", [a, b], c, transposed, name="contract")


def add_elementwise(program: Program) -> None:
    for name in UNARY:
        program.add(name, [abs(numbers(3, 4))], numbers(3, 4))
    for name in BINARY:
        program.add(name, [numbers(3, 4), numbers(3, 4)], numbers(3, 4))
    condition = numbers(3, 4) > 0
    program.add("select", [condition, numbers(3, 4), numbers(3, 4)], numbers(3, 4))
    integers = [abs(numbers(3, 4, dtype=np.int32)) + 1 for _ in range(3)]
    program.add("div_unsigned", integers[:2], integers[2])
    program.add("add", integers[:2], integers[2], name="add_i32")
    kind = " kind=#linalg.elementwise_kind<add>"
    program.add("elementwise", [numbers(3, 4)] * 2, numbers(3, 4), kind)


def test_convolutions_are_those_of_mlir(mlir_tools: MlirTools):
    program = Program()
    add_convolutions(program)
    compare_with_mlir(mlir_tools, program.text, program.inputs)


def test_poolings_are_those_of_mlir(mlir_tools: MlirTools):
    program = Program()
    add_poolings(program)
    compare_with_mlir(mlir_tools, program.text, program.inputs)


def test_products_are_those_of_mlir(mlir_tools: MlirTools):
    program = Program()
    add_products(program)
    compare_with_mlir(mlir_tools, program.text, program.inputs)


def test_elementwise_ops_are_those_of_mlir(mlir_tools: MlirTools):
    program = Program()
    add_elementwise(program)
    compare_with_mlir(mlir_tools, program.text, program.inputs)


def test_the_maps_of_named_ops_are_those_of_mlir(mlir_tools: MlirTools):
    program = Program()
    for add in (add_convolutions, add_poolings, add_products, add_elementwise):
        add(program)
    for name in OTHER_UNARY:
        program.add(name, [numbers(3, 4)], numbers(3, 4))
    generic = mlir_tools.opt(program.text, "--linalg-generalize-named-ops")
    pairs = zip(
        _structured_ops(mlir_tools.opt(program.text)),
        _structured_ops(generic),
        strict=True,
    )
    for op, general in pairs:
        expected = cast("ArrayAttr[AffineMapAttr]", attribute(general, "indexing_maps"))
        assert [*indexing_maps(op)] == [map.data for map in expected], op_name(op)


def _structured_ops(text: str) -> list[Operation]:
    """The ops by their functions' names."""
    functions = parse_module(text).ops
    return [
        next(op for op in function.walk() if op.name != "func.func" and op.regions)
        for function in functions
    ]


def test_pooling_does_not_depend_on_what_is_in_the_window():
    # As xDSL reads it from this syntax, the region compares with the window's elements.
    program = """
func.func @f(%a: tensor<1x1x2x2xf32>, %w: tensor<2x2xf32>, %o: tensor<1x1x1x1xf32>)
    -> tensor<1x1x1x1xf32> {
  %r = linalg.pooling_nchw_max
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%a, %w : tensor<1x1x2x2xf32>, tensor<2x2xf32>)
      outs(%o : tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  func.return %r : tensor<1x1x1x1xf32>
}"""
    image = np.array([[[[1, 5], [2, 3]]]], np.float32)
    least = np.full((1, 1, 1, 1), -np.inf, np.float32)
    (result,) = run(program, image, np.full((2, 2), 100, np.float32), least)
    assert result == 5
