"""
What loops and conditionals hand over, whatever dialect they belong to.

Other dialects' ops that work alike may be given these models.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.region_branch import (
    RegionBranch,
    RegionBranchOpInterface,
)


class ConditionalRegions(RegionBranchOpInterface):
    """Runs one of its regions, once at most, whose terminator's operands are the results."""

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        return () if source is op else (RegionBranch(0, op.results),)

    def is_repetitive(self, op: Operation, region: int) -> bool:
        return False


class LoopRegion(RegionBranchOpInterface):
    """
    A loop whose last operands, as many as there are results, are its inits: arguments of
    its block in the first run, and the results if there is none. The terminator's operands
    are those of the next run, or the results.
    """

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        first = len(op.operands) - len(op.results) if source is op else 0
        arguments = op.regions[0].block.args
        carried = arguments[len(arguments) - len(op.results) :]
        return (RegionBranch(first, carried), RegionBranch(first, op.results))

    def is_parallel(self, op: Operation, region: int) -> bool:
        return False


class WhileRegions(RegionBranchOpInterface):
    """
    A first region, whose terminator's operands behind the condition go to the second region
    or are the results, and a second one, which hands back to the first.
    """

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        before, after = op.regions
        if source.parent_region() is not before:
            return (RegionBranch(0, before.block.args),)
        return (
            RegionBranch(1, after.block.args),
            RegionBranch(1, op.results),
        )

    def is_parallel(self, op: Operation, region: int) -> bool:
        return False


class ParallelLoopRegion(RegionBranchOpInterface):
    """
    A loop whose last operands, as many as there are results, are outputs that all runs of
    its body share: the last arguments of its block, and the results.
    """

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        if not op.results or source is not op:
            return ()
        first = len(op.operands) - len(op.results)
        arguments = op.regions[0].block.args
        shared = arguments[len(arguments) - len(op.results) :]
        return (RegionBranch(first, shared), RegionBranch(first, op.results))
