"""Layers that read what all layers before them made (Huang et al. 2016, DenseNet)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.networks.convolutional import (
    average_pool,
    classifier,
    convolution,
    normalized,
    relu,
    same_convolution,
)
from tests.networks.layers import Network, floats, shape_of


def dense(
    *,
    image: int = 16,
    growth: int = 4,
    layers: Sequence[int] = (3, 3),
    appended: bool = True,
    classes: int = 10,
) -> ModuleOp:
    """
    So many layers in each block, of which each adds `growth` channels. It appends them to
    the tensor that the layer before has made, or if not `appended`, all that was made in
    the block so far is concatenated anew.
    """
    with Network("dense", floats(1, 3, image, image)) as net:
        (x,) = net.arguments
        x = relu(net, normalized(net, same_convolution(net, x, 2 * growth)))
        for block, number in enumerate(layers):
            if block:
                x = _transition(net, x)
            made = [x]
            for _ in range(number):
                made.append(_layer(net, x, growth))
                x = net.concat(x, made[-1]) if appended else net.concat(*made)
        net.returns(classifier(net, relu(net, normalized(net, x)), classes))
    return net.module


def _layer(net: Network, x: SSAValue, growth: int) -> SSAValue:
    y = convolution(net, relu(net, normalized(net, x)), 4 * growth)
    return same_convolution(net, relu(net, normalized(net, y)), growth)


def _transition(net: Network, x: SSAValue) -> SSAValue:
    """Half the channels, and half the image."""
    y = convolution(net, relu(net, normalized(net, x)), shape_of(x)[1] // 2)
    return average_pool(net, y, 2, stride=2)
