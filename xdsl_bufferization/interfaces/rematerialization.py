"""
Ops whose result can be computed again where it is used, instead of being copied.

Source: P. Briggs, K. Cooper, L. Torczon, "Rematerialization", PLDI 1992,
https://doi.org/10.1145/143095.143143
"""

from __future__ import annotations

from abc import abstractmethod

from xdsl.builder import Builder
from xdsl.dialects import tensor
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.registry import OpInterface
from xdsl_bufferization.interfaces.reify import sizes_of
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import is_tensor


class RematerializationOpInterface(OpInterface):
    """An op with one result, a ranked tensor, whose contents may be cheap to compute again."""

    @abstractmethod
    def bytes_read(self, op: Operation) -> int | None:
        """
        The bytes of tensors that the op reads to compute the contents; `None` if they are
        unknown, or if computing is what takes the time.
        """

    def bytes_written(self, op: Operation) -> int | None:
        """The bytes that the op writes, by default those of its result; `None` if unknown."""
        return bytes_of_contents(op.results[0])

    def rematerialize(self, op: Operation, builder: Builder) -> SSAValue:
        """
        Insert ops that compute the contents again; a tensor of the type of the result.

        By default the op is cloned. Inits that are tensors are replaced by empty tensors,
        so an op that reads an init must not leave it to the default.
        """
        operands = list(op.operands)
        style = DestinationStyleOpInterface.of(op)
        for init in () if style is None else style.inits(op):
            if is_tensor(operands[init]):
                operands[init] = empty_like(operands[init], builder)
        clone = op.clone()
        for index, operand in enumerate(operands):
            clone.operands[index] = operand
        return builder.insert(clone).results[0]


def empty_like(value: SSAValue, builder: Builder) -> SSAValue:
    """
    A new empty tensor of the type and the sizes of a ranked tensor, in its memory space if
    it is a `bufferization.alloc_tensor` itself.
    """
    owner = value.owner
    if isinstance(owner, Operation) and (
        isinstance(owner, tensor.EmptyOp)
        or (
            op_name(owner) == "bufferization.alloc_tensor"
            and not any(map(is_tensor, owner.operands))
        )
    ):
        return builder.insert(owner.clone()).results[0]
    dynamic = [s for s in sizes_of(value, builder) if isinstance(s, SSAValue)]
    return builder.insert(tensor.EmptyOp(dynamic, value.type)).tensor
