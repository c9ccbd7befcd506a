"""
Functions write what they return to memory of their callers.

Source: the pass `buffer-results-to-out-params` of
https://mlir.llvm.org/docs/Passes/#bufferization-passes
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.memrefs.calling_conventions.out_params import (
    OutParamOptions,
    turn_results_into_out_params,
)
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class BufferResultsToOutParamsPass(BufferizationPass, OutParamOptions):
    """
    Turn ranked memref results of private functions into arguments, after the existing ones:
    callers allocate the memory, the function copies the result there.

    A result that always is the same argument, or always the same as another result, is
    dropped, and callers use that one; so is, of public functions too, a result for which an
    argument is donated (`bufferize.aliasing_result`). A result that may otherwise alias a
    memref of the caller stays a result, since a copy would not alias it.

    If the sizes of a result are unknown, callers must be able to compute them from the
    operands of the call, by ops that may be executed anywhere.

    Run it before `buffer-deallocation-pipeline`, which then frees the new allocations.

    https://mlir.llvm.org/docs/Passes/#-buffer-results-to-out-params
    """

    name = "buffer-results-to-out-params"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        turn_results_into_out_params(op, self.options_as(OutParamOptions))
