"""Networks in packages of Python, with the shapes of their inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Network(NamedTuple):
    """A trained network, and the package that it comes from."""

    does: str
    package: str
    release: str
    licence: str
    file: str
    """In the package."""
    inputs: Mapping[str, Sequence[int]]
    """The shape of each, in order; those that the file leaves open are chosen here."""


def _rapidocr(does: str, file: str, *shape: int) -> Network:
    path = f"rapidocr_onnxruntime/models/{file}"
    return Network(
        does, "rapidocr-onnxruntime", "1.4.4", "Apache-2.0", path, {"x": shape}
    )


NETWORKS: Mapping[str, Network] = {
    "silero": Network(
        "voice activity",
        "silero-vad",
        "6.2.3",
        "MIT",
        "silero_vad/data/silero_vad_openvino_16k.onnx",
        {"input": (1, 576), "state": (2, 1, 128)},
    ),
    "magika": Network(
        "file types",
        "magika",
        "1.0.3",
        "Apache-2.0",
        "magika/models/standard_v3_3/model.onnx",
        {"bytes": (1, 2048)},
    ),
    "cls": _rapidocr(
        "direction of text", "ch_ppocr_mobile_v2.0_cls_infer.onnx", 1, 3, 48, 192
    ),
    "det": _rapidocr("places of text", "ch_PP-OCRv4_det_infer.onnx", 1, 3, 320, 320),
    "nmp": Network(
        "notes in music",
        "basic-pitch",
        "0.4.0",
        "Apache-2.0",
        "basic_pitch/saved_models/icassp_2022/nmp.onnx",
        {"serving_default_input_2:0": (1, 43844, 1)},
    ),
}
"""By the name of the C function."""
