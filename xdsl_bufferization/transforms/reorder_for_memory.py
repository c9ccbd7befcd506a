"""The pass `reorder-for-memory`; the rewrite is in `tensors/reorder`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.reorder.reordering import reorder_for_memory


@dataclass(frozen=True)
class ReorderForMemoryPass(BufferizationPass):
    """
    Move ops of a program on tensors within their blocks, so that the peak of memory is the
    least that any order of them has after `one-shot-bufferize`.

    Ops with side effects stay in their order, and so do ops that read and write the same
    buffer in place. A function whose peak does not fall stays as it is: none copies or moves
    more than before, or has a higher peak. The search for the best order is exact up to a
    limit, and takes the best order that it has found beyond it.
    """

    name = "reorder-for-memory"

    bufferize_function_boundaries: bool = True
    """Bufferize functions' arguments and results, as the `one-shot-bufferize` to come does."""
    allow_return_allocs_from_loops: bool = False
    """Let loops return new buffers, as the `one-shot-bufferize` to come does."""

    @reduced_gc()
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = self.options_as(OneShotOptions, allow_unknown_ops=True)
        reorder_for_memory(AnalysedModule(op, options))
