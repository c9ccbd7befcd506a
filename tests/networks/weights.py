"""
Weights that differ.

In networks without their weights all elements of a constant are the same. Then so are those
of the result, whatever the input, and no error in between would be noticed.
"""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    ModuleOp,
    TensorType,
)

from xdsl_bufferization.semantics.values import Array, dtype_of
from xdsl_bufferization.support.attributes import attribute
from xdsl_bufferization.support.names import op_name


def vary_weights(module: ModuleOp) -> None:
    """
    Replace constant tensors of floats whose elements are all the same, and not zero: the
    weights of convolutions and matrix products by random numbers as networks are
    initialised with, so that what depends on the input neither vanishes nor explodes
    (He et al. 2015, https://arxiv.org/abs/1502.01852); others by random multiples.

    The numbers are the same ones each time.
    """
    random = np.random.default_rng(0)
    for op in module.walk():
        dense = attribute(op, "value")
        if op_name(op) != "arith.constant" or not isinstance(
            dense, DenseIntOrFPElementsAttr
        ):
            continue
        type = cast("TensorType[Any]", op.results[0].type)
        dtype = dtype_of(type.element_type)
        elements = np.frombuffer(dense.data.data, dtype)
        first = elements[0]
        if (
            dtype.kind != "f"
            or len(elements) == 1
            or first in (0, np.inf, -np.inf)
            or np.any(elements != first)
        ):
            continue
        varied = _varied(elements.reshape(type.get_shape()), random).astype(dtype)
        op.properties["value"] = DenseIntOrFPElementsAttr(
            type, BytesAttr(varied.tobytes())
        )


def _varied(elements: Array, random: np.random.Generator) -> Array:
    match elements.shape:
        case (inputs, _) if inputs > 1:
            return random.standard_normal(elements.shape) * math.sqrt(2 / inputs)
        case (outputs, *inputs) if outputs > 1 and inputs:
            deviation = math.sqrt(2 / math.prod(inputs))
            return random.standard_normal(elements.shape) * deviation
        case _:
            return elements * random.uniform(0.5, 1.5, elements.shape)
