"""How linalg ops bufferize: structured ops, and the two that pack tensors into tiles."""

from __future__ import annotations

from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.interfaces.subset import WholeInsertion
from xdsl_bufferization.models.linalg.packing import PackModel, UnpackModel
from xdsl_bufferization.models.linalg.structured import (
    BroadcastMove,
    BroadcastRematerialization,
    StructuredDestination,
    StructuredLoops,
    StructuredModel,
    StructuredMove,
    StructuredRematerialization,
    StructuredTiling,
)
from xdsl_bufferization.models.shared.destinations import (
    SecondOperandIsInit,
    SizesOfInits,
)


def register() -> None:
    """Register the models for the dialect's ops."""
    for model in (
        StructuredModel(),
        StructuredDestination(),
        StructuredMove(),
        StructuredRematerialization(),
        StructuredTiling(),
        StructuredLoops(),
        SizesOfInits(),
        RegionBranchOpInterface(),
    ):
        register_model("linalg.*", model)
    register_model("linalg.broadcast", BroadcastRematerialization())
    register_model("linalg.broadcast", BroadcastMove())
    register_model("linalg.copy", CopyOpInterface())
    register_model("linalg.copy", WholeInsertion())
    for name, model in (("pack", PackModel()), ("unpack", UnpackModel())):
        register_model(f"linalg.{name}", model)
        register_model(f"linalg.{name}", SecondOperandIsInit())
