"""Dense literals and affine maps in the text of a program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import ml_dtypes
import numpy as np

from tests.round_trips.second_reading.text import ProgramText

_DENSE = re.compile(r"\bdense\s*(?=<)")
_TYPE_AFTER = re.compile(r"\s*:\s*(?:tensor|vector|memref)\s*(?=<)")
_TYPE_BEFORE = re.compile(r":\s*(?:tensor|vector|memref)\s*<([^=]*)>\s*=\s*$")
_TYPE = re.compile(
    r"((?:\s*\d+\s*x)*)\s*(complex\s*<\s*(\w+)\s*>|\w+)\s*(?:,.*)?", re.DOTALL
)
_INTEGER = re.compile(r"[su]?i(\d+)")
_NUMBER = re.compile(
    r"-?(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)|true|false"
)
_FLOATS = {
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}


@dataclass(frozen=True)
class Elements:
    """The shape, the type of the elements, and their bytes: of one if all are equal."""

    shape: tuple[int, ...]
    type: str
    data: bytes
    """Those of each number with the lowest first, in as many as its bits need."""


@dataclass(frozen=True)
class Literal:
    """A dense literal in the text."""

    start: int
    text: str
    elements: Elements


def literals(text: ProgramText) -> Iterator[Literal]:
    """The literals whose type is read here: of integers, indices, floats, complex numbers."""
    for match in _DENSE.finditer(text.bare):
        end = text.closing(match.end())
        body = text.code[match.end() + 1 : end - 1]
        after = _TYPE_AFTER.match(text.bare, end)
        if after is not None:
            stop = text.closing(after.end())
            type = text.bare[after.end() + 1 : stop - 1]
        else:
            before = _TYPE_BEFORE.search(
                text.bare, max(0, match.start() - 200), match.start()
            )
            if before is None:
                continue
            type, stop = before[1], end
        elements = _elements(body, type)
        if elements is not None:
            yield Literal(match.start(), text.code[match.start() : stop], elements)


def width_of(type: str) -> int | None:
    """The number of bits of a number of the type; `None` if it is not known here."""
    if type == "index":
        return 64
    if type in _FLOATS:
        return 8 * _FLOATS[type].itemsize
    match = _INTEGER.fullmatch(type)
    return None if match is None else int(match[1])


def _elements(body: str, type: str) -> Elements | None:
    match = _TYPE.fullmatch(type)
    if match is None or (width := width_of(number := match[3] or match[2])) is None:
        return None
    shape = tuple(map(int, re.findall(r"\d+", match[1])))
    name = f"complex<{number}>" if match[3] else number
    parts = 2 if match[3] else 1
    body = body.strip()
    if body.startswith('"'):
        data = bytes.fromhex(body.strip('"').removeprefix("0x"))
        if width == 1 and parts == 1:
            data = _unpacked(data, prod(shape))
    else:
        numbers = [_bits(word, number) for word in _NUMBER.findall(body)]
        data = encoded(numbers, width)
    return Elements(shape, name, shortened(data, size_of(width) * parts))


def size_of(width: int) -> int:
    """The bytes of a number of so many bits."""
    return (width + 7) // 8


def encoded(numbers: Iterable[int], width: int) -> bytes:
    """The bytes of numbers of so many bits."""
    size, mask = size_of(width), (1 << width) - 1
    return b"".join((number & mask).to_bytes(size, "little") for number in numbers)


def shortened(data: bytes, size: int) -> bytes:
    """The bytes of one element if all are equal, or else of all."""
    first = data[:size]
    # Most that differ do so in the second element.
    if data[size : 2 * size] == first and data == first * (len(data) // size):
        return first
    return data


def _bits(word: str, type: str) -> int:
    """The bits of a number as it is written."""
    if type not in _FLOATS:
        return int(word, 0) if word not in ("true", "false") else int(word == "true")
    if word[:2] in ("0x", "0X"):
        return int(word, 16)
    with np.errstate(over="ignore"):
        value = np.array(float(word)).astype(_FLOATS[type])
    return int.from_bytes(value.tobytes(), "little")


def _unpacked(written: bytes, count: int) -> bytes:
    """A byte for each `i1` of a hex string, which has a bit for each."""
    if count > 1 and written in (b"\0", b"\xff"):
        return bytes([written[0] & 1])
    return bytes(written[i // 8] >> i % 8 & 1 for i in range(count))


_MAP = re.compile(r"\baffine_map\s*(?=<)")
_PARTS = re.compile(
    r"<\s*\(([^)]*)\)\s*(?:\[([^\]]*)\]\s*)?->\s*\((.*)\)\s*>", re.DOTALL
)
_TOKEN = re.compile(r"\d+|[A-Za-z_][\w$.]*|[-+*(),]")

POINTS = (7, 12, 0), (101, 0, -17), (-3, -5, 0)
"""The coefficients of polynomials that give a dimension or symbol its value."""

Values = tuple[tuple[int, ...] | None, ...]
"""The results at each point; `None` where something is divided by zero."""


@dataclass(frozen=True)
class Map:
    """An affine map in the text."""

    start: int
    text: str
    dimensions: int
    symbols: int
    values: Values


def maps(text: ProgramText) -> Iterator[Map]:
    """The affine maps that are written out."""
    for match in _MAP.finditer(text.bare):
        end = text.closing(match.end())
        parts = _PARTS.fullmatch(text.bare, match.end(), end)
        if parts is None:
            continue
        dimensions, symbols = (
            [name.strip() for name in (names or "").split(",") if name.strip()]
            for names in parts.groups()[:2]
        )
        expressions = _Expressions(parts[3], [*dimensions, *symbols])
        yield Map(
            match.start(),
            text.code[match.start() : end],
            len(dimensions),
            len(symbols),
            values_of(expressions.results, len(expressions.names)),
        )


def values_of(
    function: Callable[[list[int]], tuple[int, ...]], arguments: int
) -> Values:
    """The values of the function at the points."""
    values: list[tuple[int, ...] | None] = []
    for a, b, c in POINTS:
        try:
            values.append(function([a + b * i + c * i * i for i in range(arguments)]))
        except ZeroDivisionError:
            values.append(None)
    return tuple(values)


class _Expressions:
    """A list of affine expressions, of values with names."""

    def __init__(self, body: str, names: Sequence[str]):
        self.names = names
        self._tokens: Sequence[str] = _TOKEN.findall(body)
        self._next = 0
        self._values: Mapping[str, int] = {}

    def results(self, values: Sequence[int]) -> tuple[int, ...]:
        """The value of each expression."""
        self._next, self._values = 0, dict(zip(self.names, values, strict=True))
        results: list[int] = []
        while self._peek():
            results.append(self._sum())
            self._next += self._peek() == ","
        return tuple(results)

    def _peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def _take(self) -> str:
        self._next += 1
        return self._tokens[self._next - 1]

    def _sum(self) -> int:
        value = self._product()
        while self._peek() in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            value += sign * self._product()
        return value

    def _product(self) -> int:
        value = self._factor()
        while self._peek() in ("*", "floordiv", "ceildiv", "mod"):
            operator = self._take()
            other = self._factor()
            match operator:
                case "*":
                    value *= other
                case "floordiv":
                    value //= other
                case "ceildiv":
                    value = -(-value // other)
                case _:
                    value %= other
        return value

    def _factor(self) -> int:
        match token := self._take():
            case "-":
                return -self._factor()
            case "(":
                value = self._sum()
                self._take()
                return value
            case _:
                return self._values[token] if token in self._values else int(token)
