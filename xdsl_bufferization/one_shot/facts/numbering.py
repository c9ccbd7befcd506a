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

Alias components: sets of tensors that can share memory, whatever is decided.

    %b = linalg.exp ins(%x) outs(%a)     // {%a, %b} and {%x}: %x is read, and never the memory
                                         // of %b

Tensors of different components are never in one alias set, so what is decided about one
component does not depend on another. After a change, only the components of tensors that ops
use which have changed have to be decided again. An op whose model looks at the rest of the
program before it answers joins the tensors that it uses, has as results, or has asked about.

What a loop reads before it writes it depends on all writes in its body (`tiles.py`). So the
tensors that loops around a changed op carry belong to what has changed.

Finding components takes time linear in the ops that use their tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.interfaces.buffer_effects import has_buffers
from xdsl_bufferization.interfaces.bufferizable import ModelOf
from xdsl_bufferization.one_shot.facts.records import (
    ControlFlow,
    OpInfo,
    RegionInfo,
    TensorOperand,
    ValueInfo,
)
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.regions import reachable, walk
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


@dataclass
class ChangedOps:
    """The ops that have been changed in a program, and their former operands."""

    placed: set[Operation] = field(default_factory=set[Operation])
    """Ops that have been added, moved or removed, with those in their regions."""
    changed: set[Operation] = field(default_factory=set[Operation])
    """Ops that have other operands or properties."""
    former: set[SSAValue] = field(default_factory=set[SSAValue])
    """Operands that ops had before, or have now."""


@dataclass
class Components:
    """All tensors of some components, with the ops that use or define them."""

    ops: Sequence[OpInfo]
    """In program order, an op before those in its regions."""
    post_order: Sequence[OpInfo]
    """In program order, an op after those in its regions."""
    values: Collection[ValueInfo]
    """In program order; memrefs that are given out of tensors come last."""
    is_whole: bool
    """Whether these are all components of the program."""

    def operands(self, info: OpInfo) -> Sequence[TensorOperand]:
        """The operands of the op that are among the tensors."""
        if self.is_whole:
            return info.operands
        return [operand for operand in info.operands if operand.value in self.values]

    def __contains__(self, value: ValueInfo) -> bool:
        return self.is_whole or value in self.values


def connected(
    seeds: Iterable[ValueInfo],
    info_of: Mapping[Operation, OpInfo],
    values: Mapping[SSAValue, ValueInfo],
) -> set[ValueInfo]:
    """The tensors in the components of the seeds."""
    # Sources of changed ops may be tensors that have been removed.
    return {
        *reachable(
            seeds,
            lambda value: (
                neighbour
                for neighbour in _neighbours(value, info_of, values)
                if values.get(neighbour.value) is neighbour
            ),
        )
    }


def _neighbours(
    value: ValueInfo,
    info_of: Mapping[Operation, OpInfo],
    values: Mapping[SSAValue, ValueInfo],
) -> Iterator[ValueInfo]:
    for operand, _ in value.sources:
        yield operand.value
    for use in value.value.uses:
        user = info_of.get(use.operation)
        if user is None:
            continue
        yield from _joined(user, values)
        operand = user.operand(use.index)
        if operand is not None:
            yield from (values[alias.value] for alias in operand.aliases)
            yield from operand.memrefs
    definer = value.region.parent if value.owner is None else value.owner
    if definer is not None:
        yield from _joined(definer, values)
        for group in definer.groups or ():
            if value in group.values:
                yield from group.values


def _joined(info: OpInfo, values: Mapping[SSAValue, ValueInfo]) -> Iterator[ValueInfo]:
    """The tensors that the op joins since its model looks at the rest of the program."""
    if info.consulted is not None:
        tensors = tensors_of(info.op), info.consulted, carried_around(info)
        for value in chain(*tensors):
            if (known := values.get(value)) is not None:
                yield known


def tensors_of(op: Operation) -> Iterator[SSAValue]:
    """The operands of the op, its results, and the arguments of its blocks."""
    yield from op.operands
    yield from results_and_arguments(op)


def results_and_arguments(op: Operation) -> Iterator[SSAValue]:
    """The results of the op, and the arguments of its blocks."""
    yield from op.results
    for region in op.regions:
        for block in region.blocks:
            yield from block.args


def carried_around(info: OpInfo) -> Iterator[SSAValue]:
    """The tensors of ops around the op that may run it several times."""
    region = info.region
    while (parent := region.parent) is not None:
        if region.is_repetitive:
            yield from tensors_of(parent.op)
        region = parent.region
