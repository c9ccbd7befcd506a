"""
Loops without the iteration arguments that are no different from values outside of them.

mlir-opt's `canonicalize` does that; xDSL's does not, and its tests say so.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, OpResult, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from xdsl_bufferization.host.releases import replace_op
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class DropIterationArgumentsPass(BufferizationPass):
    """
    Drop the iteration arguments of `scf.for` that are yielded as they came, or always have
    their first value, as buffers have that a loop writes in place: that value takes their
    place, and the place of the results. Drop those that nothing uses, too.
    """

    name = "drop-iteration-arguments"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(
            DropIterationArguments(), walk_reverse=True
        ).rewrite_module(op)


class DropIterationArguments(RewritePattern):
    """The pattern of the pass."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter) -> None:
        terminator = op.body.block.last_op
        if not isinstance(terminator, scf.YieldOp):
            return
        inits, arguments = op.iter_args, op.body.block.args[1:]
        kept = [
            index
            for index, (init, argument, yielded, result) in enumerate(
                zip(inits, arguments, terminator.operands, op.results, strict=True)
            )
            if yielded is not argument
            and yielded is not init
            and _is_used(result, argument, terminator)
        ]
        if len(kept) == len(inits):
            return
        results: list[SSAValue] = [*inits]
        for index in sorted({*range(len(inits))}.difference(kept), reverse=True):
            rewriter.replace_all_uses_with(arguments[index], inits[index])
            rewriter.erase_block_argument(arguments[index])
        replace_op(
            rewriter,
            terminator,
            scf.YieldOp(*(terminator.operands[index] for index in kept)),
        )
        loop = type(op)(
            op.lb,
            op.ub,
            op.step,
            [inits[index] for index in kept],
            rewriter.move_region_contents_to_new_regions(op.body),
        )
        loop.attributes, loop.location = op.attributes.copy(), op.location
        for index, result in zip(kept, loop.results, strict=True):
            results[index] = result
        replace_op(rewriter, op, loop, results)


def _is_used(
    result: OpResult, argument: BlockArgument, terminator: scf.YieldOp
) -> bool:
    """Whether the result is used, or the argument other than to be yielded for itself."""
    position = argument.index - 1
    return result.first_use is not None or any(
        use.operation is not terminator or use.index != position
        for use in argument.uses
    )
