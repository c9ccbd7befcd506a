"""What can go wrong when a program is run."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from xdsl_bufferization.support.diagnostics import describe_location
from xdsl_bufferization.support.names import op_name


class ExecutionError(Exception):
    """A program that cannot go on: what happened, at which op, and what led to it."""

    def __init__(
        self,
        message: str,
        op: Operation | None = None,
        related: Sequence[tuple[str, Operation | None]] = (),
    ):
        super().__init__(message)
        self.message = message
        self.op = op
        """Where it happened; whoever runs the op fills it in."""
        self.related = related
        """Ops that have to do with it, each with how."""

    def __str__(self) -> str:
        lines = [self.message]
        if self.op is not None:
            lines = [f"'{op_name(self.op)}': {self.message}"]
            lines.append(f"  at: {describe_location(self.op)}")
        for relation, op in self.related:
            if op is not None:
                lines.append(f"  {relation}: {describe_location(op)}")
        return "\n".join(lines)


class MissingSemanticsError(ExecutionError):
    """An op, type or attribute that nobody has said the meaning of."""


class UndefinedBehaviorError(ExecutionError):
    """What the op's definition leaves undefined, such as a division by zero."""


class MemoryFault(ExecutionError):
    """A wrong use of memory: after it was freed, out of its bounds, and so on."""
