"""
Copies that are forced, as a packing: no two of them are the same bytes of a tensor.

    %a = tensor.insert %f into %t[%i]    // both need the contents of %t, and overwrite them:
    %b = tensor.insert %g into %t[%j]    // one copy of %t is forced

Copies of disjoint slices of %t count each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from xdsl_bufferization.support.limits import MAX_DISJOINT_PARTS
from xdsl_bufferization.verification.access_paths import (
    AccessPath,
    Relation,
    relation,
)
from xdsl_bufferization.verification.copy_bound.links import Operand


@dataclass(frozen=True, slots=True)
class ForcedCopy:
    """A copy that every bufferization makes at one of some links."""

    operands: Sequence[Operand]
    """The operands of these links."""
    size: int
    """The bytes each time, at least."""
    times: int
    """How often, as if each branch were taken; loops of unknown length run once."""
    reason: str
    """A clause, without capital letter and full stop."""

    @property
    def total(self) -> int:
        """The bytes copied for each execution of the function, at least."""
        return self.size * self.times


def total(copies: Iterable[ForcedCopy]) -> int:
    """The bytes of all of them."""
    return sum(copy.total for copy in copies)


def of_disjoint_parts(
    by_part: Mapping[AccessPath, Sequence[ForcedCopy]],
) -> Sequence[ForcedCopy]:
    """The copies of parts of one tensor that are known to be disjoint, the largest first."""
    taken: list[AccessPath] = []
    kept: list[ForcedCopy] = []
    for part in sorted(by_part, key=lambda part: total(by_part[part]), reverse=True):
        if MAX_DISJOINT_PARTS.exceeded_by(len(taken) + 1):
            break
        if all(relation(part, other) is Relation.DISJOINT for other in taken):
            taken.append(part)
            kept += by_part[part]
    return kept
