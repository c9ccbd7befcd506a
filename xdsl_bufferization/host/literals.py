"""
The bytes of the elements of dense attributes, as xDSL keeps them and as MLIR writes them,
splats as one value, and long hex strings as the text that was read.

Both differ only for integers that are not as wide as a machine word: MLIR packs the
bits of `i1`, and pads others with zeros to whole bytes; xDSL extends them with the sign to a
power of two. xDSL keeps each element of a dense attribute, even of a splat. A large splat here
keeps the bytes of one element, and a long hex string its place in the text; all bytes and all
values are made when they are asked for.

Reading `dense<...>`: hexadecimal floats are bit patterns, hex strings are MLIR's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    Signedness,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, BuiltinAttribute, Data
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import StringLiteral

_WORDS = (8, 16, 32, 64)


def element_size(type: Attribute) -> int:
    """The bytes that xDSL has for an element of the type."""
    return cast("IntegerType", type).compile_time_size


def is_packed(type: Attribute) -> bool:
    """Whether MLIR writes elements of the type as other bytes than those that xDSL keeps."""
    return _padded_integer(type) is not None


def read_bytes(data: bytes, type: Attribute, count: int) -> bytes | None:
    """
    The bytes that xDSL has for what MLIR writes as `data`: `count` elements, or one
    that stands for all. What xDSL writes is read, too, where the number of bytes tells the two
    apart. `None` if the number of bytes is wrong.
    """
    if (integer := _padded_integer(type)) is None:
        size = element_size(type)
        return data if len(data) in (size, size * count) else None
    width = integer.width.data
    parts = 1 if type == integer else 2
    if parts == 1 and width == 1:
        if data in (b"\0", b"\xff"):
            bits = [data[0] & 1]
        elif len(data) == (count + 7) // 8:
            bits = [data[i // 8] >> i % 8 & 1 for i in range(count)]
        elif len(data) == count:
            return data
        else:
            return None
        return integer.pack([integer.get_normalized_value(bit) for bit in bits])
    size = (width + 7) // 8
    if len(data) not in (size * parts, size * parts * count):
        return None
    numbers = [
        int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)
    ]
    return integer.pack([integer.get_normalized_value(number) for number in numbers])


def _padded_integer(type: Attribute) -> IntegerType | None:
    """The integers that elements are or consist of, if MLIR writes them in another way."""
    match type:
        case (IntegerType() as integer) | ComplexType(
            element_type=IntegerType() as integer
        ):
            return None if integer.width.data in _WORDS else integer
        case _:
            return None


LARGE = 1024
"""A splat of this many bytes, or more, is kept as one value, and a hex string as its text."""

MAX_COMPARED = 1 << 30
"""
Bytes of the largest splat that is equal to the same bytes kept by xDSL: to hash a splat like
those, all of its bytes are made for a moment.
"""

_Dense = DenseIntOrFPElementsAttr[Any]


class _LazyBytes(Data[bytes], BuiltinAttribute):
    """
    Bytes that `data` makes each time they are asked for.

    Subclasses are registered as a `BytesAttr`: xDSL allows no subclass of that. They are equal to
    the same bytes as xDSL keeps them, with the same hash, up to `MAX_COMPARED`.
    """

    name = "bytes"
    size: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BytesAttr) or size_of(other) != self.size:
            return False
        return self.size <= MAX_COMPARED and self.data == other.data

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(BytesAttr(self.data))

    def __reduce__(self) -> tuple[type[BytesAttr], tuple[bytes]]:
        return BytesAttr, (self.data,)

    def print_builtin(self, printer: Printer) -> None:
        printer.print_bytes_literal(self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> bytes:
        raise NotImplementedError  # It is printed, and read, as a BytesAttr.

    def print_parameter(self, printer: Printer) -> None:
        self.print_builtin(printer)


class RepeatedBytes(_LazyBytes):
    """The bytes of one element, repeated."""

    element: bytes
    count: int

    def __init__(self, element: bytes, count: int):
        # Attributes are frozen.
        vars(self).update(element=element, count=count, size=len(element) * count)
        if self.size > MAX_COMPARED:
            vars(self).update(_hash=hash((element, count)))

    @property
    def data(self) -> bytes:  # pyright: ignore[reportIncompatibleVariableOverride]
        """All bytes."""
        return self.element * self.count

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RepeatedBytes) and len(self.element) == len(other.element):
            return self.count == other.count and self.element == other.element
        return super().__eq__(other)

    __hash__ = _LazyBytes.__hash__

    def __repr__(self) -> str:
        return f"RepeatedBytes({self.element!r}, {self.count})"


class HexBytes(_LazyBytes):
    """The bytes of a hex string, which is kept as a place in the text that it was read from."""

    _text: str
    _start: int

    def __init__(self, text: str, start: int, data: bytes):
        """The digits start at `start`, and stand for `data`, which is not kept."""
        hashed = hash(BytesAttr(data))
        vars(self).update(_text=text, _start=start, size=len(data), _hash=hashed)

    @property
    def data(self) -> bytes:  # pyright: ignore[reportIncompatibleVariableOverride]
        """All bytes."""
        return b"".join(map(bytes.fromhex, self.digits()))

    def digits(self) -> Iterator[str]:
        """The digits, in parts that need little memory."""
        end = self._start + 2 * self.size
        for start in range(self._start, end, _PART):
            yield self._text[start : min(start + _PART, end)]


_PART = 1 << 20
"""An even number of hex digits."""

BytesAttr.register(RepeatedBytes)
BytesAttr.register(HexBytes)


def size_of(data: BytesAttr) -> int:
    """The number of bytes."""
    return data.size if isinstance(data, _LazyBytes) else len(data.data)


def repeated(element: bytes, count: int) -> BytesAttr | RepeatedBytes:
    """The bytes of `count` equal elements."""
    if len(element) * count < LARGE:
        return BytesAttr(element * count)
    return RepeatedBytes(element, count)


def splat_element(dense: _Dense) -> bytes | None:
    """The bytes of the element that all are; `None` if there are different ones, or none."""
    if isinstance(dense.data, RepeatedBytes):
        return dense.data.element
    if isinstance(dense.data, HexBytes):
        return None  # A splat is read as `RepeatedBytes`.
    data, size = dense.data.data, element_size(dense.get_element_type())
    first = data[:size]
    # Most attributes that are no splats differ in the second element.
    if not data or data[size : 2 * size] not in (first, b""):
        return None
    return first if data == first * (len(data) // size) else None


def splat_number(dense: _Dense) -> IntegerAttr | FloatAttr | None:
    """The integer or float that all elements are; `None` if there is none."""
    type = dense.get_element_type()
    if (element := splat_element(dense)) is None:
        return None
    if isinstance(type, AnyFloat):
        return FloatAttr(type.unpack(element, 1)[0], type)
    if isinstance(type, IntegerType):
        return IntegerAttr(type.unpack(element, 1)[0], type)
    return None


_HEXADECIMAL = "0x", "0X", "-0x", "-0X"
_TRUTH_VALUES = [IntegerType(1, signedness) for signedness in Signedness]


@dataclass(frozen=True)
class _Number:
    """A number, as it is in the text."""

    value: float | bool
    input: Input
    start: int
    end: int
    """The position of the token after the number."""

    @property
    def span(self) -> Span:
        text = self.input.content[self.start : self.end].partition("//")[0].rstrip()
        return Span(self.start, self.start + len(text), self.input)

    @property
    def is_bit_pattern(self) -> bool:
        return self.input.content.startswith(_HEXADECIMAL, self.start)

    def to_bytes(self, parser: AttrParser, type: Attribute) -> bytes:
        """The element of this type, as xDSL keeps it."""
        if isinstance(type, AnyFloat):
            if not self.is_bit_pattern:
                return type.pack((float(self.value),))
            return self._bit_pattern(parser, type)
        integer = cast(IntegerType, type)
        number = self._integer(parser, type)
        if isinstance(type, IntegerType):
            number = _in_range(parser, integer, number, self.span)
        return integer.pack((number,))

    def _integer(self, parser: AttrParser, type: Attribute) -> int:
        """The number as one of an integer type, or an index."""
        if isinstance(self.value, bool) and type not in _TRUTH_VALUES:
            parser.raise_error(
                "Boolean values are only allowed for i1 types", self.span
            )
        if not isinstance(self.value, int):
            parser.raise_error("Expected integer value", self.span)
        return int(self.value)

    def _bit_pattern(self, parser: AttrParser, type: AnyFloat) -> bytes:
        bits = int(self.value)
        if bits < 0:
            parser.raise_error(
                "a hexadecimal float literal has no leading minus", self.span
            )
        if bits >> type.bitwidth:
            parser.raise_error(
                f"hexadecimal float constant out of range for {type}", self.span
            )
        return bits.to_bytes(element_size(type), "little")


def _in_range(parser: AttrParser, type: IntegerType, number: int, span: Span) -> int:
    try:
        return type.get_normalized_value(number)
    except ValueError as error:
        parser.raise_error(str(error), span)


_Element = tuple[_Number, ...]
"""A number, or the two of a complex one."""


def _number(
    parser: AttrParser, expected: str = "either a float, integer, or complex"
) -> _Number:
    position = parser.pos
    value = parser.parse_optional_boolean()
    if value is None:
        value = parser.parse_optional_number()
    if value is None:
        parser.raise_error(f"Expected {expected} literal")
    return _Number(value, parser.lexer.input, position, parser.pos)


def _literal(parser: AttrParser) -> tuple[list[_Element], list[int]]:
    """The elements of nested lists, and their shape; a single element has rank 0."""
    parts = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: _literal(parser)
    )
    if parts is None:
        if not parser.parse_optional_punctuation("("):
            return [(_number(parser),)], []
        real = _number(parser)
        parser.parse_punctuation(",")
        imaginary = _number(parser)
        parser.parse_punctuation(")")
        return [(real, imaginary)], []
    shapes = [shape for _, shape in parts] or [[]]
    if any(shape != shapes[0] for shape in shapes):
        parser.raise_error("Tensor literal has inconsistent ranks between elements")
    return [e for elements, _ in parts for e in elements], [len(parts), *shapes[0]]


def _encode(parser: AttrParser, elements: Sequence[_Element], type: Attribute) -> bytes:
    is_complex = isinstance(type, ComplexType)
    number_type = type.element_type if is_complex else type
    if any(len(element) != 1 + is_complex for element in elements):
        parser.raise_error(f"the elements are not of type {type}")
    numbers = [number for element in elements for number in element]
    if isinstance(number_type, AnyFloat) and not any(
        number.is_bit_pattern for number in numbers
    ):
        return number_type.pack([float(number.value) for number in numbers])
    return b"".join(number.to_bytes(parser, number_type) for number in numbers)


def _parse_type(parser: AttrParser) -> Any:
    """The type of the attribute. xDSL's function for that takes milliseconds."""
    position = parser.pos
    type = parser.parse_type()
    is_ranked = isinstance(type, TensorType | VectorType | MemRefType)
    if not is_ranked or not _has_numbers(type):
        parser.raise_error(
            "Expected memref, vector or tensor type of integer, index, float, or complex "
            "type",
            position,
            parser.pos,
        )
    if DYNAMIC_INDEX in type.get_shape():
        parser.raise_error("Dense literal attribute should have a static shape.")
    return type


