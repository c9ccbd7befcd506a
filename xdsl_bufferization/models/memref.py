"""What memref ops allocate and copy; they have no tensors to bufferize."""

from xdsl_bufferization.models.other_interfaces import register_memref


def register() -> None:
    """Register the models for the dialect's ops."""
    register_memref()
