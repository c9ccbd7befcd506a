"""
Loops of regions and of blocks, and the steps of their induction variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.loop_like import (
    induction_variables,
    runs_at_least_once,
)
from xdsl_bufferization.support.regions import (
    block_loops,
    blocks_in_order,
    successors,
    terminator_of,
)


@dataclass(frozen=True)
class Loop:
    """The blocks of a loop, together with all ops nested in them."""

    op: Operation
    """The op whose regions are the body, or the branch back to the header."""
    blocks: frozenset[Block]

    def contains(self, op: Operation | None) -> bool:
        """Whether the op is in the loop."""
        while op is not None:
            block = op.parent
            if block in self.blocks:
                return True
            op = None if block is None else block.parent_op()
        return False

    def defines(self, value: SSAValue) -> bool:
        """Whether the value is defined in the loop, by each iteration."""
        owner = value.owner
        if isinstance(owner, Operation):
            return self.contains(owner)
        return owner in self.blocks or self.contains(owner.parent_op())

    def step_of(self, value: SSAValue) -> SSAValue | int | None:
        """
        The step of the value, if it is an induction variable of this loop: by how much it
        grows from one iteration to the next.
        """
        if not isinstance(value, BlockArgument) or value.block not in self.blocks:
            return None
        variables = induction_variables(self.op) or ()
        return next((v.step for v in variables if v.value is value), None)

    @property
    def rank(self) -> int | None:
        """How many induction variables the loop has; `None` if that is not known."""
        variables = induction_variables(self.op)
        return None if variables is None else len(variables)

    @property
    def is_ordered(self) -> bool:
        """
        Whether of two iterations the later one has the larger number in the first induction
        variable that differs.
        """
        return _runs_in_order(self.op)


def always_yields(op: Operation) -> bool:
    """Whether the op is a loop whose results are what the last of its iterations yields."""
    return _runs_in_order(op) and runs_at_least_once(op)


def _runs_in_order(op: Operation) -> bool:
    model = BufferizableOpInterface.of(op)
    return model is not None and not model.is_parallel(op, 0)


def loop_of_regions(op: Operation) -> Loop:
    """The loop whose body consists of all regions of the op."""
    return Loop(op, frozenset(b for region in op.regions for b in region.blocks))


def loops_of_blocks(region: Region) -> Mapping[tuple[Block, Block], Loop]:
    """The loop that each edge back between the region's blocks closes."""
    loops = block_loops(region)
    position = {block: i for i, block in enumerate(blocks_in_order(region))}
    return {
        (source, header): Loop(terminator_of(source), loops[header].blocks)
        for source in position
        for header in successors(source)
        if position[header] <= position[source]
    }
