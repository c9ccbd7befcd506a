"""
Bufferization for xDSL: programs on immutable tensors become programs on buffers.

`xdsl-opt` finds the dialect and the passes by itself; from Python:

    from xdsl_bufferization import OneShotOptions, bufferize

    bufferize(ctx, module, OneShotOptions(bufferize_function_boundaries=True))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl_bufferization.options import OneShotOptions as OneShotOptions
    from xdsl_bufferization.transforms.one_shot_bufferize import bufferize as bufferize

_EXPORTS = {
    "OneShotOptions": "xdsl_bufferization.options",
    "bufferize": "xdsl_bufferization.transforms.one_shot_bufferize",
}


def __getattr__(name: str) -> object:
    # Resolved on first use: every xdsl-opt call imports this package to find its
    # universe, and most of them never bufferize.
    if name in _EXPORTS:
        return getattr(import_module(_EXPORTS[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
