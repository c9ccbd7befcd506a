"""
The passes that free what a bufferized program allocates.

Source: the pipeline `buffer-deallocation-pipeline` of
https://mlir.llvm.org/docs/OwnershipBasedBufferDeallocation/
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.common_subexpression_elimination import cse

from xdsl_bufferization import repairs
from xdsl_bufferization.deallocation.canonicalization import canonicalize
from xdsl_bufferization.dialects.bufferization import DeallocOp
from xdsl_bufferization.support.collection import reduced_gc
from xdsl_bufferization.support.options import OwnershipOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.progress import with_progress
from xdsl_bufferization.support.walk import walk
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
        run = _Run(ctx, op, self)
        for stage in with_progress(run.stages, len(run.stages), self.name):
            stage()


class _Run:
    """
    The stages for one module. Each leaves out work that makes no difference: memory that is
    owned always is freed as if that had been lowered, so that most programs have nothing to lower.
    """

    def __init__(self, ctx: Context, module: ModuleOp, options: OwnershipOptions):
        self._ctx = ctx
        self._module = module
        self._options = options
        self._is_canonical = False
        """Whether nothing has changed since the module was made canonical."""
        self.stages: tuple[Callable[[], None], ...] = (
            self._expand_reallocs,
            self._free,
            self._canonicalize,
            self._lower,
            self._eliminate_and_canonicalize,
        )

    def _expand_reallocs(self) -> None:
        if not any(op.name == "memref.realloc" for op in walk(self._module.ops)):
            return
        # Few programs have one, and the others do not wait for what expands it.
        from xdsl_bufferization.transforms.expand_realloc import ExpandReallocPass

        ExpandReallocPass(emit_deallocs=False).apply(self._ctx, self._module)

    def _free(self) -> None:
        free_memory(self._module, self._options, lowered=True)

    def _canonicalize(self) -> None:
        canonicalize(self._ctx, self._module)
        self._is_canonical = True

    def _lower(self) -> None:
        if any(op.name == DeallocOp.name for op in walk(self._module.ops)):
            # Programs that only have memory that is owned always do not wait for these.
            from xdsl_bufferization.transforms.buffer_deallocation_simplification import (
                BufferDeallocationSimplificationPass,
            )
            from xdsl_bufferization.transforms.bufferization_lower_deallocations import (
                LowerDeallocationsPass,
            )

            self._is_canonical = False
            BufferDeallocationSimplificationPass().apply(self._ctx, self._module)
            LowerDeallocationsPass().apply(self._ctx, self._module)

    def _eliminate_and_canonicalize(self) -> None:
        before = _number_of_ops(self._module)
        # Otherwise it takes quadratic time.
        repairs.make("common_subexpressions")
        cse(self._module)
        if not self._is_canonical or _number_of_ops(self._module) < before:
            canonicalize(self._ctx, self._module)


def _number_of_ops(module: ModuleOp) -> int:
    return sum(1 for _ in walk(module.ops))
