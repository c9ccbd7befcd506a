"""Images that become small and large again (Ronneberger et al. 2015, U-Net)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.networks.convolutional import (
    convolution,
    max_pool,
    relu,
    same_convolution,
    transposed_convolution,
)
from tests.networks.layers import Network, floats


def u_shaped(
    *, image: int = 16, channels: Sequence[int] = (4, 8, 8), classes: int = 2
) -> ModuleOp:
    """
    A level for each number of channels, at half the size of the one before. On the way
    back, what each level made at first is concatenated with what comes from below.
    """
    with Network("u_shaped", floats(1, 3, image, image)) as net:
        (x,) = net.arguments
        *above, bottom = channels
        early: list[SSAValue] = []
        for number in above:
            early.append(_level(net, x, number))
            x = max_pool(net, early[-1], 2, stride=2)
        x = _level(net, x, bottom)
        for number in reversed(above):
            x = net.concat(early.pop(), transposed_convolution(net, x, number))
            x = _level(net, x, number)
        net.returns(convolution(net, x, classes))
    return net.module


def _level(net: Network, x: SSAValue, channels: int) -> SSAValue:
    for _ in range(2):
        x = relu(net, same_convolution(net, x, channels))
    return x
