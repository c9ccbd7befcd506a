"""
How a program that cannot be bufferized is reported.

The op that a refusal is about, in the program as it came: passes may have made it, or cloned the
program, before they refused it.

    %r = tensor.insert %x into %t[%i] : tensor<4xf32>   // in the caller's module: this op
    memref.store %x, %m[%i] : memref<4xf32>             // refused: made for that one

Passes give an op the location of the op whose work it does, so the location tells. Programs that
are made in Python may have none; then the name tells, if one op in the function has it. The
cost is linear in the ops of the program, once for a program that is refused.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from typing import cast

from xdsl.dialects.builtin import StringAttr, UnknownLoc
from xdsl.ir import Attribute, Operation
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError, PassFailedException

from xdsl_bufferization.support.locations import Place, Text, origin, place_of
from xdsl_bufferization.support.names import (
    op_name,
    printable_line,
    printable_lines,
    printed_symbol,
)
from xdsl_bufferization.support.regions import ancestors, walk_all

_WIDTH = 100
"""The characters of a line that are quoted."""
_BEFORE = 40
"""The characters of a long line that are quoted before the op."""
_UNDEFINED = re.compile(r"values used but not defined: \[(%[\w$.-]+)")
_UNREGISTERED_HINT = (
    "\n  hint: install the package that defines it, or set --allow-unregistered-dialect"
)


class BufferizationError(PassFailedException):
    """
    A program that a pass refuses: which op, where it is, and what to do about it.

    `xdsl-opt` prints the message alone, as a compiler would, and its exit status is 1. In
    any other program it is an exception like others.
    """

    def __init__(
        self,
        op: Operation | None,
        message: str,
        *,
        related: Sequence[tuple[str, Operation | None]] = (),
        hint: str = "",
    ):
        super().__init__(printable_lines(_described(op, message, related, hint)))
        self.op = op
        """
        The op that is refused, in the module that the pass or function was called with; of an
        op that a pass had made, the one whose work that did. `None` if it is about no op.
        """


class OutputError(BufferizationError):
    """An error in a program for which a target has written its output."""

    def __init__(self, message: str, output: str):
        super().__init__(None, message)
        self.output = output
        """The output of the target, which `xdsl-opt` prints first."""


def print_remark(
    op: Operation,
    message: str,
    *,
    related: Sequence[tuple[str, Operation | None]] = (),
    hint: str = "",
) -> None:
    """Print a remark about a program that a pass accepts to standard error."""
    text = printable_lines(_described(op, message, related, hint))
    print(f"remark: {text}", file=sys.stderr)


def _described(
    op: Operation | None,
    message: str,
    related: Sequence[tuple[str, Operation | None]],
    hint: str,
) -> str:
    lines = [message]
    if op is not None:
        lines = [
            f"'{op_name(op)}' {message}",
            *describe_ops([("at", op), *related]),
        ]
    if hint:
        lines.append(f"  hint: {hint}")
    return "\n".join(lines)


def describe_ops(ops: Iterable[tuple[str, Operation | None]]) -> list[str]:
    """
    Where each op is, in a line after what is said of it, with its line of the program below;
    an op that is not there in the text is printed instead. Each is shown once.
    """
    lines: list[str] = []
    shown: set[Operation] = set()
    for relation, op in ops:
        if op is None:
            continue
        place = place_of(op)
        length = 0 if place is None else _length(op, place)
        where = _where(op)
        if op in shown:
            where = where if place is not None else f"{where}, the same op"
        elif not length:
            where += f"{', ' if where else ''}{_op_line(op)}"
        lines.append(f"  {relation}: {where}")
        if place is not None and op not in shown:
            lines += _quoted(place, length or 1)
        shown.add(op)
    return lines


def syntax_error(error: ParseError) -> str:
    """The error, and where it is in the text, as for an op."""
    span = error.span
    content = cast(str, span.input.content)
    if (undefined := _UNDEFINED.match(error.msg)) and (
        # xDSL knows the names at the end of the text.
        use := re.search(re.escape(undefined[1]) + r"(?![\w$.-])", content)
    ):
        span = replace(span, start=use.start(), end=use.end())
    name, line, column = span.get_location()
    text = Text(name, content, span.line_offset + 1)
    place = Place(text, line, column)
    quoted = _quoted(place, len(span.text.split("\n")[0]))
    hint = _UNREGISTERED_HINT * error.msg.endswith("is not registered")
    # Its lines may start with anything.
    message = error.msg.replace("\n", "\n  ")
    return printable_lines("\n".join((message, f"  at: {place}", *quoted)) + hint)


def describe_op(op: Operation) -> str:
    """Where the op is, and the op as generic IR without its regions, in one line."""
    where = _where(op)
    return f"{where}{', ' if where else ''}{_op_line(op)}"


def _where(op: Operation) -> str:
    """The op's place in the text, its location, and the symbols around it."""
    place, location = place_of(op), origin(op)
    positions = [] if place is None else [str(place)]
    if location:
        positions.append(location if place is None else f"({location})")
    symbols: list[str] = []
    for ancestor in ancestors(op):
        name = ancestor.properties.get("sym_name") or ancestor.attributes.get(
            "sym_name"
        )
        if isinstance(name, StringAttr):
            symbols.append(printed_symbol(name.data))
    parts = [" ".join(positions)] if positions else []
    if symbols:
        parts.append(f"in {'::'.join(reversed(symbols))}")
    return ": ".join(parts)


