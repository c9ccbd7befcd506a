"""One step of a language model: the next token, with a cache of the keys and values so far."""

from __future__ import annotations

import math
from enum import Enum, auto
from typing import NamedTuple

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, ModuleOp, f32, i64
from xdsl.ir import Operation, SSAValue

from tests.networks.attention import (
    Part,
    attention,
    biased,
    gated,
    linear,
    root_mean_square_norm,
    rotated,
    rotation,
)
from tests.networks.cache_in_memory import attention_in_loops, stored
from tests.networks.layers import Network, floats, shape_of
from xdsl_bufferization.host.releases import linalg_ops


class Heads(NamedTuple):
    """How many, and how large."""

    queries: int = 4
    shared: int = 2
    """Of keys and values; each serves a group of queries."""
    size: int = 4


HEADS = Heads()


class Cache(Enum):
    """How a layer updates and reads its caches."""

    UPDATED = auto()
    """`tensor.insert_slice`, and `linalg` ops that read its result."""
    PREVIOUS = auto()
    """`tensor.insert_slice`, and then `linalg` ops that read what was there before."""
    IN_MEMORY = auto()
    """Loops that store into a buffer and load from it, between ops on tensors."""


class _Pair(NamedTuple):
    """Of all positions so far, or of the token: heads by positions by size."""

    keys: SSAValue
    values: SSAValue


def decode(
    *,
    layers: int = 2,
    positions: int = 8,
    heads: Heads = HEADS,
    vocabulary: int = 10,
    cache: Cache = Cache.UPDATED,
) -> ModuleOp:
    """
    The arguments are what stands for the token, its position, and two caches for each
    layer; the results are a number for each token of the vocabulary, and the new caches.
    """
    width = heads.queries * heads.size
    caches = [floats(heads.shared, positions, heads.size)] * (2 * layers)
    with Network("decode", floats(1, width), IndexType(), *caches) as net:
        x, position, *arguments = net.arguments
        step = _Step(net, position, positions, heads, cache)
        results: list[SSAValue] = []
        for old in zip(arguments[::2], arguments[1::2], strict=True):
            attended, new = step.attend(root_mean_square_norm(net, x), _Pair(*old))
            results += new
            x = net.elementwise(arith.AddfOp, x, linear(net, attended, width))
            y = gated(net, root_mean_square_norm(net, x), 2 * width)
            x = net.elementwise(arith.AddfOp, x, y)
        scores = linear(net, root_mean_square_norm(net, x), vocabulary)
        net.returns(scores, *results)
    return net.module


class _Step:
    """What all layers share."""

    def __init__(
        self,
        net: Network,
        position: SSAValue,
        positions: int,
        heads: Heads,
        cache: Cache,
    ):
        self._net = net
        self._heads = heads
        self._position = position
        number = arith.SIToFPOp(arith.IndexCastOp(position, i64), f32).result
        self._rotation = rotation(net, number, heads.size)
        later = "uge" if cache is Cache.PREVIOUS else "ugt"
        self._mask = _mask(net, position, positions, later)
        self._cache = cache

    def attend(self, x: SSAValue, old: _Pair) -> tuple[SSAValue, _Pair]:
        """What attention makes of the token, and the caches with it."""
        net, (heads, shared, size) = self._net, self._heads
        queries = rotated(net, self._split(x, heads), self._rotation)
        keys = rotated(net, self._split(x, shared), self._rotation)
        values = self._split(x, shared)
        if self._cache is Cache.IN_MEMORY:
            key_buffer, new_keys = stored(net, keys, old.keys, self._position)
            _, new_values = stored(net, values, old.values, self._position)
            new = _Pair(new_keys, new_values)
            attended = attention_in_loops(
                net, queries, key_buffer, old.values, self._mask
            )
        else:
            token = _Pair(
                net.expand(keys, [shared], [1, size]),
                net.expand(values, [shared], [1, size]),
            )
            new = _Pair(
                self._inserted(token.keys, old.keys),
                self._inserted(token.values, old.values),
            )
            if self._cache is Cache.UPDATED:
                parts = [Part(*new, self._mask)]
            else:
                parts = [Part(*old, self._mask), Part(*token, net.splat(0.0, (1,)))]
            attended = attention(net, queries, *parts)
        return net.expand(net.collapse(attended, 2), [1, heads * size]), new

    def _split(self, x: SSAValue, heads: int) -> SSAValue:
        """A projection of the token for each head."""
        size = self._heads.size
        flat = self._net.collapse(biased(self._net, x, heads * size), 2)
        return self._net.expand(flat, [heads, size])

    def _inserted(self, token: SSAValue, cache: SSAValue) -> SSAValue:
        return tensor.InsertSliceOp.get(
            token,
            cache,
            static_offsets=[0, DYNAMIC_INDEX, 0],
            static_sizes=shape_of(token),
            offsets=[self._position],
        ).result


def _mask(net: Network, position: SSAValue, positions: int, predicate: str) -> SSAValue:
    """What to add for each position: nothing, but for those that are still to come."""
    zero, never = net.number(0.0), net.number(-math.inf)

    def body() -> Operation:
        later = arith.CmpiOp(linalg_ops.IndexOp(0), position, predicate)
        return arith.SelectOp(later, never, zero)

    return net.generate(body, (positions,))
