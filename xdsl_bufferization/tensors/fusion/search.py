"""
Fusion where it lowers the peak, as measured by the costs.

In each round, functions compute in their readers what `peak.py` finds at their peaks: all of it
at once; where that is not for the better, one half of it and then the other. What does not help is
undone. A function that has not gained anything in the end is put back. So the number of analyses
does not depend on the program.

What is added where elements are computed again is measured in *work*: how often the bodies of
structured ops run, and the ops in them, those in regions counted once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from math import prod

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Block, Operation
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.support.xdsl_releases import linalg_ops
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.profile import ASSUMED_EXTENT
from xdsl_bufferization.tensors.fusion.fused_op import replace_by_fused_op
from xdsl_bufferization.tensors.fusion.group import Group
from xdsl_bufferization.tensors.fusion.loops import Loops, loops_of
from xdsl_bufferization.tensors.fusion.peak import PeakMemory
from xdsl_bufferization.tensors.fusion.recomputation import (
    Recomputation,
    merged,
    recomputations,
)
from xdsl_bufferization.tensors.search import Limits, keep_better

_FREE = {linalg_ops.IndexOp.name, linalg_ops.YieldOp.name, arith.ConstantOp.name}
"""Ops that compute nothing."""


def iterations(loops: Loops) -> int | None:
    """How often the body runs, as far as known or assumed; `None` if no shape tells."""
    sizes: dict[int, int] = {}
    for value, map in zip(loops.op.operands, loops.maps, strict=True):
        if not isinstance(value.type, TensorType):
            continue
        shape = value.type.get_shape()
        for size, index in zip(shape, map.results, strict=True):
            if isinstance(index, AffineDimExpr):
                if size != DYNAMIC_INDEX:
                    sizes[index.position] = size
                else:
                    sizes.setdefault(index.position, ASSUMED_EXTENT)
    return prod(sizes.values()) if len(sizes) == len(loops.iterators) else None


def ops_in_body(loops: Loops) -> int:
    """The ops that an iteration runs, without those that compute nothing."""
    return sum(1 for op in walk([loops.op]) if op.name not in _FREE) - 1


def added_by(groups: Sequence[Group]) -> int | None:
    """
    The work that the groups add, given that producers are removed where only the groups read
    them; `None` if it is not known.
    """
    computed = 0
    fused: dict[Operation, Loops] = {}
    for group in groups:
        times = iterations(group.root.loops)
        for member in group.members[1:]:
            number = ops_in_body(member.loops)
            if number and times is None:
                return None
            computed += number * (times or 0)
            fused[member.loops.op] = member.loops
    changed = {group.root.loops.op for group in groups} | fused.keys()
    return computed - sum(
        ops_in_body(loops) * (iterations(loops) or 0)
        for op, loops in fused.items()
        if all(use.operation in changed for r in op.results for use in r.uses)
    )


def work_of(block: Block) -> int:
    """The work of the structured ops in the block, as far as it is known."""
    found = (loops_of(op) for op in walk(block.ops))
    return sum(
        ops_in_body(loops) * (iterations(loops) or 0)
        for loops in found
        if loops is not None
    )


MAX_ROUNDS = 12
"""Rounds of changes, each with an analysis of what has changed."""


class FusionSearch:
    """Changes functions whose peak may be lower, as long as they get better."""

    def __init__(
        self,
        program: AnalysedModule,
        functions: Collection[func.FuncOp],
        max_added_work: int,
    ):
        self._program = program
        self._former = program.remember(Costs)
        self._functions = [*functions]
        self._trials = {f: _Trial(max_added_work) for f in functions}

    def run(self) -> AbstractSet[func.FuncOp]:
        """Change the functions; returns those that are better."""
        start = self._program.changes.position
        changed: set[func.FuncOp] = set()
        for _ in range(MAX_ROUNDS):
            if (better := self._round()) is None:
                break
            changed |= better
        if not changed:
            return changed
        former = self._former
        return keep_better(
            self._program,
            start,
            changed,
            Limits(former.functions, former),
            lambda f, costs: costs.peak(f) < former.peak(f),
        )

    def _round(self) -> AbstractSet[func.FuncOp] | None:
        """Make changes; returns the functions that are better by them, `None` if none is made."""
        self._propose()
        changes, before = self._program.changes, self._program.remember(Costs)
        position = changes.position
        tried = {f for f in self._functions if self._trials[f].apply(changes)}
        if not tried:
            return None
        better = keep_better(
            self._program,
            position,
            tried,
            Limits(before.functions, before),
            lambda f, costs: _height(costs, f) < _height(before, f),
        )
        for function in tried:
            self._trials[function].finish(is_better=function in better)
        return better

    def _propose(self) -> None:
        """Look for candidates in the functions that have none left from the rounds before."""
        waiting = {f for f in self._functions if self._trials[f].is_waiting}
        if not waiting:
            return
        costs = self._program.remember(Costs)
        for function in waiting:
            decided = costs.decided_of(function)
            self._trials[function].propose(PeakMemory(decided.uses, decided.profile))


def _height(costs: Costs, function: func.FuncOp) -> tuple[int, int]:
    """The peak, and the bytes of all that the function allocates."""
    allocated = sum(a.bytes for a in costs.decided_of(function).allocations)
    return costs.peak(function), allocated


class _Trial:
    """The trials in a function."""

    def __init__(self, max_added_work: int):
        self._share = max_added_work
        self._work: dict[Block, int] = {}
        """By block: the work that may still be added."""
        self._added: tuple[Block, int] | None = None
        """The block of the last changes, and the work that they add."""
        self._failed: list[AbstractSet[Operation]] = []
        """Ops that are not fused for the better."""
        self._batches: list[Sequence[Recomputation]] = []
        self.is_waiting = True
        """Whether there is nothing left to try, and something has changed."""

    def propose(self, peak: PeakMemory) -> None:
        """Next, try the recomputations that lower the peak."""
        self.is_waiting = False
        new = [
            recomputation
            for recomputation in recomputations(peak)
            if recomputation.ops.keys() not in self._failed
        ]
        together = merged(new)
        # Parts of it would lower the peak less.
        if new and peak.peak_with(together.ranges, together.kept) < peak.bytes:
            self._batches = [new]

    def apply(self, changes: Changes) -> bool:
        """Make the changes of the next batch; whether there is one."""
        while self._batches:
            groups = merged(self._batches[-1]).groups()
            if groups and self._admits(groups):
                for group in groups:
                    if len(group.members) > 1:
                        replace_by_fused_op(group, changes)
                return True
            self.finish(is_better=False)
        return False

    def _admits(self, groups: Sequence[Group]) -> bool:
        """Whether what the groups compute again is within the limit."""
        added, block = added_by(groups), groups[0].root.loops.op.parent
        if added is None or block is None:
            return False
        if added > 0 and block not in self._work:
            self._work[block] = work_of(block) * self._share // 100
        self._added = (block, added) if added > 0 else None
        return added <= self._work.get(block, 0)

    def finish(self, *, is_better: bool) -> None:
        """Note whether the last batch has been for the better."""
        batch = self._batches.pop()
        if is_better:
            self._batches.clear()
            self.is_waiting = True
            if self._added is not None:
                block, added = self._added
                self._work[block] -= added
        elif len(batch) > 1:
            half = (len(batch) + 1) // 2
            self._batches += [batch[half:], batch[:half]]
        else:
            self._failed.append(batch[0].ops.keys())
