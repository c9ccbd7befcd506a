"""Affine maps: what they compute at a few points."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl_bufferization.semantics.reading.text import ProgramText

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
