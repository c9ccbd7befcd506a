"""
What `xdsl-opt` finds through the entry-point group `xdsl.universe`.

Every `xdsl-opt` call imports this module, so it imports nothing heavy: dialects and
passes come from factories that import on first use.
"""

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl.utils.target import Target


def _bufferization() -> Dialect:
    from xdsl_bufferization.dialects.bufferization import Bufferization

    return Bufferization


def _linalg() -> Dialect:
    from xdsl_bufferization.dialects.linalg import Linalg

    return Linalg


def _memref() -> Dialect:
    from xdsl_bufferization.dialects.memref import MemRef

    return MemRef


def _scf() -> Dialect:
    from xdsl_bufferization.dialects.scf import Scf

    return Scf


def _tensor() -> Dialect:
    from xdsl_bufferization.dialects.tensor import Tensor

    return Tensor


def _convert_bufferization_to_memref() -> type[ModulePass]:
    from xdsl_bufferization.transforms.convert_bufferization_to_memref import (
        ConvertBufferizationToMemRefPass,
    )

    return ConvertBufferizationToMemRefPass


def _lower_deallocations() -> type[ModulePass]:
    from xdsl_bufferization.transforms.bufferization_lower_deallocations import (
        LowerDeallocationsPass,
    )

    return LowerDeallocationsPass


def _eliminate_empty_tensors() -> type[ModulePass]:
    from xdsl_bufferization.transforms.eliminate_empty_tensors import (
        EliminateEmptyTensorsPass,
    )

    return EliminateEmptyTensorsPass


def _expand_realloc() -> type[ModulePass]:
    from xdsl_bufferization.transforms.expand_realloc import ExpandReallocPass

    return ExpandReallocPass


def _one_shot_bufferize() -> type[ModulePass]:
    from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass

    return OneShotBufferizePass


def _ownership_based_buffer_deallocation() -> type[ModulePass]:
    from xdsl_bufferization.transforms.ownership_based_buffer_deallocation import (
        OwnershipBasedBufferDeallocationPass,
    )

    return OwnershipBasedBufferDeallocationPass


def _buffer_deallocation_pipeline() -> type[ModulePass]:
    from xdsl_bufferization.transforms.buffer_deallocation_pipeline import (
        BufferDeallocationPipeline,
    )

    return BufferDeallocationPipeline


def _buffer_deallocation_simplification() -> type[ModulePass]:
    from xdsl_bufferization.transforms.buffer_deallocation_simplification import (
        BufferDeallocationSimplificationPass,
    )

    return BufferDeallocationSimplificationPass


def _optimize_allocation_liveness() -> type[ModulePass]:
    from xdsl_bufferization.transforms.optimize_allocation_liveness import (
        OptimizeAllocationLivenessPass,
    )

    return OptimizeAllocationLivenessPass


def _tensor_copy_insertion() -> type[ModulePass]:
    from xdsl_bufferization.transforms.tensor_copy_insertion import (
        TensorCopyInsertionPass,
    )

    return TensorCopyInsertionPass


def _test_tensor_copy_insertion() -> type[ModulePass]:
    from xdsl_bufferization.transforms.test_tensor_copy_insertion import (
        TestTensorCopyInsertionPass,
    )

    return TestTensorCopyInsertionPass


def _verify_bufferization_decisions() -> type[ModulePass]:
    from xdsl_bufferization.transforms.verify_bufferization_decisions import (
        VerifyBufferizationDecisionsPass,
    )

    return VerifyBufferizationDecisionsPass


def _buffer_deallocation() -> type[ModulePass]:
    from xdsl_bufferization.transforms.buffer_deallocation import BufferDeallocationPass

    return BufferDeallocationPass


def _buffer_hoisting() -> type[ModulePass]:
    from xdsl_bufferization.transforms.buffer_hoisting import BufferHoistingPass

    return BufferHoistingPass


def _buffer_loop_hoisting() -> type[ModulePass]:
    from xdsl_bufferization.transforms.buffer_loop_hoisting import (
        BufferLoopHoistingPass,
    )

    return BufferLoopHoistingPass


def _buffer_results_to_out_params() -> type[ModulePass]:
    from xdsl_bufferization.transforms.buffer_results_to_out_params import (
        BufferResultsToOutParamsPass,
    )

    return BufferResultsToOutParamsPass


def _bufferize() -> type[ModulePass]:
    from xdsl_bufferization.transforms.bufferize import BufferizePass

    return BufferizePass


def _copy_removal() -> type[ModulePass]:
    from xdsl_bufferization.transforms.copy_removal import CopyRemovalPass

    return CopyRemovalPass


def _drop_equivalent_buffer_results() -> type[ModulePass]:
    from xdsl_bufferization.transforms.drop_equivalent_buffer_results import (
        DropEquivalentBufferResultsPass,
    )

    return DropEquivalentBufferResultsPass


