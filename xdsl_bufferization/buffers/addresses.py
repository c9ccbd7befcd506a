"""
Values other than memrefs through which memory may be used: pointers to it, numbers computed
from its address, and tokens of ops that still run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import IndexType, IntegerType, i1
from xdsl.dialects.memref import DmaStartOp, ExtractAlignedPointerAsIndexOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.buffer_effects import BufferEffect, effect_on
from xdsl_bufferization.support.call_graph import is_call, is_function
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    is_tensor_like,
    may_hold_memory,
)


def kept_operands(op: Operation) -> Sequence[int]:
    """
    The memref operands whose memory may be used after the op through values other than memrefs
    that are derived from them.
    """
    if not isinstance(op, DmaStartOp) and not any(addresses(op)):
        return ()
    return [
        index
        for index, operand in enumerate(op.operands)
        # What is loaded from memory is not its address.
        if is_memref_type(operand.type)
        and effect_on(op, index) is not BufferEffect.READ
    ]


def addresses(op: Operation) -> Sequence[OpResult]:
    """The results of the op through which the memory of its operands may be used."""
    if isinstance(op, ExtractAlignedPointerAsIndexOp):
        return op.results
    return [result for result in op.results if _may_point_to_memory(result.type)]


def computed_from(op: Operation) -> Iterator[SSAValue]:
    """The values that the op may compute from addresses among its operands, or forward them to."""
    for target in targets_of(op):
        if _may_be_address(target.type) or (
            is_memref_type(target.type) and target.owner is op and not is_call(op)
        ):
            yield target


def targets_of(op: Operation) -> Iterator[SSAValue]:
    """The values that the op may compute from its operands, or forward them to."""
    yield from op.results
    for block in op.successors:
        yield from block.args
    regions, parent = [*op.regions], op.parent_op()
    if (
        parent is not None
        and not is_function(parent)
        and op.next_op is None
        and not op.successors
    ):
        yield from parent.results
        regions += parent.regions
    for region in regions:
        if region.first_block is not None:
            yield from region.first_block.args


def _may_be_address(type: Attribute) -> bool:
    if isinstance(type, IntegerType):
        return type != i1
    return isinstance(type, IndexType) or _may_point_to_memory(type)


def _may_point_to_memory(type: Attribute) -> bool:
    # Tensors are followed as such.
    return may_hold_memory(type) and not is_tensor_like(type)
