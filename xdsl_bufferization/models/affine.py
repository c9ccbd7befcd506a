"""How affine loops and conditionals bufferize: as those of scf."""

from __future__ import annotations

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.buffer_effects import BufferEffectsOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.models.shared.region_ops import (
    ConditionalModel,
    LoopModel,
    YieldModel,
)


class ForModel(LoopModel):
    """`affine.for`: its inits are behind the operands of its bounds."""

    def first_init(self, op: Operation) -> int:
        return len(op.operands) - len(op.results)


def register() -> None:
    """Register the models for the dialect's ops."""
    register_model("affine.for", ForModel())
    register_model("affine.if", ConditionalModel())
    register_model("affine.yield", YieldModel())
    register_model("affine.*", BufferEffectsOpInterface())
    register_model("affine.*", RegionBranchOpInterface())