def _plan_static_memory() -> type[ModulePass]:
    from xdsl_bufferization.transforms.plan_static_memory import PlanStaticMemoryPass

    return PlanStaticMemoryPass


def _promote_buffers_to_stack() -> type[ModulePass]:
    from xdsl_bufferization.transforms.promote_buffers_to_stack import (
        PromoteBuffersToStackPass,
    )

    return PromoteBuffersToStackPass


def _arith_bufferize() -> type[ModulePass]:
    from xdsl_bufferization.transforms.arith_bufferize import ArithBufferizePass

    return ArithBufferizePass


def _tensor_constant_bufferize() -> type[ModulePass]:
    from xdsl_bufferization.transforms.tensor_constant_bufferize import (
        TensorConstantBufferizePass,
    )

    return TensorConstantBufferizePass


def _bufferization_bufferize() -> type[ModulePass]:
    from xdsl_bufferization.transforms.bufferization_bufferize import (
        BufferizationBufferizePass,
    )

    return BufferizationBufferizePass


def _func_bufferize() -> type[ModulePass]:
    from xdsl_bufferization.transforms.func_bufferize import FuncBufferizePass

    return FuncBufferizePass


def _linalg_bufferize() -> type[ModulePass]:
    from xdsl_bufferization.transforms.linalg_bufferize import LinalgBufferizePass

    return LinalgBufferizePass


def _scf_bufferize() -> type[ModulePass]:
    from xdsl_bufferization.transforms.scf_bufferize import SCFBufferizePass

    return SCFBufferizePass


def _tensor_bufferize() -> type[ModulePass]:
    from xdsl_bufferization.transforms.tensor_bufferize import TensorBufferizePass

    return TensorBufferizePass


def _std_bufferize() -> type[ModulePass]:
    from xdsl_bufferization.transforms.std_bufferize import StdBufferizePass

    return StdBufferizePass


def _finalizing_bufferize() -> type[ModulePass]:
    from xdsl_bufferization.transforms.finalizing_bufferize import (
        FinalizingBufferizePass,
    )

    return FinalizingBufferizePass


def _bufferization_report() -> type[Target]:
    from xdsl_bufferization.report.target import BufferizationReportTarget

    return BufferizationReportTarget


_DIALECTS = {
    "bufferization": _bufferization,
    "linalg": _linalg,
    "memref": _memref,
    "scf": _scf,
    "tensor": _tensor,
}

# Two universes that name the same dialect are an error to xDSL. Each of these dialects
# is a superset of xDSL's own, so ours takes its place.
for _name in _DIALECTS:
    XDSL_UNIVERSE.all_dialects.pop(_name, None)

UNIVERSE = Universe(
    all_dialects=_DIALECTS,
    all_passes={
        "bufferization-lower-deallocations": _lower_deallocations,
        "convert-bufferization-to-memref": _convert_bufferization_to_memref,
        "eliminate-empty-tensors": _eliminate_empty_tensors,
        "expand-realloc": _expand_realloc,
        "one-shot-bufferize": _one_shot_bufferize,
        "ownership-based-buffer-deallocation": _ownership_based_buffer_deallocation,
        "buffer-deallocation-pipeline": _buffer_deallocation_pipeline,
        "buffer-deallocation-simplification": _buffer_deallocation_simplification,
        "optimize-allocation-liveness": _optimize_allocation_liveness,
        "buffer-deallocation": _buffer_deallocation,
        "buffer-hoisting": _buffer_hoisting,
        "buffer-loop-hoisting": _buffer_loop_hoisting,
        "buffer-results-to-out-params": _buffer_results_to_out_params,
        "bufferize": _bufferize,
        "copy-removal": _copy_removal,
        "drop-equivalent-buffer-results": _drop_equivalent_buffer_results,
        "plan-static-memory": _plan_static_memory,
        "promote-buffers-to-stack": _promote_buffers_to_stack,
        "tensor-copy-insertion": _tensor_copy_insertion,
        "test-tensor-copy-insertion": _test_tensor_copy_insertion,
        "verify-bufferization-decisions": _verify_bufferization_decisions,
        "arith-bufferize": _arith_bufferize,
        "tensor-constant-bufferize": _tensor_constant_bufferize,
        "bufferization-bufferize": _bufferization_bufferize,
        "func-bufferize": _func_bufferize,
        "linalg-bufferize": _linalg_bufferize,
        "scf-bufferize": _scf_bufferize,
        "tensor-bufferize": _tensor_bufferize,
        "std-bufferize": _std_bufferize,
        "finalizing-bufferize": _finalizing_bufferize,
    },
    all_targets={"bufferization-report": _bufferization_report},
)