def _has_numbers(type: Any) -> bool:
    return isinstance(
        type.get_element_type(), IntegerType | IndexType | AnyFloat | ComplexType
    )


def _parse_dense(self: DenseLiteralParser, type: Any) -> _Dense:
    """The contents in angle brackets, and the type unless it is known."""
    text: Span | None = None
    literal: tuple[list[_Element], list[int]] = [], [0]
    self.parse_punctuation("<", " in dense attribute")
    if self.parse_optional_punctuation(">") is None:
        text = self.parse_optional_string()
        if text is None:
            literal = _literal(self)
        self.parse_punctuation(">", " in dense attribute")
    if type is None:
        self.parse_punctuation(":", " in dense attribute")
        type = _parse_type(self)
    elif not _has_numbers(type):
        self.raise_error(f"{type} has no numbers as elements")
    count, element_type = prod(type.get_shape()), type.get_element_type()
    if text is not None:
        data = _from_hex(self, text, element_type, count)
    else:
        data = _from_literal(self, *literal, type, count)
    size = element_size(element_type)
    kept: Attribute
    if count > 1 and len(data) == size:
        kept = repeated(data, count)
    elif text is None or len(data) < LARGE or text.len != len('"0x"') + 2 * len(data):
        kept = BytesAttr(data)
    elif data[:size] == data[size : 2 * size] and data == data[:size] * count:
        kept = repeated(data[:size], count)
    else:
        kept = HexBytes(self.lexer.input.content, text.start + len('"0x'), data)
    return DenseIntOrFPElementsAttr(type, cast(BytesAttr, kept))


