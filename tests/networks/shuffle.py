"""Grouped convolutions with shuffled channels between them (Zhang et al. 2017, ShuffleNet)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.networks.convolutional import (
    average_pool,
    classifier,
    depthwise_convolution,
    grouped_convolution,
    max_pool,
    normalized,
    relu,
    same_convolution,
)
from tests.networks.layers import Network, floats, shape_of


def shuffle(
    *,
    image: int = 16,
    channels: int = 8,
    groups: int = 2,
    units: Sequence[int] = (2, 2),
    classes: int = 10,
) -> ModuleOp:
    """So many units in each stage; a stage halves the image and doubles the channels."""
    with Network("shuffle", floats(1, 3, image, image)) as net:
        (x,) = net.arguments
        x = relu(net, normalized(net, same_convolution(net, x, channels, stride=2)))
        x = max_pool(net, x, 3, stride=2, padding=1)
        for number in units:
            x = _halving_unit(net, x, groups)
            for _ in range(number - 1):
                branch = _branch(net, x, shape_of(x)[1], groups)
                x = relu(net, net.elementwise(arith.AddfOp, branch, x))
        net.returns(classifier(net, x, classes))
    return net.module


def _halving_unit(net: Network, x: SSAValue, groups: int) -> SSAValue:
    padded = net.pad(x, 1)
    pooled = average_pool(net, padded, 3, stride=2)
    return relu(
        net, net.concat(pooled, _branch(net, x, shape_of(x)[1], groups, stride=2))
    )


def _branch(
    net: Network, x: SSAValue, channels: int, groups: int, stride: int = 1
) -> SSAValue:
    y = relu(net, normalized(net, grouped_convolution(net, x, channels // 2, groups)))
    y = depthwise_convolution(net, _shuffled(net, y, groups), stride=stride)
    return normalized(
        net, grouped_convolution(net, normalized(net, y), channels, groups)
    )


def _shuffled(net: Network, x: SSAValue, groups: int) -> SSAValue:
    """The channels in another order, so that each new group has some of each old one."""
    _, channels, height, width = shape_of(x)
    apart = net.expand(x, [1], [groups, channels // groups], [height], [width])
    return net.collapse(net.transpose(apart, (0, 2, 1, 3, 4)), 1, 2, 1, 1)
