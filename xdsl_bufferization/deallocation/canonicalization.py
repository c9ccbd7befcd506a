"""xDSL's canonicalization, without what it does wrong."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
)
from xdsl.transforms.canonicalize import CanonicalizationRewritePattern
from xdsl.transforms.dead_code_elimination import region_dce


def canonicalize(ctx: Context, module: ModuleOp) -> None:
    """
    Do what xDSL's pass `canonicalize` does, but move no unknown ops out of loops, and inline
    no region that does not end with what it yields.
    """
    patterns = GreedyRewritePatternApplier(
        [_Canonicalization()], ctx=ctx, folding_enabled=True
    )
    PatternRewriteWalker(patterns, post_walk_func=region_dce).rewrite_module(module)


class _Canonicalization(CanonicalizationRewritePattern):
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        # An unregistered op has all traits, so that xDSL takes it for a constant, and moves it
        # out of the loop, whatever its effects are.
        if isinstance(op, scf.ForOp) and any(
            isinstance(nested, UnregisteredOp) for nested in op.body.ops
        ):
            return
        if isinstance(op, scf.ExecuteRegionOp):
            block = op.region.first_block
            if block is None or not isinstance(block.last_op, scf.YieldOp):
                return
        super().match_and_rewrite(op, rewriter)
