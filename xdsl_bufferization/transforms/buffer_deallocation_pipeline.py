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
from xdsl.transforms.common_subexpression_elimination import cse

from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.host import repairs
from xdsl_bufferization.host.commands import reduced_gc, with_progress
from xdsl_bufferization.memrefs.deallocation.canonicalization import canonicalize
from xdsl_bufferization.support.options import OwnershipOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.transforms.ownership_based_buffer_deallocation import (
    free_memory,
)


@dataclass(frozen=True)
class BufferDeallocationPipeline(BufferizationPass, OwnershipOptions):
    """
    Run the passes `expand-realloc`, `ownership-based-buffer-deallocation`,
    `buffer-deallocation-simplification` and `bufferization-lower-deallocations`, and xDSL's
    `canonicalize` and `cse` between and after them. The options are those of
    `ownership-based-buffer-deallocation`.
    """

    name = "buffer-deallocation-pipeline"

    @reduced_gc()
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Canonicalization builds ops of this dialect.
        if arith.Arith.name not in ctx.registered_dialect_names:
            ctx.load_dialect(arith.Arith)
        stages = (_expand_reallocs, self._free, canonicalize, _lower_and_clean_up)
        for stage in with_progress(stages, len(stages), self.name):
            stage(ctx, op)

    def _free(self, ctx: Context, module: ModuleOp) -> None:
        # Memory that is owned always is freed as if that had been lowered, so that most programs
        # have nothing to lower.
        free_memory(module, self, lowered=True)


def _expand_reallocs(ctx: Context, module: ModuleOp) -> None:
    if not any(op.name == "memref.realloc" for op in walk(module.ops)):
        return
    # Few programs have one, and the others do not wait for what expands it.
    from xdsl_bufferization.transforms.expand_realloc import ExpandReallocPass

    ExpandReallocPass(emit_deallocs=False).apply(ctx, module)


def _lower_and_clean_up(ctx: Context, module: ModuleOp) -> None:
    is_lowered = any(op.name == DeallocOp.name for op in walk(module.ops))
    if is_lowered:
        # Programs that only have memory that is owned always do not wait for these.
        from xdsl_bufferization.transforms.buffer_deallocation_simplification import (
            BufferDeallocationSimplificationPass,
        )
        from xdsl_bufferization.transforms.bufferization_lower_deallocations import (
            LowerDeallocationsPass,
        )

        BufferDeallocationSimplificationPass().apply(ctx, module)
        LowerDeallocationsPass().apply(ctx, module)
    before = _number_of_ops(module)
    # Otherwise it takes quadratic time.
    repairs.make("common_subexpressions")
    cse(module)
    # Unless something has changed, the module still is canonical.
    if is_lowered or _number_of_ops(module) < before:
        canonicalize(ctx, module)


def _number_of_ops(module: ModuleOp) -> int:
    return sum(1 for _ in walk(module.ops))
