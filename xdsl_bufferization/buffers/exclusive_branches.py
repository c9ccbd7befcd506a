"""
Branches of a function that exclude each other.

    %r = scf.if %c { %a = memref.alloc() ... }    // the path of %a: (scf.if, its first region)
         else { %b = memref.alloc() ... }         // the path of %b: (scf.if, its second region)

One execution of the op runs one of the regions, and control that enters one of two blocks never
reaches the other, unless one is reachable from the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Block, Operation, Region

from xdsl_bufferization.buffers.memref_flow_graph import reachable
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.walk import blocks_in_order, successors


@dataclass(frozen=True, slots=True)
class Branch:
    """A region of an op that runs one of its regions, or a block of a region."""

    of: Operation | Region
    taken: Region | Block


Path: TypeAlias = tuple[Branch, ...]
"""The branches around an op, the outermost first."""


def path_of(op: Operation) -> Path:
    """The branches of the function around the op."""
    path: list[Branch] = []
    around: Operation | None = op
    while around is not None and not is_function(around):
        block, region = around.parent, around.parent_region()
        around = around.parent_op()
        if block is None or region is None:
            break
        if region.first_block is not region.last_block:
            path.append(Branch(region, block))
        model = None if around is None else BufferizableOpInterface.of(around)
        if around is not None and model and model.has_exclusive_regions(around):
            path.append(Branch(around, region))
    return tuple(reversed(path))


class ExclusiveBranches:
    """Which branches of a function that does not change exclude each other."""

    def __init__(self) -> None:
        self._reached: dict[Block, set[Block]] = {}

    def exclude(self, a: Path, b: Path) -> bool:
        """Whether an op with one path and an op with the other never run both."""
        for one, other in zip(a, b, strict=False):
            if one.of is not other.of:
                return False
            if one.taken is not other.taken:
                return self._exclude_each_other(one, other)
        return False

    def _exclude_each_other(self, a: Branch, b: Branch) -> bool:
        if isinstance(a.taken, Block) and isinstance(b.taken, Block):
            return not (
                b.taken in self.reachable(a.taken) or a.taken in self.reachable(b.taken)
            )
        return True

    def others(self, branch: Branch) -> Iterator[Block]:
        """The blocks that do not run if that branch has been taken."""
        match branch:
            case Branch(Operation() as op, taken):
                others = (region for region in op.regions if region is not taken)
                yield from (block for r in others for block in blocks_in_order(r))
            case Branch(Region() as region, Block() as taken):
                reached = self.reachable(taken)
                yield from (b for b in blocks_in_order(region) if b not in reached)
            case _:
                pass

    def reachable(self, block: Block) -> set[Block]:
        """The block, and those that can be reached from it."""
        if block not in self._reached:
            self._reached[block] = {*reachable([block], successors)}
        return self._reached[block]
