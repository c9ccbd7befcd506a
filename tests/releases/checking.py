"""
`filecheck` for what an older xDSL prints: the IR is first read and printed by the xDSL of this
environment, so that one expected output holds for all releases.

Releases differ in how they number blocks, and in which ops they print in custom form.
"""

from __future__ import annotations

import sys
from io import StringIO

from filecheck.main import main as filecheck
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.host.literals import DenseLiteralParser
from xdsl_bufferization.host.printing import PortablePrinter
from xdsl_bufferization.support.reading import context_of_all_dialects

_SEPARATOR = "// -----"
"""Between the parts that `xdsl-opt --split-input-file` prints."""


def main() -> int | str | None:
    sys.stdin = StringIO(printed_again(sys.stdin.read()))
    return filecheck()


def printed_again(text: str) -> str:
    """The programs in the text as this xDSL prints them; the text if it is something else."""
    try:
        parts = [_printed_again(part) for part in text.split(_SEPARATOR)]
    except ParseError:
        return text
    return _SEPARATOR.join(parts)


def _printed_again(text: str) -> str:
    # Nothing is no program, and locations are not read.
    if not text.strip() or " loc(" in text:
        return text
    context = context_of_all_dialects(allow_unregistered=True)
    module = DenseLiteralParser(context, text).parse_module()
    stream = StringIO()
    in_generic_form = text.lstrip().startswith('"builtin.module"')
    printer = PortablePrinter(stream, print_generic_format=in_generic_form)
    printer.print_op(module)
    printer.print_metadata(context.loaded_dialects)
    return f"\n{stream.getvalue()}\n"
