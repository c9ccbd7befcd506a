"""Ops on tensors that need the buffer of an operand to have a certain layout."""

from __future__ import annotations

from abc import abstractmethod

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.registry import OpInterface


class RequiredLayoutOpInterface(OpInterface):
    """An op that copies the buffer of an operand unless it has the layout that it needs."""

    @abstractmethod
    def requires_identity(self, op: Operation, operand: int) -> bool:
        """Whether the buffer of the operand, a tensor, has to have the identity layout."""
