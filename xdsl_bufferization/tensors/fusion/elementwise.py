"""
Elementwise ops fused wherever nothing else needs their results.

Ops are visited from the last to the first; each takes over all producers that only it reads,
and in turn those that only they read. A producer is fused if all its uses are inputs of ops in
the group, and if all of them read it through one map: so no element is computed in two places.
Time in proportion to the program.
"""

from __future__ import annotations

from xdsl.ir import Operation

from xdsl_bufferization.support.limits import MAX_FUSED_USES
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.fusion.fused_op import replace_by_fused_op
from xdsl_bufferization.tensors.fusion.group import (
    Group,
    Loops,
    Read,
    loops_of,
    producer_of,
)


def fuse_elementwise_ops(module: Operation) -> bool:
    """
    Let structured ops compute what elementwise ops have computed for them alone; returns whether
    any does.
    """
    changes = Changes()
    start = changes.position
    for op in reversed([*walk([module])]):
        if op.parent is None:
            continue
        loops = loops_of(op)
        if loops is None:
            continue
        group = exclusive_group(loops)
        if len(group.members) > 1:
            replace_by_fused_op(group, changes)
    return changes.position > start


def exclusive_group(root: Loops) -> Group:
    """The root with all producers that nothing outside of the group needs."""
    group = Group(root)
    uses: dict[Operation, _Uses] = {}
    pending = [group.root]
    while pending:
        reader = pending.pop()
        for operand, value in enumerate(reader.loops.op.operands):
            loops = producer_of(value, root.op)
            if loops is None:
                continue
            found = uses.setdefault(loops.op, _Uses(loops.op))
            found.add(Read(reader, operand))
            if found.are_all() and (member := group.fuse(found.reads)) is not None:
                pending.append(member)
    return group


class _Uses:
    """How the members of a group use what a producer computes."""

    def __init__(self, producer: Operation):
        uses = (use for result in producer.results for use in result.uses)
        found = MAX_FUSED_USES.within(uses)
        # One of too many is never known.
        self._left = MAX_FUSED_USES + 1 if found is None else len(found)
        self.reads: list[Read] = []

    def add(self, use: Read) -> None:
        """Note a use by a member."""
        self._left -= 1
        if use.is_read:
            self.reads.append(use)

    def are_all(self) -> bool:
        """Whether all uses are known, and those that read read one result through one map."""
        return (
            not self._left
            and bool(self.reads)
            and len({(read.value, read.map) for read in self.reads}) == 1
            and all(read.is_input for read in self.reads)
        )
