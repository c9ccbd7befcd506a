"""
xDSL's canonicalization, without its faults, and with dead code erased in linear time.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import cache

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import BoolAttr, ModuleOp
from xdsl.ir import Block, Operation, Region
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriterListener,
    PatternRewriteWalker,
    RewritePattern,
)
from xdsl.traits import ConstantLike, HasCanonicalizationPatternsTrait, HasFolder

from xdsl_bufferization.host.effects import NestedEffects
from xdsl_bufferization.host.releases import erase_op
from xdsl_bufferization.support.regions import (
    erase_unreachable_blocks,
    parent_of,
    reachable,
    region_of,
    successors,
    walk,
    walk_all,
)


def canonicalize(ctx: Context, module: ModuleOp) -> None:
    """
    Do what xDSL's pass `canonicalize` does, but to no op that its patterns get wrong, whether
    xDSL is mended or not.
    """
    walker = _Walker(_Rewritable(ctx), post_walk_func=erase_dead_code)
    walker.rewrite_module(module)


class _Walker(PatternRewriteWalker):
    """Finds the ops in linear time, however deep regions nest."""

    def _populate_worklist(self, op: Operation | Region | Block) -> None:
        assert isinstance(op, Region)
        ops = walk_all(nested for block in op.blocks for nested in block.ops)
        for found in reversed([*ops]):
            self._worklist.push(found)


class _Rewritable(RewritePattern):
    """
    Folds and canonicalizes ops as the pass does, and leaves at once what it would leave after a
    closer look. Unused ops are erased after the walk.
    """

    def __init__(self, ctx: Context):
        self._canonicalizing = _Canonicalization()
        self._folding = GreedyRewritePatternApplier(
            [self._canonicalizing], ctx=ctx, folding_enabled=True, dce_enabled=False
        )

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not _has_rewrites(type(op)):
            return
        block, former = op.parent, [*op.successors]
        rewrite = self._folding if _has_folder(type(op)) else self._canonicalizing
        rewrite.match_and_rewrite(op, rewriter)
        if former and rewriter.has_done_action:
            _revisit_neighbors(block, former, rewriter)


class _Canonicalization(RewritePattern):
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if _is_right_for(op):
            for pattern in _patterns(type(op)):
                if _is_worth_trying(pattern, op):
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
    region_of(block).erase_block(block)


class _TruthPropagation(RewritePattern):
    """
    xDSL's `CondBranchTruthPropagation`, which visits all uses of the condition at each branch. Here
    the blocks in which the condition is known are visited, those included that will be merged:

        cf.cond_br %c, ^next, ^exit
    ^next:                           // one predecessor
        cf.cond_br %c, ^last, ^exit  // %c is true, and so it is in ^last
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        condition = op.operands[0]
        for taken in (0, 1):
            # Most branches have a condition of their own.
            if all(use.operation.parent is op.parent for use in condition.uses):
                return
            users = [
                user
                for block in _merged(op, taken)
                for user in block.ops
                if condition in [*user.operands]
            ]
            if not users:
                continue
            constant = arith.ConstantOp(BoolAttr.from_bool(not taken))
            known = rewriter.insert(constant).result
            known.name_hint = condition.name_hint
            for user in users:
                user.operands = [known if o is condition else o for o in user.operands]
                rewriter.handle_operation_modification(user)


def _merged(branch: Operation, taken: int) -> Iterable[Block]:
    """
    The blocks that become one if the condition of the branch is known in its successor.
    """
    blocks: dict[Block, None] = {}
    following: Block | None = branch.successors[taken]
    while following is not None and following.has_one_use() and following not in blocks:
        blocks[following] = None
        last, following = following.last_op, None
        if last is not None and last.successors:
            is_known = (
                last.name == branch.name and last.operands[0] is branch.operands[0]
            )
            if is_known or last.name == "cf.br":
                following = last.successors[taken if is_known else 0]
    return blocks


@cache
def _patterns(op: type[Operation]) -> Sequence[RewritePattern]:
    """The canonicalization patterns of ops of the class."""
    return [
        _TruthPropagation()
        if _name(pattern) == "CondBranchTruthPropagation"
        else pattern
        for trait in op.get_traits_of_type(HasCanonicalizationPatternsTrait)
        for pattern in trait.get_patterns(op)
    ]


def _name(pattern: RewritePattern) -> str:
    return type(pattern).__name__


def _is_worth_trying(pattern: RewritePattern, op: Operation) -> bool:
    """
    Whether a pattern for branches may apply: xDSL's count the predecessors of a block, and the ops
    in it, to find out, so that many branches to one block take quadratic time.
    """
    match _name(pattern):
        case "SimplifyBrToBlockWithSinglePred":
            return op.successors[0].has_one_use()
        case "SimplifyPassThroughBr" | "SimplifyPassThroughCondBranch":
            return any(block.first_op is block.last_op for block in op.successors)
        case _:
            return True


def _is_right_for(op: Operation) -> bool:
    """Whether xDSL's patterns may be applied to the op."""
    if not op.name.startswith("scf."):
        return True
    # It imports the dialect.
    from xdsl_bufferization.dialects.scf import is_right_for

    return is_right_for(op)


@cache
def _has_rewrites(op: type[Operation]) -> bool:
    """Whether ops of the class may be folded, or have patterns of their own."""
    return op.has_trait(HasCanonicalizationPatternsTrait) or _has_folder(op)


@cache
def _has_folder(op: type[Operation]) -> bool:
    return op.has_trait(HasFolder) and not op.has_trait(ConstantLike)


def erase_dead_code(region: Region, listener: PatternRewriterListener) -> bool:
    """
    Erase ops without effects whose results no live op uses, and blocks that cannot be reached;
    return whether there were any. The listener is told of each such op.

    Erases what xDSL's `region_dce` erases. That walks all ops until nothing changes, and at
    each op the ops in its regions; this follows the operands of live ops.
    """
    program = parent_of(region)
    ops: list[Operation] = []
    has_changed = False
    for op in walk([program]):
        has_changed |= erase_unreachable_blocks(op)
        if op is not program:
            ops.append(op)
    live = _live(ops, NestedEffects())
    dead = {op for op in ops if op not in live}
    for op in reversed(ops):
        # An op in a region of a dead op is erased with that.
        if (
            op in dead
            and (block := op.parent) is not None
            and op.parent_op() not in dead
        ):
            listener.handle_operation_removal(op)
            block.erase_op(op, safe_erase=False)
    return has_changed or bool(dead)


def _live(ops: list[Operation], effects: NestedEffects) -> Container[Operation]:
    """The ops that have effects, and those whose results a live op uses."""
    reached = set(ops)
    return reachable(
        (op for op in ops if not effects.may_be_erased(op)),
        lambda op: (
            owner
            for operand in op.operands
            if isinstance(owner := operand.owner, Operation) and owner in reached
        ),
    )
