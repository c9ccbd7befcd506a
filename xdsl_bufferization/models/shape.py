"""How shape ops with tensors bufferize."""

from xdsl_bufferization.interfaces.buffer_effects import BufferEffectsOpInterface
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.models.shared.region_ops import ConditionalModel, YieldModel


def register() -> None:
    """Register the models for the dialect's ops."""
    register_model("shape.assuming", ConditionalModel())
    register_model("shape.assuming_yield", YieldModel())
    for name in ("assuming", "assuming_yield"):
        register_model(f"shape.{name}", BufferEffectsOpInterface())
