"""
Wrong decisions, as errors describe them.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation

from xdsl_bufferization.support.diagnostics import describe_location
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
    """What defines the contents that it should read."""

    def __str__(self) -> str:
        writer, loop = self.overwritten.writer, self.overwritten.loop
        if writer is self.reader:
            when = "while it writes"
        elif loop is None:
            when = "after they have been overwritten"
        else:
            when = f"after an earlier iteration of '{op_name(loop.op)}' has overwritten them"
        lines = [
            f"'{op_name(self.reader)}' reads the contents of operand #{self.operand} {when}",
            f"  at: {describe_location(self.reader)}",
        ]
        lines.append(f"  defined by: {describe_location(self.definition)}")
        if writer is not self.reader:
            lines.append(f"  overwritten by: {describe_location(writer)}")
        if loop is not None:
            lines.append(f"  on the way back through: {describe_location(loop.op)}")
        return "\n".join(lines)


@dataclass(frozen=True)
class ForbiddenWrite:
    """A write to read-only memory."""

    writer: Operation
    operand: int
    definition: Operation

    def __str__(self) -> str:
        lines = [
            f"'{op_name(self.writer)}' writes operand #{self.operand} in place, whose "
            "memory must not be written",
            f"  at: {describe_location(self.writer)}",
        ]
        lines.append(f"  defined by: {describe_location(self.definition)}")
        return "\n".join(lines)
