"""
The meaning of attributes of ops: the values of constants, and the ops that symbols name.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    ArrayAttr,
    Builtin,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IntegerAttr,
    ShapedType,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

from xdsl_bufferization.semantics.errors import MissingSemanticsError
from xdsl_bufferization.semantics.values import (
    Array,
    Value,
    dtype_of,
    element_type,
    wrap,
)
from xdsl_bufferization.support.call_graph import symbol_table_around


def constant_value(attribute: Attribute | None, type: Attribute) -> Value:
    """
    The value of the type that the attribute stands for, or the contents of such a memref.
    An array is read-only, and may be the attribute's own bytes.

    Raises `MissingSemanticsError` for attributes that stand for no value.
    """
    match attribute:
        case IntegerAttr() as number:
            return wrap(type, number.value.data)
        case FloatAttr() as number:
            value = number.value.data
            return dtype_of(type).type(value)
        case ArrayAttr() as parts:
            return _complex(parts.data, type)
        case DenseIntOrFPElementsAttr() as dense:
            return _elements(dense.data.data, type)
        case DenseResourceAttr() as resource:
            return _elements(_blob(resource), type)
        case _:
            raise MissingSemanticsError(f"a constant cannot be '{attribute}' here")


def _complex(parts: Sequence[Attribute], type: Attribute) -> Value:
    values = [part.value.data for part in parts if isinstance(part, FloatAttr)]
    if len(values) != 2:
        raise MissingSemanticsError("a complex constant has two parts, both floats")
    return dtype_of(type).type(complex(*values))


def _elements(data: bytes, type: Attribute) -> Array:
    """The elements, or one element for all, as a read-only array of the type."""
    element, dtype = element_type(type), dtype_of(element_type(type))
    if not isinstance(type, ShapedType):
        raise MissingSemanticsError(f"a constant of type '{type}' has no elements")
    if dtype == np.bool_:
        elements = np.frombuffer(data, np.uint8) != 0
    else:
        elements = wrap(element, np.frombuffer(data, dtype))
    elements.flags.writeable = False
    shape = type.get_shape()
    if elements.size == 1:
        return np.broadcast_to(elements.reshape(()), shape)
    try:
        return elements.reshape(shape)
    except ValueError:
        raise MissingSemanticsError(
            f"a constant of {elements.size} elements does not fill a '{type}'"
        ) from None


def _blob(resource: DenseResourceAttr) -> bytes:
    """The bytes of the resource, from the file that the module was parsed from."""
    key = resource.resource_handle.data
    interface = Builtin.get_interface(OpAsmDialectInterface)
    blob = interface.lookup(key) if interface is not None else None
    # The first four bytes are the alignment.
    if not blob or not blob.startswith("0x"):
        raise MissingSemanticsError(f"the contents of the resource '{key}' are unknown")
    return bytes.fromhex(blob[2:])[4:]


def symbol(op: Operation, name: Attribute | None, kind: str) -> Operation:
    """
    The op that a symbol, used by `op`, names in the closest symbol table around it. Raises
    `MissingSemanticsError` if there is none; `kind` is what the message calls it.
    """
    table = symbol_table_around(op)
    if table is not None and isinstance(name, SymbolRefAttr):
        found = SymbolTable.lookup_symbol(table, name)
        if found is not None:
            return found
    raise MissingSemanticsError(f"there is no {kind} {name}")
