"""xDSL's canonicalization, without what it does wrong."""

from __future__ import annotations

from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
)
from xdsl.traits import ConstantLike, HasCanonicalizationPatternsTrait, HasFolder
from xdsl.transforms.canonicalize import CanonicalizationRewritePattern
from xdsl.transforms.dead_code_elimination import region_dce


def canonicalize(ctx: Context, module: ModuleOp) -> None:
    """
    Do what xDSL's pass `canonicalize` does, but to no op that its patterns get wrong, whether
    xDSL is mended or not.
    """
    PatternRewriteWalker(_Rewritable(ctx), post_walk_func=region_dce).rewrite_module(
        module
    )


class _Rewritable(RewritePattern):
    """
    Folds, canonicalizes and erases ops as the pass does, and leaves at once what it would
    leave after a closer look. Unused ops without results are erased behind the walk.
    """

    def __init__(self, ctx: Context):
        self._all = GreedyRewritePatternApplier(
            [_Canonicalization()], ctx=ctx, folding_enabled=True
        )

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if _has_rewrites(type(op)) or _is_unused(op):
            self._all.match_and_rewrite(op, rewriter)


class _Canonicalization(CanonicalizationRewritePattern):
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if _is_right_for(op):
            super().match_and_rewrite(op, rewriter)


def _is_right_for(op: Operation) -> bool:
    """Whether xDSL's patterns may be applied to the op."""
    if op.dialect_name() != "scf":
        return True
    # It imports the dialect.
    from xdsl_bufferization.dialects.scf_canonicalization import is_right_for

    return is_right_for(op)


@cache
def _has_rewrites(op: type[Operation]) -> bool:
    """Whether ops of the class may be folded, or have patterns of their own."""
    return op.has_trait(HasCanonicalizationPatternsTrait) or (
        op.has_trait(HasFolder) and not op.has_trait(ConstantLike)
    )


def _is_unused(op: Operation) -> bool:
    return bool(op.results) and all(r.first_use is None for r in op.results)
