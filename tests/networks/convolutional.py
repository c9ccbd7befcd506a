"""Layers of networks on images: tensors of batch, channels, height and width."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from tests.networks.layers import Network, multiply_add, shape_of

Start = Callable[[Network, Sequence[int]], SSAValue]
"""What a convolution with a result of that shape adds to."""


def bias(net: Network, shape: Sequence[int]) -> SSAValue:
    """A number for each channel, broadcast."""
    return net.broadcast(net.weights(shape[1]), shape, along=1)


def constant_bias(net: Network, shape: Sequence[int]) -> SSAValue:
    """A constant that all convolutions with results of that shape share."""
    return net.splat(0.01, shape)


def convolution(
    net: Network,
    x: SSAValue,
    channels: int,
    kernel: int = 1,
    *,
    stride: int = 1,
    start: Start = Network.zeros,
) -> SSAValue:
    """A convolution of an image that has been padded."""
    filter = net.weights(channels, shape_of(x)[1], kernel, kernel)
    init = start(net, (1, channels, *_window_sizes(x, kernel, stride)))
    return net.window("conv_2d_nchw_fchw", [x, filter], init, multiply_add, stride)


def same_convolution(
    net: Network,
    x: SSAValue,
    channels: int,
    kernel: int = 3,
    *,
    stride: int = 1,
    start: Start = Network.zeros,
) -> SSAValue:
    """A convolution that pads so that, but for the stride, the image keeps its size."""
    padded = net.pad(x, kernel // 2) if kernel > 1 else x
    return convolution(net, padded, channels, kernel, stride=stride, start=start)


def grouped_convolution(
    net: Network, x: SSAValue, channels: int, groups: int
) -> SSAValue:
    """A convolution of single pixels in which each group of channels is on its own."""
    _, inputs, height, width = shape_of(x)
    grouped = net.expand(x, [1], [groups, inputs // groups], [height], [width])
    filter = net.weights(groups, channels // groups, inputs // groups, 1, 1)
    init = net.zeros((1, groups, channels // groups, height, width))
    result = net.window("conv_2d_ngchw_gfchw", [grouped, filter], init, multiply_add)
    return net.collapse(result, 1, 2, 1, 1)


def depthwise_convolution(
    net: Network, x: SSAValue, kernel: int = 3, stride: int = 1
) -> SSAValue:
    """A convolution in which each channel is on its own, padded as `same_convolution`."""
    channels = shape_of(x)[1]
    padded = net.pad(x, kernel // 2)
    filter = net.weights(channels, kernel, kernel)
    init = net.zeros((1, channels, *_window_sizes(padded, kernel, stride)))
    name = "depthwise_conv_2d_nchw_chw"
    return net.window(name, [padded, filter], init, multiply_add, stride)


def transposed_convolution(net: Network, x: SSAValue, channels: int) -> SSAValue:
    """
    Twice as large an image: a convolution of the image with its pixels apart, and zeros in
    between.
    """
    _, inputs, height, width = shape_of(x)
    between = net.zeros((1, inputs, 2 * height + 1, 2 * width + 1))
    apart = net.insert(x, between, (0, 0, 1, 1), strides=(1, 1, 2, 2))
    return convolution(net, apart, channels, 2)


def normalized(net: Network, x: SSAValue) -> SSAValue:
    """Each channel scaled and shifted: what folding leaves of a batch normalization."""
    shape = 1, shape_of(x)[1], 1, 1
    scaled = net.elementwise(arith.MulfOp, x, net.weights(*shape, value=1.0))
    return net.elementwise(arith.AddfOp, scaled, net.weights(*shape))


def relu(net: Network, x: SSAValue) -> SSAValue:
    """What is positive, and else zero."""
    zero = net.number(0.0)

    def body(element: SSAValue) -> Operation:
        positive = arith.CmpfOp(element, zero, "ugt")
        return arith.SelectOp(positive, element, zero)

    return net.elementwise(body, x)


def max_pool(
    net: Network, x: SSAValue, kernel: int, *, stride: int = 1, padding: int = 0
) -> SSAValue:
    """The largest element in each window."""
    padded = net.pad(x, padding, -math.inf) if padding else x
    shape = 1, shape_of(x)[1], *_window_sizes(padded, kernel, stride)
    return net.window(
        "pooling_nchw_max",
        [padded, net.empty((kernel, kernel))],
        net.filled(-math.inf, shape),
        lambda element, _, largest: arith.MaximumfOp(largest, element),
        stride,
    )


def average_pool(
    net: Network, x: SSAValue, kernel: int, *, stride: int = 1
) -> SSAValue:
    """The average of each window."""
    shape = 1, shape_of(x)[1], *_window_sizes(x, kernel, stride)
    sums = net.window(
        "pooling_nchw_sum",
        [x, net.empty((kernel, kernel))],
        net.zeros(shape),
        lambda element, _, sum: arith.AddfOp(sum, element),
        stride,
    )
    count = net.number(kernel * kernel)
    return net.elementwise(lambda sum: arith.DivfOp(sum, count), sums)


def fully_connected(net: Network, x: SSAValue, outputs: int) -> SSAValue:
    """The product with a matrix, and a bias."""
    product = net.matmul(
        x, net.weights(shape_of(x)[1], outputs), net.zeros((1, outputs))
    )
    return net.elementwise(arith.AddfOp, product, net.weights(1, outputs))


def classifier(net: Network, x: SSAValue, classes: int) -> SSAValue:
    """A number for each class, of the averages of the channels."""
    averages = average_pool(net, x, shape_of(x)[2])
    return fully_connected(net, net.collapse(averages, 1, 3), classes)


def _window_sizes(x: SSAValue, kernel: int, stride: int) -> Sequence[int]:
    """How often a window fits into the image, along its height and its width."""
    return [(size - kernel) // stride + 1 for size in shape_of(x)[2:]]
