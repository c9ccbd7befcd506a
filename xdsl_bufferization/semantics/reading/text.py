"""The text of a program without what no attribute is in."""

from __future__ import annotations

import re
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
