"""
Names of ops, whether a dialect defines them or not; how messages show the names and other texts of
a program; and the names that a misspelt one may stand for.

A name may hold any character: names of symbols, attributes and unregistered ops are string
literals. Shown raw, an escape sequence would reach the terminal, and a line break would start
a line of its own. They are shown as MLIR prints them:

    func.func @"a\\0Aerror: fake"()  // the name of the function has a line break
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain, count
from unicodedata import category

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*")
_UNUSUAL = re.compile(r"[^ -~]")
"""Characters that may be unprintable."""
_UNUSUAL_IN_LINES = re.compile(r"[^ -~\n\t]")


def op_name(op: Operation) -> str:
    """The op's full name as MLIR prints it, also where no dialect defines the op."""
    # isinstance() is slow, as classes of ops have an abstract base class.
    if op.name != UnregisteredOp.name:
        return op.name
    return escaped(op.op_name.data) if isinstance(op, UnregisteredOp) else op.name


def is_named(op: Operation, names: Container[str]) -> bool:
    """Whether the op's name is one of these, or `dialect.*` for its dialect is."""
    name = op_name(op)
    return name in names or f"{name.split('.')[0]}.*" in names


def free_name(
    stem: str, taken: Container[str], numbers: Iterator[int] | None = None
) -> str:
    """
    The stem, or else the first of `stem_0`, `stem_1` and so on, or of those with the `numbers`,
    that is not taken.
    """
    names = chain((stem,), (f"{stem}_{number}" for number in numbers or count()))
    return next(name for name in names if name not in taken)


def printed_symbol(name: str) -> str:
    """
    The symbol as MLIR prints it, with `@`. Names of symbols around it may precede the name,
    each with `::`.
    """
    return f"@{'::'.join(map(identifier, name.split('::')))}"


def identifier(name: str) -> str:
    """The name of a symbol or an attribute as MLIR prints it, in quotes if it needs them."""
    return name if _IDENTIFIER.fullmatch(name) else f'"{escaped(name)}"'


def escaped(text: str) -> str:
    """The text as MLIR prints it between quotes."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return text
    return _UNUSUAL.sub(_bytes, text.replace("\\", "\\\\").replace('"', "\\22"))


def printable(text: str) -> str:
    """
    The text, such as the name of a file, on one line: characters that cannot be printed, or
    change how others are, are escaped as MLIR escapes them.
    """
    return _UNUSUAL.sub(_bytes_of_unprintable, text)


def printable_lines(text: str) -> str:
    """The text as by `printable`, but with its line breaks and tabs."""
    return _UNUSUAL_IN_LINES.sub(_bytes_of_unprintable, text)


def printable_line(text: str) -> str:
    """
    The line of a program, to be quoted: characters that cannot be printed are replaced one by
    one, so that columns stay as they are. Tabs are kept.
    """
    return _UNUSUAL.sub(
        lambda match: (
            match[0]
            if match[0] == "\t" or _is_printable(match[0])
            else "\N{REPLACEMENT CHARACTER}"
        ),
        text.removesuffix("\r"),
    )


def _bytes(match: re.Match[str]) -> str:
    """The character as bytes of UTF-8 in hexadecimal digits."""
    return "".join(f"\\{byte:02X}" for byte in match[0].encode(errors="surrogatepass"))


def _bytes_of_unprintable(match: re.Match[str]) -> str:
    return match[0] if _is_printable(match[0]) else _bytes(match)


def _is_printable(character: str) -> bool:
    """Whether it can be printed; Python takes only one of the spaces for printable."""
    return character.isprintable() or category(character) == "Zs"


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The question whether the most similar of the names was meant; empty if none is similar."""
    similar = similar_to(name, names)
    return f"did you mean '{escaped(similar)}'?" if similar else ""


def similar_to(name: str, names: Iterable[str]) -> str:
    """The most similar of the names; empty if none is similar."""
    # Only wrong input needs it.
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, list(names), 1)), "")


def no_such_function(name: str, functions: Sequence[str]) -> str:
    """The message about a function that does not exist, or has no body."""
    known = ", ".join(map(printed_symbol, functions)) or "none"
    return f"there is no function {printed_symbol(name)} with a body; " + (
        did_you_mean(name, functions) or f"there are: {known}"
    )


def no_such_pass(name: str, passes: Iterable[str]) -> str:
    """The message about a pass that does not exist."""
    suggestion = did_you_mean(name, passes)
    return f"there is no pass '{escaped(name)}'" + (
        f"; {suggestion}" if suggestion else ""
    )
