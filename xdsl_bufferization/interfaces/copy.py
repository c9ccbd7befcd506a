"""
Ops that copy the contents of one memref to another.

Source: MLIR's CopyOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.registry import (
    OpInterface,
    Questions,
    answers,
    instance_of,
)


class CopyOpInterface(OpInterface):
    """An op that copies the contents of one memref to another, and does nothing else."""

    def source(self, op: Operation) -> SSAValue:
        """The memref whose contents are copied. By default operand 0."""
        return op.operands[0]

    def target(self, op: Operation) -> SSAValue:
        """The memref that has the same contents afterwards. By default operand 1."""
        return op.operands[1]

    questions: ClassVar[Questions] = answers(
        source=instance_of(SSAValue, "a value"),
        target=instance_of(SSAValue, "a value"),
    )


def may_return_source(op: Operation) -> bool:
    """
    Whether the op is a copy to a result of its own, as `bufferization.clone` is: later passes
    may let it return its source, so that neither may be written while the other is used.
    """
    model = CopyOpInterface.of(op)
    return model is not None and model.target(op).owner is op
