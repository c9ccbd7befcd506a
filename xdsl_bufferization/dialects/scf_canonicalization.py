"""xDSL's canonicalization of `scf.for`, without what it does wrong."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.transforms.canonicalization_patterns.scf import RehoistConstInLoops


class HoistConstants(RehoistConstInLoops):
    """
    Moves constants out of loops.

    An unregistered op has all traits, so that xDSL takes it for a constant; a loop with one
    stays as it is.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if isinstance(op, scf.ForOp) and any(
            isinstance(nested, UnregisteredOp) for nested in op.body.ops
        ):
            return
        super().match_and_rewrite(op, rewriter)
