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
from xdsl_bufferization.dialects.shared.redefinition import canonicalization
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
for op, patterns in (
    (AllocTensorOp, canonicalizations.alloc_tensor_patterns),
    (CloneOp, canonicalizations.clone_patterns),
    (DeallocOp, canonicalizations.dealloc_patterns),
    (MaterializeInDestinationOp, canonicalizations.materialize_patterns),
    (ToBufferOp, canonicalizations.to_buffer_patterns),
    (ToMemrefOp, canonicalizations.to_buffer_patterns),
    (ToTensorOp, canonicalizations.to_tensor_patterns),
):
    op.traits.add_trait(canonicalization(patterns))
ToBufferOp.traits.add_trait(canonicalizations.ToBufferFolder())
ToMemrefOp.traits.add_trait(canonicalizations.ToBufferFolder())
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
