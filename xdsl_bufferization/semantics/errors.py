"""The errors of a program that is run."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from xdsl_bufferization.support.diagnostics import describe_ops
from xdsl_bufferization.support.failures import error_line
from xdsl_bufferization.support.names import op_name

_TOO_LARGE = "array is too big", "Maximum allowed"
"""How NumPy's `ValueError`s start about arrays whose bytes it cannot count."""


class ExecutionError(Exception):
    """A program cannot go on: what happened, at which op, and which ops led to it."""

    kind = "failure"
    """The `ProblemKind` that a check reports."""

    def __init__(
        self,
        message: str,
        op: Operation | None = None,
        related: Sequence[tuple[str, Operation | None]] = (),
    ):
        super().__init__(message)
        self.message = message
        self.op = op
        """Where it happened; set by the interpreter if the raiser does not know it."""
        self.related = related
        """Other ops involved, each with how: `("allocated by", op)`."""

    def __str__(self) -> str:
        named = "" if self.op is None else f"'{op_name(self.op)}': "
        ops = [("at", self.op), *self.related]
        return "\n".join([f"{named}{self.message}", *describe_ops(ops)])


class MissingSemanticsError(ExecutionError):
    """An op, type or attribute without semantics."""

    kind = "missing semantics"


class UndefinedBehaviorError(ExecutionError):
    """Behavior that the definition of an op leaves undefined, as a division by zero."""

    kind = "undefined behavior"


class MemoryFault(ExecutionError):
    """A wrong use of memory, such as a use after free or an access out of bounds."""

    kind = "memory fault"


def diagnosed(error: Exception, op: Operation) -> ExecutionError:
    """The error as one of the program, which has happened at the op if it names none."""
    if not isinstance(error, ExecutionError):
        text = f"cannot be run: {error_line(error)}"
        if isinstance(error, MemoryError) or str(error).startswith(_TOO_LARGE):
            text = "needs more memory than there is"
        cause, error = error, ExecutionError(text)
        error.__cause__ = cause
    error.op = error.op or op
    return error
