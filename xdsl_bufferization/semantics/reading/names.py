"""The names of attributes in the dictionaries of a program's text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from xdsl_bufferization.semantics.reading.text import ProgramText

_TOKEN = re.compile(
    r'->|"[^"]*"|[A-Za-z_][\w$.-]*|[#!@%^][\w$.:-]*|[<>()\[\]{},=]|[^\s]'
)
_OPENING, _CLOSING = "<([{", ">)]}"


def names(text: ProgramText, is_op: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """
    Where each name is, and the name. `is_op` tells the names of ops, since a region is in
    braces, too.
    """
    tokens = [*_TOKEN.finditer(text.bare)]

    def name_at(i: int) -> str | None:
        """The name in front of an equals sign or the end of an entry."""
        if i + 1 >= len(tokens) or tokens[i + 1][0] not in ("=", ",", "}"):
            return None
        name = text.code[slice(*tokens[i].span())].strip('"')
        starts = tokens[i][0][0]
        is_name = starts.isalpha() or starts in '_"'
        return name if is_name and not is_op(name) else None

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
