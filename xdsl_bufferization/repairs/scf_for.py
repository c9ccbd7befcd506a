"""Canonicalization of `scf.for`: an op that no dialect defines is no constant."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation, OpTraits
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait


class ForCanonicalization(HasCanonicalizationPatternsTrait):
    """xDSL's patterns, but ops that no dialect defines stay in the loop."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from xdsl.transforms.canonicalization_patterns.scf import (
            RehoistConstInLoops,
            SimplifyTrivialLoops,
        )

        class HoistConstants(RehoistConstInLoops):
            """
            Moves constants out of loops.

            An unregistered op has all traits, so that xDSL takes it for a constant; a
            loop with one stays as it is.
            """

            def match_and_rewrite(
                self, op: Operation, rewriter: PatternRewriter, /
            ) -> None:
                if isinstance(op, scf.ForOp) and any(
                    isinstance(nested, UnregisteredOp) for nested in op.body.ops
                ):
                    return
                super().match_and_rewrite(op, rewriter)

        return (SimplifyTrivialLoops(), HoistConstants())


def is_broken() -> bool:
    # Whether the patterns themselves are right takes long to ask: they are imported for it.
    return bool(scf.ForOp.get_traits_of_type(scf.ForOpHasCanonicalizationPatternsTrait))


def mend() -> None:
    traits = scf.ForOp.traits
    scf.ForOp.traits = OpTraits(
        lambda: (
            *(
                trait
                for trait in traits
                if not isinstance(trait, scf.ForOpHasCanonicalizationPatternsTrait)
            ),
            ForCanonicalization(),
        )
    )
