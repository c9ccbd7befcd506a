"""
What `xdsl-opt` finds through the entry-point group `xdsl.universe`.

Every call of `xdsl-opt` imports this module, so it imports no dialect and no pass: their
modules are imported on first use.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from xdsl.universe import XDSL_UNIVERSE, Universe

from xdsl_bufferization import repairs
from xdsl_bufferization.support.xdsl_opt import extend, running_xdsl_opt

if TYPE_CHECKING:
    from _collections_abc import dict_items

_DIALECTS = {
    "affine": "Affine",
    "arith": "Arith",
    "bufferization": "Bufferization",
    "cf": "Cf",
    "dlti": "DLTI",
    "func": "Func",
    "linalg": "Linalg",
    "math": "Math",
    "memref": "MemRef",
    "ml_program": "MLProgram",
    "scf": "Scf",
    "tensor": "Tensor",
    "tosa": "Tosa",
    "vector": "Vector",
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
    "convert-elementwise-to-linalg": "ConvertElementwiseToLinalgPass",
    "copy-removal": "CopyRemovalPass",
    "drop-equivalent-buffer-results": "DropEquivalentBufferResultsPass",
    "drop-iteration-arguments": "DropIterationArgumentsPass",
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


class _Replacements(dict[str, Callable[[], Any]]):
    """
    Dialects that take the place of xDSL's own, of which each is a superset.

    To xDSL, two universes that name the same dialect are an error. So xDSL's are taken out
    of the dialects that `Universe.get_multiverse` has collected when it asks for these;
    xDSL's universe stays as it is.
    """

    def items(self) -> dict_items[str, Callable[[], Any]]:
        caller = sys._getframe(1)  # pyright: ignore[reportPrivateUsage] # has no other name
        if caller.f_code is Universe.get_multiverse.__code__:
            collected = caller.f_locals["all_dialects"]
            for name in self.keys() & XDSL_UNIVERSE.all_dialects.keys():
                collected.pop(name, None)
            command = running_xdsl_opt()
            if command is not None:
                extend(command)
        return super().items()


def _imported_on_use(module: str, name: str) -> Callable[[], Any]:
    return lambda: getattr(import_module(f"xdsl_bufferization.{module}"), name)


repairs.apply()

UNIVERSE = Universe(
    all_dialects=_Replacements(
        {
            name: _imported_on_use(f"dialects.{name}", dialect)
            for name, dialect in _DIALECTS.items()
        }
    ),
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
