"""Blocks whose result is added to what they start with (He et al. 2015, ResNet)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.networks.convolutional import (
    classifier,
    convolution,
    max_pool,
    normalized,
    relu,
    same_convolution,
)
from tests.networks.layers import Network, floats, shape_of


def residual(
    *,
    image: int = 16,
    channels: int = 4,
    blocks: Sequence[int] = (2, 2),
    classes: int = 10,
) -> ModuleOp:
    """
    So many blocks in each stage; a stage halves the image, but for the first, and doubles
    the channels.
    """
    with Network("residual", floats(1, 3, image, image)) as net:
        (x,) = net.arguments
        x = same_convolution(net, x, channels, 7, stride=2)
        x = relu(net, normalized(net, x))
        x = max_pool(net, x, 3, stride=2, padding=1)
        for stage, number in enumerate(blocks):
            for block in range(number):
                stride = 2 if stage and not block else 1
                x = _bottleneck(net, x, channels << stage, stride)
        net.returns(classifier(net, x, classes))
    return net.module


def _bottleneck(net: Network, x: SSAValue, channels: int, stride: int) -> SSAValue:
    """Few channels, a convolution of them, and many channels again."""
    y = relu(net, normalized(net, convolution(net, x, channels)))
    y = relu(net, normalized(net, same_convolution(net, y, channels, stride=stride)))
    y = normalized(net, convolution(net, y, 4 * channels))
    if shape_of(x) != shape_of(y):
        x = normalized(net, convolution(net, x, 4 * channels, stride=stride))
    return relu(net, net.elementwise(arith.AddfOp, y, x))
