"""Copies of memrefs whose rank is unknown to new buffers."""

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

from xdsl_bufferization.dialects.memref.allocations import AllocaOp, AllocOp
from xdsl_bufferization.dialects.memref.copies import CopyOp
from xdsl_bufferization.dialects.memref.ops import RankOp, ReshapeOp
from xdsl_bufferization.support.xdsl_releases import memref_dim


def copy_of_any_rank(
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
