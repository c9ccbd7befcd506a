"""The pass `split-at-peak`; the rewrite is in `tensors/splitting.py`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.splitting import split_at_peak


@dataclass(frozen=True)
class SplitAtPeakPass(BufferizationPass):
    """
    Compute ops at the peak of memory in parts, in a loop, together with the ops that use their
    results, so that these results are never there as a whole: channels of a pointwise convolution
    and of the sum of a residual block, rows of matrix products one after the other.

    Nothing is computed twice, and sums keep their order. Only dimensions are split that need no
    overlapping parts. A function whose peak does not fall stays as it is; none copies or moves
    more than before. Run the pass after `eliminate-copies`, and `bufferize` after it.
    """

    name = "split-at-peak"

    bufferize_function_boundaries: bool = True
    """Bufferize functions' arguments and results, as the `one-shot-bufferize` to come does."""
    allow_return_allocs_from_loops: bool = False
    """Let loops return new buffers, as the `one-shot-bufferize` to come does."""
    max_parts: int = 8
    """The most parts of a chain. More parts need less memory, and more iterations."""

    @reduced_gc()
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.max_parts < 2:
            raise self.invalid("max-parts must be 2 or more")
        options = self.options_as(OneShotOptions, allow_unknown_ops=True)
        split_at_peak(AnalysedModule(op, options), self.max_parts)
