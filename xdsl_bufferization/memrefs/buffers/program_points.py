"""
The order in which the ops of a function are executed, as far as it is fixed.

Ops and blocks are numbered, parents first and dominators first. An op that is executed after
another one has a greater number, unless a loop is around both.

Source: the dominance of ops in regions, https://mlir.llvm.org/docs/LangRef/

Branches of a function that exclude each other.

    %r = scf.if %c { %a = memref.alloc() ... }    // the path of %a: (scf.if, its first region)
         else { %b = memref.alloc() ... }         // the path of %b: (scf.if, its second region)

One execution of the op runs one of the regions, and control that enters one of two blocks never
reaches the other, unless one is reachable from the other.
"""

from __future__ import annotations

import math
from collections.abc import (
    Callable,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface, is_loop
from xdsl_bufferization.support.call_graph import is_function
from xdsl_bufferization.support.regions import (
    DominatorTree,
    ancestors,
    block_loops,
    block_of,
    blocks_in_order,
    reachable,
    region_of,
    successors,
)

_SMALLEST_GAP = 2.0**-20
"""The distance of two positions between which no more ops are placed."""


@dataclass(eq=False, slots=True)
class Loop:
    """The positions of a loop, both ends included."""

    first: int
    last: int
    parent: Loop | None


class ProgramPoints:
    """
    The positions of the ops and blocks of a function that can be reached, and the loops; without
    all that is nested in `closed` ops.

    Ops may be moved and added by `place_before`, and removed.
    """

    def __init__(
        self,
        function: Operation,
        closed: Callable[[Operation], bool] = lambda _: False,
    ):
        self.at: list[Operation | None] = []
        """The op at each position; `None` where a block starts."""
        self._positions: dict[Operation, float] = {}
        self._ends: dict[Operation, int] = {}
        """By op with regions: the position of the last op nested in it."""
        self._starts: dict[Block, int] = {}
        self._certain: dict[Region, Container[Block]] = {}
        self._loops: list[Loop | None] = []
        """The innermost loop around each position."""
        self._number(function, closed)

    def op_at(self, position: int) -> Operation:
        """The op at a position where no block starts."""
        op = self.at[position]
        assert op is not None
        return op

    def position(self, op: Operation) -> float:
        """The position of the op: a whole number, unless it has been moved."""
        return self._positions[op]

    def end(self, op: Operation) -> int:
        """The position of the last op nested in the op, or its own; it must not be moved."""
        return self._ends[op] if op.regions else int(self._positions[op])

    def is_reached(self, op: Operation) -> bool:
        """Whether the op is in blocks that can be reached."""
        return op in self._positions

    def defined_at(self, value: SSAValue) -> float:
        """The position at which the value is defined."""
        owner = value.owner
        return (
            self._starts[owner] if isinstance(owner, Block) else self._positions[owner]
        )

    def control_class(self, op: Operation) -> object:
        """
        The control-equivalent ops among which the op is: each execution of one is followed
        by one of each other, in the order of their positions. That are the ops of a block,
        or of all blocks of a region that each path through it passes exactly once.
        """
        block = block_of(op)
        region = region_of(block)
        if region not in self._certain:
            self._certain[region] = _certain_blocks(region)
        return region if block in self._certain[region] else block

    def ancestor_in_class(
        self, control_class: object, op: Operation
    ) -> Operation | None:
        """The op of that class that is `op`, or has it in its regions."""
        return next(
            (
                ancestor
                for ancestor in ancestors(op)
                if ancestor.parent is not None
                and self.control_class(ancestor) is control_class
            ),
            None,
        )

    def loop(self, position: int, without: float | None) -> Loop | None:
        """
        The outermost loop around the position that is not around the position `without` of
        a definition; all loops count if that is `None`.
        """
        found = None
        for loop in self.loops_around(position):
            if without is None or not loop.first <= without <= loop.last:
                found = loop
        return found

    def loops_around(self, position: int) -> Iterator[Loop]:
        """The loops around the position, the innermost first."""
        loop = self._loops[position]
        while loop is not None:
            yield loop
            loop = loop.parent

    def has_room_before(self, anchor: Operation) -> bool:
        """Whether some dozens of ops can be placed there."""
        first, last = self._gap_before(anchor)
        return last - first > _SMALLEST_GAP

    def place_before(self, ops: Sequence[Operation], anchor: Operation) -> None:
        """Move or insert the ops, in this order, before the anchor."""
        block = block_of(anchor)
        for op in ops:
            if op.parent is not None:
                op.detach()
        first, last = self._gap_before(anchor)
        step = (last - first) / (len(ops) + 1)
        for number, op in enumerate(ops, 1):
            block.insert_op_before(op, anchor)
            self._positions[op] = first + number * step

    def _gap_before(self, anchor: Operation) -> tuple[float, float]:
        """The positions that are free between the anchor and the op before it."""
        last = self._positions[anchor]
        first: float = math.ceil(last) - 1
        before = anchor.prev_op
        if before is not None:
            first = max(first, self._positions[before])
        return first, last

    def _number(self, function: Operation, closed: Callable[[Operation], bool]) -> None:
        loops: list[tuple[int, int]] = []
        # A stack of its own: regions nest as deep as the input likes.
        stack = [self._nested_ops(function, loops)]
        while stack:
            for op in stack[-1]:
                self._positions[op] = position = len(self.at)
                self.at.append(op)
                if op.regions and closed(op):
                    self._ends[op] = position
                elif op.regions:
                    stack.append(self._nested_ops(op, loops))
                    break
            else:
                stack.pop()
        self._add_loops(loops)

    def _nested_ops(
        self, op: Operation, loops: list[tuple[int, int]]
    ) -> Iterator[Operation]:
        """
        The ops of the op's regions. Each is numbered, with all that is nested in it, before
        the next one is asked for. Adds the loops that the op and its blocks make.
        """
        first = len(self.at)
        for region in op.regions:
            blocks = blocks_in_order(region)
            ends: dict[Block, int] = {}
            for block in blocks:
                self._starts[block] = len(self.at)
                self.at.append(None)
                yield from block.ops
                ends[block] = len(self.at) - 1
            loops += _loops_of_blocks(region, self._starts, ends)
        self._ends[op] = len(self.at) - 1
        # The function itself has no position.
        if first and (RegionBranchOpInterface.of(op) is None or is_loop(op)):
            # Its regions may be executed in turn, so all of them are one loop.
            loops.append((first, len(self.at) - 1))

    def _add_loops(self, intervals: Iterable[tuple[int, int]]) -> None:
        self._loops = [None] * len(self.at)
        ordered = sorted({*intervals}, key=lambda i: (-i[0], i[1]))
        current: Loop | None = None
        for position in range(len(self.at)):
            while current is not None and current.last < position:
                current = current.parent
            while ordered and ordered[-1][0] == position:
                current = Loop(*ordered.pop(), current)
            self._loops[position] = current


def _loops_of_blocks(
    region: Region, starts: Mapping[Block, int], ends: Mapping[Block, int]
) -> Iterator[tuple[int, int]]:
    """
    The positions of the loops of blocks of the region. A value that is defined in an iteration is
    live in the next one only if it is forwarded: paths from an entry of a loop, without the
    definition, lead to no use that this dominates.
    """
    for loop in {*block_loops(region).values()}:
        yield min(starts[b] for b in loop.blocks), max(ends[b] for b in loop.blocks)


def _certain_blocks(region: Region) -> Container[Block]:
    """The blocks that each path through the region passes exactly once."""
    blocks = blocks_in_order(region)
    tree = DominatorTree([region], nested=False)
    ends = tree.hull([b for b in blocks if not successors(b)] or blocks)
    return {b for b in blocks if tree.covers(b, ends) and tree.loop(b) is None}


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
        self._reached: dict[Block, Container[Region | Block]] = {}

    def exclude(self, a: Path, b: Path) -> bool:
        """Whether an op with one path and an op with the other never run both."""
        for one, other in zip(a, b, strict=False):
            if one.of is not other.of:
                return False
            if one.taken is not other.taken:
                return not (
                    other.taken in self.reachable(one.taken)
                    or one.taken in self.reachable(other.taken)
                )
        return False

    def others(self, branch: Branch) -> Iterator[Block]:
        """The blocks that do not run if that branch has been taken."""
        if isinstance(branch.of, Region):
            reached = self.reachable(branch.taken)
            yield from (b for b in blocks_in_order(branch.of) if b not in reached)
        else:
            others = (r for r in branch.of.regions if r is not branch.taken)
            yield from (block for r in others for block in blocks_in_order(r))

    def reachable(self, taken: Region | Block) -> Container[Region | Block]:
        """The block, and those that can be reached from it; of a region of an op, none."""
        if not isinstance(taken, Block):
            return ()
        if taken not in self._reached:
            self._reached[taken] = reachable([taken], successors)
        return self._reached[taken]
