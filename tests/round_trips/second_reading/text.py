"""The text of a program without what no attribute is in, and the names in its dictionaries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

_COMMENT_OR_STRING = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"')
_ALIAS = re.compile(r"^#([\w$.-]+)\s*=", re.MULTILINE)
_NEXT_LINE = re.compile(r"\n(?=[^\s}\]>)])")
_CLOSING = {"<": ">", "(": ")", "[": "]", "{": "}"}
_BRACKET = re.compile(r"->|[<>()\[\]{}]")


@dataclass(frozen=True)
class ProgramText:
    """The text of a program, with the offsets of the file."""

    content: str

    @cached_property
    def code(self) -> str:
        """The text without comments and unused aliases."""
        code = _COMMENT_OR_STRING.sub(_without_comment, self.content)
        for alias in [*_ALIAS.finditer(code)]:
            if len(re.findall(rf"#{re.escape(alias[1])}(?![\w$.-])", code)) == 1:
                end = _NEXT_LINE.search(code, alias.end())
                stop = len(code) if end is None else end.start()
                code = (
                    code[: alias.start()]
                    + _blank(code[alias.start() : stop])
                    + code[stop:]
                )
        return code

    @cached_property
    def bare(self) -> str:
        """The code with empty strings."""
        return _COMMENT_OR_STRING.sub(
            lambda match: f'"{_blank(match[0][1:-1])}"', self.code
        )

    def closing(self, opening: int) -> int:
        """The offset after the bracket that closes the one at the offset `opening`."""
        open_brackets: list[str] = []
        for match in _BRACKET.finditer(self.bare, opening):
            bracket = match[0]
            if bracket in _CLOSING:
                open_brackets.append(_CLOSING[bracket])
            elif bracket != "->":
                if not open_brackets or open_brackets.pop() != bracket:
                    break
                if not open_brackets:
                    return match.end()
        return len(self.bare)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column, from 1 on."""
        before = self.content[:offset]
        return before.count("\n") + 1, offset - before.rfind("\n")


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _without_comment(match: re.Match[str]) -> str:
    return _blank(match[0]) if match[0].startswith("/") else match[0]


_TOKEN = re.compile(
    r'->|"[^"]*"|[A-Za-z_][\w$.-]*|[#!@%^][\w$.:-]*|[<>()\[\]{},=]|[^\s]'
)
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|.)")


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
        elif token in _CLOSING:
            open_brackets.append(token)
        elif token in _CLOSING.values() and open_brackets:
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
