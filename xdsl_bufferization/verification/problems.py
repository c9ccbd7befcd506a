"""
Wrong decisions, as errors describe them.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation

from xdsl_bufferization.support.diagnostics import describe_ops
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.verification.facts import Overwritten


@dataclass(frozen=True)
class Violation:
    """A decision that changes what the program computes."""

    reader: Operation
    """The op that reads other contents than it should."""
    operand: int
    overwritten: Overwritten
    definition: Operation
    """The op that defines the contents that it should read."""

    def __str__(self) -> str:
        writer, loop = self.overwritten.writer, self.overwritten.loop
        if writer is self.reader:
            when = "while it writes"
        elif loop is None:
            when = "after they have been overwritten"
        else:
            when = f"after an earlier iteration of '{op_name(loop.op)}' has overwritten them"
        return "\n".join(
            [
                f"'{op_name(self.reader)}' reads the contents of operand #{self.operand} "
                + when,
                *describe_ops(
                    [
                        ("at", self.reader),
                        ("defined by", self.definition),
                        ("overwritten by", None if writer is self.reader else writer),
                        ("on the way back through", None if loop is None else loop.op),
                    ]
                ),
            ]
        )


@dataclass(frozen=True)
class ForbiddenWrite:
    """A write to read-only memory."""

    writer: Operation
    operand: int
    definition: Operation

    def __str__(self) -> str:
        return "\n".join(
            [
                f"'{op_name(self.writer)}' writes operand #{self.operand} in place, whose "
                "memory must not be written",
                *describe_ops([("at", self.writer), ("defined by", self.definition)]),
            ]
        )
