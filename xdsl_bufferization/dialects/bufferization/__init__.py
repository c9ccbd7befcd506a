"""
The `bufferization` dialect: xDSL's, with ops that it lacks, with ops that accept what xDSL's
reject, and with canonicalization patterns.

Source: https://mlir.llvm.org/docs/Dialects/BufferizationOps/
"""

from xdsl.dialects import bufferization as xdsl_bufferization

from xdsl_bufferization.dialects.bufferization.canonicalization import (
    ConversionFolder,
    patterns_in,
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
from xdsl_bufferization.host.extensions import Extension

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
for op, module, name in (
    (AllocTensorOp, "tensors", "ALLOC_TENSOR"),
    (CloneOp, "memrefs", "CLONE"),
    (DeallocOp, "memrefs", "DEALLOC"),
    (MaterializeInDestinationOp, "tensors", "MATERIALIZE"),
    (ToBufferOp, "conversions", "TO_BUFFER"),
    (ToMemrefOp, "conversions", "TO_BUFFER"),
    (ToTensorOp, "conversions", "TO_TENSOR"),
):
    op.traits.add_trait(patterns_in(module, name))
    if module == "conversions":
        op.traits.add_trait(ConversionFolder())

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
