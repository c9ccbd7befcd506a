"""
Where tensors, and memrefs given out of them, are used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.verification.sources import Sources


class Uses:
    """
    The uses of the tensors in the ops of `scope`, and of memrefs given out of them; each
    memref is used by all ops that read or write one of its group.
    """

    order: Mapping[Operation, int]
    """The position of each op in the text."""
    last_uses: Mapping[Operation, Sequence[SSAValue]]
    """
    By op, the values that nothing behind it uses in its block; a value that is used in
    another block than its own has no last use.
    """
    around: set[Operation]
    """The ops in whose regions there are uses."""

    def __init__(self, scope: Sequence[Operation], sources: Sources):
        self.order = {op: position for position, op in enumerate(walk(scope))}
        last_uses: dict[Operation, list[SSAValue]] = {}
        self.last_uses = last_uses
        self.around = set()
        users_of: list[list[Operation]] = [[] for _ in sources.memrefs.groups]
        for op, uses in sources.memrefs.uses.items():
            for use in uses:
                users_of[use.group].append(op)
        group_of: dict[SSAValue, int] = {}
        for index, group in enumerate(sources.memrefs.groups):
            group_of.update((memref, index) for memref, _ in group)
        for value in sources.of:
            users = [use.operation for use in value.uses]
            if (index := group_of.get(value)) is not None:
                users += users_of[index]
            for user in users:
                self._add_around(user)
            last = self._last_in_block(value, users)
            if last is not None:
                last_uses.setdefault(last, []).append(value)

    def _add_around(self, user: Operation) -> None:
        parent = user.parent_op()
        while parent is not None and parent not in self.around:
            self.around.add(parent)
            parent = parent.parent_op()

    def _last_in_block(
        self, value: SSAValue, users: Sequence[Operation]
    ) -> Operation | None:
        """The last of the ops in the value's own block in which the users are."""
        block = block_of(value)
        last: Operation | None = None
        for user in users:
            ancestor = block.find_ancestor_op_in_block(user)
            if ancestor is None:
                # Used in another block; it counts as live from its definition on.
                return None
            if last is None or self.order.get(ancestor, 0) > self.order.get(last, 0):
                last = ancestor
        return last
