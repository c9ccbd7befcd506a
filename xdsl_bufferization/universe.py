"""
What `xdsl-opt` finds through the entry-point group `xdsl.universe`.

Every call of `xdsl-opt` imports this module, so it imports no dialect and no pass: their
modules are imported on first use.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from xdsl.universe import XDSL_UNIVERSE, Universe

_DIALECTS = {
    "arith": "Arith",
    "bufferization": "Bufferization",
    "linalg": "Linalg",
    "memref": "MemRef",
    "scf": "Scf",
    "tensor": "Tensor",
}
"""The object of each dialect. Its module, in `dialects`, is named like the dialect."""

_PASSES = {
    "arith-bufferize": "ArithBufferizePass",
    "buffer-deallocation": "BufferDeallocationPass",
    "buffer-deallocation-pipeline": "BufferDeallocationPipeline",
    "buffer-deallocation-simplification": "BufferDeallocationSimplificationPass",
    "buffer-hoisting": "BufferHoistingPass",
    "buffer-loop-hoisting": "BufferLoopHoistingPass",
    "buffer-results-to-out-params": "BufferResultsToOutParamsPass",
    "bufferization-bufferize": "BufferizationBufferizePass",
    "bufferization-lower-deallocations": "LowerDeallocationsPass",
    "bufferize": "BufferizePass",
    "convert-bufferization-to-memref": "ConvertBufferizationToMemRefPass",
    "copy-removal": "CopyRemovalPass",
    "drop-equivalent-buffer-results": "DropEquivalentBufferResultsPass",
    "eliminate-copies": "EliminateCopiesPass",
    "eliminate-empty-tensors": "EliminateEmptyTensorsPass",
    "expand-realloc": "ExpandReallocPass",
    "finalizing-bufferize": "FinalizingBufferizePass",
    "func-bufferize": "FuncBufferizePass",
    "linalg-bufferize": "LinalgBufferizePass",
    "one-shot-bufferize": "OneShotBufferizePass",
    "optimize-allocation-liveness": "OptimizeAllocationLivenessPass",
    "ownership-based-buffer-deallocation": "OwnershipBasedBufferDeallocationPass",
    "plan-static-memory": "PlanStaticMemoryPass",
    "promote-buffers-to-stack": "PromoteBuffersToStackPass",
    "scf-bufferize": "SCFBufferizePass",
    "std-bufferize": "StdBufferizePass",
    "tensor-bufferize": "TensorBufferizePass",
    "tensor-constant-bufferize": "TensorConstantBufferizePass",
    "tensor-copy-insertion": "TensorCopyInsertionPass",
    "test-tensor-copy-insertion": "TestTensorCopyInsertionPass",
    "verify-bufferization-decisions": "VerifyBufferizationDecisionsPass",
}
"""The class of each pass. Its module, in `transforms`, is named like the pass."""


def _imported_on_use(module: str, name: str) -> Callable[[], Any]:
    return lambda: getattr(import_module(f"xdsl_bufferization.{module}"), name)


# Two universes that name the same dialect are an error to xDSL. Each of these dialects
# is a superset of xDSL's own, and takes its place.
for _name in _DIALECTS:
    XDSL_UNIVERSE.all_dialects.pop(_name, None)

UNIVERSE = Universe(
    all_dialects={
        name: _imported_on_use(f"dialects.{name}", dialect)
        for name, dialect in _DIALECTS.items()
    },
    all_passes={
        name: _imported_on_use(f"transforms.{name.replace('-', '_')}", pass_)
        for name, pass_ in _PASSES.items()
    },
    all_targets={
        "bufferization-report": _imported_on_use(
            "report.target", "BufferizationReportTarget"
        )
    },
)
