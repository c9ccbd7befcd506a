"""xDSL's canonicalization, without what it does wrong."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
)
from xdsl.traits import ConstantLike, HasCanonicalizationPatternsTrait, HasFolder

from xdsl_bufferization.deallocation.dead_code import erase_dead_code
from xdsl_bufferization.support.walk import successors
from xdsl_bufferization.support.xdsl_releases import erase_op


def canonicalize(ctx: Context, module: ModuleOp) -> None:
    """
    Do what xDSL's pass `canonicalize` does, but to no op that its patterns get wrong, whether
    xDSL is mended or not.
    """
    PatternRewriteWalker(
        _Rewritable(ctx), post_walk_func=erase_dead_code
    ).rewrite_module(module)


class _Rewritable(RewritePattern):
    """
    Folds, canonicalizes and erases ops as the pass does, and leaves at once what it would
    leave after a closer look. Unused ops without results, or with regions, are erased after
    the walk.
    """

    def __init__(self, ctx: Context):
        patterns: list[RewritePattern] = [_Canonicalization()]
        self._erasing = GreedyRewritePatternApplier(
            patterns, ctx=ctx, folding_enabled=True
        )
        self._keeping = GreedyRewritePatternApplier(
            patterns, ctx=ctx, folding_enabled=True, dce_enabled=False
        )

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not (_has_rewrites(type(op)) or _is_unused(op)):
            return
        # For an op with regions, the effects of all ops in them would be gathered.
        rewrite = self._keeping if op.regions else self._erasing
        block, former = op.parent, [*op.successors]
        rewrite.match_and_rewrite(op, rewriter)
        if former and rewriter.has_done_action:
            _revisit_neighbors(block, former, rewriter)


class _Canonicalization(RewritePattern):
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if _is_right_for(op):
            for pattern in _patterns(type(op)):
                pattern.match_and_rewrite(op, rewriter)
                if rewriter.has_done_action:
                    return


def _revisit_neighbors(
    block: Block | None, former: Sequence[Block], rewriter: PatternRewriter
) -> None:
    """
    Visit the branches again whose rewrites depend on how the block ends, or on its successors,
    which were `former`: a branch to a block without other predecessors, and those to a block
    that only branches. Otherwise a chain of such blocks takes a walk for each of them.
    """
    if block is not None and block.first_op is block.last_op:
        for use in block.uses:
            rewriter.handle_operation_modification(use.operation)
    pending = [*former]
    if block is not None and block.has_one_use():
        pending.append(block)
    while pending:
        target = pending.pop()
        if (use := target.get_unique_use()) is not None:
            rewriter.handle_operation_modification(use.operation)
        elif _can_be_erased(target):
            pending += successors(target)
            _erase(target, rewriter)


def _can_be_erased(block: Block) -> bool:
    """Whether no block branches to the block, and no other block uses its values."""
    region = block.parent
    if region is None or block is region.first_block or block.first_use is not None:
        return False
    values = (*block.args, *(result for op in block.ops for result in op.results))
    return all(use.operation.parent is block for value in values for use in value.uses)


def _erase(block: Block, rewriter: PatternRewriter) -> None:
    for op in reversed(block.ops):
        erase_op(rewriter, op)
    assert block.parent is not None
    block.parent.erase_block(block)


@cache
def _patterns(op: type[Operation]) -> Sequence[RewritePattern]:
    """The canonicalization patterns of ops of the class."""
    return [
        pattern
        for trait in op.get_traits_of_type(HasCanonicalizationPatternsTrait)
        for pattern in trait.get_patterns(op)
    ]


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
