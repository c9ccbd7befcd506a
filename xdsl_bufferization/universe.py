"""
The universe that `xdsl-opt` finds through the entry-point group `xdsl.universe`.

Every call of `xdsl-opt` imports this module, so it imports no dialect and no pass: their
modules are imported on first use.

Two universes that name the same dialect are an error to xDSL. So the dialects that xDSL has,
too, are not listed here: their factories, in the public `XDSL_UNIVERSE.all_dialects`, are
wrapped when this module is imported. Each calls the one before it, so that several packages
may do the same, in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from xdsl.context import Context
from xdsl.universe import XDSL_UNIVERSE, Universe

from xdsl_bufferization.support.extensions import (
    EXTENDED,
    Extension,
    extend_all,
    extend_context,
    redefine_context,
)
from xdsl_bufferization.support.xdsl_opt import hook_commands

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.xdsl_opt_main import xDSLOptMain

_PASSES = {
    "buffer-deallocation-pipeline": "BufferDeallocationPipeline",
    "buffer-deallocation-simplification": "BufferDeallocationSimplificationPass",
    "buffer-hoisting": "BufferHoistingPass",
    "buffer-loop-hoisting": "BufferLoopHoistingPass",
    "buffer-results-to-out-params": "BufferResultsToOutParamsPass",
    "bufferization-lower-deallocations": "LowerDeallocationsPass",
    "bufferize": "BufferizePass",
    "convert-bufferization-to-memref": "ConvertBufferizationToMemRefPass",
    "convert-elementwise-to-linalg": "ConvertElementwiseToLinalgPass",
    "drop-equivalent-buffer-results": "DropEquivalentBufferResultsPass",
    "drop-iteration-arguments": "DropIterationArgumentsPass",
    "eliminate-copies": "EliminateCopiesPass",
    "eliminate-empty-tensors": "EliminateEmptyTensorsPass",
    "eliminate-moves": "EliminateMovesPass",
    "expand-realloc": "ExpandReallocPass",
    "fuse-for-memory": "FuseForMemoryPass",
    "linalg-fuse-elementwise-ops": "LinalgFuseElementwiseOpsPass",
    "one-shot-bufferize": "OneShotBufferizePass",
    "optimize-allocation-liveness": "OptimizeAllocationLivenessPass",
    "ownership-based-buffer-deallocation": "OwnershipBasedBufferDeallocationPass",
    "plan-static-memory": "PlanStaticMemoryPass",
    "promote-buffers-to-stack": "PromoteBuffersToStackPass",
    "reorder-for-memory": "ReorderForMemoryPass",
    "split-at-peak": "SplitAtPeakPass",
    "tensor-copy-insertion": "TensorCopyInsertionPass",
    "test-tensor-copy-insertion": "TestTensorCopyInsertionPass",
    "verify-bufferization-decisions": "VerifyBufferizationDecisionsPass",
}
"""The class of each pass. Its module, in `transforms`, is named like the pass."""

_FORMER_PASSES = {
    "former.buffer_deallocation": {"buffer-deallocation": "BufferDeallocationPass"},
    "former.copy_removal": {"copy-removal": "CopyRemovalPass"},
    "former.dialect_conversion": {
        "arith-bufferize": "ArithBufferizePass",
        "bufferization-bufferize": "BufferizationBufferizePass",
        "finalizing-bufferize": "FinalizingBufferizePass",
        "func-bufferize": "FuncBufferizePass",
        "linalg-bufferize": "LinalgBufferizePass",
        "scf-bufferize": "SCFBufferizePass",
        "std-bufferize": "StdBufferizePass",
        "tensor-bufferize": "TensorBufferizePass",
        "tensor-constant-bufferize": "TensorConstantBufferizePass",
    },
}
"""By module: the classes of passes that MLIR has removed."""


def _imported_on_use(module: str, name: str) -> Callable[[], Any]:
    return lambda: getattr(import_module(f"xdsl_bufferization.{module}"), name)


def _passes() -> Iterator[tuple[str, Callable[[], Any]]]:
    """The name and the factory of each pass."""
    for name, pass_ in _PASSES.items():
        yield name, _imported_on_use(f"transforms.{name.replace('-', '_')}", pass_)
    for module, passes in _FORMER_PASSES.items():
        for name, pass_ in passes.items():
            yield name, _imported_on_use(module, pass_)


UNIVERSE = Universe(
    all_passes={
        name: load
        for name, load in sorted(_passes())
        if name not in XDSL_UNIVERSE.all_passes
    },
    all_targets={
        name: _imported_on_use(f"report.{module}", target)
        for name, module, target in (
            ("bufferization-header", "header", "BufferizationHeaderTarget"),
            ("bufferization-report", "target", "BufferizationReportTarget"),
        )
        if name not in XDSL_UNIVERSE.all_targets
    },
)
"""The passes and targets; those of a name that xDSL has are xDSL's."""


def _verify(module: ModuleOp) -> None:
    """Verify what xDSL's verifier leaves out."""
    from xdsl_bufferization.interfaces.dialect_attributes import verify_attributes

    verify_attributes(module)


extend_all(XDSL_UNIVERSE.all_dialects, Extension.added_to)
hook_commands(_verify)


def register_all(place: xDSLOptMain | Context) -> None:
    """
    Register everything of this package with a context, or with a command derived from
    `xDSLOptMain` that does not discover plugins:

        class MyOpt(xDSLOptMain):
            def register_all_targets(self):
                super().register_all_targets()
                register_all(self)

    The context's dialects are redefined; those of the command are when it calls this package.
    Passes and targets of names that the command has already stay as they are. Raises
    `TypeError` for an argument of another kind.
    """
    if isinstance(place, Context):
        _register_missing_dialects(place)
        redefine_context(place)
        import_module("xdsl_bufferization.repairs").apply(import_all=True)
        return
    # Most processes that discover the package register nothing by themselves.
    from xdsl.xdsl_opt_main import xDSLOptMain

    from xdsl_bufferization.support.failures import checked

    command = checked("register_all", place, xDSLOptMain)
    _register_missing_dialects(command.ctx)
    extend_context(command.ctx, Extension.added_to)
    command.available_passes = UNIVERSE.all_passes | command.available_passes
    command.available_targets = UNIVERSE.all_targets | command.available_targets


def _register_missing_dialects(context: Context) -> None:
    """Register the dialects whose ops this package prints, where they are not registered."""
    for name in {*EXTENDED} - {*context.registered_dialect_names}:
        context.register_dialect(name, XDSL_UNIVERSE.all_dialects[name])
