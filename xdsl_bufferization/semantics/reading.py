"""
Reading programs so that their ops know which line of which file they are from.
"""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.universe import Universe


def context_of_all_dialects(*, allow_unregistered: bool = False) -> Context:
    """A context with the dialects that `xdsl-opt` knows."""
    context = Context(allow_unregistered=allow_unregistered)
    for name, factory in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, factory)
    return context


def read_module(context: Context, path: Path) -> ModuleOp:
    """
    The module in the file. Raises `OSError` or `UnicodeError` if the file cannot be read,
    `xdsl.utils.exceptions.ParseError` or `VerifyException` if it holds no valid module.
    """
    module = parse_module(context, path.read_text(), str(path))
    module.verify()
    return module


def parse_module(context: Context, text: str, name: str) -> ModuleOp:
    """The module, whose ops have locations in the file `name`."""
    return _LocatingParser(context, text, name).parse_module()


class _LocatingParser(Parser):
    """Gives each op that has no location the place where it is read."""

    def __init__(self, context: Context, text: str, name: str):
        super().__init__(context, text, name)
        self._name = StringAttr(name)
        newlines = (i for i, character in enumerate(text) if character == "\n")
        self._lines = [0, *(i + 1 for i in newlines)]
        """Where each line starts."""

    def parse_operation(self) -> Operation:
        position = self.pos
        op = super().parse_operation()
        if isinstance(op.location, UnknownLoc):
            line = bisect_right(self._lines, position)
            column = position - self._lines[line - 1] + 1
            op.location = FileLineColLoc(self._name, IntAttr(line), IntAttr(column))
        return op
