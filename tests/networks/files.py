"""Networks of others, in a folder beside the checkout, if there is one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.environments import PROJECT

INPUTS = PROJECT.parent / "shared" / "inputs"
NAMES = ("squeezenet", "resnet50", "vgg19", "deepseek_decode")

FILES: Mapping[str, Path] = {name: INPUTS / f"{name}.mlir" for name in NAMES}
"""Where each is, or would be."""


def why_missing(path: Path) -> str:
    """What to say of a file that is not there."""
    return f"no {path.name} in {path.parent}, where the larger inputs are kept"
