"""Layers of language models, for one token: a tensor of 1 by the width of the model."""

from __future__ import annotations

import math
from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.dialects import math as math_ops
from xdsl.ir import Operation, SSAValue

from tests.networks.layers import Network, shape_of


class Rotation(NamedTuple):
    """By what keys and queries are turned (Su et al. 2021, RoPE)."""

    cosines: SSAValue
    sines: SSAValue


class Part(NamedTuple):
    """
    What is known of some positions: keys and values of heads by positions by size. There
    may be fewer heads than those that ask; then each serves a group of them.
    """

    keys: SSAValue
    values: SSAValue
    mask: SSAValue
    """For each position, what to add to its score."""


def linear(net: Network, x: SSAValue, outputs: int) -> SSAValue:
    """The product with a matrix; all products of that size start with one constant."""
    start = net.splat(0.0, (1, outputs))
    return net.matmul(x, net.weights(shape_of(x)[1], outputs), start)


def biased(net: Network, x: SSAValue, outputs: int) -> SSAValue:
    """The same, and a bias."""
    bias = net.expand(net.weights(outputs), [1, outputs])
    return net.elementwise(arith.AddfOp, bias, linear(net, x, outputs))


def root_mean_square_norm(net: Network, x: SSAValue) -> SSAValue:
    """Each element divided by the root of the average square, and scaled."""
    width = shape_of(x)[1]
    squares = net.elementwise(lambda element: arith.MulfOp(element, element), x)
    sum = net.reduce(arith.AddfOp, squares, [1], 0.0)
    average = net.elementwise(
        arith.MulfOp, net.expand(sum, [1, 1]), net.splat(1 / width, (1, 1))
    )
    safe = net.elementwise(arith.AddfOp, average, net.splat(1e-6, (1, 1)))
    root = net.elementwise(math_ops.RsqrtOp, safe)
    scale = net.expand(net.weights(width, value=1.0), [1, width])
    return net.elementwise(arith.MulfOp, scale, net.elementwise(arith.MulfOp, x, root))


def gated(net: Network, x: SSAValue, hidden: int) -> SSAValue:
    """Two layers, the first times what a sigmoid makes of another (SwiGLU)."""
    one = net.number(1.0)

    def sigmoid(element: SSAValue) -> Operation:
        power = math_ops.ExpOp(arith.NegfOp(element))
        return arith.DivfOp(one, arith.AddfOp(power, one))

    gate = linear(net, x, hidden)
    gate = net.elementwise(arith.MulfOp, gate, net.elementwise(sigmoid, gate))
    product = net.elementwise(arith.MulfOp, gate, linear(net, x, hidden))
    return linear(net, product, shape_of(x)[1])


def rotation(net: Network, position: SSAValue, size: int) -> Rotation:
    """For heads of that size and the token at that position, of type f32."""

    def angle(frequency: SSAValue) -> Operation:
        return arith.MulfOp(frequency, position)

    frequencies = net.weights(1, size)
    return Rotation(
        net.elementwise(lambda f: math_ops.CosOp(angle(f)), frequencies),
        net.elementwise(lambda f: math_ops.SinOp(angle(f)), frequencies),
    )


def rotated(net: Network, x: SSAValue, by: Rotation) -> SSAValue:
    """Heads whose elements are turned: those of the first half with the second."""
    heads, size = shape_of(x)
    half = heads, size // 2
    first = net.extract(x, (0, 0), half)
    second = net.extract(x, (0, half[1]), half)
    turned = net.insert(
        net.elementwise(arith.NegfOp, second), net.empty((heads, size)), (0, 0)
    )
    turned = net.insert(first, turned, (0, half[1]))
    return net.elementwise(
        arith.AddfOp,
        net.elementwise(arith.MulfOp, x, by.cosines),
        net.elementwise(arith.MulfOp, turned, by.sines),
    )


def attention(net: Network, queries: SSAValue, *parts: Part) -> SSAValue:
    """
    What each head, of heads by size, takes from the values of all positions: those of each
    part.
    """
    heads, size = shape_of(queries)
    shared = shape_of(parts[0].keys)[0]
    grouped = net.expand(queries, [shared, heads // shared], [size])
    scores = [_scores(net, grouped, part) for part in parts]
    shares = _softmax(
        net, net.concat(*scores, along=2) if len(parts) > 1 else scores[0]
    )
    result, start = None, 0
    for part, own in zip(parts, map(shape_of, scores), strict=True):
        share = net.extract(shares, (0, 0, start), own) if len(parts) > 1 else shares
        result = net.contraction(("hgp", "hpd", "hgd"), share, part.values, result)
        start += own[2]
    assert result is not None
    return net.collapse(result, 2, 1)


def _scores(net: Network, queries: SSAValue, part: Part) -> SSAValue:
    """Of heads, queries of a group, and positions."""
    scale = net.number(1 / math.sqrt(shape_of(queries)[2]))
    return net.elementwise(
        lambda score, add: arith.AddfOp(arith.MulfOp(score, scale), add),
        net.contraction(("hgd", "hpd", "hgp"), queries, part.keys),
        net.expand(part.mask, [1, 1, *shape_of(part.mask)]),
    )


def _softmax(net: Network, x: SSAValue) -> SSAValue:
    """Along the last dimension of three."""
    heads, groups, _ = shape_of(x)

    def column(values: SSAValue) -> SSAValue:
        return net.expand(values, [heads], [groups, 1])

    largest = column(net.reduce(arith.MaximumfOp, x, [2], -math.inf))
    powers = net.elementwise(
        lambda element, most: math_ops.ExpOp(arith.SubfOp(element, most)), x, largest
    )
    sums = column(net.reduce(arith.AddfOp, powers, [2], 0.0))
    return net.elementwise(arith.DivfOp, powers, sums)
