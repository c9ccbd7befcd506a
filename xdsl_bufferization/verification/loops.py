"""
Loops of regions and of blocks, and the steps of their induction variables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.traits import ConstantLike

from xdsl_bufferization.support.attributes import integers
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.walk import blocks_in_order, successors


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
        """Whether the value is defined anew in each iteration."""
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
        match op_name(self.op):
            case "scf.for" if value.index == 0:
                return self.op.operands[2]
            case "affine.for" if value.index == 0:
                step = self.op.properties.get("step")
                return cast("IntegerAttr", step).value.data
            case "scf.forall":
                known = integers(self.op, "staticStep")
                if value.index < len(known) and known[value.index] != DYNAMIC_INDEX:
                    return known[value.index]
            case _:
                pass
        return None

    @property
    def rank(self) -> int | None:
        """How many induction variables the loop has; `None` if that is not known."""
        match op_name(self.op):
            case "scf.for" | "affine.for":
                return 1
            case "scf.forall":
                return len(integers(self.op, "staticStep"))
            case _:
                return None

    @property
    def is_ordered(self) -> bool:
        """Whether induction variables are smaller in every earlier iteration."""
        return op_name(self.op) != "scf.forall"


def runs_at_least_once(op: Operation) -> bool:
    """Whether the op is a loop whose constant bounds show that it has an iteration."""
    if op_name(op) != "scf.for":
        return False
    lower, upper = map(ConstantLike.get_constant_value, op.operands[:2])
    return (
        isinstance(lower, IntegerAttr)
        and isinstance(upper, IntegerAttr)
        and lower.value.data < upper.value.data
    )


def loop_of_regions(op: Operation) -> Loop:
    """The loop whose body consists of all regions of the op."""
    return Loop(op, frozenset(b for region in op.regions for b in region.blocks))


def loops_of_blocks(region: Region) -> dict[tuple[Block, Block], Loop]:
    """
    For each edge back between the region's blocks, the loop that it closes: the header and
    all blocks behind it in reverse post-order that lead back to it. That is the natural loop
    if the header is its only entry.
    """
    blocks = blocks_in_order(region)
    position = {block: i for i, block in enumerate(blocks)}
    predecessors: dict[Block, list[Block]] = {block: [] for block in blocks}
    back: list[tuple[Block, Block]] = []
    for block in blocks:
        for successor in successors(block):
            predecessors[successor].append(block)
            if position[successor] <= position[block]:
                back.append((block, successor))
    bodies: dict[Block, set[Block]] = {}
    for source, header in back:
        body = bodies.setdefault(header, {header})
        pending = [source]
        while pending:
            block = pending.pop()
            if block not in body and position[block] > position[header]:
                body.add(block)
                pending.extend(predecessors[block])
    loops: dict[tuple[Block, Block], Loop] = {}
    for source, header in back:
        assert source.last_op is not None
        loops[source, header] = Loop(source.last_op, frozenset(bodies[header]))
    return loops
