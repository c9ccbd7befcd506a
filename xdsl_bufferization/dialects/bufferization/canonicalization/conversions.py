"""
Canonicalization of `bufferization.to_tensor` and `bufferization.to_buffer`.

A pattern about an op of this dialect and a user of it, which is an op of another dialect, is
a pattern of the former op.
"""

from __future__ import annotations

from xdsl.dialects import arith, bufferization, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from xdsl_bufferization.dialects.bufferization.canonicalization.tensors import (
    DimOfResult,
)
from xdsl_bufferization.dialects.bufferization.conversion_ops import (
    ToBufferOp,
    ToMemrefOp,
)
from xdsl_bufferization.dialects.memref.ops import AllocOp, CopyOp
from xdsl_bufferization.host.effects import memory_effects
from xdsl_bufferization.host.releases import memref_dim, replace_op
from xdsl_bufferization.support.memref_types import is_cast_guaranteed
from xdsl_bufferization.support.shaped_types import are_cast_compatible


def fold(op: Operation) -> tuple[SSAValue] | None:
    """See below."""
    if isinstance(op, bufferization.ToTensorOp):
        return _fold_to_tensor(op)
    return _fold_to_buffer(op)


def _fold_to_tensor(op: Operation) -> tuple[SSAValue] | None:
    """
    The tensor itself for `to_tensor (to_buffer %tensor)`, if no op between the two may
    write the buffer.
    """
    buffer = op.operands[0].owner
    if (
        not isinstance(buffer, bufferization.ToBufferOp)
        or buffer.tensor.type != op.results[0].type
        or buffer.parent is not op.parent
    ):
        return None
    between = op.prev_op
    while between is not None and between is not buffer:
        if memory_effects(between) != set():
            return None
        between = between.prev_op
    return (buffer.tensor,)


def _fold_to_buffer(op: Operation) -> tuple[SSAValue] | None:
    """The memref itself for `to_buffer (to_tensor %memref)`, where that is right."""
    source = op.operands[0].owner
    if (
        isinstance(source, bufferization.ToTensorOp)
        and isinstance(op, bufferization.ToBufferOp)
        and source.memref.type == op.results[0].type
        and _is_memref_of(op, source)
    ):
        return (source.memref,)
    return None


def _is_memref_of(
    op: bufferization.ToBufferOp, source: bufferization.ToTensorOp
) -> bool:
    """
    Whether `to_buffer (to_tensor %memref)` may be replaced by the memref.

    With `restrict` a bufferization is to come that takes the tensor for the only way to the
    memref. It may write a writable memref for another op on the tensor, and gives a
    `to_buffer` that writes a copy of one that is not writable.
    """
    if source.restrict is None:
        return True
    if source.writable is None:
        return op.read_only is not None
    return source.tensor.has_one_use()


class ToMemrefToToBuffer(RewritePattern):
    """`to_memref` becomes `to_buffer`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ToMemrefOp, rewriter: PatternRewriter, /):
        new = ToBufferOp(op.tensor, op.memref.type, op.read_only is not None)
        new.attributes |= op.attributes
        replace_op(rewriter, op, new)


class ToBufferOfToTensor(RewritePattern):
    """
    `to_buffer (to_tensor %memref)`, where the layouts or memory spaces differ, becomes a
    cast if that is always valid, and a copy otherwise.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToBufferOp, rewriter: PatternRewriter, /
    ):
        to_tensor = op.tensor.owner
        if not isinstance(to_tensor, bufferization.ToTensorOp) or not _is_memref_of(
            op, to_tensor
        ):
            return
        source = to_tensor.memref
        type = op.memref.type
        if are_cast_compatible(source.type, type) and is_cast_guaranteed(
            source.type, type
        ):
            replace_op(rewriter, op, memref.CastOp.get(source, type))
            return
        if not isinstance(type, MemRefType) or not _is_static_layout(type.layout):
            return
        sizes: list[SSAValue] = []
        for index, size in enumerate(type.get_shape()):
            if size == DYNAMIC_INDEX:
                position = arith.ConstantOp.from_int_and_width(index, IndexType())
                dim = memref_dim(source, position)
                rewriter.insert(position)
                rewriter.insert(dim)
                sizes.append(dim.result)
        alloc = AllocOp(sizes, (), type)
        copy = CopyOp(source, alloc)
        replace_op(rewriter, op, (alloc, copy), (alloc.memref,))


def _is_static_layout(layout: Attribute) -> bool:
    """Whether memory of that layout can be allocated: no stride or offset is dynamic."""
    return isinstance(layout, NoneAttr) or (
        isinstance(layout, StridedLayoutAttr)
        and layout.get_offset() is not None
        and None not in layout.get_strides()
    )


class ToBufferOfCast(RewritePattern):
    """to_buffer (tensor.cast %tensor)  ->  memref.cast (to_buffer %tensor)"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToBufferOp, rewriter: PatternRewriter, /
    ):
        if not isinstance(op.tensor.owner, tensor.CastOp):
            return
        source, target = op.tensor.owner.source, op.memref.type
        if not isinstance(source.type, TensorType):
            return
        source_type = source.type
        type = MemRefType(
            source_type.element_type,
            source_type.shape,
            target.layout if isinstance(target, MemRefType) else NoneAttr(),
            target.memory_space,
        )
        if type != target and not are_cast_compatible(type, target):
            return
        buffer = ToBufferOp(source, type, op.read_only is not None)
        replace_op(rewriter, op, (buffer, memref.CastOp.get(buffer.memref, target)))


class LoadOfToBuffer(RewritePattern):
    """
    Loads from the buffer become extracts from the tensor, if the buffer is only read.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToBufferOp, rewriter: PatternRewriter, /
    ):
        uses = tuple(op.memref.uses)
        if op.read_only is None and not all(
            isinstance(use.operation, memref.LoadOp) for use in uses
        ):
            return
        for use in uses:
            if isinstance(load := use.operation, memref.LoadOp):
                extract = tensor.ExtractOp(op.tensor, load.indices, load.res.type)
                replace_op(rewriter, load, extract)


TO_TENSOR = (DimOfResult(),)
TO_BUFFER = (
    ToMemrefToToBuffer(),
    ToBufferOfToTensor(),
    ToBufferOfCast(),
    DimOfResult(),
    LoadOfToBuffer(),
)
