"""
Running a bufferized function on NumPy arrays, compiled by MLIR's own tools.

The arrays travel as bytes: a function is added to the module that reads the arguments from
the standard input, calls the function, and writes shape and elements of each result to
the standard output. So nothing is rounded by printing, and the module's text does not
depend on the data.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import IO

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IndexType,
    MemRefType,
    ModuleOp,
)
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer

from tests.peer.numpy_types import Array, dtype_of
from tests.peer.tools import ENTRY_POINT, MlirTools, PeerError
from xdsl_bufferization.host.literals import DenseLiteralParser
from xdsl_bufferization.support.reading import context_of_all_dialects

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


@dataclass(frozen=True)
class Call:
    """A function to be called: `run_calls`."""

    module: str
    """A module without tensors, in generic form as mlir-opt or xDSL print it."""
    function: str
    inputs: Sequence[Array]


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
    module = print_generic(parse_module(module_text))
    return _run_together(tools, [Call(module, function, inputs)])[0]


def run_calls(tools: MlirTools, calls: Sequence[Call]) -> list[list[Array] | PeerError]:
    """
    The results of each call, or why there are none; otherwise like
    `run_with_mlir_runner`. All are compiled and run together, which takes far less time
    than to start the tools for each; only if that fails, each module by itself.
    """
    try:
        return [*_run_together(tools, calls)]
    except PeerError as error:
        modules = {call.module for call in calls}
        if len(modules) == 1:
            return [error for _ in calls]
    by_module = {
        module: iter(
            run_calls(tools, [call for call in calls if call.module == module])
        )
        for module in modules
    }
    return [next(by_module[call.module]) for call in calls]


def _run_together(tools: MlirTools, calls: Sequence[Call]) -> list[list[Array]]:
    """The results of each call. Raises `PeerError` if any of them fails."""
    numbers: dict[str, int] = {}
    drivers: dict[tuple[str, tuple[tuple[int, ...], ...]], str] = {}
    lines = [
        "func.func private @read(i32, index, index) -> index",
        "func.func private @write(i32, index, index) -> index",
    ]
    main = [f"func.func @{ENTRY_POINT}() {{"]
    result_types: list[Sequence[Attribute]] = []
    for call in calls:
        prefix = f"module{numbers.setdefault(call.module, len(numbers))}_"
        type = _function_type(call.module, call.function)
        _check_inputs(type.inputs.data, call.inputs)
        result_types.append(type.outputs.data)
        function = prefix + call.function
        key = (function, tuple(array.shape for array in call.inputs))
        if key not in drivers:
            drivers[key] = f"driver{len(drivers)}"
            lines += _driver(drivers[key], function, type, call.inputs)
        main.append(f"func.call @{drivers[key]}() : () -> ()")
    lines += [*main, "func.return", "}"]
    lines += [_contents(text, f"module{i}_") for text, i in numbers.items()]
    lowered = tools.opt("\n".join(lines), *LOWERING_TO_LLVM)

    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout:
        for call in calls:
            for array in call.inputs:
                stdin.write(np.ascontiguousarray(array).tobytes())
        stdin.seek(0)
        tools.run(lowered, stdin=stdin, stdout=stdout)
        stdout.seek(0)
        return [
            [_read_result(stdout, type) for type in types] for types in result_types
        ]


def _function_type(module: str, function: str) -> FunctionType:
    """What the function of a module in generic form takes and returns."""
    for header in re.findall(r'^ *"func\.func"\(\) .*$', module, flags=re.M):
        if f'sym_name = "{function}"' in header:
            _, _, type = header.partition("function_type = ")
            parsed = Parser(_context(), type).parse_attribute()
            assert isinstance(parsed, FunctionType)
            return parsed
    raise ValueError(f"the module has no function @{function}")


def _contents(module: str, prefix: str) -> str:
    """The ops in a module in generic form, with a prefix to all symbols."""
    match = re.fullmatch(
        r'\s*"builtin\.module"\(\) (?:<\{.*\}> )?\(\{\n(.*)\}\)[^\n]*\s*',
        module,
        flags=re.S,
    )
    assert match is not None
    renamed = re.sub(r'sym_name = "', rf"\g<0>{prefix}", match[1])
    return re.sub(r"@(?=\w)", rf"\g<0>{prefix}", renamed)


def parse_module(text: str) -> ModuleOp:
    """The module, in which there may also be ops that nobody registered."""
    return DenseLiteralParser(_context(), text).parse_module()


def _context() -> Context:
    return context_of_all_dialects(allow_unregistered=True)


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
        if not fits or array.dtype != dtype_of(element):
            raise ValueError(f"input {i} is {array.dtype}{array.shape}, not {type}")


def _element_and_shape(type: Attribute) -> tuple[Attribute, tuple[int, ...]]:
    if isinstance(type, MemRefType):
        return type.element_type, type.get_shape()
    return type, ()


def _read_result(stdout: IO[bytes], type: Attribute) -> Array:
    element, static_shape = _element_and_shape(type)
    dtype = dtype_of(element)
    rank = len(static_shape)
    shape = np.frombuffer(stdout.read(8 * rank), np.int64)
    elements = int(np.prod(shape, dtype=np.int64))
    return np.frombuffer(stdout.read(elements * dtype.itemsize), dtype).reshape(shape)


# The driver. Memref ops are in generic form because their custom syntax is not the same
# in all versions of xDSL. Addresses are passed to libc as integers, which the calling
# conventions in question do not tell from pointers.


def _driver(
    name: str, function: str, type: FunctionType, inputs: Sequence[Array]
) -> Iterator[str]:
    """Lines of a function that reads the inputs, calls `function`, writes the results."""
    argument_types, result_types = type.inputs.data, type.outputs.data
    arguments = ", ".join(f"%arg{i}" for i in range(len(argument_types)))
    results = ", ".join(f"%res{i}" for i in range(len(result_types)))
    signature = (
        f"({', '.join(map(str, argument_types))}) -> "
        f"({', '.join(map(str, result_types))})"
    )
    yield f"func.func @{name}() {{"
    yield "%stdin = arith.constant 0 : i32"
    yield "%stdout = arith.constant 1 : i32"
    for i, (type_, array) in enumerate(zip(argument_types, inputs, strict=True)):
        yield from _read_argument(f"%arg{i}", type_, array.shape)
    call = f"func.call @{function}({arguments}) : {signature}"
    yield f"{results} = {call}" if results else call
    for i, type_ in enumerate(result_types):
        yield from _write_result(f"%res{i}", type_)
    yield "func.return"
    yield "}"


def _read_argument(name: str, type: Attribute, shape: tuple[int, ...]) -> Iterator[str]:
    """Lines that define `name` as what comes next on the standard input."""
    element, _ = _element_and_shape(type)
    buffer_type = MemRefType(element, shape)
    size = int(np.prod(shape, dtype=np.int64)) * dtype_of(element).itemsize
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
    yield f"{name}_bytes0 = arith.constant {dtype_of(element).itemsize} : index"
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
