"""xDSL's canonicalization, but for what it does wrong."""

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
    """What xDSL's pass `canonicalize` does, but for loops with ops that it would move."""
    patterns = GreedyRewritePatternApplier(
        [_Canonicalization()], ctx=ctx, folding_enabled=True
    )
    PatternRewriteWalker(patterns, post_walk_func=region_dce).rewrite_module(module)


class _Canonicalization(CanonicalizationRewritePattern):
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        # An op that no dialect defines has all traits. So xDSL takes it for a constant, and
        # moves it out of the loop, whatever it does.
        if isinstance(op, scf.ForOp) and any(
            isinstance(nested, UnregisteredOp) for nested in op.body.ops
        ):
            return
        super().match_and_rewrite(op, rewriter)
