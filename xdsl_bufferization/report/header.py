"""
The target `bufferization-header`: bufferized functions, declared in C.

    func.func @scale(%v: memref<4xf32>, %arena: memref<64xi8> {bufferize.arena = 64 : i64})

    #define SCALE_ARENA_BYTES 64
    #define SCALE_ARENA_ALIGNMENT 64
    void _mlir_ciface_scale(memref_1d_f32 *v /* memref<4xf32> */, memref_1d_i8 *arena ...);

Source: https://mlir.llvm.org/docs/TargetLLVMIR/#c-compatible-wrapper-emission
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp
from xdsl.ir import Attribute
from xdsl.utils.target import Target

from xdsl_bufferization.memrefs.placement.arenas import ARENA_ATTRIBUTE
from xdsl_bufferization.support.attributes import argument_attributes
from xdsl_bufferization.support.call_graph import is_private
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import has_identity_layout

_SCALARS = {
    "index": "int64_t",
    "f32": "float",
    "f64": "double",
    **{f"{s}i{w}": f"int{w}_t" for s in ("", "s") for w in (8, 16, 32, 64)},
    **{f"ui{w}": f"uint{w}_t" for w in (8, 16, 32, 64)},
}
_ELEMENTS = _SCALARS | {"i1": "bool", "f16": "uint16_t", "bf16": "uint16_t"}
"""
C has no floats of 16 bits, so these are their bits. MLIR and C return values of the first three in
other ways, so they are no scalars here.
"""

_RESERVED = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept
    const consteval constexpr constinit continue decltype default delete do double else enum
    explicit export extern false float for friend goto if inline int long mutable namespace new
    noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires restrict return short signed sizeof static struct switch template this
    thread_local throw true try typedef typeid typename typeof union unsigned using virtual void
    volatile wchar_t while xor xor_eq
    """.split()
)
"""Words of C and C++."""

_GIVEN = re.compile(r"(arg|arena)\d*|results?")
"""Pattern of the names of other parameters."""

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
"""Pattern of a name in C."""

_START = """\
/* Needs mlir-opt --llvm-request-c-wrappers before functions are lowered. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
"""


@dataclass(frozen=True)
class BufferizationHeaderTarget(Target):
    """
    Print a C header for the public functions of a bufferized program.

    It declares the function `_mlir_ciface_NAME` that mlir-opt makes of `@NAME` with
    `--llvm-request-c-wrappers`, with the names of its arguments that are names in C; a struct for
    each kind of memref, and for each type of contiguous ones a function that makes such a struct of
    a pointer, and of the sizes that are known at run time only. `NAME_ARENA_BYTES` and
    `NAME_ARENA_ALIGNMENT` are the size and the alignment of an arena that is an argument, as with
    `bufferize{arena=argument}`; the function `NAME_arena_size` computes a size that depends on the
    arguments.
    """

    name = "bufferization-header"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """
        Write the header.

        Raises `BufferizationError` for functions on tensors, and for types and names that C does
        not have.
        """
        functions = [
            op
            for op in module.ops
            if isinstance(op, func.FuncOp) and op.body.blocks and not is_private(op)
        ]
        declared = [*map(_declaration, functions)]
        # Structs come before the functions that take them.
        types = {
            line: None
            for function in functions
            for type in (
                *function.function_type.inputs,
                *function.function_type.outputs,
            )
            if isinstance(type, MemRefType)
            for line in _memref(type)
        }
        output.write("\n".join((_START, *types, *declared)))

    def joins_outputs(self) -> Callable[[Sequence[str]], str] | None:
        """Lines separate the headers for the parts of a file."""
        return None


