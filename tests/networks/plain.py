"""One convolution after the other (Simonyan & Zisserman 2014, VGG)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from tests.networks.convolutional import (
    constant_bias,
    fully_connected,
    max_pool,
    relu,
    same_convolution,
)
from tests.networks.layers import Network, floats


def plain(
    *,
    image: int = 16,
    channels: Sequence[int] = (4, 8, 8),
    depth: int = 2,
    hidden: int = 16,
    classes: int = 10,
) -> ModuleOp:
    """
    `depth` convolutions for each number of channels, then a pool, which halves the image;
    in the end three fully connected layers.
    """
    with Network("plain", floats(1, 3, image, image)) as net:
        (x,) = net.arguments
        for number in channels:
            for _ in range(depth):
                x = same_convolution(net, x, number, start=constant_bias)
                x = relu(net, x)
            x = max_pool(net, x, 2, stride=2)
        x = net.collapse(x, 1, 3)
        for _ in range(2):
            x = relu(net, fully_connected(net, x, hidden))
        net.returns(fully_connected(net, x, classes))
    return net.module
