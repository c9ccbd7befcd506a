"""Networks as ONNX Runtime runs them, on one thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime

from tests.peer.numpy_types import Array


class Session:
    """A network with inputs of these shapes, random numbers that are the same each time."""

    def __init__(self, path: Path, shapes: Mapping[str, Sequence[int]]):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(path, options)
        random = np.random.default_rng(0)
        self.inputs: dict[str, Array] = {
            i.name: random.random(shapes[i.name], np.float32)
            if i.type == "tensor(float)"
            else random.integers(0, 256, shapes[i.name], np.int32)
            for i in self._session.get_inputs()
        }

    def __call__(self) -> Sequence[Array]:
        """The results for the inputs."""
        return self._session.run(None, self.inputs)