def _declaration(function: func.FuncOp) -> str:
    """The arenas and the prototype of a function."""
    name = function.sym_name.data
    if _NAME.fullmatch(name) is None:
        raise BufferizationError(
            function,
            f"{BufferizationHeaderTarget.name}: '{name}' is no name in C",
            hint="rename the function",
        )
    lines = [f"/* @{name} */"]
    parameters: list[str] = []
    names: set[str] = set()
    attributes = argument_attributes(function) or [{} for _ in function.args]
    for argument, its in zip(function.args, attributes, strict=True):
        hint = argument.name_hint or ""
        is_free = _NAME.fullmatch(hint) and not _GIVEN.fullmatch(hint)
        is_free = is_free and hint not in _RESERVED | names
        parameter = hint if is_free else f"arg{argument.index}"
        match argument.type, its.get(ARENA_ATTRIBUTE):
            case MemRefType() as type, IntegerAttr() as alignment:
                # There is one for each memory space.
                parameter = "arena" if len(lines) == 1 else f"arena{argument.index}"
                macro = f"{name}_{parameter}".upper()
                if type.has_static_shape():
                    lines.append(f"#define {macro}_BYTES {type.get_shape()[0]}")
                lines.append(f"#define {macro}_ALIGNMENT {alignment.value.data}")
            case _:
                pass
        names.add(parameter)
        parameters.append(_parameter(function, argument.type, parameter))
    results = [*function.function_type.outputs]
    returned = "void"
    match results:
        case []:
            pass
        case [type] if not isinstance(type, MemRefType):
            returned = _c_type(function, type)
        case [type]:
            parameters.insert(0, _parameter(function, type, "result"))
        case _:
            fields = (
                f"  {_c_type(function, type)} result{i};\n"
                for i, type in enumerate(results)
            )
            lines.append(f"typedef struct {{\n{''.join(fields)}}} {name}_results;")
            parameters.insert(0, f"{name}_results *results")
    return "\n".join(
        (
            *lines,
            "#ifdef __cplusplus",
            'extern "C"',
            "#endif",
            f"{returned} _mlir_ciface_{name}({', '.join(parameters) or 'void'});\n",
        )
    )


def _parameter(function: func.FuncOp, type: Attribute, name: str) -> str:
    """A parameter of a prototype: memrefs are passed by address."""
    c_type = _c_type(function, type)
    if isinstance(type, MemRefType):
        return f"{c_type} *{name} /* {type} */"
    return f"{c_type} {name}"


def _c_type(function: func.FuncOp, type: Attribute) -> str:
    """The C type for a value of the type."""
    if isinstance(type, MemRefType) and str(type.element_type) in _ELEMENTS:
        return _struct(type)
    if str(type) not in _SCALARS:
        raise BufferizationError(
            function,
            f"{BufferizationHeaderTarget.name}: C has no type for {type}",
            hint="take a program after bufferize, with ranked memrefs of integers and floats",
        )
    return _SCALARS[str(type)]


def _struct(type: MemRefType[Any]) -> str:
    return f"memref_{type.get_num_dims()}d_{type.element_type}"


def _memref(type: MemRefType[Any]) -> Iterator[str]:
    """The descriptor of memrefs of that rank, and its constructor if the type is contiguous."""
    struct, element = _struct(type), _ELEMENTS[str(type.element_type)]
    shape = type.get_shape()
    arrays = f", sizes[{len(shape)}], strides[{len(shape)}]" if shape else ""
    yield _once(
        struct,
        f"typedef struct {{\n  {element} *allocated, *aligned;\n"
        f"  int64_t offset{arrays};\n}} {struct};",
    )
    if not has_identity_layout(type):
        return
    sizes = [f"n{i}" if size < 0 else str(size) for i, size in enumerate(shape)]
    strides = [" * ".join(sizes[i + 1 :]) or "1" for i in range(len(shape))]
    values = f", {{{', '.join(sizes)}}}, {{{', '.join(strides)}}}" if shape else ""
    given = [size for size in sizes if size.startswith("n")]
    parameters = "".join(f", int64_t {size}" for size in given)
    known = ("n" if size < 0 else str(size) for size in shape)
    name = "memref_" + "x".join((*known, str(type.element_type)))
    yield _once(
        name,
        f"static inline {struct} {name}({element} *data{parameters}) {{\n"
        f"  {struct} memref = {{data, data, 0{values}}};\n  return memref;\n}}",
    )


def _once(name: str, text: str) -> str:
    """The text, left out if another header has it."""
    guard = f"XDSL_{name.upper()}"
    return f"#ifndef {guard}\n#define {guard}\n{text}\n#endif\n"
