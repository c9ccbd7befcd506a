"""
The `bufferization` dialect: xDSL's, with ops that it lacks, with ops that accept what xDSL's
reject, and with canonicalization patterns.

Commands that do not call this package have ops that read and verify everything that this package
prints, with the traits of xDSL's classes, so that `dce`, `cse` and `canonicalize` do to them what
xDSL alone does: it erases no `bufferization.to_tensor`, since it knows nothing of its effects.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from importlib import import_module
from typing import cast

from xdsl.dialects import bufferization as xdsl_bufferization
from xdsl.ir import Operation

from xdsl_bufferization.dialects.bufferization.memref_ops import CloneOp, DeallocOp
from xdsl_bufferization.dialects.bufferization.tensor_ops import (
    AllocTensorOp,
    DeallocTensorOp,
    MaterializeInDestinationOp,
    ToBufferOp,
    ToMemrefOp,
    ToTensorOp,
)
from xdsl_bufferization.dialects.shared.redefinition import Patterns, canonicalization
from xdsl_bufferization.host.extensions import Extension, refined_class

__all__ = [
    "AllocTensorOp",
    "Bufferization",
    "CloneOp",
    "DeallocOp",
    "DeallocTensorOp",
    "MaterializeInDestinationOp",
    "ToBufferOp",
    "ToMemrefOp",
    "ToTensorOp",
]


def _patterns(name: str) -> Patterns:
    """The patterns of that name, imported on first use: most programs are not canonicalized."""
    return lambda: getattr(import_module(f"{__name__}.patterns"), name)


# The patterns build the ops, so they are added once the ops are defined.
for op, name in (
    (AllocTensorOp, "ALLOC_TENSOR"),
    (CloneOp, "CLONE"),
    (DeallocOp, "DEALLOC"),
    (MaterializeInDestinationOp, "MATERIALIZE"),
    (ToBufferOp, "TO_BUFFER"),
    (ToMemrefOp, "TO_BUFFER"),
    (ToTensorOp, "TO_TENSOR"),
):
    op.traits.add_trait(canonicalization(_patterns(name)))


def _without_effects(op: type[Operation]) -> type[Operation]:
    """The redefinition, with the traits of the class that it refines."""
    base = cast("type[Operation]", refined_class(op))
    members = {"__doc__": op.__doc__, "__module__": __name__, "traits": base.traits}
    return type(f"{op.__name__}WithoutEffects", (op,), members)


WITHOUT_EFFECTS = [
    _without_effects(op)
    for op in (
        AllocTensorOp,
        CloneOp,
        MaterializeInDestinationOp,
        ToBufferOp,
        ToTensorOp,
    )
]
"""The redefinitions that every context has."""

# For imports by name, and pickle.
globals().update((op.__name__, op) for op in WITHOUT_EFFECTS)

EXTENSION = Extension(
    [
        AllocTensorOp,
        CloneOp,
        DeallocOp,
        DeallocTensorOp,
        MaterializeInDestinationOp,
        ToBufferOp,
        ToMemrefOp,
        ToTensorOp,
    ],
    always=WITHOUT_EFFECTS,
)

Bufferization = EXTENSION.redefining(xdsl_bufferization.Bufferization)
