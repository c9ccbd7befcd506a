"""Forwarding: from ops with regions, and their terminators, to block arguments and results."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
    exits,
)
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.verification.copy_bound.links import Operand


class Forwarding:
    """The tensors that the ops forward, where all ways to block arguments are known."""

    def __init__(self, ops: Iterable[Operation]):
        self.sources: dict[SSAValue, list[SSAValue]] = {}
        """By block argument or result: all that it may be."""
        self.targets: dict[Operand, list[SSAValue]] = {}
        """
        By operand: the arguments of regions that start with it, or the results that a
        terminator forwards it to.
        """
        for op in ops:
            if op.regions:
                self._gather(op)

    def _gather(self, op: Operation) -> None:
        model = RegionBranchOpInterface.of(op)
        if model is None:
            return
        terminators = [*exits(op)]
        if not all(model.branches(op, last) for last in terminators):
            # Such as `scf.forall`, whose results are written by ops within.
            return
        for source in (op, *terminators):
            for branch in model.branches(op, source):
                for i, target in enumerate(branch.targets):
                    operand = Operand(source, branch.first + i)
                    if is_tensor(target) and operand.index < len(source.operands):
                        self.sources.setdefault(target, []).append(operand.value)
                        if isinstance(target, BlockArgument) == (source is op):
                            self.targets.setdefault(operand, []).append(target)
