"""
Ops whose result is memory of an operand.

Source: MLIR's ViewLikeOpInterface, https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.registry import (
    BOOL,
    OpInterface,
    Questions,
    answers,
    instance_of,
    operand_indices,
)
from xdsl_bufferization.support.shaped_types import is_memref_type


class ViewLikeOpInterface(OpInterface):
    """
    An op such as `memref.subview`: it neither allocates, reads nor writes memory, and its
    result is memory of an operand.
    """

    def viewed(self, op: Operation, result: OpResult) -> Sequence[int]:
        """
        The operands whose memory the result, a memref, may be: one of them in each
        execution. By default all memrefs among the operands.

        MLIR: `getViewSource`, which is one operand.
        """
        return [i for i, v in enumerate(op.operands) if is_memref_type(v.type)]

    def is_shifted(self, op: Operation) -> bool:
        """
        Whether the result may start at a higher address than the operand though its type
        has no offset, so that it cannot be freed in place of the operand. By default it
        does not.
        """
        return False

    def byte_shift(self, op: Operation) -> SSAValue | None:
        """
        The operand that says how many bytes of the viewed memory precede the result. `None`,
        the default, if there is no such operand.
        """
        return None

    questions: ClassVar[Questions] = answers(
        viewed=operand_indices,
        is_shifted=BOOL,
        byte_shift=instance_of(SSAValue, "a value").or_none(),
    )


def viewed_by(result: OpResult) -> Sequence[int]:
    """The operands whose memory the result may be; none if it is no view."""
    if is_memref_type(result.type):
        model = ViewLikeOpInterface.of(result.op)
        if model is not None:
            return model.viewed(result.op, result)
    return ()


def is_shifted_view(op: Operation) -> bool:
    """Whether the op is a view that cannot be freed in place of its operand."""
    model = ViewLikeOpInterface.of(op)
    return model is not None and model.is_shifted(op)


def byte_shift_of(op: Operation) -> SSAValue | None:
    """The operand that shifts the op's result by bytes, if the op is such a view."""
    model = ViewLikeOpInterface.of(op)
    return None if model is None else model.byte_shift(op)
