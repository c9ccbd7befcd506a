"""A small network of ONNX ops: two branches of an image are computed and put together."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

generator = np.random.default_rng(0)


def weights(name: str, *sizes: int) -> TensorProto:
    """Random weights."""
    return numpy_helper.from_array(
        generator.normal(size=sizes).astype(np.float32), name
    )


nodes = [
    helper.make_node("Conv", ["image", "a"], ["left"], pads=[1, 1, 1, 1]),
    helper.make_node("Relu", ["left"], ["left_relu"]),
    helper.make_node("Conv", ["image", "b"], ["right"]),
    helper.make_node("Concat", ["left_relu", "right"], ["both"], axis=1),
]
graph = helper.make_graph(
    nodes,
    "branches",
    [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 16, 16])],
    [helper.make_tensor_value_info("both", TensorProto.FLOAT, [1, 8, 16, 16])],
    [weights("a", 4, 3, 3, 3), weights("b", 4, 3, 1, 1)],
)
save(
    helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
    "branches.onnx",
)
