"""
Copies of tensors that are put into others.

    %a = tensor.insert_slice %s into %t[0] [4] [1]    // %s can be computed in its place in %a,
    %b = tensor.insert_slice %s into %u[0] [4] [1]    // or in %b, not in both, if %a and %b
    %c = linalg.add ins(%a, %b) outs(%e)              // differ elsewhere: one copy is forced

A copy is also forced if the memory of the tensor is given and has no room around it, as that of a
function's argument.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.support.limits import MAX_CONTAINERS
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.verification.access_paths import AccessPath
from xdsl_bufferization.verification.copy_bound.boxes import cannot_coincide
from xdsl_bufferization.verification.copy_bound.forced import (
    ForcedCopy,
    of_disjoint_parts,
)
from xdsl_bufferization.verification.copy_bound.links import Link, LinkKind
from xdsl_bufferization.verification.copy_bound.places import (
    is_constant,
    is_given,
    is_writable,
)
from xdsl_bufferization.verification.copy_bound.program import Program
from xdsl_bufferization.verification.copy_bound.sizes import size_of


class Containers:
    """The copies that are forced by tensors being put into others."""

    def __init__(self, program: Program):
        self._program = program
        self._links: dict[SSAValue, dict[AccessPath, list[Link]]] = {}
        for op in program.links.ops:
            for operand in program.links.operands(op):
                link = program.links.link(operand)
                if (
                    link is not None
                    and link.kind is LinkKind.PART
                    and program.contents.moved(link)
                ):
                    root, path = program.places.of(operand.value)
                    by_part = self._links.setdefault(root, defaultdict(list))
                    by_part[path].append(link)

    def forced(self) -> dict[SSAValue, Sequence[ForcedCopy]]:
        """By the tensor whose contents are copied: the copies."""
        return {
            root: of_disjoint_parts(
                {part: self._of_part(root, part, links) for part, links in by.items()}
            )
            for root, by in self._links.items()
        }

    def _of_part(
        self, root: SSAValue, part: AccessPath, links: Sequence[Link]
    ) -> Sequence[ForcedCopy]:
        reasons = {
            link.operand: reason
            for link in links
            if (reason := self._reason_against(root, link)) is not None
        }
        outside = [link for link in links if link.operand in reasons]
        at_once = self._at_once(outside or links)
        several = [link.operand for link in at_once]
        copies: list[ForcedCopy] = []
        # If its memory is not given, it can be computed in one of them.
        for link in at_once if outside else at_once[1:]:
            views = self._program.places.views(link.operand.value)
            copies.append(
                ForcedCopy(
                    (link.operand, *views) if outside else several,
                    self._program.contents.moved(link),
                    self._program.changes(root, part, link.operand.op),
                    reasons.get(
                        link.operand,
                        "several tensors that it is put into are needed at once",
                    ),
                )
            )
        return copies

    def _at_once(self, links: Sequence[Link]) -> Sequence[Link]:
        """
        Links to tensors that are needed at once and cannot coincide, the one with the most
        bytes first; one of the links at least.
        """
        moved = self._program.contents.moved
        links = sorted(links, key=moved, reverse=True)
        by_user: dict[Operation, list[Link]] = defaultdict(list)
        for link in links:
            if link.operand.op.results:
                for user in self._program.users_of_all(link.result):
                    by_user[user].append(link)
        best: Sequence[Link] = links[:1]
        for together in by_user.values():
            kept: list[Link] = []
            for link in MAX_CONTAINERS.first(together):
                if all(cannot_coincide(link, other, self._program) for other in kept):
                    kept.append(link)
            if sum(map(moved, kept)) > sum(map(moved, best)):
                best = kept
        return best

    # Given memory ------------------------------------------------------------------------

    def _reason_against(self, root: SSAValue, link: Link) -> str | None:
        """Why the result cannot be around its part, in the memory of the root."""
        op = op_name(link.operand.op)
        if not is_given(root) or (is_constant(root) and not self._is_varied(link)):
            return None
        if _has_known_end(root) and 0 < size_of(root) < size_of(link.result):
            whose = "a constant" if is_constant(root) else "the caller's memory"
            return f"{op} needs room around it, and {whose} has none"
        if not is_writable(root) and self._is_varied(link):
            return f"{op} puts something beside it, in memory that must not be written"
        return None

    def _is_varied(self, link: Link) -> bool:
        """Whether something else is in the result, too, that is no constant."""
        own = self._program.places.of(link.operand.value).root
        return bool(link.operand.op.results) and any(
            (root := self._program.places.of(other.operand.value).root) is not own
            and self._program.contents.moved(other)
            and not is_constant(root)
            for other in self._program.links.to_result[link.result]
        )


def _has_known_end(root: SSAValue) -> bool:
    """Whether the memory of the tensor is known to end where the tensor does."""
    owner = root.owner
    if isinstance(owner, Operation) and not is_constant(root):
        return all(isinstance(value, BlockArgument) for value in owner.operands)
    return True
