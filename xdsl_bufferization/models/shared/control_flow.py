"""
Models of the values that loops and conditionals forward to and from their regions.

They serve ops of any dialect that have the same structure.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.region_branch import (
    RegionBranch,
    RegionBranchOpInterface,
)


class ConditionalRegions(RegionBranchOpInterface):
    """
    A conditional, or a scope: executes one of its regions, at most once. The operands of that
    region's terminator are the results.
    """

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        return () if source is op else (RegionBranch(0, op.results),)

    def is_repetitive(self, op: Operation, region: int) -> bool:
        return False


class LoopRegion(RegionBranchOpInterface):
    """
    A loop with one block, whose last operands, as many as there are results, are its inits.

    The inits are the last arguments of the block in the first iteration, or the results if
    there is none; the terminator's operands are the arguments in the next iteration, or the
    results.
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
    A loop with two regions, as `scf.while`.

    The terminator of the first region forwards its operands after the condition to the
    second region or as the results; that of the second region yields to the first one.
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
    A loop whose last operands, as many as there are results, are outputs that all
    iterations share: the last arguments of its block, and the results.
    """

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        if not op.results or source is not op:
            return ()
        first = len(op.operands) - len(op.results)
        arguments = op.regions[0].block.args
        shared = arguments[len(arguments) - len(op.results) :]
        return (RegionBranch(first, shared), RegionBranch(first, op.results))
