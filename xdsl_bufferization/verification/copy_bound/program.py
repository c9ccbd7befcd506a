"""What is asked about a function: its links, contents, places and dependences."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.verification.access_paths import (
    AccessPath,
    Relation,
    path_after_iteration,
    relation,
)
from xdsl_bufferization.verification.copy_bound.contents import Contents, NeededByCallee
from xdsl_bufferization.verification.copy_bound.dependences import Dependences
from xdsl_bufferization.verification.copy_bound.forwarding import Forwarding
from xdsl_bufferization.verification.copy_bound.links import Links, Operand
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
        self.dependences = Dependences(self.links)
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
        assert outer.first_op is not None
        return inner * executions(outer.first_op)
