"""Memory effects, kernels and launches of gpu ops for passes on buffers."""

from __future__ import annotations

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.buffer_effects import BufferEffectsOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.registry import register_model

_TOUCHING = "barrier launch launch_func memcpy memset printf return terminator".split()
"""Ops that neither allocate nor free memory."""


class LaunchRegion(RegionBranchOpInterface):
    """Each thread runs the body, at the same time as others, while the op waits for all."""

    def fits(self, op: Operation) -> bool:
        # With a token as its result, the op does not wait.
        return not op.results


def register() -> None:
    """Register the models for the dialect's ops."""
    for name in _TOUCHING:
        register_model(f"gpu.{name}", BufferEffectsOpInterface())
    register_model("gpu.launch", LaunchRegion())
