"""
Ops that allocate memory, and how to free and to duplicate what they allocate.

Source: MLIR's AllocationOpInterface,
https://mlir.llvm.org/docs/OwnershipBasedBufferDeallocation/
"""

from __future__ import annotations

from abc import abstractmethod

from xdsl.builder import Builder
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.registry import OpInterface


class AllocationOpInterface(OpInterface):
    """Builds the ops that fit to an op that allocates."""

    @abstractmethod
    def build_dealloc(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> Operation | None:
        """
        Insert the op that frees `allocated`, a result of `op` or a value with the same
        contents; `None` if such memory is not to be freed.
        """

    @abstractmethod
    def build_clone(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> SSAValue | None:
        """
        Insert the ops that copy `allocated` into new memory, and return that; `None` if
        that is not possible.
        """
