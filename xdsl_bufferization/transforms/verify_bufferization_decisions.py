"""The pass `verify-bufferization-decisions`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import BoundaryOptions
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.verification.functions import check_decisions


@dataclass(frozen=True)
class VerifyBufferizationDecisionsPass(BufferizationPass, BoundaryOptions):
    """
    Proves that a program on tensors means the same once its in-place decisions are carried
    out; changes nothing.

    The decisions are those in `__inplace_operands_attr__`, as they are written by
    `one-shot-bufferize{test-analysis-only=true}` of this package and of mlir-opt. Each
    read that would not see the contents that it should is an error, with the op that has
    overwritten them. Shares no code with the analysis that takes the decisions.

    The options are to be those that `one-shot-bufferize` was given.
    """

    name = "verify-bufferization-decisions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        problems = check_decisions(
            op,
            bufferize_function_boundaries=self.bufferize_function_boundaries,
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
        )
        if problems:
            more = f"\nand {len(problems) - 1} more" if len(problems) > 1 else ""
            raise BufferizationError(
                None, f"wrong in-place decision: {problems[0]}{more}"
            )
