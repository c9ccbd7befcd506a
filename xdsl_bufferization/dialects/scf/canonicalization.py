"""
Canonicalization of `scf.for` and `scf.execute_region`: ops that no dialect defines are no
constants, and a region that yields nothing is not inlined.
"""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait

from xdsl_bufferization.dialects.shared.redefinition import canonicalized_by


def is_right_for(op: Operation) -> bool:
    """Whether xDSL's patterns may be applied to the op."""
    if isinstance(op, scf.ForOp):
        # An unregistered op has all traits, so that xDSL takes it for a constant, and moves it
        # out of the loop, whatever its effects are.
        return not any(isinstance(nested, UnregisteredOp) for nested in op.body.ops)
    if isinstance(op, scf.ExecuteRegionOp):
        # Of any terminator xDSL takes the operands for the results, and erases it.
        block = op.region.first_block
        last = None if block is None else block.last_op
        return isinstance(last, scf.YieldOp) and (
            [*last.operand_types] == [*op.result_types]
        )
    return True


class _WhereRight(RewritePattern):
    """A pattern of xDSL's, for the ops that it is right for."""

    def __init__(self, pattern: RewritePattern):
        self._pattern = pattern

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if is_right_for(op):
            self._pattern.match_and_rewrite(op, rewriter)


class ForCanonicalization(HasCanonicalizationPatternsTrait):
    """xDSL's patterns, but ops that no dialect defines stay in the loop."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl.transforms.canonicalization_patterns.scf import (
            RehoistConstInLoops,
            SimplifyTrivialLoops,
        )

        return SimplifyTrivialLoops(), _WhereRight(RehoistConstInLoops())


class ExecuteRegionCanonicalization(HasCanonicalizationPatternsTrait):
    """xDSL's pattern, for regions that end with what they yield."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl.transforms.canonicalization_patterns.scf import (
            SingleBlockExecuteInliner,
        )

        return (_WhereRight(SingleBlockExecuteInliner()),)


FOR_TRAITS = canonicalized_by(scf.ForOp, ForCanonicalization)
"""The traits of the redefinition of `scf.for`."""

EXECUTE_REGION_TRAITS = canonicalized_by(
    scf.ExecuteRegionOp, ExecuteRegionCanonicalization
)
"""The traits of the redefinition of `scf.execute_region`."""
