"""
Bufferization for xDSL: programs on immutable tensors become programs on buffers.

`xdsl-opt` finds the dialect and the passes by itself; from Python:

    from xdsl_bufferization import bufferize

    bufferize(ctx, module)

What else is public is listed in docs/api.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = [
    "AnalysisHeuristic",
    "ArgumentAccess",
    "BufferDeallocationPipeline",
    "BufferizableOpInterface",
    "BufferizationError",
    "BufferizePass",
    "DestinationStyleModel",
    "LayoutMapOption",
    "NewBufferModel",
    "OneShotBufferizePass",
    "OneShotOptions",
    "bufferize",
    "one_shot_bufferize",
    "register_all",
    "register_model",
]

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
    from xdsl_bufferization.interfaces.registry import register_model
    from xdsl_bufferization.models.shared.destinations import (
        DestinationStyleModel,
        NewBufferModel,
    )
    from xdsl_bufferization.one_shot.bufferization import one_shot_bufferize
    from xdsl_bufferization.support.diagnostics import BufferizationError
    from xdsl_bufferization.support.options import (
        AnalysisHeuristic,
        ArgumentAccess,
        LayoutMapOption,
        OneShotOptions,
    )
    from xdsl_bufferization.transforms.buffer_deallocation_pipeline import (
        BufferDeallocationPipeline,
    )
    from xdsl_bufferization.transforms.bufferize import BufferizePass, bufferize
    from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass
    from xdsl_bufferization.universe import register_all
else:
    # Imported on first use: every xdsl-opt call imports this package to find its universe,
    # and most of them never bufferize. Type checkers do not see this branch, so that a
    # name that does not exist is an error to them.
    _MODULES = {
        "AnalysisHeuristic": "support.options",
        "ArgumentAccess": "support.options",
        "BufferDeallocationPipeline": "transforms.buffer_deallocation_pipeline",
        "BufferizableOpInterface": "interfaces.bufferizable",
        "BufferizationError": "support.diagnostics",
        "BufferizePass": "transforms.bufferize",
        "DestinationStyleModel": "models.shared.destinations",
        "LayoutMapOption": "support.options",
        "NewBufferModel": "models.shared.destinations",
        "OneShotBufferizePass": "transforms.one_shot_bufferize",
        "OneShotOptions": "support.options",
        "bufferize": "transforms.bufferize",
        "one_shot_bufferize": "one_shot.bufferization",
        "register_all": "universe",
        "register_model": "interfaces.registry",
    }

    def __getattr__(name):
        if name in _MODULES:
            return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return [*globals(), *__all__]
