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
    Where each name is, and the name: what is in braces, behind a brace or a comma, and in
    front of an equals sign or the end of the entry. `is_op` tells the names of ops, since a
    region is in braces, too.
    """
    tokens = [*_TOKEN.finditer(text.bare)]
    open_brackets: list[str] = []
    for i, match in enumerate(tokens):
        token = match[0]
        if token in _OPENING:
            open_brackets.append(token)
        elif token in _CLOSING:
            if open_brackets:
                open_brackets.pop()
        elif (
            open_brackets[-1:] == ["{"]
            and tokens[i - 1][0] in ("{", ",")
            and i + 1 < len(tokens)
            and tokens[i + 1][0] in ("=", ",", "}")
        ):
            name = text.code[match.start() : match.end()].strip('"')
            if (token[0].isalpha() or token[0] in '_"') and not is_op(name):
                yield match.start(), name
