"""
Running a bufferized function on NumPy arrays, compiled by MLIR's own tools.

The arrays travel as bytes: a function is added to the module that reads the arguments from
the standard input, calls the function, and writes shape and elements of each result to
the standard output. So nothing is rounded by printing, and the module's text does not
depend on the data.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import IO, Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import SymbolTable
from xdsl.universe import Universe

from tests.peer.tools import ENTRY_POINT, MlirTools

Array: TypeAlias = npt.NDArray[Any]

LOWERING_TO_LLVM = (
    "--convert-linalg-to-loops",
    "--convert-vector-to-scf",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--convert-vector-to-llvm",
    "--convert-to-llvm",
    "--reconcile-unrealized-casts",
)
"""What mlir-opt does to a program on memrefs before it can be compiled."""


def run_with_mlir_runner(
    tools: MlirTools, module_text: str, function: str, inputs: Sequence[Array]
) -> list[Array]:
    """
    The results of `function`, called with `inputs`.

    `module_text` is a module without tensors, in any syntax that xDSL reads. Arguments
    and results are ranked memrefs of any layout, or scalars, of floats and integers; a
    scalar is a zero-dimensional array. The elements of `inputs` must have the types that
    the function says, and a memref's static sizes.

    Raises `PeerError` if the module does not compile or crashes, `ValueError` if the
    inputs do not fit the function.
    """
    module = parse_module(module_text)
    callee = SymbolTable.lookup_symbol(module, function)
    if not isinstance(callee, FuncOp):
        raise ValueError(f"the module has no function @{function}")
    argument_types = callee.function_type.inputs.data
    result_types = callee.function_type.outputs.data
    _check_inputs(argument_types, inputs)

    driver = parse_module(_driver(function, argument_types, result_types, inputs))
    for op in tuple(driver.body.block.ops):
        op.detach()
        module.body.block.add_op(op)
    lowered = tools.opt(print_generic(module), *LOWERING_TO_LLVM)

    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout:
        for array in inputs:
            stdin.write(np.ascontiguousarray(array).tobytes())
        stdin.seek(0)
        tools.run(lowered, stdin=stdin, stdout=stdout)
        stdout.seek(0)
        return [_read_result(stdout, type) for type in result_types]


def parse_module(text: str) -> ModuleOp:
    """The module, in which there may also be ops that nobody registered."""
    context = Context(allow_unregistered=True)
    for name, factory in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, factory)
    return Parser(context, text).parse_module()


def print_generic(module: ModuleOp) -> str:
    """The module in generic form: what both tools read alike."""
    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    return stream.getvalue()


def _check_inputs(types: Sequence[Attribute], inputs: Sequence[Array]) -> None:
    if len(types) != len(inputs):
        raise ValueError(f"the function takes {len(types)} inputs, not {len(inputs)}")
    for i, (type, array) in enumerate(zip(types, inputs, strict=True)):
        element, shape = _element_and_shape(type)
        fits = array.ndim == len(shape) and all(
            size in (actual, DYNAMIC_INDEX)
            for size, actual in zip(shape, array.shape, strict=True)
        )
        if not fits or array.dtype != _dtype(element):
            raise ValueError(f"input {i} is {array.dtype}{array.shape}, not {type}")


def _element_and_shape(type: Attribute) -> tuple[Attribute, tuple[int, ...]]:
    if isinstance(type, MemRefType):
        memref = cast("MemRefType[Attribute]", type)
        return memref.element_type, memref.get_shape()
    return type, ()


def _dtype(element: Attribute) -> np.dtype[Any]:
    """How the elements lie in memory on the machines that mlir-runner compiles for."""
    match element:
        case Float16Type():
            return np.dtype(np.float16)
        case Float32Type():
            return np.dtype(np.float32)
        case Float64Type():
            return np.dtype(np.float64)
        case IndexType():
            return np.dtype(np.int64)
        case IntegerType() if element.bitwidth == 1:
            return np.dtype(np.bool_)
        case IntegerType() if element.bitwidth in (8, 16, 32, 64):
            return np.dtype(f"i{element.bitwidth // 8}")
        case _:
            raise ValueError(f"no NumPy type for {element}")


def _read_result(stdout: IO[bytes], type: Attribute) -> Array:
    element, static_shape = _element_and_shape(type)
    dtype = _dtype(element)
    rank = len(static_shape)
    shape = np.frombuffer(stdout.read(8 * rank), np.int64)
    elements = int(np.prod(shape, dtype=np.int64))
    return np.frombuffer(stdout.read(elements * dtype.itemsize), dtype).reshape(shape)


# The driver. Memref ops are in generic form because their custom syntax is not the same
# in all versions of xDSL. Addresses are passed to libc as integers, which the calling
# conventions in question do not tell from pointers.


def _driver(
    function: str,
    argument_types: Sequence[Attribute],
    result_types: Sequence[Attribute],
    inputs: Sequence[Array],
) -> str:
    arguments = ", ".join(f"%arg{i}" for i in range(len(argument_types)))
    results = ", ".join(f"%res{i}" for i in range(len(result_types)))
    signature = (
        f"({', '.join(map(str, argument_types))}) -> "
        f"({', '.join(map(str, result_types))})"
    )
    lines = [
        "func.func private @read(i32, index, index) -> index",
        "func.func private @write(i32, index, index) -> index",
        f"func.func @{ENTRY_POINT}() {{",
        "%stdin = arith.constant 0 : i32",
        "%stdout = arith.constant 1 : i32",
    ]
    for i, (type, array) in enumerate(zip(argument_types, inputs, strict=True)):
        lines += _read_argument(f"%arg{i}", type, array.shape)
    call = f"func.call @{function}({arguments}) : {signature}"
    lines.append(f"{results} = {call}" if results else call)
    for i, type in enumerate(result_types):
        lines += _write_result(f"%res{i}", type)
    lines += ["func.return", "}"]
    return "\n".join(lines)


def _read_argument(name: str, type: Attribute, shape: tuple[int, ...]) -> Iterator[str]:
    """Lines that define `name` as what comes next on the standard input."""
    element, _ = _element_and_shape(type)
    buffer_type = MemRefType(element, shape)
    size = int(np.prod(shape, dtype=np.int64)) * _dtype(element).itemsize
    buffer = f"{name}_buffer"
    yield from _allocate(buffer, buffer_type, ())
    yield from _address(buffer, buffer_type)
    yield f"{name}_bytes = arith.constant {size} : index"
    yield f"func.call @read(%stdin, {buffer}_address, {name}_bytes) : {_LIBC}"
    if isinstance(type, MemRefType):
        yield f'{name} = "memref.cast"({buffer}) : ({buffer_type}) -> {type}'
    else:
        yield f'{name} = "memref.load"({buffer}) : ({buffer_type}) -> {type}'


def _write_result(name: str, type: Attribute) -> Iterator[str]:
    """Lines that write shape and elements of `name` to the standard output."""
    element, shape = _element_and_shape(type)
    rank = len(shape)
    sizes_type = MemRefType(IndexType(), (rank,))
    yield from _allocate(f"{name}_sizes", sizes_type, ())
    yield f"{name}_bytes0 = arith.constant {_dtype(element).itemsize} : index"
    dynamic: list[str] = []
    for i, static_size in enumerate(shape):
        size = f"{name}_size{i}"
        yield f"{name}_i{i} = arith.constant {i} : index"
        yield f'{size} = "memref.dim"({name}, {name}_i{i}) : ({type}, index) -> index'
        yield (
            f'"memref.store"({size}, {name}_sizes, {name}_i{i}) '
            f": (index, {sizes_type}, index) -> ()"
        )
        yield f"{name}_bytes{i + 1} = arith.muli {name}_bytes{i}, {size} : index"
        if static_size == DYNAMIC_INDEX:
            dynamic.append(size)
    yield f"{name}_header = arith.constant {8 * rank} : index"
    yield from _address(f"{name}_sizes", sizes_type)
    yield (f"func.call @write(%stdout, {name}_sizes_address, {name}_header) : {_LIBC}")

    # The result may have gaps between its elements; what is written has none.
    buffer = f"{name}_buffer"
    buffer_type = MemRefType(element, shape)
    yield from _allocate(buffer, buffer_type, dynamic)
    if isinstance(type, MemRefType):
        yield f'"memref.copy"({name}, {buffer}) : ({type}, {buffer_type}) -> ()'
    else:
        yield f'"memref.store"({name}, {buffer}) : ({type}, {buffer_type}) -> ()'
    yield from _address(buffer, buffer_type)
    yield f"func.call @write(%stdout, {buffer}_address, {name}_bytes{rank}) : {_LIBC}"


_LIBC = "(i32, index, index) -> index"


def _allocate(
    name: str, type: MemRefType[Attribute], sizes: Sequence[str]
) -> Iterator[str]:
    yield (
        f'{name} = "memref.alloc"({", ".join(sizes)}) '
        f"<{{operandSegmentSizes = array<i32: {len(sizes)}, 0>}}> "
        f": ({', '.join(['index'] * len(sizes))}) -> {type}"
    )


def _address(name: str, type: MemRefType[Attribute]) -> Iterator[str]:
    yield (
        f'{name}_address = "memref.extract_aligned_pointer_as_index"({name}) '
        f": ({type}) -> index"
    )