def _from_hex(parser: AttrParser, text: Span, type: Attribute, count: int) -> bytes:
    prefix = '"0x' if text.input.content.startswith('"0x', text.start) else '"'
    digits = text.input.content[text.start + len(prefix) : text.end - 1]
    if "\\" in digits:
        digits = StringLiteral.from_span(text).string_contents.removeprefix("0x")
    try:
        written = bytes.fromhex(digits)
    except ValueError:
        parser.raise_error("Hex string in denseAttr is invalid")
    data = read_bytes(written, type, count)
    if data is None:
        parser.raise_error(
            f"Shape mismatch in dense literal. Expected {count} elements from the type, "
            f"but got {len(written) // element_size(type)} elements in {len(written)} bytes."
        )
    return data


def _from_literal(
    parser: AttrParser,
    elements: Sequence[_Element],
    shape: Sequence[int],
    type: Any,
    count: int,
) -> bytes:
    if not elements and count:
        parser.raise_error(
            "Expected at least one element in the dense literal, but got None"
        )
    expected = [*type.get_shape()]
    if elements and shape and [*shape] != expected:
        parser.raise_error(
            f"Shape mismatch in dense literal. Expected {expected} shape from the type, "
            f"but got {[*shape]} shape."
        )
    return _encode(parser, elements if count else (), type.get_element_type())


