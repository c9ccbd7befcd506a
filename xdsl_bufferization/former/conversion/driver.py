"""
Applying conversion patterns to a module: a partial conversion.

Source: https://mlir.llvm.org/docs/DialectConversion/#modes-of-conversion
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ModuleOp, UnrealizedConversionCastOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.dialects.bufferization import ToBufferOp, ToTensorOp
from xdsl_bufferization.support.all_or_nothing import all_or_nothing
from xdsl_bufferization.support.walk import walk

_MATERIALIZATIONS = UnrealizedConversionCastOp, ToBufferOp, ToTensorOp


def apply_bufferization_patterns(
    module: ModuleOp, patterns: Sequence[RewritePattern]
) -> None:
    """
    Rewrite each op of the module by the first pattern that matches it, an op before those in
    its regions. New ops are not rewritten again; ops without a matching pattern stay as they
    are.

    Raises what a pattern raises, with the module as it was.
    """
    with all_or_nothing(module):
        _rewrite_each(module, patterns)
    _erase_unused(op for op in walk(module.ops) if isinstance(op, _MATERIALIZATIONS))


def _rewrite_each(module: ModuleOp, patterns: Sequence[RewritePattern]) -> None:
    for op in [*walk(module.ops)]:
        # It may have been replaced with the op around it.
        if op.parent is not None:
            _rewrite(op, patterns)


def _rewrite(op: Operation, patterns: Sequence[RewritePattern]) -> None:
    rewriter = PatternRewriter(op)
    for pattern in patterns:
        pattern.match_and_rewrite(op, rewriter)
        if rewriter.has_done_action:
            return


def _erase_unused(ops: Iterable[Operation]) -> None:
    """Erase unused ops among these, and the materializations that only they use."""
    left = [*ops]
    while left:
        op = left.pop()
        if op.parent is None or any(
            result.first_use is not None for result in op.results
        ):
            continue
        operands: list[SSAValue] = [*op.operands]
        op.detach()
        op.erase()
        left += [v.owner for v in operands if isinstance(v.owner, _MATERIALIZATIONS)]
