"""xDSL's canonicalization, without what it does wrong."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
)
from xdsl.transforms.canonicalize import CanonicalizationRewritePattern
from xdsl.transforms.dead_code_elimination import region_dce

from xdsl_bufferization.repairs.scf_canonicalization import is_right_for


def canonicalize(ctx: Context, module: ModuleOp) -> None:
    """
    Do what xDSL's pass `canonicalize` does, but to no op that its patterns get wrong, whether
    xDSL is mended or not.
    """
    patterns = GreedyRewritePatternApplier(
        [_Canonicalization()], ctx=ctx, folding_enabled=True
    )
    PatternRewriteWalker(patterns, post_walk_func=region_dce).rewrite_module(module)


class _Canonicalization(CanonicalizationRewritePattern):
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if is_right_for(op):
            super().match_and_rewrite(op, rewriter)
