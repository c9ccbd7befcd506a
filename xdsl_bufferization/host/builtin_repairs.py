"""Repairs of builtin attributes, affine maps, symbol tables, and the lexer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import repeat
from math import isfinite, prod
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    f32,
    i1,
    i8,
)
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, traits_def
from xdsl.parser.affine_parser import AffineParser
from xdsl.printer import Printer
from xdsl.traits import SymbolOpInterface, SymbolTable
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken

from xdsl_bufferization.host.literals import (
    LARGE,
    HexBytes,
    RepeatedBytes,
    element_size,
    is_packed,
    repeated,
    size_of,
    splat_element,
)
from xdsl_bufferization.host.repairs import Mending

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


def _prints_other_literals() -> bool:
    zeros = _Dense.from_list(TensorType(f32, [2]), [0.0, -0.0])
    bits = _Dense.from_list(TensorType(i1, [101]), [1, *([0] * 100)])
    return "[" not in str(zeros) or "[" not in str(bits)


def _print_by_bytes() -> None:
    DenseIntOrFPElementsAttr.print_without_type = _print_without_type


dense_printing = Mending(_prints_other_literals, _print_by_bytes)
"""Printing `dense<...>`: by the bytes of the elements, as xDSL and mlir-opt read it."""


def _keeps_each_element() -> bool:
    dense = _Dense.from_list(TensorType(i8, [LARGE]), [0])
    return type(dense.data) is BytesAttr and len(dense.data.data) == LARGE


def _compute_with_one_element() -> None:
    unchanged_from_list = _Dense.from_list
    unchanged_iter_values = _Dense.iter_values

    def length(self: _Dense) -> int:
        return size_of(self.data) // element_size(self.get_element_type())

    def from_list(type: Any, data: Any) -> _Dense:
        if len(data) != 1 or (count := prod(type.get_shape())) <= 1:
            return unchanged_from_list(type, data)
        one = unchanged_from_list(TensorType(type.get_element_type(), [1]), data)
        data = repeated(one.data.data, count)
        return DenseIntOrFPElementsAttr(type, data)

    def is_splat(self: _Dense) -> bool:
        return splat_element(self) is not None

    def iter_values(self: _Dense) -> Iterator[Any]:
        if isinstance(self.data, RepeatedBytes):
            element = self.get_element_type().unpack(self.data.element, 1)[0]
            return repeat(element, self.data.count)
        return unchanged_iter_values(self)

    for name, function in (
        ("__len__", length),
        ("from_list", staticmethod(from_list)),
        ("is_splat", is_splat),
        ("iter_values", iter_values),
    ):
        setattr(DenseIntOrFPElementsAttr, name, function)


splats = Mending(_keeps_each_element, _compute_with_one_element)
"""Dense attributes that keep a large splat as one value compute with that value."""


_Operator = Callable[[AffineExpr, "AffineExpr | int"], AffineExpr]


def _is_symbolic(expression: AffineExpr) -> bool:
    """Whether it has the same value in all points: no dimension is in it."""
    return not any(isinstance(part, AffineDimExpr) for part in expression.dfs())


def _with_symbols(unchanged: _Operator, kind: AffineBinaryOpKind) -> _Operator:
    """The operator, where xDSL's raises an error unless the right side is constant."""

    def operator(self: AffineExpr, other: AffineExpr | int) -> AffineExpr:
        if isinstance(other, int) or isinstance(other, AffineConstantExpr):
            return unchanged(self, other)
        left, right = self, other
        if kind is AffineBinaryOpKind.Mul:
            if isinstance(left, AffineConstantExpr):
                return unchanged(right, left)
            if not _is_symbolic(right):
                left, right = right, left
        if not _is_symbolic(right):
            raise NotImplementedError(
                f"{self} {kind.get_token()} {other} is not affine"
            )
        return AffineBinaryOpExpr(kind, left, right)

    return operator


def _create(
    self: AffineParser, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken
) -> AffineExpr:
    try:
        return _unchanged_create(self, lhs, rhs, binop)
    except NotImplementedError as error:
        self.raise_error(str(error), binop.span)


_unchanged_create = AffineParser._create_binop_expr  # pyright: ignore[reportPrivateUsage]


def _refuses_products() -> bool:
    try:
        product = AffineExpr.dimension(0) * AffineExpr.symbol(0)
    except NotImplementedError:
        return True
    return not isinstance(product, AffineBinaryOpExpr)


