"""Modules that squeeze the channels and expand them in two ways (SqueezeNet, 2016)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.networks.convolutional import (
    average_pool,
    bias,
    convolution,
    max_pool,
    relu,
    same_convolution,
)
from tests.networks.layers import Network, floats, shape_of


def fire(
    *,
    image: int = 24,
    squeezed: Sequence[int] = (4, 4),
    modules: int = 2,
    classes: int = 10,
) -> ModuleOp:
    """
    `modules` for each number of squeezed channels, after a pool, which halves the image.
    The source: https://arxiv.org/abs/1602.07360.
    """
    with Network("fire", floats(1, 3, image, image)) as net:
        (x,) = net.arguments
        x = convolution(net, x, 4 * squeezed[0], 3, stride=2, start=bias)
        x = relu(net, x)
        for number in squeezed:
            x = max_pool(net, x, 3, stride=2)
            for _ in range(modules):
                x = _module(net, x, number)
        x = relu(net, convolution(net, x, classes, start=bias))
        net.returns(net.collapse(average_pool(net, x, shape_of(x)[2]), 1, 3))
    return net.module


def _module(net: Network, x: SSAValue, squeezed: int) -> SSAValue:
    x = relu(net, convolution(net, x, squeezed, start=bias))
    return net.concat(
        relu(net, convolution(net, x, 4 * squeezed, start=bias)),
        relu(net, same_convolution(net, x, 4 * squeezed, start=bias)),
    )
