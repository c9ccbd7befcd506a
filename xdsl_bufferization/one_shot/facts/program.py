"""
What the ops of a program say about its tensors, gathered once; nothing here depends on
which operands are in place.

`TensorProgram` walks the ops of its scope three times, each time in an order in which
every answer that is needed is already there, so that the whole costs time linear in the
program:

1. *forward*, numbering: ops that take part get consecutive positions, an op with regions
   an interval of them that encloses those of its body, a block after those that dominate
   it;
2. *backward*: what each operand reads, writes and aliases, and whether a tensor is read
   at all, which is known for all later values when an op is reached;
3. *post-order*: the definitions of each tensor, which are known for all earlier values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    BufferizableOpInterface,
    BufferRelation,
    FunctionSummary,
    ModelOf,
    SummaryOf,
)
from xdsl_bufferization.one_shot.facts.control_flow import ControlFlow
from xdsl_bufferization.support.shaped_types import has_tensor_semantics, is_tensor


@dataclass(slots=True, eq=False)
class RegionInfo:
    """A region, and what running it means for the order of the ops in it."""

    parent: OpInfo | None
    is_repetitive: bool
    parallel: RegionInfo | None
    """The innermost region, this one included, of which several runs may overlap."""
    first: int
    """The position of the first op in the region."""
    control_flow: ControlFlow | None
    """How its blocks follow each other, if there are several."""


@dataclass(slots=True, eq=False)
class OpInfo:
    """An op that has tensors or regions."""

    op: Operation
    model: BufferizableOpInterface | None
    region: RegionInfo
    enter: int
    """The op's position."""
    exit: int
    """The position of the last op within the op's regions; `enter` if there is none."""
    operands: list[TensorOperand] = field(default_factory=list["TensorOperand"])

    def encloses(self, position: int) -> bool:
        return self.enter <= position <= self.exit


@dataclass(slots=True, eq=False)
class TensorOperand:
    """A tensor operand of an op, and what the op does to it."""

    owner: OpInfo
    index: int
    value: ValueInfo
    reads: bool
    writes: bool
    aliases: Sequence[AliasingValue]

    @property
    def position(self) -> int:
        return self.owner.enter


@dataclass(slots=True, eq=False)
class ValueInfo:
    """A tensor, and how its contents come about and are used."""

    value: SSAValue
    region: RegionInfo
    """The region that defines the value."""
    owner: OpInfo | None
    """The op of a result; `None` for a block argument."""
    start: int
    """The first position at which a write could destroy the value's contents."""
    number: int
    is_read: bool = False
    """Whether the contents reach an op that reads memory."""
    reads: list[TensorOperand] = field(default_factory=list["TensorOperand"])
    """Uses that read the buffer, or pass it on to a value that is read."""
    sources: list[tuple[TensorOperand, AliasingValue]] = field(
        default_factory=list[tuple["TensorOperand", AliasingValue]]
    )
    """The operands whose buffer the value may share."""
    definitions: Sequence[ValueInfo] = ()
    """
    The values that determine the contents, none if these are undefined. Of several that
    one block defines, the first stands for all: its contents have to survive longest.
    """


class AliasingGroup(NamedTuple):
    """Results of one op that may share memory."""

    values: Sequence[ValueInfo]
    relation: BufferRelation


