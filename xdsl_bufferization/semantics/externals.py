"""
What functions without a body do: stand-ins that compute something from what they are given.

A program before bufferization and after it calls the same functions, so the results have to
depend on names and contents only. After bufferization, the function does to memory the
worst that its declaration allows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ShapedType, StringAttr
from xdsl.interpreter import PythonValues
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.boundary import (
    access,
    argument_types,
    contents,
    result_types,
)
from xdsl_bufferization.semantics.buffers import Kind, MemRef
from xdsl_bufferization.semantics.errors import MissingSemanticsError
from xdsl_bufferization.semantics.inputs import random_value
from xdsl_bufferization.semantics.layouts import layout_of
from xdsl_bufferization.semantics.memory import Memory
from xdsl_bufferization.semantics.values import Array, Value
from xdsl_bufferization.support.attributes import attribute
from xdsl_bufferization.support.shaped_types import is_memref_type

_LIMIT = 4
"""Of indices that are returned, and what sizes are that nothing determines."""


def name_of(function: Operation) -> str:
    """The function's symbol."""
    return cast("StringAttr", attribute(function, "sym_name")).data


@dataclass
class Externals:
    """Functions without a body, in one run of a program."""

    memory: Memory
    declarations: Mapping[str, Operation]
    """The functions of the program before bufferization, by name."""

    def __call__(self, function: Operation, arguments: PythonValues) -> PythonValues:
        declaration = self.declarations.get(name_of(function))
        if declaration is None:
            raise MissingSemanticsError(
                "nobody says what this function does, and the program before has none of "
                "that name",
                function,
            )
        arrays = self._read(declaration, function, arguments)
        random = np.random.default_rng(_seed(name_of(function), arrays))
        results = [
            self._returned(
                random_value(random, type, _shape(type, arguments), _LIMIT, small=True),
                after,
                function,
            )
            for type, after in zip(
                result_types(declaration), result_types(function), strict=True
            )
        ]
        self._write(declaration, function, arguments, random)
        return tuple(results)

    def _read(
        self, declaration: Operation, function: Operation, arguments: PythonValues
    ) -> list[Array | None]:
        """The contents of the arguments that the function reads."""
        return [
            np.asarray(contents(self.memory, argument, function))
            if access(declaration, i) in ("read", "read-write")
            else None
            for i, argument in enumerate(arguments)
        ]

    def _returned(self, value: Value, type: Attribute, function: Operation) -> Value:
        if not is_memref_type(type):
            return value
        layout: tuple[int, Sequence[int] | None] = 0, None
        if isinstance(type, MemRefType):
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
            if not isinstance(argument, MemRef) or access(declaration, i) in (
                "read",
                "none",
            ):
                continue
            if is_memref_type(type):
                written = random_value(random, type, argument.sizes, _LIMIT, small=True)
            else:
                # It was a tensor, so nobody may rely on what is there now.
                written = self.memory.uninitialised(
                    argument.sizes, argument.dtype, function
                )
            self.memory.write(argument, written, function)


def _seed(name: str, arrays: Sequence[Array | None]) -> int:
    digest = hashlib.blake2b(name.encode(), digest_size=8)
    for array in arrays:
        if array is not None:
            digest.update(repr((array.shape, array.dtype.str)).encode())
            # A float's zeros are equal, so they have to give the same.
            plain = array if array.dtype.kind in "biu" else array + array.dtype.type(0)
            digest.update(plain.tobytes())
    return int.from_bytes(digest.digest(), "little")


def _shape(type: Attribute, arguments: Sequence[Value]) -> tuple[int, ...]:
    """Unknown sizes are those of the first argument of as many dimensions."""
    static = type.get_shape() if isinstance(type, ShapedType) else ()
    shapes = [
        argument.sizes if isinstance(argument, MemRef) else np.shape(argument)
        for argument in arguments
    ]
    like = next((s for s in shapes if len(s) == len(static)), (_LIMIT,) * len(static))
    return tuple(
        known if size == DYNAMIC_INDEX else size
        for size, known in zip(static, like, strict=True)
    )
