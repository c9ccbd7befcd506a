"""
A cache of keys and values that loops store into and load from, amid ops on tensors.

What is between `bufferization.to_buffer` and `bufferization.to_tensor` is as in programs
whose attention was lowered before everything else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.builder import ImplicitBuilder
from xdsl.dialects import affine, arith, bufferization, memref, scf, tensor
from xdsl.dialects import math as math_ops
from xdsl.dialects.builtin import IndexType, MemRefType, TensorType, f32
from xdsl.ir import Block, Region, SSAValue

from tests.networks.layers import Network, shape_of


def stored(
    net: Network, x: SSAValue, cache: SSAValue, position: SSAValue
) -> tuple[SSAValue, SSAValue]:
    """
    The buffer of the cache, and the tensor that it is, once the heads of a token are stored
    there.
    """
    buffer = _to_buffer(cache)
    heads, size = (net.index(length) for length in shape_of(x))
    zero, one = net.index(0), net.index(1)
    body = Block(arg_types=[IndexType()])
    scf.ForOp(zero, heads, one, [], body)
    with ImplicitBuilder(body) as (head,):
        inner = Block(arg_types=[IndexType()])
        scf.ForOp(zero, size, one, [], inner)
        with ImplicitBuilder(inner) as (i,):
            element = tensor.ExtractOp(x, [head, i], f32)
            memref.StoreOp.get(element, buffer, [head, position, i])
            scf.YieldOp()
        scf.YieldOp()
    return buffer, _to_tensor(buffer)


def attention_in_loops(
    net: Network,
    queries: SSAValue,
    keys: SSAValue,
    values: SSAValue,
    mask: SSAValue,
) -> SSAValue:
    """
    As `attention`, one position after the other (Milakov & Gimelshein 2018), with the keys
    in a buffer.
    """
    heads, size = shape_of(queries)
    shared, positions, _ = shape_of(values)
    buffer = _to_buffer(queries)
    group = net.index(heads // shared)
    zero, nothing = net.number(0.0), net.number(-math.inf)
    scale = net.number(1 / math.sqrt(size))
    result = memref.AllocOp.get(f32, shape=[heads, size]).memref
    row = memref.AllocOp.get(f32, shape=[size]).memref

    def head(h: SSAValue) -> Sequence[SSAValue]:
        own = arith.DivSIOp(h, group).result

        def score(p: SSAValue) -> SSAValue:
            def product(i: SSAValue, sum: SSAValue) -> Sequence[SSAValue]:
                key = memref.LoadOp.get(keys, [own, p, i])
                query = memref.LoadOp.get(buffer, [h, i])
                return [arith.AddfOp(sum, arith.MulfOp(query, key)).result]

            (sum,) = _loop(size, product, zero)
            masked = tensor.ExtractOp(mask, [p], f32)
            return arith.AddfOp(arith.MulfOp(sum, scale), masked).result

        def add(p: SSAValue, most: SSAValue, sum: SSAValue) -> Sequence[SSAValue]:
            """A position, and what was added so far in the scale of the largest score."""
            found = score(p)
            largest = arith.MaximumfOp(most, found)
            before = math_ops.ExpOp(arith.SubfOp(most, largest))
            now = math_ops.ExpOp(arith.SubfOp(found, largest))

            def element(i: SSAValue) -> Sequence[SSAValue]:
                value = tensor.ExtractOp(values, [own, p, i], f32)
                scaled = arith.MulfOp(memref.LoadOp.get(row, [i]), before)
                more = arith.AddfOp(scaled, arith.MulfOp(value, now))
                memref.StoreOp.get(more, row, [i])
                return ()

            _loop(size, element)
            return largest.result, arith.AddfOp(arith.MulfOp(sum, before), now).result

        def clear(i: SSAValue) -> Sequence[SSAValue]:
            memref.StoreOp.get(zero, row, [i])
            return ()

        _loop(size, clear)
        _, sum = _loop(positions, add, nothing, zero)

        def finish(i: SSAValue) -> Sequence[SSAValue]:
            share = arith.DivfOp(memref.LoadOp.get(row, [i]), sum)
            memref.StoreOp.get(share, result, [h, i])
            return ()

        _loop(size, finish)
        return ()

    _loop(heads, head)
    return _to_tensor(result)


def _loop(
    count: int, body: Callable[..., Sequence[SSAValue]], *inits: SSAValue
) -> Sequence[SSAValue]:
    """The results of an `affine.for`; the body takes its number and what it carries."""
    types = [init.type for init in inits]
    block = Block(arg_types=[IndexType(), *types])
    with ImplicitBuilder(block) as arguments:
        affine.YieldOp.get(*body(*arguments))
    loop = affine.ForOp.from_region([], [], inits, types, 0, count, Region(block))
    return loop.results


def _to_buffer(x: SSAValue) -> SSAValue:
    type = cast("TensorType[Any]", x.type)
    buffer = MemRefType(type.element_type, type.get_shape())
    return bufferization.ToBufferOp.build(operands=[x], result_types=[buffer]).memref


def _to_tensor(x: SSAValue) -> SSAValue:
    return bufferization.ToTensorOp(x, restrict=True).tensor