class TensorProgram:
    """
    The tensors of a sequence of ops, nested ones included.

    `scope` holds the outermost ops: a function, or all ops of a module. `model_of` tells
    the model of an op, or `None` for one that does not take part; `summary_of` what a
    called function does.
    """

    ops: list[OpInfo]
    """In program order, an op before those in its regions."""
    post_order: list[OpInfo]
    """In program order, an op after those in its regions."""
    values: dict[SSAValue, ValueInfo]

    def __init__(
        self,
        scope: Iterable[Operation],
        model_of: ModelOf = BufferizableOpInterface.of,
        summary_of: SummaryOf = lambda _: None,
    ):
        self.ops = []
        self.post_order = []
        self.values = {}
        self._summary_of = summary_of
        self._model_of = model_of
        self._info: dict[Operation, OpInfo] = {}
        self._origins: dict[tuple[SSAValue, Operation], frozenset[SSAValue]] = {}
        self.root: RegionInfo = RegionInfo(None, False, None, 0, None)
        self._number(scope)
        self._gather_uses()
        self._find_definitions()

    # What models may ask (AnalysisState) -----------------------------------------------

    def is_value_read(self, value: SSAValue) -> bool:
        info = self.values.get(value)
        return info is None or info.is_read

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        return a is b

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        return self._summary_of(call)

    def possible_origins(
        self, value: SSAValue, within: Operation
    ) -> frozenset[SSAValue]:
        known = self._origins.get((value, within))
        if known is None:
            known = self._trace_back(value, self._info[within])
            self._origins[value, within] = known
        return known

    def _trace_back(self, value: SSAValue, within: OpInfo) -> frozenset[SSAValue]:
        origins: set[SSAValue] = set()
        pending, seen = [value], {value}
        while pending:
            value = pending.pop()
            info = self.values.get(value)
            if (
                info is None
                or not info.sources
                or not within.enter < info.start <= within.exit
            ):
                origins.add(value)
                continue
            for operand, _ in info.sources:
                if (source := operand.value.value) not in seen:
                    seen.add(source)
                    pending.append(source)
        return frozenset(origins)

    # -----------------------------------------------------------------------------------

    def sources_given(
        self, value: ValueInfo, is_equivalent: Callable[[SSAValue, SSAValue], bool]
    ) -> Iterator[tuple[TensorOperand, AliasingValue]]:
        """
        The value's sources, given which tensors are known to be equivalent: how the
        result of an op with regions relates to an operand may depend on that.
        """
        for operand, alias in value.sources:
            info = operand.owner
            if info is value.owner and info.op.regions and info.model is not None:
                state = _KnownEquivalences(self, is_equivalent)
                for current in info.model.aliasing_values(
                    info.op, operand.index, state
                ):
                    if current.value is value.value:
                        alias = current
            yield operand, alias

    def operands(self) -> Iterator[TensorOperand]:
        for info in self.ops:
            yield from info.operands

    def operand(self, op: Operation, index: int) -> TensorOperand | None:
        """The op's operand at the index, if it is a tensor of this program."""
        info = self._info.get(op)
        if info is not None:
            for operand in info.operands:
                if operand.index == index:
                    return operand
        return None

    def aliasing_results(self, info: OpInfo) -> Sequence[AliasingGroup]:
        """Groups of results of the op that may share memory, whatever is in place."""
        if info.model is None or not info.op.results:
            return ()
        return [
            AliasingGroup([self.values[r] for r in group.results], group.relation)
            for group in info.model.aliasing_results(info.op, self)
        ]

    def info(self, op: Operation) -> OpInfo | None:
        return self._info.get(op)

    def _number(self, scope: Iterable[Operation]) -> None:
        """Forward: positions, and an entry for each op and each tensor."""
        # The stack holds what is left of each open region, not a Python frame each:
        # regions nest as deep as the input likes.
        stack: list[tuple[Iterator[Operation], RegionInfo, OpInfo | None]]
        stack = [(iter(scope), self.root, None)]
        while stack:
            ops, region, closing = stack[-1]
            for op in ops:
                if not op.regions and not has_tensor_semantics(op):
                    continue
                info = OpInfo(
                    op,
                    self._model_of(op),
                    region,
                    len(self.ops),
                    len(self.ops),
                )
                self.ops.append(info)
                self._info[op] = info
                for result in op.results:
                    if is_tensor(result):
                        self._add_value(result, region, info, info.enter)
                if op.regions:
                    stack.append((iter(()), region, info))
                    for index in range(len(op.regions) - 1, -1, -1):
                        stack.append(self._open_region(info, index))
                    break
                self.post_order.append(info)
            else:
                stack.pop()
                if closing is not None:
                    closing.exit = len(self.ops) - 1
                    self.post_order.append(closing)

    def _open_region(
        self, parent: OpInfo, index: int
    ) -> tuple[Iterator[Operation], RegionInfo, None]:
        region = parent.op.regions[index]
        model = parent.model
        # An op of which nothing is known may run its regions as often as it likes, and
        # several of them at once.
        repetitive = model is None or model.is_repetitive(parent.op, index)
        parallel = model is None or model.is_parallel(parent.op, index)
        several = region.blocks.first is not region.blocks.last
        control_flow = ControlFlow(region) if several else None
        info = RegionInfo(parent, repetitive, parent.region.parallel, 0, control_flow)
        if parallel:
            info.parallel = info
        return self._region_ops(region, info), info, None

    def _region_ops(self, region: Region, info: RegionInfo) -> Iterator[Operation]:
        info.first = len(self.ops)
        if (control_flow := info.control_flow) is None:
            if (block := region.blocks.first) is not None:
                self._add_block_arguments(block, info)
                yield from block.ops
            return
        for block in control_flow.blocks:
            first = len(self.ops)
            self._add_block_arguments(block, info)
            yield from block.ops
            control_flow.set_interval(block, first, len(self.ops) - 1)

    def _add_block_arguments(self, block: Block, region: RegionInfo) -> None:
        for argument in block.args:
            if is_tensor(argument):
                info = self._add_value(argument, region, None, len(self.ops))
                info.definitions = (info,)
                # Uses that hand on to a block that has been seen are not known in time.
                info.is_read = (
                    region.control_flow is not None
                    and region.control_flow.may_be_entered_again(block)
                )

    def _add_value(
        self, value: SSAValue, region: RegionInfo, owner: OpInfo | None, start: int
    ) -> ValueInfo:
        info = ValueInfo(value, region, owner, start, len(self.values))
        self.values[value] = info
        return info

    def _gather_uses(self) -> None:
        """Backward: what operands do, and which values are read."""
        for info in reversed(self.ops):
            op, model = info.op, info.model
            for index, value in enumerate(op.operands):
                if not is_tensor(value):
                    continue
                value_info = self.values.get(value)
                if value_info is None:
                    # Defined outside of the scope, of which nothing is known.
                    value_info = self._add_value(value, self.root, None, 0)
                    value_info.definitions = (value_info,)
                if model is None:
                    # An unknown op may do anything with its tensors.
                    reads = writes = True
                    aliases = tuple(
                        AliasingValue(result, BufferRelation.UNKNOWN, False)
                        for result in op.results
                        if is_tensor(result)
                    )
                else:
                    reads = model.reads(op, index, self)
                    writes = model.writes(op, index, self)
                    aliases = model.aliasing_values(op, index, self)
                operand = TensorOperand(info, index, value_info, reads, writes, aliases)
                info.operands.append(operand)
                passes_on = False
                for alias in aliases:
                    alias_info = self.values[alias.value]
                    alias_info.sources.append((operand, alias))
                    passes_on |= alias_info.is_read
                if reads or (passes_on and not writes):
                    value_info.is_read = True
                    value_info.reads.append(operand)

    def _find_definitions(self) -> None:
        """Post-order: where the contents of each result come from."""
        for info in self.post_order:
            for result in info.op.results:
                if is_tensor(result):
                    value = self.values[result]
                    value.definitions = self._definitions(info, result, value)

    def _definitions(
        self, info: OpInfo, result: OpResult, value: ValueInfo
    ) -> Sequence[ValueInfo]:
        defines = True
        if info.model is not None:
            answer = info.model.defines_contents(info.op, result)
            defines = (
                not value.sources or any(operand.writes for operand, _ in value.sources)
                if answer is None
                else answer
            )
        if defines:
            return (value,)
        if len(value.sources) == 1:
            inherited = value.sources[0][0].value.definitions
        else:
            inherited = _earliest_per_block(
                definition
                for operand, _ in value.sources
                for definition in operand.value.definitions
            )
        if info.op.regions and any(
            info.enter < definition.start <= info.exit for definition in inherited
        ):
            return (value,)
        return inherited


@dataclass(frozen=True, slots=True)
class _KnownEquivalences:
    """The program as models see it when equivalences are known."""

    program: TensorProgram
    equivalent: Callable[[SSAValue, SSAValue], bool]

    def is_value_read(self, value: SSAValue) -> bool:
        return self.program.is_value_read(value)

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        return self.equivalent(a, b)

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        return self.program.summary_of(call)

    def possible_origins(
        self, value: SSAValue, within: Operation
    ) -> frozenset[SSAValue]:
        return self.program.possible_origins(value, within)


def _earliest_per_block(definitions: Iterable[ValueInfo]) -> Sequence[ValueInfo]:
    earliest: dict[Block | None, ValueInfo] = {}
    for definition in definitions:
        block = definition.value.owner
        if isinstance(block, Operation):
            block = block.parent
        known = earliest.get(block)
        if known is None or definition.start < known.start:
            earliest[block] = definition
    return tuple(earliest.values())