def _parse_array(self: AttrParser) -> DenseArrayBase[Any]:
    """The element type and elements of `array<...>`, after the keyword."""
    self.parse_characters("<", " in dense array")
    position = self.pos
    type = self.parse_type()
    if not isinstance(type, IntegerType | AnyFloat):
        self.raise_error(
            "dense array element type must be an integer or floating point type",
            position,
            self.pos,
        )
    numbers: list[_Number] = []
    if self.parse_optional_punctuation(":"):
        kind = "integer" if isinstance(type, IntegerType) else "float"
        numbers = self.parse_comma_separated_list(
            self.Delimiter.NONE, lambda: _number(self, kind)
        )
    self.parse_characters(">", " in dense array")
    data = b"".join(number.to_bytes(self, type) for number in numbers)
    return DenseArrayBase(type, BytesAttr(data))


class DenseLiteralParser(Parser):
    """A parser that reads the elements of `dense<...>` and `array<...>` as MLIR does."""

    def parse_optional_string(self) -> Span | None:
        """The string that comes next, with quotes, and escapes as they are written."""
        is_string = self.lexer.input.content.startswith('"', self.pos)
        return self._consume_token().span if is_string else None

    def parse_dense_int_or_fp_elements_attr(self, type: Any = None) -> _Dense:
        return _parse_dense(self, type)

    def _parse_builtin_densearray_attr(self) -> DenseArrayBase[Any]:
        return _parse_array(self)
