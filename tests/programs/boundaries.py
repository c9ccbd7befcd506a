"""Functions to call, and tensors that come from memrefs and go there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

from tests.programs.generator import (
    LARGE,
    SCALARS,
    SMALL,
    TENSORS,
    Family,
    Function,
    Generator,
    Scope,
)


def _returning(g: Generator, function: Function, values: list[str]) -> None:
    values = [*values, "%f"]
    types = [*function.results, "f32"]
    g.emit(f"func.return {', '.join(values)} : {', '.join(types)}\n}}")
    g.functions.append(function)


def returning_argument(g: Generator) -> None:
    function = Function("argument", [LARGE, LARGE], [LARGE])
    g.begin(function)
    _returning(g, function, [g.random.choice(["%t0", "%t1"])])


def returning_slice(g: Generator) -> None:
    function = Function("slice", [LARGE], [SMALL])
    g.begin(function)
    _returning(g, function, [g.slice_of("%t0", g.offset())])


def returning_constant(g: Generator) -> None:
    type = g.type()
    function = Function("constant", [LARGE], [type])
    g.begin(function)
    _returning(g, function, [g.constant_of(type)])


def returning_twice(g: Generator) -> None:
    """The same tensor two times: new, or an argument."""
    function = Function("twice", [LARGE], [LARGE, LARGE])
    g.begin(function)
    value = g.random.choice(["%t0", g.empty(LARGE)])
    _returning(g, function, [value, value])


def returning_new(g: Generator) -> None:
    function = Function("new", [LARGE], [LARGE])
    scope = g.begin(function)
    _returning(g, function, [g.inserted(scope, g.empty(LARGE), LARGE)])


def writing(g: Generator) -> None:
    """Writes the first argument, and returns it or the second."""
    function = Function("writing", [LARGE, LARGE], [LARGE])
    scope = g.begin(function)
    written = g.random.choice(
        [g.inserted(scope, "%t0", LARGE), g.sum("%t0", "%t1", "%t0", LARGE)]
    )
    _returning(g, function, [g.random.choice([written, "%t1"])])


def choosing(g: Generator) -> None:
    function = Function("choosing", [SMALL, SMALL], [SMALL])
    g.begin(function)
    chosen = g.define(f"arith.select %c, %t0, %t1 : {SMALL}")
    _returning(g, function, [chosen])


def mutual(g: Generator) -> None:
    """Two functions that call each other with a smaller %i, until that is zero."""
    types = g.random.choices(TENSORS, k=2)
    functions = [Function(name, types, types) for name in ("even", "odd")]
    for function, other in zip(functions, functions[::-1], strict=True):
        scope = g.begin(function)
        g.recursive_body(function, scope, g.random.randint(1, 6), callee=other)
        g.emit("}")
    g.functions += functions


def external(g: Generator) -> None:
    """A function without a body, of which mlir-opt and we are told something or not."""
    attributes = [
        g.random.choice(
            [
                "",
                ' {bufferization.access = "none"}',
                ' {bufferization.access = "read"}',
                ' {bufferization.access = "write"}',
                ' {bufferization.access = "read-write"}',
            ]
        )
        for _ in range(2)
    ]
    results = g.random.choices(TENSORS, k=1)
    function = Function("external", [LARGE, SMALL], results, has_body=False)
    arguments = ", ".join(
        f"{name}: {type}{attribute}"
        for name, type, attribute in zip(
            ("%t0", "%t1"), function.arguments, attributes, strict=True
        )
    )
    g.emit(
        f"func.func private @external({arguments}, {SCALARS}) -> "
        f"({function.results[0]}, f32)"
    )
    g.functions.append(function)


def compute_external(function: Operation, arguments: PythonValues) -> PythonValues:
    """What `external` returns: a tensor of one number, made of all that it may read."""
    assert isinstance(function, FuncOp)
    filling = arguments[-2]
    for argument, access in zip(arguments, _accesses(function), strict=False):
        if "read" in access:
            filling = filling + argument[0]
    type = cast("TensorType[Any]", function.function_type.outputs.data[0])
    return np.full(type.get_shape(), filling), arguments[-2]


def define_external(tensors: ModuleOp, bufferized: str) -> str:
    """
    The program with a body for `external`, which computes that and spoils all arguments
    that it may write.
    """
    declaration = re.search(
        r'^ *"func\.func"\(\) .*sym_name = "external".*\(\{\s*\}\).*$',
        bufferized,
        flags=re.M,
    )
    function = SymbolTable.lookup_symbol(tensors, "external")
    if declaration is None or not isinstance(function, FuncOp):
        return bufferized
    types = re.findall(r"memref<(?:[^<>]|<[^<>]*>)*>", declaration[0])
    accesses = _accesses(function)
    result = cast("TensorType[Any]", function.function_type.outputs.data[0])
    memory = f"memref<{result.get_shape()[0]}xf32>"
    body = [
        "%zero = arith.constant 0 : index",
        "%none = arith.constant 0.0 : f32",
    ]
    filling = "%f"
    for i, access in enumerate(accesses):
        if "read" in access:
            body += [
                f"%read{i} = memref.load %t{i}[%zero] : {types[i]}",
                f"%sum{i} = arith.addf {filling}, %read{i} : f32",
            ]
            filling = f"%sum{i}"
    for i, access in enumerate(accesses):
        if "write" in access:
            body.append(f"linalg.fill ins(%none : f32) outs(%t{i} : {types[i]})")
    definition = [
        f"func.func @external(%t0: {types[0]}, %t1: {types[1]}, {SCALARS}) -> "
        f"({types[2]}, f32) {{",
        *body,
        f"%new = memref.alloc() : {memory}",
        f"linalg.fill ins({filling} : f32) outs(%new : {memory})",
        f"%result = memref.cast %new : {memory} to {types[2]}",
        f"func.return %result, %f : {types[2]}, f32",
        "}",
    ]
    return bufferized.replace(declaration[0], "\n".join(definition))


def _accesses(function: FuncOp) -> Sequence[str]:
    """How `external` may access its two tensors."""
    if function.arg_attrs is None:
        return ["read-write"] * 2
    declared = [
        attributes.data.get("bufferization.access", StringAttr("read-write"))
        for attributes in list(function.arg_attrs)[:2]
    ]
    return [cast(StringAttr, access).data for access in declared]


def through_memory(g: Generator, scope: Scope, depth: int) -> None:
    """A tensor that is stored in memory of the program's own, and taken from it."""
    memory = LARGE.replace("tensor", "memref")
    allocated = g.define(f"memref.alloc() : {memory}")
    writable = g.random.choice(["", " writable", " writable"])
    g.emit(
        f"bufferization.materialize_in_destination {g.pick(scope, LARGE)} in restrict "
        f"writable {allocated} : ({LARGE}, {memory}) -> ()"
    )
    scope.tensors[LARGE].append(
        g.define(
            f"bufferization.to_tensor {allocated} restrict{writable} : "
            f"{memory} to {LARGE}"
        )
    )