def _length(op: Operation, place: Place) -> int:
    """The length of the op's name at the place; 0 if it is not the op that is there."""
    text = place.text.line(place.line)[place.column - 1 :]
    name = op_name(op)
    for written in (f'"{name}"', name, name.partition(".")[2]):
        if written and text.startswith(written):
            return len(written)
    return 0


def _quoted(place: Place, length: int) -> list[str]:
    """The line of the text, the part around the place if it is long, with a mark below."""
    line, start = printable_line(place.text.line(place.line)), place.column - 1
    cut = 0 if len(line) <= _WIDTH else max(start - _BEFORE, 0)
    before = "..." if cut else ""
    after = "..." if cut + _WIDTH < len(line) else ""
    number = str(place.line)
    length = max(min(length, cut + _WIDTH - start), 1)
    # Tabs stay tabs, so that the mark is aligned.
    blank = "".join(c if c == "\t" else " " for c in before + line[cut:start])
    return [
        f"    {number} | {before}{line[cut : cut + _WIDTH]}{after}",
        f"    {'':{len(number)}} | {blank}{'^' * length}",
    ]


def _op_line(op: Operation) -> str:
    """The op on one line, regions elided, long attributes cut."""
    stream = StringIO()
    printer = Printer(stream, print_generic_format=True)
    clone = op.clone_without_regions()
    printer.print_op(clone)
    # It must not stay as a user of the operands.
    clone.erase()
    line = " ".join(stream.getvalue().split())
    return line if len(line) <= 200 else f"{line[:197]}..."


_SYMBOL = "sym_name"


def op_before(
    op: Operation, before: Operation, built: Mapping[Operation, Operation]
) -> Operation:
    """
    The op in `before`, a program as it came, that `op` is or was made for: an op of the program
    that passes have changed. Failing that, the function, or the module, around it.

    `built` maps ops of the changed program to the same ops in `before`.
    """
    if op in built:
        return built[op]
    if (same := _of_location(op, before)) is not None:
        return same
    around = next(_around(op, before, built), before)
    alike = [
        other
        for other in walk_all([around])
        if other is not around and op_name(other) == op_name(op)
    ]
    return alike[0] if len(alike) == 1 else around


def _of_location(op: Operation, before: Operation) -> Operation | None:
    """An op with the location, one of the same name rather than others."""
    if isinstance(op.location, UnknownLoc):
        return None
    there = [other for other in walk_all([before]) if other.location == op.location]
    named_alike = (other for other in there if op_name(other) == op_name(op))
    return next(named_alike, there[0] if there else None)


def _around(
    op: Operation, before: Operation, built: Mapping[Operation, Operation]
) -> Iterator[Operation]:
    """The ops of `before` that are around `op`, innermost first; of clones, those with symbols."""
    symbols: dict[tuple[Attribute, ...], Operation] = {}
    for other in walk_all([before]):
        if other.get_attr_or_prop(_SYMBOL) is not None:
            symbols.setdefault(_symbols(other), other)
    for ancestor in [*ancestors(op)][1:]:
        if ancestor in built:
            yield built[ancestor]
        elif (named := symbols.get(_symbols(ancestor))) is not None:
            yield named


def _symbols(op: Operation) -> tuple[Attribute, ...]:
    """The symbol of the op, and those around it, as modules may use a name again."""
    symbols = (around.get_attr_or_prop(_SYMBOL) for around in ancestors(op))
    return (*filter(None, symbols),)
