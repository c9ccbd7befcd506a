"""
The pass `fuse-for-memory`; the rewrite is in `tensors/fusion`.

A function is looked at if it allocates anything, and one op reads the result of another. In it,
what is live at the peak and could be computed after it instead is looked for, and fused where
nothing is copied or moved more and the peak is lower. Then the ops of functions that have changed
are reordered, since other orders may be better now. So a function without elementwise ops at its
peak costs no analysis, and each other one a fixed number of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.interfaces.tiling import TilingInterface
from xdsl_bufferization.support.options import NotNegative, OneShotOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs


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
        options = self.options_as(OneShotOptions, allow_unknown_ops=True)
        fuse_for_memory(AnalysedModule(op, options), self.max_added_work)


def fuse_for_memory(program: AnalysedModule, max_added_work: int) -> None:
    """
    Fuse elementwise ops of an analysed module into the ops that read their results, where the
    peak falls by it and nothing is copied or moved more; and compute them again for several
    readers, where that adds no more than `max_added_work` percent to the work of the elementwise
    ops in their block.

    Raises `BufferizationError` if the module cannot be bufferized.
    """
    if program.options.copy_before_write:
        return
    costs = program.remember(Costs)
    functions = [f for f in costs if costs.peak(f) and _has_chain(f)]
    if not functions:
        return
    # Short programs do without.
    from xdsl_bufferization.tensors.fusion.search import fuse_at_peaks
    from xdsl_bufferization.tensors.reorder.reordering import reorder_for_memory

    changed = fuse_at_peaks(program, functions, max_added_work)
    if changed:
        # What every order needs may be less now.
        program.order_bounds = {
            f: b for f, b in program.order_bounds.items() if f not in changed
        }
        reorder_for_memory(program, changed)


def _has_chain(function: Operation) -> bool:
    """Whether an op that can be computed part by part reads the result of another such op."""
    return any(
        TilingInterface.of(use.operation) is not None
        for op in walk([function])
        if TilingInterface.of(op) is not None
        for result in op.results
        for use in result.uses
    )
