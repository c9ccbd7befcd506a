"""
The passes that free what a bufferized program allocates.

Source: the pipeline `buffer-deallocation-pipeline` of
https://mlir.llvm.org/docs/OwnershipBasedBufferDeallocation/
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.common_subexpression_elimination import (
    CommonSubexpressionElimination,
)

from xdsl_bufferization.deallocation.canonicalization import canonicalize
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.collection import rare_collection
from xdsl_bufferization.support.options import OwnershipOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.progress import with_progress
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.transforms.buffer_deallocation_simplification import (
    BufferDeallocationSimplificationPass,
)
from xdsl_bufferization.transforms.bufferization_lower_deallocations import (
    LowerDeallocationsPass,
)
from xdsl_bufferization.transforms.ownership_based_buffer_deallocation import (
    OwnershipBasedBufferDeallocationPass,
)


@dataclass(frozen=True)
class BufferDeallocationPipeline(BufferizationPass, OwnershipOptions):
    """
    Run the passes `expand-realloc`, `ownership-based-buffer-deallocation`,
    `buffer-deallocation-simplification` and `bufferization-lower-deallocations`, and xDSL's
    `canonicalize` and `cse` between and behind them. The options are those of
    `ownership-based-buffer-deallocation`.
    """

    name = "buffer-deallocation-pipeline"

    @rare_collection()
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Canonicalization builds ops of this dialect.
        if arith.Arith.name not in ctx.registered_dialect_names:
            ctx.load_dialect(arith.Arith)
        stages = (
            self._expand_reallocs,
            self.options_as(OwnershipBasedBufferDeallocationPass).apply,
            canonicalize,
            BufferDeallocationSimplificationPass().apply,
            LowerDeallocationsPass().apply,
            CommonSubexpressionElimination().apply,
            canonicalize,
        )
        for stage in with_progress(stages, len(stages), self.name):
            stage(ctx, op)

    @staticmethod
    def _expand_reallocs(ctx: Context, module: ModuleOp) -> None:
        if not any(op.name == "memref.realloc" for op in walk(module.ops)):
            return
        # Few programs have one, and the others do not wait for what expands it.
        from xdsl_bufferization.deallocation.reallocs import reallocs_freed_by_program
        from xdsl_bufferization.transforms.expand_realloc import expand_reallocs

        freed = {*reallocs_freed_by_program(functions_in(module))}
        expand_reallocs(module, lambda op: op in freed)
