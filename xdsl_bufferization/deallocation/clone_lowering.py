"""
`bufferization.clone` as an allocation and a copy, whether or not its rank is known.

    %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>

    %c = memref.alloc() : memref<4xf32>              // instead
    memref.copy %m, %c : memref<4xf32> to memref<4xf32>

Source: the pass `convert-bufferization-to-memref` of https://mlir.llvm.org/docs/Passes/
"""

from __future__ import annotations

from typing import cast

from xdsl.builder import Builder
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import CloneOp
from xdsl_bufferization.dialects.memref.allocations import AllocaOp, AllocOp
from xdsl_bufferization.dialects.memref.copies import CopyOp
from xdsl_bufferization.dialects.memref.ops import RankOp, ReshapeOp
from xdsl_bufferization.interfaces.memory_layout import extent_of, flat_type_of
from xdsl_bufferization.interfaces.reify import sizes_of
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.flat_memory import (
    is_view_of_flat_memory,
    view_of_flat_memory,
)
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.memref_types import (
    fully_dynamic_type,
    is_cast_guaranteed,
    memory_space_of,
)
from xdsl_bufferization.support.shaped_types import memref_type, ranked_memref
from xdsl_bufferization.support.xdsl_releases import memref_dim, replace_op


def verify_clone(op: CloneOp) -> None:
    """Raises `BufferizationError` if nothing with the layout of the result can be allocated."""
    buffer = _buffer_type(op)
    if (
        buffer is not None
        and not is_cast_guaranteed(buffer, op.output.type)
        and _extent(op.output.type) is None
    ):
        raise BufferizationError(
            op,
            f"allocates {buffer}, which cannot be cast to {op.output.type}",
            hint="clone to a layout with unknown strides and offset",
        )


class LowerClone(RewritePattern):
    """Allocate a buffer, and copy the contents."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CloneOp, rewriter: PatternRewriter) -> None:
        builder = builder_for(op, InsertPoint.before(op))
        source, type = op.input, _buffer_type(op)
        if type is None:
            # Few programs have such memrefs; the others do not wait for their ops.

            space = op.output.type.memory_space
            replace_op(rewriter, op, (), [_copy_of_any_rank(builder, source, space)])
            return
        # `memref.copy` wants the same shape on both sides.
        source = _cast(builder, source, _with_shape_of(source.type, type))
        if is_cast_guaranteed(type, op.output.type):
            sizes = sizes_of(source, builder)
            dynamic = [size for size in sizes if isinstance(size, SSAValue)]
            buffer = builder.insert(AllocOp(dynamic, (), type)).memref
            result = _cast(builder, buffer, op.output.type)
        else:
            buffer = result = _alloc_with_layout(builder, op.output.type)
        builder.insert(CopyOp(source, buffer))
        replace_op(rewriter, op, (), [result])


def _buffer_type(op: CloneOp) -> MemRefType[Attribute] | None:
    """
    The type to allocate: a memref without a layout, with the sizes that input or output
    give; `None` if the rank is unknown.
    """
    types = [
        type
        for type in (*op.operand_types, *op.result_types)
        if isinstance(type, MemRefType)
    ]
    if not types:
        return None
    # An unknown size is less than any known one.
    sizes = zip(*(type.get_shape() for type in types), strict=True)
    return MemRefType(
        types[0].element_type,
        map(max, sizes),
        NoneAttr(),
        op.output.type.memory_space,
    )


def _extent(type: Attribute) -> int | None:
    """
    The number of elements of flat memory that a memref of the type can be a view of; `None`
    if there is no such view.
    """
    if not isinstance(type, MemRefType):
        return None
    return extent_of(type) if is_view_of_flat_memory(type) else None


def _alloc_with_layout(builder: Builder, type: Attribute) -> SSAValue:
    """A new buffer with a layout that an allocation by itself does not have."""
    laid_out = ranked_memref(type)
    flat = builder.insert(AllocOp((), (), flat_type_of(laid_out))).memref
    return view_of_flat_memory(builder, flat, laid_out)


def _with_shape_of(source: Attribute, shaped: MemRefType[Attribute]) -> Attribute:
    """The source's type with the shape of the other one."""
    space = memory_space_of(source)
    if not isinstance(source, MemRefType):
        return fully_dynamic_type(shaped, space)
    layout = source.layout
    return MemRefType(shaped.element_type, shaped.shape, layout, space)


def _cast(builder: Builder, buffer: SSAValue, type: Attribute) -> SSAValue:
    if buffer.type == type:
        return buffer
    return builder.insert(memref.CastOp.get(buffer, memref_type(type))).dest


def _copy_of_any_rank(
    builder: Builder, source: SSAValue, memory_space: Attribute
) -> SSAValue:
    """A new buffer with the contents of an unranked one, whose sizes a loop multiplies."""
    type = cast(UnrankedMemRefType[Attribute], source.type)
    zero, one = _index(builder, 0), _index(builder, 1)
    rank = builder.insert(RankOp(source)).rank
    shape = builder.insert(
        AllocaOp.get(IndexType(), shape=[DYNAMIC_INDEX], dynamic_sizes=[rank])
    ).memref
    body = Block(arg_types=(IndexType(), IndexType()))
    dimension, product = body.args
    size = memref_dim(source, dimension)
    product = arith.MuliOp(product, size)
    store = memref.StoreOp.get(size, shape, [dimension])
    body.add_ops([size, store, product, scf.YieldOp(product)])
    elements = builder.insert(scf.ForOp(zero, rank, one, [one], body)).results[0]
    flat_type = MemRefType(type.element_type, [DYNAMIC_INDEX], NoneAttr(), memory_space)
    flat = builder.insert(AllocOp([elements], (), flat_type)).memref
    result_type = UnrankedMemRefType.from_type(type.element_type, memory_space)
    buffer = builder.insert(ReshapeOp(flat, shape, result_type)).result
    builder.insert(CopyOp(source, buffer))
    return buffer


def _index(builder: Builder, number: int) -> SSAValue:
    return builder.insert(arith.ConstantOp(IntegerAttr(number, IndexType()))).result
