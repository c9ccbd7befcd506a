"""Convolutions of several sizes side by side (Szegedy et al. 2014, GoogLeNet)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.networks.convolutional import (
    bias,
    classifier,
    max_pool,
    relu,
    same_convolution,
)
from tests.networks.layers import Network, floats


def inception(
    *,
    image: int = 16,
    channels: Sequence[int] = (2, 4),
    modules: int = 2,
    classes: int = 10,
) -> ModuleOp:
    """
    For each number of channels a pool, which halves the image, and `modules` with four
    branches, the widest of which has four times as many.
    """
    with Network("inception", floats(1, 3, image, image)) as net:
        (x,) = net.arguments
        x = relu(net, same_convolution(net, x, 4 * channels[0], start=bias))
        for number in channels:
            x = max_pool(net, x, 3, stride=2, padding=1)
            for _ in range(modules):
                x = _module(net, x, number)
        net.returns(classifier(net, x, classes))
    return net.module


def _module(net: Network, x: SSAValue, channels: int) -> SSAValue:
    def layer(x: SSAValue, channels: int, kernel: int) -> SSAValue:
        return relu(net, same_convolution(net, x, channels, kernel, start=bias))

    return net.concat(
        layer(x, 2 * channels, 1),
        layer(layer(x, 2 * channels, 1), 4 * channels, 3),
        layer(layer(x, channels, 1), channels, 5),
        layer(max_pool(net, x, 3, padding=1), channels, 1),
    )
