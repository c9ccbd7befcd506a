"""
What models of `BufferizableOpInterface` may ask and do while a program is rewritten.

Models are written against these protocols, so they know nothing of who rewrites: One-Shot
Bufferize, a pattern of dialect conversion, or a pass of someone else's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from typing_extensions import TypeVar
from xdsl.dialects import func
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    Region,
    SSAValue,
)

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.shaped_types import MemRef

OpT = TypeVar("OpT", bound=Operation)


class BufferTypes(Protocol):
    """The types of the buffers that tensors will have."""

    options: OneShotOptions

    def buffer_type(self, value: SSAValue) -> MemRef:
        """The memref type of the buffer of a tensor, which need not exist yet."""
        ...

    def default_buffer_type(self, op: Operation, value: SSAValue) -> MemRef:
        """The type of the operand that the value is equivalent to, or identity layout."""
        ...

    def set_buffer_type(self, value: SSAValue, type: Attribute) -> None:
        """Decide the type that `buffer_type` tells."""
        ...

    def infer_types(self, region: Region) -> None:
        """
        Make the buffer types of the tensors that the region defines known, in program
        order, so that no type has to be traced back through long chains of ops.
        """
        ...

    def common_type(self, value: SSAValue, types: Sequence[MemRef]) -> MemRef:
        """
        The type for a tensor whose buffer is one of several: theirs if they agree,
        otherwise one that all of them can be cast to.
        """
        ...

    def default_memory_space(
        self, tensor: Attribute, op: Operation | None
    ) -> Attribute | None:
        """
        The memory space for a tensor of the type that the op defines, where nothing but
        the type tells it; `None` for the default one.
        """
        ...

    def returned_type(self, tensor: Attribute, type: Attribute) -> MemRef:
        """
        The type in which a buffer of the type leaves a function: if the tensor's encoding
        says so, in another memory space.
        """
        ...

    def callee(self, call: Operation) -> func.FuncOp:
        """
        The function that the op calls; its signature is on buffers already, unless it
        calls the function around the op in turn.
        """
        ...

    def is_recursive(self, function: func.FuncOp) -> bool:
        """Whether a call of the function may be rewritten before the function is."""
        ...


class Bufferizer(BufferTypes, Protocol):
    """
    The rewrite of a program, of which a model writes the part for its op.

    Ops are rewritten in program order. A tensor op stays where it is, unused in the end,
    while the new ops go in front of it; so a model may still look at the tensor program
    around its op.
    """

    # The buffers of tensors -----------------------------------------------------------

    def buffer(self, value: SSAValue) -> SSAValue:
        """The buffer in which the tensor lives."""
        ...

    def known_buffer(self, value: SSAValue) -> SSAValue | None:
        """The buffer in which the tensor lives, unless it is `to_buffer` of the tensor."""
        ...

    def operands(self, op: Operation) -> list[SSAValue]:
        """The op's operands, buffers in place of tensors."""
        ...

    def keep(self, tensor: SSAValue, buffer: SSAValue) -> None:
        """Leave the tensor, which lives in the buffer, to the ops that stay on tensors."""
        ...

    # What takes the place of an op, or of a block argument ------------------------------

    def replace(
        self, op: Operation, results: Sequence[SSAValue | Operation | None] = ()
    ) -> None:
        """
        Replace the op: each tensor result by a buffer, others by the value given.

        `None`, and results not given, are for results without uses.
        """
        ...

    def rebuild(
        self,
        op: Operation,
        operands: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        properties: Mapping[str, Attribute] = {},
    ) -> Operation:
        """
        Insert an op of the same kind with other operands and result types, and other
        values of the properties given; the regions move over to it.
        """
        ...

    def replace_argument(self, argument: BlockArgument, type: Attribute) -> None:
        """Give a block a buffer of the type in place of the tensor argument."""
        ...

    def replace_argument_by(self, argument: BlockArgument, buffer: SSAValue) -> None:
        """Use a buffer from elsewhere in place of the tensor argument."""
        ...

    def replace_tensor_arguments(self, block: Block) -> None:
        """Give a block that is branched to buffers in place of all tensor arguments."""
        ...

    def argument_type(self, block: Block, index: int) -> MemRef:
        """The buffer type of the argument that the block had at the index."""
        ...

    # New ops ------------------------------------------------------------------------------

    def insert(self, op: OpT) -> OpT:
        """
        Insert an op in front of the one that is being rewritten, with its location unless
        the op has got one.
        """
        ...

    def insert_in_front_of(self, op: Operation) -> None:
        """Insert the ops that follow there, until the current op is rewritten."""
        ...

    def alloc(
        self, type: Attribute, dynamic_sizes: Sequence[SSAValue] = ()
    ) -> SSAValue:
        """Allocate a buffer with the alignment that the options ask for."""
        ...

    def alloc_like(self, buffer: SSAValue, type: Attribute | None = None) -> SSAValue:
        """Allocate a buffer of the same sizes, without a layout unless one is given."""
        ...

    def global_constant(self, op: Operation, value: Attribute) -> SSAValue:
        """The read-only buffer that holds the value of a constant op."""
        ...

    def copy(self, source: SSAValue, destination: SSAValue) -> None:
        """Copy the contents of one buffer into another of the same shape."""
        ...

    def copied(self, buffer: SSAValue) -> SSAValue:
        """A contiguous copy of the buffer."""
        ...

    def cast(self, buffer: SSAValue, type: Attribute) -> SSAValue:
        """
        The buffer as the wanted memref type: cast if every such buffer has that type,
        otherwise copied into a new one.
        """
        ...

    def dim(self, buffer: SSAValue, dimension: int) -> SSAValue:
        """The size of the buffer in a dimension, as an index value."""
        ...

    def sum(self, *terms: SSAValue | int) -> SSAValue | int:
        """The sum of indices, a number if all of them are."""
        ...

    def index(self, value: SSAValue | int) -> SSAValue:
        """The index as a value."""
        ...

    def constant(self, value: int) -> SSAValue:
        """An index constant."""
        ...

    def error(self, message: str, *, hint: str = "") -> BufferizationError:
        """An error about the op that is being rewritten."""
        ...
