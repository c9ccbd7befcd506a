"""Running programs by what they mean, in tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp, ShapedType, UnregisteredOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

from tests.peer import MlirTools, PeerError
from tests.peer.numpy_types import Array
from tests.peer.runner import Call, parse_module, run_calls
from xdsl_bufferization.semantics.errors import MissingSemanticsError
from xdsl_bufferization.semantics.interpreter import ReferenceInterpreter
from xdsl_bufferization.semantics.memory import Memory
from xdsl_bufferization.semantics.values import Kind, MemRef, Value
from xdsl_bufferization.support.reading import context_of_all_dialects
from xdsl_bufferization.support.shaped_types import is_memref_type

BUFFERIZATION = (
    "--one-shot-bufferize=bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops"
)

GARBAGE = 77
"""What uninitialised memory holds: this number, whatever the type; for i1, true."""


def fill(data: Array, dtype: np.dtype[Any], op: Operation | None) -> None:
    """Write the number to all elements that there are bytes for."""
    data.view(dtype)[...] = GARBAGE


def interpreter_of(module: ModuleOp, **options: Any) -> ReferenceInterpreter:
    """An interpreter with memory of its own."""
    return ReferenceInterpreter(module, memory=Memory(fill), **options)


def run(program: str | ModuleOp, *arguments: Value, function: str = "f") -> list[Value]:
    """
    The results of the function; those that are memrefs, as arrays of their elements. The
    `memref`s among the arguments are in memory that the caller owns.
    """
    if isinstance(program, str):
        module = parse_module(program)
        module.verify()
    else:
        module = program
    callee = SymbolTable.lookup_symbol(module, function)
    assert callee is not None
    results = interpreter_of(module).call(callee, arguments)
    return [
        result.view().copy() if isinstance(result, MemRef) else result
        for result in results
    ]


def compare_with_mlir(
    tools: MlirTools,
    program: str,
    calls: Mapping[str, Sequence[Array]] | Sequence[tuple[str, Sequence[Array]]],
    *passes: str,
) -> None:
    """
    Assert that calls of functions with these arguments, in which a scalar is an array of
    no dimensions, have the results that the program has compiled by MLIR's tools: the
    same bits. The passes are mlir-opt's; bufferization if there are none.
    """
    calls = [*calls.items()] if isinstance(calls, Mapping) else calls
    module = parse_module(tools.opt(program))
    text = tools.opt(program, *(passes or (BUFFERIZATION,)))
    compiled = run_calls(tools, [Call(text, name, inputs) for name, inputs in calls])
    for (name, inputs), expected in zip(calls, compiled, strict=True):
        assert not isinstance(expected, PeerError), expected
        function = cast("FuncOp", SymbolTable.lookup_symbol(module, name))
        types = function.function_type.inputs.data
        arguments = [
            _argument(t, array) for t, array in zip(types, inputs, strict=True)
        ]
        results = run(module, *arguments, function=name)
        assert len(results) == len(expected), name
        for result, wanted in zip(results, expected, strict=True):
            np.testing.assert_array_equal(np.asarray(result), wanted, name, strict=True)
            assert np.asarray(result).tobytes() == wanted.tobytes(), name


def _argument(type: Attribute, array: Array) -> Value:
    if is_memref_type(type):
        return memref(array)
    return array if isinstance(type, ShapedType) else array[()]


def memref(elements: Array) -> MemRef:
    """Memory of the caller's that holds the elements; `view` shows them later."""
    return Memory(fill).initialised(elements, None, Kind.ARGUMENT)


def without_semantics(dialect: str) -> set[str]:
    """The ops that the dialect registers, and nobody gave a meaning."""
    known = context_of_all_dialects().get_dialect(dialect)
    interpreter = interpreter_of(ModuleOp([]))
    missing: set[str] = set()
    for op_type in known.operations:
        if op_type is UnregisteredOp:
            continue
        try:
            interpreter.has_scalar_semantics(op_type.create())
        except MissingSemanticsError:
            missing.add(op_type.name)
    return missing
