"""How a program that cannot be bufferized is reported."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from io import StringIO
from types import TracebackType

from xdsl.dialects.builtin import StringAttr, UnknownLoc
from xdsl.ir import Operation
from xdsl.printer import Printer
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.support.locations import file_position
from xdsl_bufferization.support.names import op_name


class BufferizationError(PassFailedException):
    """
    A program that a pass refuses: which op, where it is, and what to do about it.

    `xdsl-opt` lets exceptions through. Uncaught there, an error of this class is printed
    as its message alone, as a compiler would, and the exit status stays 1. In any other
    program it is an exception like others.
    """

    def __init__(
        self,
        op: Operation | None,
        message: str,
        *,
        related: Sequence[tuple[str, Operation | None]] = (),
        hint: str = "",
    ):
        text = message
        if op is not None:
            text = f"'{op_name(op)}' {message}\n  at: {describe_location(op)}"
        for relation, other in related:
            if other is not None:
                text += f"\n  {relation}: {describe_location(other)}"
        if hint:
            text += f"\n  hint: {hint}"
        super().__init__(text)
        self.op = op
        if _runs_in_xdsl_opt():
            _print_without_traceback()


def describe_location(op: Operation) -> str:
    """
    Where `op` is: its source location if it has one, its symbol-carrying ancestors, and
    the op as generic IR without its regions.
    """
    location = ""
    if not isinstance(op.location, UnknownLoc):
        location = f"{file_position(op.location) or op.location}: "
    symbols: list[str] = []
    ancestor: Operation | None = op
    while ancestor is not None:
        symbol = ancestor.properties.get("sym_name") or ancestor.attributes.get(
            "sym_name"
        )
        if isinstance(symbol, StringAttr):
            symbols.append(f"@{symbol.data}")
        ancestor = ancestor.parent_op()
    where = f"in {'::'.join(reversed(symbols))}, " if symbols else ""
    return f"{location}{where}{_op_line(op)}"


def _op_line(op: Operation) -> str:
    """The op on one line, regions elided, long attributes cut."""
    stream = StringIO()
    printer = Printer(stream, print_generic_format=True)
    clone = op.clone_without_regions()
    printer.print_op(clone)
    # It must not stay behind as a user of the operands.
    clone.erase()
    line = " ".join(stream.getvalue().split())
    return line if len(line) <= 200 else f"{line[:197]}..."


def _runs_in_xdsl_opt() -> bool:
    """Whether `xdsl-opt`, or a command derived from it, is what calls this function."""
    return any(
        frame.f_globals.get("__name__") == "xdsl.xdsl_opt_main"
        for frame, _ in traceback.walk_stack(None)
    )


def _print_without_traceback() -> None:
    """Let uncaught errors of this package be printed as their messages alone."""
    global _replaced_hook
    if sys.excepthook is not _excepthook:
        _replaced_hook = sys.excepthook
        sys.excepthook = _excepthook


_replaced_hook = sys.excepthook


def _excepthook(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if isinstance(error, BufferizationError):
        print(f"error: {error}", file=sys.stderr)
    else:
        _replaced_hook(kind, error, trace)
