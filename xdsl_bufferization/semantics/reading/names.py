"""The names of attributes in the dictionaries of a program's text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from xdsl_bufferization.semantics.reading.text import ProgramText

_TOKEN = re.compile(
    r'->|"[^"]*"|[A-Za-z_][\w$.-]*|[#!@%^][\w$.:-]*|[<>()\[\]{},=]|[^\s]'
)
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|.)")
_OPENING, _CLOSING = "<([{", ">)]}"


def names(text: ProgramText, is_op: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """
    Where each name is, and the name. A region is in braces, too: one with nothing but an op
    without operands looks like a dictionary of one name, and `is_op` tells which it is.
    """
    tokens = [*_TOKEN.finditer(text.bare)]

    def name_at(i: int) -> str | None:
        """The name before an equals sign or the end of an entry."""
        if i + 1 >= len(tokens) or tokens[i + 1][0] not in ("=", ",", "}"):
            return None
        name = _name(text.code[slice(*tokens[i].span())])
        starts = tokens[i][0][0]
        if not starts.isalpha() and starts not in '_"':
            return None
        is_only_one = tokens[i - 1][0] == "{" and tokens[i + 1][0] == "}"
        return None if is_only_one and is_op(name) else name

    open_brackets: list[str] = []
    for i, match in enumerate(tokens):
        token = match[0]
        if token == "{":
            open_brackets.append(token if name_at(i + 1) is not None else "region")
        elif token in _OPENING:
            open_brackets.append(token)
        elif token in _CLOSING and open_brackets:
            open_brackets.pop()
        if token in ("{", ",") and open_brackets[-1:] == ["{"]:
            name = name_at(i + 1)
            if name is not None:
                yield tokens[i + 1].start(), name


def _name(token: str) -> str:
    """The name that is written as an identifier, or as a string with escapes."""
    if not token.startswith('"'):
        return token
    return _ESCAPE.sub(_unescaped, token[1:-1].encode()).decode(errors="replace")


def _unescaped(match: re.Match[bytes]) -> bytes:
    escape = match[1]
    if len(escape) == 2:
        return bytes.fromhex(escape.decode())
    return {b"n": b"\n", b"t": b"\t"}.get(escape, escape)