def read_memory(g: Generator, scope: Scope, depth: int) -> None:
    """An element of the tensor's buffer."""
    memory = LARGE.replace("tensor", "memref").replace(
        ">", ", strided<[?], offset: ?>>"
    )
    buffer = g.define(
        f"bufferization.to_buffer {g.pick(scope, LARGE)} read_only : "
        f"{LARGE} to {memory}"
    )
    scope.scalars.append(g.define(f"memref.load {buffer}[%i] : {memory}"))


def materialize(g: Generator, scope: Scope, depth: int) -> None:
    type = g.type()
    source, into = g.pick(scope, type), g.pick(scope, type)
    scope.tensors[type].append(
        g.define(
            f"bufferization.materialize_in_destination {source} in {into} : "
            f"({type}, {type}) -> {type}"
        )
    )


def allocate(g: Generator, scope: Scope, depth: int) -> None:
    type = g.type()
    empty = g.define(f"bufferization.alloc_tensor() : {type}")
    copy = g.define(
        f"bufferization.alloc_tensor() copy({g.pick(scope, type)}) : {type}"
    )
    scope.tensors[type] += [copy, g.filled(g.scalar(scope), empty, type)]


CALLS = Family(
    functions=(
        returning_argument,
        returning_slice,
        returning_constant,
        returning_twice,
        returning_new,
        writing,
        choosing,
    ),
    ops=((12, lambda g, scope, depth: g.call(scope)),),
)
MUTUAL = Family(functions=(mutual,))
EXTERNAL = Family(
    functions=(external,), ops=((6, lambda g, scope, depth: g.call(scope)),)
)
BUFFERS = Family(
    ops=((8, through_memory), (8, read_memory), (10, materialize), (5, allocate))
)
