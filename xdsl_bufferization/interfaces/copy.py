"""
Ops that copy the contents of one memref to another.

Source: MLIR's CopyOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.registry import OpInterface


class CopyOpInterface(OpInterface):
    """From where to where an op copies; by default from operand 0 to operand 1."""

    def source(self, op: Operation) -> SSAValue:
        """The value whose contents are copied."""
        return op.operands[0]

    def target(self, op: Operation) -> SSAValue:
        """The value that has the same contents afterwards."""
        return op.operands[1]
