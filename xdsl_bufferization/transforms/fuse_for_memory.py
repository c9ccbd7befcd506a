"""The pass `fuse-for-memory`; the rewrite is in `tensors/fusion`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.support.options import NotNegative, OneShotOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.fusion.driver import fuse_for_memory


@dataclass(frozen=True)
class FuseForMemoryPass(BufferizationPass):
    """
    Compute the results of elementwise ops where other ops read them, so that they are not in
    memory at the peak after `one-shot-bufferize`.

    An elementwise op that one op reads is fused into it, and nothing is computed twice. One that
    several read, or that is read before the peak and after it, is computed again in the ops after
    it, within `max-added-work`. The ops of functions that have changed are reordered, as by
    `reorder-for-memory`. A function whose peak does not fall stays as it is: none copies or moves
    more than before, or has a higher peak.
    """

    name = "fuse-for-memory"

    bufferize_function_boundaries: bool = True
    """Bufferize functions' arguments and results, as the `one-shot-bufferize` to come does."""
    allow_return_allocs_from_loops: bool = False
    """Let loops return new buffers, as the `one-shot-bufferize` to come does."""
    max_added_work: NotNegative = 20
    """
    How much work the elementwise ops of a block may do more if elements are computed again, in
    percent; 0 if none is to be computed twice.
    """

    @reduced_gc()
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = replace(self.options_as(OneShotOptions), allow_unknown_ops=True)
        fuse_for_memory(AnalysedModule(op, options), self.max_added_work)
