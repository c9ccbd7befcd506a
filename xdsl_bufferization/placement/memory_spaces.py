"""The memory spaces of a target, as the user describes them: their addresses and sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, NoneAttr, StringAttr, i64
from xdsl.ir import Attribute

from xdsl_bufferization.support.names import printable

_DEFAULT_NAME = "default"
"""The name of the space of memrefs that name none."""


def space_name(space: Attribute) -> str:
    """
    The name of a memory space in options and reports: a string without its quotes, a number
    without the type `i64`, which it has unless another is written, or else the attribute as it
    is printed.
    """
    match space:
        case NoneAttr():
            return _DEFAULT_NAME
        case StringAttr(data=name):
            return name
        case IntegerAttr(value=number, type=type) if type == i64:
            return str(number.data)
        case _:
            return str(space)


def in_space(space: Attribute) -> str:
    """The memory space as the end of a phrase; empty for the default space."""
    name = space_name(space)
    return "" if name == _DEFAULT_NAME else f" in memory space {printable(name)}"


@dataclass(frozen=True)
class MemorySpaces:
    """The start addresses and sizes of memory spaces, in bytes, by name; where they are known."""

    starts: Mapping[str, int]
    sizes: Mapping[str, int]

    def start(self, space: Attribute) -> int | None:
        """The address of the first byte of the space."""
        return self.starts.get(space_name(space))

    def size(self, space: Attribute) -> int | None:
        """The number of bytes of the space."""
        return self.sizes.get(space_name(space))


def numbers_by_space(entries: Iterable[str]) -> Mapping[str, int]:
    """
    The numbers in entries such as `L1:65536` or `L1:0x10000`, by the name in front.

    Raises `ValueError` with an entry that is not of that form, or names a space twice.
    """
    numbers: dict[str, int] = {}
    for entry in entries:
        name, colon, text = entry.rpartition(":")
        try:
            number = int(text, 0)
        except ValueError:
            number = -1
        if not colon or number < 0 or name in numbers:
            raise ValueError(entry)
        numbers[name] = number
    return numbers
