"""String literals that do not end: their regular expression tries each way to split them."""

from __future__ import annotations

import re

from xdsl.utils.mlir_lexer import MLIRLexer

_NAME = "_unescaped_characters_regex"
_PLAIN, _ESCAPE = r'[^"\\\n\v\f]', r'\\(?:["nt\\]|[0-9A-Fa-f]{2})'


def is_broken() -> bool:
    pattern = getattr(MLIRLexer, _NAME, None)
    return pattern is not None and pattern.pattern == f'"(?:{_PLAIN}+|{_ESCAPE})*"'


def mend() -> None:
    linear = re.compile(f'"{_PLAIN}*(?:{_ESCAPE}{_PLAIN}*)*"')
    setattr(MLIRLexer, _NAME, linear)
