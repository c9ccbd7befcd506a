"""
xDSL's `memref` dialect with `memref.realloc`, `memref.reshape`, `memref.transpose` and
`memref.prefetch`, which it lacks, with custom syntax where it has none, and with
ops that take unranked memrefs, as MLIR's do.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from xdsl_bufferization.dialects.memref.accesses import (
    AllocaScopeOp,
    AtomicRMWOp,
    AtomicYieldOp,
    DistinctObjectsOp,
    GenericAtomicRMWOp,
    PrefetchOp,
)
from xdsl_bufferization.dialects.memref.allocations import AllocaOp, AllocOp
from xdsl_bufferization.dialects.memref.copies import CopyOp
from xdsl_bufferization.dialects.memref.globals import GlobalOp
from xdsl_bufferization.dialects.memref.ops import (
    AllocaScopeReturnOp,
    CastOp,
    ExtractAlignedPointerAsIndexOp,
    MemorySpaceCastOp,
    RankOp,
    ReallocOp,
    ReinterpretCastOp,
    ReshapeOp,
    TransposeOp,
)
from xdsl_bufferization.support.extensions import Extension

EXTENSION = Extension(
    [
        AllocOp,
        AllocaOp,
        AllocaScopeOp,
        AtomicRMWOp,
        CopyOp,
        GlobalOp,
        AllocaScopeReturnOp,
        CastOp,
        MemorySpaceCastOp,
        ExtractAlignedPointerAsIndexOp,
        RankOp,
        AtomicYieldOp,
        DistinctObjectsOp,
        GenericAtomicRMWOp,
        PrefetchOp,
        ReallocOp,
        ReinterpretCastOp,
        ReshapeOp,
        TransposeOp,
    ]
)
