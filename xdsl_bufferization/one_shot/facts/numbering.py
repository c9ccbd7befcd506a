"""
Positions: numbers that say in which order ops run, and which regions they are in.

    %r = scf.for ... iter_args(%a = %t) {     // enter: 1
    ^bb0(%a):                                 // the region opens: 2
      %b = linalg.exp ...                     // 3
      scf.yield %b                            // 4
    }                                         // exit: 5

An op has an interval, from `enter` to `exit`, that encloses those of the ops in its regions; a
region, or each block of several, opens at a number of its own. A block comes after the blocks
that dominate it. Between two numbers there are `GAP` others, so that ops can be added later
while all others keep their numbers, and with them all that is sorted by them. Numbering takes
time linear in the ops that get a number, and in those without tensors next to them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.interfaces.buffer_effects import has_buffers
from xdsl_bufferization.interfaces.bufferizable import ModelOf
from xdsl_bufferization.one_shot.facts.records import (
    ControlFlow,
    OpInfo,
    RegionInfo,
    ValueInfo,
)
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import has_tensor_semantics, is_tensor

GAP = 1 << 32
"""The distance of two numbers at first."""


class NoNumberLeftError(Exception):
    """There are more ops to add between two numbers than numbers."""


class Numbering:
    """
    Numbers ops with tensors or regions, and makes a record for each op and each tensor.
    `add_value` makes those of tensors.
    """

    def __init__(
        self,
        model_of: ModelOf,
        add_value: Callable[[SSAValue, RegionInfo, OpInfo | None, int], ValueInfo],
    ):
        self._model_of = model_of
        self._add_value = add_value
        self.info: dict[Operation, OpInfo] = {}
        self._regions: dict[Region, RegionInfo] = {}
        self._last = 0
        self._step = GAP

    def number(self, scope: Iterable[Operation], root: RegionInfo) -> None:
        """Number the ops in the scope, and those in their regions."""
        self._number(iter(scope), root, ())

    def add(self, ops: Collection[Operation], others: Collection[Operation]) -> None:
        """
        Number ops that have been added to the program, and ops without tensors or regions
        that are to have a number, too, `others`.

        Raises `NoNumberLeftError` if there is no number for an op.
        """
        for op in ops:
            if op not in self.info and (
                op.regions or op in others or has_tensor_semantics(op)
            ):
                self._add(op, others)

    def remove(self, op: Operation) -> OpInfo | None:
        """Forget the op, but not those in its regions."""
        for region in op.regions:
            self._regions.pop(region, None)
        return self.info.pop(op, None)

    def _add(self, op: Operation, others: Collection[Operation]) -> None:
        """Number the op, with those next to it that have no number either."""
        block = op.parent
        parent = None if block is None else block.parent
        region = None if parent is None else self._regions.get(parent)
        if block is None or region is None:
            # It has been removed, or is numbered with the op around it.
            return
        interval = _interval(block, region)
        if interval is None:
            return
        run, (low, high) = [op], interval
        before = op.prev_op
        while before is not None:
            if (info := self.info.get(before)) is not None:
                low = info.exit
                break
            run.append(before)
            before = before.prev_op
        run.reverse()
        after = op.next_op
        while after is not None:
            if (info := self.info.get(after)) is not None:
                high = info.enter
                break
            run.append(after)
            after = after.next_op
        needed = sum(map(_numbers_for, run))
        last, step = self._last, self._step
        self._last, self._step = low, (high - low) // (needed + 1)
        if not self._step:
            raise NoNumberLeftError
        self._number(iter(run), region, others)
        self._last, self._step = last, step

    def _next(self) -> int:
        self._last += self._step
        return self._last

    def _number(
        self,
        scope: Iterator[Operation],
        root: RegionInfo,
        others: Collection[Operation],
    ) -> None:
        # A stack of its own, not Python's: regions nest as deep as the input likes. An
        # entry is what is left of an open region, or the op to close after its regions.
        stack: list[tuple[Iterator[Operation], RegionInfo, OpInfo | None]]
        stack = [(scope, root, None)]
        while stack:
            ops, region, closing = stack[-1]
            around = region.parent
            for op in ops:
                has_tensors = has_tensor_semantics(op)
                if (
                    around is not None
                    and around.has_scalar_body
                    and (has_tensors or has_buffers(op) or is_call(op))
                ):
                    _note_memory_in(around)
                if not (has_tensors or op.regions or op in others):
                    continue
                enter = self._next()
                info = OpInfo(op, self._model_of(op), region, enter, enter)
                info.has_scalar_body = bool(op.regions)
                self.info[op] = info
                for result in op.results:
                    if is_tensor(result):
                        self._add_value(result, region, info, enter)
                if op.regions:
                    stack.append((iter(()), region, info))
                    for index in range(len(op.regions) - 1, -1, -1):
                        stack.append(self._open_region(info, index))
                    break
            else:
                stack.pop()
                if closing is not None:
                    closing.exit = self._next()

    def _open_region(
        self, parent: OpInfo, index: int
    ) -> tuple[Iterator[Operation], RegionInfo, None]:
        region = parent.op.regions[index]
        model = parent.model
        # An unknown op may run its regions any number of times, also at the same time.
        repetitive = model is None or model.is_repetitive(parent.op, index)
        parallel = model is None or model.is_parallel(parent.op, index)
        several = region.blocks.first is not region.blocks.last
        control_flow = ControlFlow(region) if several else None
        info = RegionInfo(parent, repetitive, parent.region.parallel, 0, control_flow)
        self._regions[region] = info
        if parallel:
            info.parallel = info
        return self._region_ops(region, info), info, None

    def _region_ops(self, region: Region, info: RegionInfo) -> Iterator[Operation]:
        info.first = self._next()
        if (control_flow := info.control_flow) is None:
            if (block := region.blocks.first) is not None:
                self._add_block_arguments(block, info, info.first)
                yield from block.ops
            return
        first = info.first
        for block in control_flow.blocks:
            self._add_block_arguments(block, info, first)
            yield from block.ops
            control_flow.set_interval(block, first, last := self._next())
            # Nothing is ever added between two blocks, so that intervals can be joined.
            first = self._last = last + 1

    def _add_block_arguments(
        self, block: Block, region: RegionInfo, start: int
    ) -> None:
        for argument in block.args:
            if is_tensor(argument):
                self._add_value(argument, region, None, start)


def _note_memory_in(op: OpInfo | None) -> None:
    """Note that ops in the regions of the op, and of those around it, may access memory."""
    while op is not None and op.has_scalar_body:
        op.has_scalar_body = False
        op = op.region.parent


def _numbers_for(op: Operation) -> int:
    """More numbers than the op and those in its regions may need."""
    if not op.regions:
        return 2
    return sum(
        2 + sum(1 + len(region.blocks) for region in nested.regions)
        for nested in walk([op])
    )


def _interval(block: Block, region: RegionInfo) -> tuple[int, int] | None:
    """The numbers between which those of the block's ops are, if it can be reached."""
    if region.control_flow is not None:
        return region.control_flow.interval(block)
    assert region.parent is not None
    return region.first, region.parent.exit
