"""Printing `dense<...>`: by the bytes of the elements, as xDSL and mlir-opt read it."""

from __future__ import annotations

from math import isfinite
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    TensorType,
    f32,
    i1,
)
from xdsl.ir import Attribute
from xdsl.printer import Printer

from xdsl_bufferization.dense.elements import (
    HexBytes,
    element_size,
    is_packed,
    splat_element,
)

_LONGEST_LIST = 100
"""More elements are printed as a hex string, as mlir-opt does."""

_Dense = DenseIntOrFPElementsAttr[Any]


def _print_element(printer: Printer, element: bytes, type: Any) -> None:
    if isinstance(type, ComplexType):
        half = len(element) // 2
        with printer.in_parens():
            _print_element(printer, element[:half], type.element_type)
            printer.print_string(",")
            _print_element(printer, element[half:], type.element_type)
        return
    value = type.unpack(element, 1)[0]
    if isinstance(type, AnyFloat):
        printer.print_float(value, type)
    else:
        printer.print_int(value, type)


def _print_list(printer: Printer, data: bytes, shape: list[int], type: Any) -> None:
    if not shape:
        _print_element(printer, data, type)
        return
    size = len(data) // shape[0]
    with printer.in_square_brackets():
        printer.print_list(
            [data[i : i + size] for i in range(0, len(data), size)],
            lambda part: _print_list(printer, part, shape[1:], type),
        )


def _print_bytes(printer: Printer, data: BytesAttr) -> None:
    printer.print_string('"0x')
    digits = data.digits() if isinstance(data, HexBytes) else [data.data.hex().upper()]
    for part in digits:
        printer.print_string(part)
    printer.print_string('"')


def _is_printed_as_bytes(dense: _Dense) -> bool:
    """
    Whether xDSL, mlir-opt and this package read the bytes alike, and read them better than a
    list. MLIR packs the bits of integers like `i1`, and xDSL does not.
    """
    type: Attribute = dense.get_element_type()
    return not is_packed(type) and (
        len(dense) > _LONGEST_LIST or _has_other_than_numbers(dense.data.data, type)
    )


def _has_other_than_numbers(data: bytes, type: Any) -> bool:
    """
    Whether an infinity or a NaN is among the elements. xDSL takes the bit pattern that MLIR
    writes for one, `0xFF800000`, for an integer.
    """
    if isinstance(type, ComplexType):
        type = type.element_type
    if not isinstance(type, AnyFloat):
        return False
    values = type.unpack(data, len(data) // element_size(type))
    return not all(map(isfinite, values))


def _print_without_type(self: _Dense, printer: Printer) -> None:
    type: Attribute = self.get_element_type()
    printer.print_string("dense")
    with printer.in_angle_brackets():
        if not len(self):
            return
        if (element := splat_element(self)) is not None:
            if _has_other_than_numbers(element, type):
                _print_bytes(printer, BytesAttr(element))
            else:
                _print_element(printer, element, type)
        elif _is_printed_as_bytes(self):
            _print_bytes(printer, self.data)
        else:
            shape = [*self.get_shape()] if self.shape_is_complete else [len(self)]
            _print_list(printer, self.data.data, shape, type)


def is_broken() -> bool:
    zeros = _Dense.from_list(TensorType(f32, [2]), [0.0, -0.0])
    bits = _Dense.from_list(TensorType(i1, [101]), [1, *([0] * 100)])
    return "[" not in str(zeros) or "[" not in str(bits)


def mend() -> None:
    DenseIntOrFPElementsAttr.print_without_type = _print_without_type
