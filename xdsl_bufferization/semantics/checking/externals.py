"""
Functions without a body: stand-ins that compute something from their arguments.

The programs before and after passes call the same functions, so results only depend on the
function's name and the contents of its arguments. After bufferization, a stand-in does the
worst to memory that its declaration allows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType, StringAttr
from xdsl.interpreter import PythonValues
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.interfaces.function_summary import declared_access
from xdsl_bufferization.semantics.checking.boundary import (
    argument_types,
    contents,
    result_types,
)
from xdsl_bufferization.semantics.checking.inputs import random_value
from xdsl_bufferization.semantics.errors import MissingSemanticsError
from xdsl_bufferization.semantics.memory.buffers import Kind, MemRef
from xdsl_bufferization.semantics.memory.memory import Memory
from xdsl_bufferization.semantics.memory.views import layout_of
from xdsl_bufferization.semantics.values import Array, Value
from xdsl_bufferization.support.attributes import known_attribute
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.shaped_types import is_memref_type

_LIMIT = 4
"""The largest index that is returned, and the size of dimensions of unknown size."""


def name_of(function: Operation) -> str:
    """The function's symbol."""
    return known_attribute(function, "sym_name", StringAttr).data


@dataclass
class Externals:
    """The functions without a body, in one run of a program."""

    memory: Memory
    declarations: Mapping[str, Operation]
    """By name: the functions of the program before the passes."""

    def __call__(self, function: Operation, arguments: PythonValues) -> PythonValues:
        declaration = self.declarations.get(name_of(function))
        if declaration is None:
            raise MissingSemanticsError(
                "this function has no body, and the program before has none of that name",
                function,
            )
        arrays = self._read(declaration, function, arguments)
        random = np.random.default_rng(_seed(name_of(function), arrays))
        donated = {
            result: arguments[argument]
            for result, argument in donated_arguments(declaration).items()
        }
        values = [
            random_value(
                random,
                type,
                _shape(type, [donated[i]] if i in donated else arguments),
                _LIMIT,
                small=True,
            )
            for i, type in enumerate(result_types(declaration))
        ]
        results = [
            donated[i]
            if i in donated and is_memref_type(after)
            else self._returned(values[i], after, function)
            for i, after in enumerate(result_types(function))
        ]
        self._write(declaration, function, arguments, random)
        for i, memref in donated.items():
            if isinstance(memref, MemRef):
                self.memory.write(memref, values[i], function)
        return tuple(results)

    def _read(
        self, declaration: Operation, function: Operation, arguments: PythonValues
    ) -> list[Array | None]:
        """The contents of the arguments that the function reads."""
        return [
            np.asarray(contents(self.memory, argument, function))
            if "read" in declared_access(declaration, i)
            else None
            for i, argument in enumerate(arguments)
        ]

    def _returned(self, value: Value, type: Attribute, function: Operation) -> Value:
        if not is_memref_type(type):
            return value
        layout = layout_of(type, value.shape)
        return self.memory.initialised(value, function, Kind.HEAP, layout)

    def _write(
        self,
        declaration: Operation,
        function: Operation,
        arguments: PythonValues,
        random: np.random.Generator,
    ) -> None:
        types = argument_types(declaration)
        for i, (type, argument) in enumerate(zip(types, arguments, strict=True)):
            if not isinstance(argument, MemRef) or declared_access(declaration, i) in (
                "read",
                "none",
            ):
                continue
            if is_memref_type(type):
                written = random_value(random, type, argument.sizes, _LIMIT, small=True)
            else:
                # It was a tensor, so its contents are unspecified from now on.
                written = self.memory.uninitialised(
                    argument.sizes, argument.dtype, function
                )
            self.memory.write(argument, written, function)


def _seed(name: str, arrays: Sequence[Array | None]) -> int:
    digest = hashlib.blake2b(name.encode(), digest_size=8)
    for array in arrays:
        if array is not None:
            digest.update(repr((array.shape, array.dtype.str)).encode())
            # Zeros of both signs are equal, and have to give the same seed.
            plain = array if array.dtype.kind in "biu" else array + array.dtype.type(0)
            digest.update(plain.tobytes())
    return int.from_bytes(digest.digest(), "little")


def _shape(type: Attribute, arguments: Sequence[Value]) -> tuple[int, ...]:
    """The type's shape; dynamic sizes are taken from the first argument of that rank."""
    static = type.get_shape() if isinstance(type, ShapedType) else ()
    shapes = (getattr(argument, "shape", ()) for argument in arguments)
    like = next((s for s in shapes if len(s) == len(static)), (_LIMIT,) * len(static))
    return tuple(
        known if size == DYNAMIC_INDEX else size
        for size, known in zip(static, like, strict=True)
    )