def _allow_products() -> None:
    for name, kind in (
        ("__mul__", AffineBinaryOpKind.Mul),
        ("__floordiv__", AffineBinaryOpKind.FloorDiv),
        ("ceil_div", AffineBinaryOpKind.CeilDiv),
        ("__mod__", AffineBinaryOpKind.Mod),
    ):
        setattr(AffineExpr, name, _with_symbols(getattr(AffineExpr, name), kind))
    AffineParser._create_binop_expr = _create  # pyright: ignore[reportPrivateUsage]


semi_affine_maps = Mending(_refuses_products, _allow_products)
"""Semi-affine maps: products, quotients and remainders with symbols, as `d0 * s0`."""


_REGEX = "_unescaped_characters_regex"
_PLAIN, _ESCAPE = r'[^"\\\n\v\f]', r'\\(?:["nt\\]|[0-9A-Fa-f]{2})'


def _tries_each_split() -> bool:
    pattern = getattr(MLIRLexer, _REGEX, None)
    return pattern is not None and pattern.pattern == f'"(?:{_PLAIN}+|{_ESCAPE})*"'


def _split_once() -> None:
    linear = re.compile(f'"{_PLAIN}*(?:{_ESCAPE}{_PLAIN}*)*"')
    setattr(MLIRLexer, _REGEX, linear)


string_literals = Mending(_tries_each_split, _split_once)
"""String literals that do not end: their regular expression tries each way to split them."""


_plain_lookup = SymbolTable.lookup_symbol
_known_symbols: WeakKeyDictionary[Operation, WeakValueDictionary[str, Operation]] = (
    WeakKeyDictionary()
)
"""By symbol table the symbols that were found in it, by name; some may be gone."""


def _lookup_symbol(
    op: Operation, name: str | StringAttr | SymbolRefAttr
) -> Operation | None:
    """See xDSL's `SymbolTable.lookup_symbol`."""
    table: Operation | None = op
    while table is not None and not table.has_trait(SymbolTable):
        table = table.parent_op()
    if table is None:
        return _plain_lookup(op, name)  # which says what is wrong
    nested: tuple[StringAttr, ...] = ()
    if isinstance(name, SymbolRefAttr):
        name, nested = name.root_reference, name.nested_references.data
    wanted = name if isinstance(name, str) else name.data
    known = _known_symbols.get(table)
    symbol = None if known is None else known.get(wanted)
    if (
        symbol is None
        or symbol.parent is not table.regions[0].block
        or _symbol_name(symbol) != wanted
    ):
        _known_symbols[table] = symbols = _symbols(table)
        symbol = symbols.get(wanted)
    if symbol is None or not nested:
        return symbol
    return _lookup_symbol(symbol, SymbolRefAttr(nested[0], nested[1:]))


def _symbols(table: Operation) -> WeakValueDictionary[str, Operation]:
    """The symbols by name; of several with one name the first, as a lookup finds it."""
    symbols: WeakValueDictionary[str, Operation] = WeakValueDictionary()
    for op in table.regions[0].block.ops:
        if (name := _symbol_name(op)) is not None:
            symbols.setdefault(name, op)
    return symbols


def _symbol_name(op: Operation) -> str | None:
    interface = op.get_trait(SymbolOpInterface)
    name = None if interface is None else interface.get_sym_attr_name(op)
    return None if name is None else name.data


class _CountingInterface(SymbolOpInterface):
    asked = 0

    def get_sym_attr_name(self, op: Operation) -> StringAttr | None:
        type(self).asked += 1
        return super().get_sym_attr_name(op)


@irdl_op_definition
class _CountingOp(IRDLOperation):
    """A symbol that counts how often lookups ask for its name."""

    name = "bufferization_probe.symbol"
    sym_name = prop_def(StringAttr)
    traits = traits_def(_CountingInterface())


def _scans_tables() -> bool:
    table = ModuleOp(
        [_CountingOp(properties={"sym_name": StringAttr(n)}) for n in "ab"]
    )
    SymbolTable.lookup_symbol(table, "b")
    _CountingInterface.asked = 0
    SymbolTable.lookup_symbol(table, "b")
    return _CountingInterface.asked > 1


def _look_up_by_name() -> None:
    SymbolTable.lookup_symbol = staticmethod(_lookup_symbol)


symbol_lookup = Mending(_scans_tables, _look_up_by_name)
"""Looking up a symbol without a scan of the symbol table each time."""
