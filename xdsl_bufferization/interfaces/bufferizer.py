"""
The questions and tools of models of `BufferizableOpInterface` while a program is rewritten.

Models are written against two protocols, so that they need not know who rewrites: One-Shot
Bufferize, or a pattern of dialect conversion. `BufferTypes` says which types the buffers of
tensors have. `Bufferizer` extends it by the rewrite itself: the buffers, replacements of
ops and block arguments, and new ops.
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
    """The types of the buffers of tensors, before and during the rewrite."""

    options: OneShotOptions

    def buffer_type(self, value: SSAValue) -> MemRef:
        """
        The memref type of the buffer of a tensor, whether the buffer exists yet or not.

        Raises `BufferizationError` if there is no such type.
        MLIR: `bufferization::getBufferType`.
        """
        ...

    def default_buffer_type(self, op: Operation, value: SSAValue) -> MemRef:
        """
        The type of the buffer of the operand of `op` that the value, a result, is
        equivalent to. If there is none, or for a block argument, the identity layout in the
        default memory space.
        """
        ...

    def set_buffer_type(self, value: SSAValue, type: Attribute) -> None:
        """Let the memref type be the answer of `buffer_type` for the value."""
        ...

    def infer_types(self, region: Region) -> None:
        """
        Find the buffer types of the tensors that the region defines, in program order.

        Afterwards, `buffer_type` need not trace one back through a long chain of ops.
        """
        ...

    def common_type(self, value: SSAValue, types: Sequence[MemRef]) -> MemRef:
        """
        The type for the buffer of a tensor that is a buffer of one of the `types` in each
        execution: theirs if they agree, otherwise one that all of them can be cast to. Any
        type if there are none.

        Raises `BufferizationError` if they are in different memory spaces.
        """
        ...

    def default_memory_space(
        self, tensor: Attribute, op: Operation | None
    ) -> Attribute | None:
        """
        The memory space of a buffer for a new tensor of the type, which `op` defines;
        `None` for the default one.

        Raises `BufferizationError` if the options ask that the program names it.
        """
        ...

    def callee(self, call: Operation) -> func.FuncOp:
        """
        The function that the op calls, rewritten before its callers are, except for
        recursive functions.

        Raises `BufferizationError` if the function is not in the module.
        """
        ...

    def is_recursive(self, function: func.FuncOp) -> bool:
        """
        Whether the function may call itself, also through others: then a call of it may be
        rewritten before the function is.
        """
        ...


class Bufferizer(BufferTypes, Protocol):
    """
    The rewrite of a program, to which each model adds the part for its op.

    Ops are rewritten in program order. New ops are inserted before the tensor op,
    which is erased when all ops have been rewritten. So a model may still look at the
    tensor program around its op.
    """

    # The buffers of tensors -----------------------------------------------------------

    def buffer(self, value: SSAValue) -> SSAValue:
        """
        The buffer of the tensor: a `bufferization.to_buffer` of it if its op stays on
        tensors. A value that is no tensor stands for itself.

        MLIR: `getBuffer`.
        """
        ...

    def buffer_of_type(self, value: SSAValue, type: Attribute) -> SSAValue:
        """
        The buffer of the tensor as a value of the memref type: a `bufferization.to_buffer`
        of that type if its op stays on tensors, otherwise its buffer, as `cast` does it.
        A value that is no tensor stands for itself.
        """
        ...

    def has_buffer_of_type(self, value: SSAValue, type: Attribute) -> bool:
        """
        Whether `buffer_of_type` casts or copies a buffer: otherwise the tensor's op stays, and the
        pass that bufferizes it may choose the type.
        """
        ...

    def known_buffer(self, value: SSAValue) -> SSAValue | None:
        """The buffer of the tensor; `None` if it is only a `to_buffer` of the tensor."""
        ...

    def operands(self, op: Operation) -> list[SSAValue]:
        """The operands of the op, with buffers in place of tensors."""
        ...

    def keep(self, tensor: SSAValue, buffer: SSAValue) -> None:
        """Let ops that stay on tensors go on using the tensor, whose buffer is `buffer`."""
        ...

    # What takes the place of an op, or of a block argument ------------------------------

    def replace(
        self, op: Operation, results: Sequence[SSAValue | Operation | None] = ()
    ) -> None:
        """
        Replace each result of the op by a value, which is a buffer if the result is a
        tensor; the op is erased in the end.

        `results` may hold ops with one result in place of values, and `None` for results
        without uses. It may be shorter than the op's results if the rest have no uses.
        MLIR: `replaceOpWithBufferizedValues`.
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
        Insert an op of the same kind with these operands, result types and `properties`;
        other properties and the attributes stay, and the regions are moved to it.
        """
        ...

    def replace_argument(self, argument: BlockArgument, type: Attribute) -> None:
        """Replace the tensor argument of a block by a new argument of the memref type."""
        ...

    def replace_argument_by(self, argument: BlockArgument, buffer: SSAValue) -> None:
        """Replace the tensor argument of a block by a buffer that there is already."""
        ...

    def replace_tensor_arguments(self, block: Block) -> None:
        """
        Replace all tensor arguments of a block that is branched to by buffers; once, for
        all branches to it.
        """
        ...

    def argument_type(self, block: Block, index: int) -> MemRef:
        """The buffer type of the tensor argument that the block has, or had, at the index."""
        ...

    # New ops ------------------------------------------------------------------------------

    def insert(self, op: OpT) -> OpT:
        """
        Insert an op before the op that is being rewritten, and return it. Unless it
        has a location, it gets that of the op that is being rewritten.
        """
        ...

    def insert_in_front_of(self, op: Operation) -> None:
        """Insert before `op` from now on, until the next op is rewritten."""
        ...

    def alloc(
        self, type: Attribute, dynamic_sizes: Sequence[SSAValue] = ()
    ) -> SSAValue:
        """
        Insert an allocation of a buffer of the memref type, aligned as the options say;
        returns the buffer.

        `dynamic_sizes` has an index value for each dimension of unknown size.
        """
        ...

    def alloc_like(self, buffer: SSAValue, type: Attribute | None = None) -> SSAValue:
        """
        Insert an allocation of a buffer of the same sizes; returns the new buffer.

        `type` is its memref type: by default that of `buffer` with the identity layout.
        """
        ...

    def global_constant(self, op: Operation, value: Attribute) -> SSAValue:
        """
        The read-only buffer of a constant op with that value: a `memref.global`, shared by
        equal constants.
        """
        ...

    def copy(self, source: SSAValue, destination: SSAValue) -> None:
        """Insert a copy of the contents of `source` to `destination`, of the same shape."""
        ...

    def copied(self, buffer: SSAValue) -> SSAValue:
        """Insert a copy of the buffer to a new, contiguous one; returns the new one."""
        ...

    def cast(self, buffer: SSAValue, type: Attribute) -> SSAValue:
        """
        The buffer as a value of the memref type: cast if that is valid for all buffers of
        its type, otherwise copied to a new one.
        """
        ...

    def dim(self, buffer: SSAValue, dimension: int) -> SSAValue:
        """The size of the buffer in the dimension, as an index value."""
        ...

    def sum(self, *terms: SSAValue | int) -> SSAValue | int:
        """The sum of index values and integers: an integer if all terms are integers."""
        ...

    def index(self, value: SSAValue | int) -> SSAValue:
        """The index as a value: a constant for an integer."""
        ...

    def constant(self, value: int) -> SSAValue:
        """Insert an index constant, and return it."""
        ...

    def error(self, message: str, *, hint: str = "") -> BufferizationError:
        """An error about the op that is being rewritten, to be raised."""
        ...
