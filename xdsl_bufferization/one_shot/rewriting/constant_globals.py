"""Tensor constants as read-only globals."""

from __future__ import annotations

import re
from collections.abc import Hashable
from itertools import count
from typing import Any, TypeGuard, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    NoneAttr,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, TypedAttribute
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.memref.ops import GlobalOp
from xdsl_bufferization.host.literals import RepeatedBytes
from xdsl_bufferization.support.call_graph import symbol_table_around
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import encoded_memory_space, identity_type
from xdsl_bufferization.support.names import free_name
from xdsl_bufferization.support.shaped_types import ranked_tensor


class ConstantGlobals:
    """
    The `memref.global`s of constants, one for each symbol table, value and memory space.

    Globals that the program has already are used again. Symbol tables are read once: what
    is added to one otherwise, `get` does not know.
    """

    def __init__(self, alignment: int):
        self._alignment = alignment
        self._tables: dict[Operation, _Globals] = {}

    def get(
        self, op: Operation, value: Attribute, memory_space: Attribute
    ) -> memref.GlobalOp:
        """
        The global that holds the value, in the symbol table around the op; inserted if
        there is none.

        Raises `BufferizationError` if there is no symbol table.
        """
        table = symbol_table_around(op)
        if table is None:
            raise BufferizationError(
                op, "needs a symbol table around it, for the global of the constant"
            )
        if table not in self._tables:
            self._tables[table] = _Globals(table, self._alignment)
        return self._tables[table].get(_without_encoding(value), memory_space)


def _without_encoding(value: Attribute) -> Attribute:
    """The value with a tensor type that has no encoding: memrefs have none."""
    if not isinstance(value, DenseIntOrFPElementsAttr | DenseResourceAttr):
        return value
    dense = cast(DenseIntOrFPElementsAttr[Any] | DenseResourceAttr, value)
    type = dense.get_type()
    if encoded_memory_space(type) is None:
        return dense
    tensor = ranked_tensor(type)
    plain = TensorType(tensor.element_type, tensor.shape)
    if isinstance(dense, DenseResourceAttr):
        return DenseResourceAttr(dense.resource_handle, plain)
    return DenseIntOrFPElementsAttr(cast(Any, plain), dense.data)


def _key(value: Attribute | None, memory_space: Attribute) -> Hashable:
    """A key that equal constants share; for a splat that is one element, that element."""
    key: Hashable = value
    if isinstance(value, DenseIntOrFPElementsAttr):
        if isinstance(value.data, RepeatedBytes):
            # To hash the splat itself, all of its bytes would be made.
            key = value.type, value.data.element
    return key, memory_space


class _Globals:
    """The globals of one symbol table."""

    def __init__(self, table: Operation, alignment: int):
        self._block = table.regions[0].block
        self._alignment = alignment
        self._symbols: set[str] = set()
        self._by_value: dict[Hashable, memref.GlobalOp] = {}
        """By value and memory space."""
        self._suffixes = count()
        for op in self._block.ops:
            symbol = op.properties.get("sym_name") or op.attributes.get("sym_name")
            if isinstance(symbol, StringAttr):
                self._symbols.add(symbol.data)
            if self._serves_constants(op):
                key = _key(op.initial_value, op.type.memory_space)
                self._by_value.setdefault(key, op)

    def get(self, value: Attribute, memory_space: Attribute) -> memref.GlobalOp:
        key = _key(value, memory_space)
        if key not in self._by_value:
            self._by_value[key] = self._create(value, memory_space)
        return self._by_value[key]

    def _serves_constants(self, op: Operation) -> TypeGuard[memref.GlobalOp]:
        """Whether constants may use the global: read-only, contiguous, and aligned."""
        return (
            isinstance(op, memref.GlobalOp)
            and op.constant is not None
            and isinstance(op.type.layout, NoneAttr)
            and (0 if op.alignment is None else op.alignment.value.data)
            >= self._alignment
        )

    def _create(self, value: Attribute, memory_space: Attribute) -> memref.GlobalOp:
        tensor = ranked_tensor(cast(TypedAttribute, value).get_type())
        constant = GlobalOp.get(
            StringAttr(self._fresh_name(tensor)),
            identity_type(tensor, memory_space),
            value,
            constant=UnitAttr(),
            alignment=self._alignment or None,
        )
        Rewriter.insert_op(constant, InsertPoint.at_start(self._block))
        return constant

    def _fresh_name(self, tensor: TensorType[Attribute]) -> str:
        shape = "x".join(map(str, tensor.get_shape()))
        element = re.sub(r"[^0-9A-Za-z_.$-]+", "_", str(tensor.element_type)).strip("_")
        stem = f"__constant_{shape}x{element}"
        name = free_name(stem, self._symbols, self._suffixes)
        self._symbols.add(name)
        return name
