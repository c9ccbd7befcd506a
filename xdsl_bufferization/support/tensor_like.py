"""
Tensor and buffer types of other dialects.

A type that is derived from `TensorLikeType` takes part in bufferization like the tensors of the
builtin dialect: an op with a model may have operands and results of that type, loops, branches,
calls and functions hand them on, and their buffers have the type that it tells. What builtin
tensors have and others need not, such as sizes and copies, it tells by further methods.

Source: MLIR's TensorLikeType and BufferLikeType,
https://mlir.llvm.org/docs/Bufferization/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import NoneAttr
from xdsl.ir import Attribute, SSAValue


class TensorLikeType:
    """
    A type of values that become buffers. Classes of types are derived from it, in addition to
    xDSL's classes.

    MLIR: `TensorLikeType`.
    """

    def get_buffer_type(self, memory_space: Attribute | None) -> Attribute:
        """
        The type of a new buffer of such a value, in that memory space, or the default one for
        `None`: derived from `BufferLikeType`, or a memref.

        MLIR: `getBufferType`.
        """
        raise NotImplementedError(
            f"{type(self).__name__} does not define get_buffer_type"
        )

    def common_buffer_type(self, types: Sequence[Attribute]) -> Attribute | None:
        """
        The type of a buffer that may be of any of the types, which differ; `None`, the
        default, if there is none.
        """
        return None

    def build_copy(self, builder: Builder, value: SSAValue) -> SSAValue:
        """
        Insert an op, which has a model and allocates its result, that makes a new value with
        the contents of the value; returns the new one. Without this method, programs that need
        a copy are refused.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define build_copy")


class BufferLikeType:
    """
    A type of buffers that are no memrefs. Classes of types are derived from it, in addition to
    xDSL's classes.

    MLIR: `BufferLikeType`.
    """

    def get_memory_space(self) -> Attribute:
        """Where such buffers are: by default in the default memory space, `NoneAttr`."""
        return NoneAttr()

    def build_cast(self, builder: Builder, buffer: SSAValue) -> SSAValue | None:
        """
        Insert an op that makes the buffer, of another type, a value of this one, without a
        copy; `None`, the default, if that is not possible.
        """
        return None


def can_be_copied(type: Attribute) -> bool:
    """Whether copies of tensors of the type can be made, as far as the type tells."""
    return (
        not isinstance(type, TensorLikeType)
        or type.__class__.build_copy is not TensorLikeType.build_copy
    )
