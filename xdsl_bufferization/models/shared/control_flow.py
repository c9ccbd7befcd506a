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
from xdsl_bufferization.interfaces.registry import always, never


class ConditionalRegions(RegionBranchOpInterface):
    """
    A conditional, or a scope: executes one of its regions, at most once. The operands of that
    region's terminator are the results.
    """

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        return () if source is op else (RegionBranch(0, op.results),)

    is_repetitive = never


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

    is_parallel = never


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

    is_parallel = never


class ParallelLoopRegion(LoopRegion):
    """
    A loop whose last operands, as many as there are results, are outputs that all
    iterations share: the last arguments of its block, and the results.
    """

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        shares = op.results and source is op
        return super().branches(op, source) if shares else ()

    is_parallel = always
