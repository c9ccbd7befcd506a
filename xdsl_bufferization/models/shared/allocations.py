"""
Allocations of memrefs, by ops of any dialect, and for operands that need another layout.

Computing a buffer element by element, in a `linalg.generic`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.host.releases import linalg_attrs, linalg_ops
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.support.memref_types import (
    identity_type,
    is_cast_guaranteed,
    may_have_layout,
)
from xdsl_bufferization.support.shaped_types import (
    is_tensor,
    ranked_memref,
    ranked_shape,
)


class MemRefAllocation(AllocationOpInterface):
    """Memory that is freed with `memref.dealloc` and copied with `bufferization.clone`."""

    def build_dealloc(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> Operation | None:
        return builder.insert(memref.DeallocOp.get(allocated))

    def build_clone(
        self, op: Operation, builder: Builder, allocated: SSAValue
    ) -> SSAValue | None:
        # Few passes clone memory, and to import the dialect takes long.
        from xdsl_bufferization.dialects.bufferization import CloneOp

        return builder.insert(CloneOp(allocated)).output


def types_on_buffers(
    values: Iterable[SSAValue], types: BufferTypes
) -> Sequence[Attribute]:
    """The types of the buffers of tensors, and of other values."""
    return [types.buffer_type(v) if is_tensor(v) else v.type for v in values]


def operands_to_copy(
    op: Operation, wanted: Mapping[int, Attribute], types: BufferTypes
) -> Sequence[int] | None:
    """
    The operands, by index, that are copied to new memory of the wanted types, for its layout;
    `None` if the sizes may show that one has the layout already.
    """
    copied: list[int] = []
    for index, type in wanted.items():
        value = op.operands[index]
        if is_tensor(value):
            given = types.buffer_type(value)
            if not is_cast_guaranteed(given, type):
                if may_have_layout(given, type):
                    return None
                copied.append(index)
    return copied


class InMemorySpaceOfSource(BufferizableOpInterface):
    """An op whose result is contiguous, in the memory space of its first operand."""

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        source = types.buffer_type(op.operands[0])
        return identity_type(value.type, source.memory_space)


def elementwise(
    inputs: Sequence[SSAValue], output: SSAValue, body: Region, bufferizer: Bufferizer
) -> None:
    """
    Insert a `linalg.generic` that overwrites each element of the buffer `output` with what
    `body` yields, given the elements at the same position of `inputs`, buffers of the same
    shape, and of `output`.
    """
    rank = len(ranked_shape(output))
    identity = AffineMapAttr(AffineMap.identity(rank))
    bufferizer.insert(
        linalg_ops.GenericOp(
            inputs,
            (output,),
            body,
            (identity,) * (len(inputs) + 1),
            (linalg_attrs.IteratorTypeAttr.parallel(),) * rank,
        )
    )


def cast_elements(
    op: Operation,
    cast: Callable[[SSAValue, Attribute], Operation],
    bufferizer: Bufferizer,
) -> None:
    """Replace the op by casts of the elements of its operand to a type, in a new buffer."""
    source = bufferizer.buffer(op.operands[0])
    new = bufferizer.alloc_like(source, bufferizer.buffer_type(op.results[0]))
    types = [ranked_memref(value.type).element_type for value in (source, new)]
    block = Block(arg_types=types)
    element = cast(block.args[0], types[1])
    block.add_ops((element, linalg_ops.YieldOp(element.results[0])))
    elementwise((source,), new, Region(block), bufferizer)
    bufferizer.replace(op, [new])
