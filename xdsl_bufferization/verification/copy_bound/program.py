"""
Facts about a function: its links, contents, places and dependences.

Dependences are ops that come after another one in every order that their operands allow:

    %a = linalg.exp ins(%x) outs(%e)
    %b = linalg.exp ins(%a) outs(%e)    // after %a in every order
    %c = linalg.exp ins(%x) outs(%e)    // in either order with %a

The search visits no more than `MAX_DEPENDENT_OPS` ops.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.support.limits import MAX_DEPENDENT_OPS
from xdsl_bufferization.support.regions import block_of, terminator_of
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.verification.access_paths import (
    AccessPath,
    Relation,
    path_after_iteration,
    relation,
)
from xdsl_bufferization.verification.copy_bound.contents import Contents, NeededByCallee
from xdsl_bufferization.verification.copy_bound.forwarding import Forwarding
from xdsl_bufferization.verification.copy_bound.links import LinkKind, Links, Operand
from xdsl_bufferization.verification.copy_bound.places import Places
from xdsl_bufferization.verification.copy_bound.repetitions import (
    executions,
    loops_between,
)
from xdsl_bufferization.verification.copy_bound.sizes import Sizes
from xdsl_bufferization.verification.loops import loop_of_regions


class Program:
    """The ops of one function, or of those outside of functions."""

    def __init__(
        self,
        scope: Iterable[Operation],
        needed_by_callee: NeededByCallee,
        sizes: Sizes,
    ):
        self.sizes = sizes
        self.links = Links(scope)
        self.forwarding = Forwarding(self.links.ops)
        self.contents = Contents(self.links, self.forwarding, needed_by_callee, sizes)
        self.places = Places(self.links)
        self.dependences = _Dependences(self.links)
        self._users_of_all: dict[SSAValue, Collection[Operation]] = {}

    def users_of_all(self, value: SSAValue) -> Collection[Operation]:
        """The ops in the block of the tensor that need all of it at once."""
        if value not in self._users_of_all:
            self._users_of_all[value] = dict.fromkeys(
                use.operation
                for use in value.uses
                if use.operation.parent is block_of(value)
                and self._needs_all(Operand(use.operation, use.index))
            ).keys()
        return self._users_of_all[value]

    def _needs_all(self, operand: Operand) -> bool:
        return self.links.link(operand) is None and (
            self.contents.needed_by(operand) == self.sizes.of(operand.value) > 0
        )

    def changes(self, root: SSAValue, path: AccessPath, op: Operation) -> int:
        """
        How often the part of the root's memory is another one, or has other contents, when
        the op is executed; at least.
        """
        outer = block_of(root)
        loops = loops_between(op, outer)
        inner = 1
        for loop in loops or ():
            later = path_after_iteration(path, loop_of_regions(loop))
            if relation(later, path) is Relation.DISJOINT:
                count = trip_count(loop)
                inner *= 1 if count is None else count
        return inner * executions(terminator_of(outer))


class _Dependences:
    """The dependences between the ops of a program."""

    def __init__(self, links: Links):
        self._links = links
        self._positions = {op: position for position, op in enumerate(links.ops)}

    def one_that_must_follow(
        self, ops: Iterable[Operation], first: Operation
    ) -> Operation | None:
        """
        One of the ops that runs after `first` in every order: it ends a block that `first`
        is in, or needs what that computes. It is not looked for long.
        """
        self._left: int = MAX_DEPENDENT_OPS
        seen: set[Operation] = set()
        for op in ops:
            if op is not first and (_ends(op, first) or self._needs(op, first, seen)):
                return op
        if not self._left:
            MAX_DEPENDENT_OPS.met()
        return None

    def _needs(self, op: Operation, first: Operation, seen: set[Operation]) -> bool:
        start = self._positions[first]
        pending = [op]
        while pending and self._left:
            self._left -= 1
            for value in self._needed(pending.pop()):
                owner = value.owner
                if owner is first:
                    return True
                if isinstance(owner, Block):
                    owner = owner.parent_op()
                    if owner is None:
                        continue
                if owner not in seen and self._positions.get(owner, -1) > start:
                    seen.add(owner)
                    pending.append(owner)
        return False

    def _needed(self, op: Operation) -> Iterator[SSAValue]:
        """
        The operands that the op cannot do without. If it needs a part of a tensor only, another
        tensor may have that part.
        """
        for index, value in enumerate(op.operands):
            if not is_tensor(value):
                yield value
                continue
            operand = Operand(op, index)
            link = self._links.link(operand)
            if link is not None:
                if link.part is None or link.kind is LinkKind.PART:
                    yield value
            elif self._links.read_parts.get(operand, ...) is None:
                yield value


def _ends(op: Operation, first: Operation) -> bool:
    """Whether the op ends the block that `first` is in, or one around it."""
    if not op.has_trait(IsTerminator, value_if_unregistered=False):
        return False
    return (
        op.parent is not None and op.parent.find_ancestor_op_in_block(first) is not None
    )
