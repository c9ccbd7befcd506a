"""Syntax highlighting of the site: MLIR, and terminal sessions."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from pygments.lexer import (
    RegexLexer,
    bygroups,  # pyright: ignore[reportUnknownVariableType] # it has no types
    using,  # pyright: ignore[reportUnknownVariableType] # as above
    words,
)
from pygments.lexers.shell import (  # pyright: ignore[reportMissingTypeStubs] # there are none
    BashLexer,
)
from pygments.token import (
    Comment,
    Generic,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

_NAME = r"[A-Za-z0-9_$.-]*[A-Za-z0-9_$]"
"""The name of a value, a symbol and so on; a full stop behind it is not a part of it."""


class MlirLexer(RegexLexer):
    """MLIR in text form, or a part of it."""

    name = "MLIR"
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"//.*", Comment.Single),
            (r"\.\.\.|…", Comment),
            (r'"(\\.|[^"\\\n])*"', String.Double),
            (rf"%{_NAME}(#\d+)?", Name.Variable),
            (rf'@({_NAME}|"[^"\n]*")', Name.Function),
            (rf"\^{_NAME}", Name.Label),
            (rf"#{_NAME}", Name.Attribute),
            (rf"!{_NAME}", Keyword.Type),
            (r"0x[0-9a-fA-F]{4,}\b", Number.Hex),
            (r"(\d+|\?|\*)(x)(?=[\w?*!(])", bygroups(Number.Integer, Keyword.Type)),
            (r"-?\d+\.\d*([eE][-+]?\d+)?", Number.Float),
            (r"-?\d+", Number.Integer),
            (
                r"([su]?i\d+|index|none|complex|tensor|memref|vector|tuple|"
                r"b?f\d+\w*|tf32)\b(?![.])",
                Keyword.Type,
            ),
            (r"(true|false|unit)\b", Keyword.Constant),
            (
                words(
                    ("affine_map", "affine_set", "dense", "loc", "offset", "strided"),
                    suffix=r"\b(?=[<(:])",
                ),
                Name.Builtin,
            ),
            (r"[a-z_][\w$]*(\.[\w$]+)+", Keyword),
            (r"[A-Za-z_][\w$]*", Name),
            (r"->|[-+*/=|]", Operator),
            (r"::|[{}()\[\]<>,:?;]", Punctuation),
            (r".", Text),
        ],
    }


_BASH = cast("object", using(BashLexer))
_LABEL = cast("object", bygroups(Generic.Output, String))
_COMMAND = cast("object", bygroups(Generic.Prompt, _BASH))


class SessionLexer(RegexLexer):
    """A session in a terminal: a command is in a line that begins with `$ `."""

    name = "Session"
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r"(\$ )((?:.*\\\n)*.*\n)", _COMMAND),
            # As xdsl-opt colors reports in a terminal.
            (r"( *\.* *\| +)(\^+.*\n)", bygroups(Generic.Output, Number)),
            (r"( +)((?:help|avoidable|forced|unknown|needed|tried).*?:)", _LABEL),
            (r"(?:copy of|move to|another buffer for) .*\n", Keyword),
            (r"error: .*\n", Number),
            (r".*\n", Generic.Output),
        ],
    }
