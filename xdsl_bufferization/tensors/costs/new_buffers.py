"""Buffers before the rewrite: tensors and memrefs of the program, and copies to come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Attribute, Operation, SSAValue


@dataclass(eq=False, slots=True)
class NewBuffer:
    """A buffer that the rewrite will allocate, for an operand or a result."""

    value: SSAValue
    """A tensor of the type and the sizes of the one that it holds."""
    op: Operation
    """The op that needs it."""
    place: Operation
    """The op before or after which it is allocated."""

    @property
    def type(self) -> Attribute:
        """The type of the tensor that it holds."""
        return self.value.type


Buffer: TypeAlias = SSAValue | NewBuffer
"""A value stands for the buffer that it will be in."""
