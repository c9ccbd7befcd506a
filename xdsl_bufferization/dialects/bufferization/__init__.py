"""
The `bufferization` dialect: xDSL's, with ops that it lacks, with ops that accept what xDSL's
reject, and with canonicalization patterns.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from xdsl.dialects import bufferization as xdsl_bufferization

from xdsl_bufferization.dialects.bufferization.canonicalization import (
    traits as canonicalizations,
)
from xdsl_bufferization.dialects.bufferization.conversion_ops import (
    ToBufferOp,
    ToMemrefOp,
    ToTensorOp,
)
from xdsl_bufferization.dialects.bufferization.memref_ops import CloneOp, DeallocOp
from xdsl_bufferization.dialects.bufferization.tensor_ops import (
    AllocTensorOp,
    DeallocTensorOp,
    MaterializeInDestinationOp,
)
from xdsl_bufferization.dialects.bufferization.without_effects import WITHOUT_EFFECTS
from xdsl_bufferization.support.extensions import Extension

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

# The patterns build the ops, so they are added once the ops are defined.
AllocTensorOp.traits.add_trait(canonicalizations.AllocTensorCanonicalization())
CloneOp.traits.add_trait(canonicalizations.CloneCanonicalization())
DeallocOp.traits.add_trait(canonicalizations.DeallocCanonicalization())
MaterializeInDestinationOp.traits.add_trait(
    canonicalizations.MaterializeCanonicalization()
)
for to_buffer in (ToBufferOp, ToMemrefOp):
    to_buffer.traits.add_trait(canonicalizations.ToBufferCanonicalization())
    to_buffer.traits.add_trait(canonicalizations.ToBufferFolder())
ToTensorOp.traits.add_trait(canonicalizations.ToTensorCanonicalization())
ToTensorOp.traits.add_trait(canonicalizations.ToTensorFolder())

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
