"""
The tensors of a program, and what its ops do to them, gathered once.

`TensorProgram` walks the ops of its scope three times. Each walk meets ops in an order in
which the answers that it needs are there already, so that all of it takes time linear in
the program:

1. *forward*, numbering: each op with tensors or regions gets the next position, so that
   an op with regions has an interval of positions that encloses those of its body, and a
   block comes after the blocks that dominate it;
2. *backward*: what each operand reads, writes and aliases, and whether a tensor is read
   at all, which is known for all later values when an op is reached;
3. *post-order*: the definitions of each tensor, which are known for all earlier values.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    BufferizableOpInterface,
    BufferRelation,
    ModelOf,
    SummaryOf,
)
from xdsl_bufferization.interfaces.function_summary import FunctionSummary
from xdsl_bufferization.interfaces.nothing_known import Remembering
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.one_shot.facts.control_flow import ControlFlow
from xdsl_bufferization.one_shot.facts.memrefs import MemrefUses
from xdsl_bufferization.one_shot.facts.records import (
    AliasingGroup,
    OpInfo,
    RegionInfo,
    TensorOperand,
    ValueInfo,
    earliest_per_block,
)
from xdsl_bufferization.support.regions import passes_tensors_to_regions
from xdsl_bufferization.support.shaped_types import has_tensor_semantics, is_tensor


class TensorProgram(Remembering):
    """
    The tensors of a sequence of ops, nested ones included.

    `scope` holds the outermost ops: functions, or all ops of a module. `model_of` gives
    the model of an op, or `None` for an op that is not bufferized; `summary_of` gives the
    summary of the function that an op calls, if it is known.

    The program is valid as long as its ops stay as they are.
    """

    ops: list[OpInfo]
    """By position: in program order, an op before those in its regions."""
    post_order: list[OpInfo]
    """In program order, an op after those in its regions."""
    values: dict[SSAValue, ValueInfo]
    """
    All tensors, by `ValueInfo.number`; those defined outside of the scope come last, and
    behind them memrefs that are given out of tensors.
    """

    def __init__(
        self,
        scope: Iterable[Operation],
        model_of: ModelOf = BufferizableOpInterface.of,
        summary_of: SummaryOf = lambda _: None,
    ):
        super().__init__()
        self._summary_of = summary_of
        self._model_of = model_of
        scope = tuple(scope)
        self._number(scope)
        memrefs = MemrefUses(self._info, model_of)
        if memrefs.users:
            # They have positions, too.
            self._number(scope, memrefs.users)
        self._gather_uses()
        memrefs.record(self._info, self.values)
        self._find_definitions()

    # What models may ask: see AnalysisState -------------------------------------------

    def is_value_read(self, value: SSAValue) -> bool:
        info = self.values.get(value)
        return info is None or info.is_read

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        return self._summary_of(call)

    def possible_origins(
        self, value: SSAValue, within: Operation
    ) -> frozenset[SSAValue]:
        return self.once(
            (value, within), lambda: self._trace_back(value, self._info[within])
        )

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

    # What the analysis asks -------------------------------------------------------------

    def operands(self) -> Iterator[TensorOperand]:
        """All tensor operands, in program order."""
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
        """What is recorded of the op; `None` if it has neither tensors nor regions."""
        return self._info.get(op)

    # The first walk: positions ----------------------------------------------------------

    def _number(
        self, scope: Sequence[Operation], others: Container[Operation] = ()
    ) -> None:
        """
        Forward: positions, and a record for each op and each tensor; also for `others`, ops
        without tensors or regions.
        """
        self.ops = []
        self.post_order = []
        self.values = {}
        self._info: dict[Operation, OpInfo] = {}
        self.root: RegionInfo = RegionInfo(None, False, None, 0, None)
        # A stack of its own, not Python's: regions nest as deep as the input likes. An
        # entry is what is left of an open region, or the op to close after its regions.
        stack: list[tuple[Iterator[Operation], RegionInfo, OpInfo | None]]
        stack = [(iter(scope), self.root, None)]
        while stack:
            ops, region, closing = stack[-1]
            for op in ops:
                if not op.regions and not has_tensor_semantics(op) and op not in others:
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
        # An unknown op may run its regions any number of times, also at the same time.
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
                # A branch back to this block forwards to it before it is known what its
                # arguments are read by.
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

    # The second walk: uses --------------------------------------------------------------

    def _gather_uses(self) -> None:
        """Backward: what operands do, and which values are read."""
        for info in reversed(self.ops):
            op, model = info.op, info.model
            read_in_regions = self._read_in_regions(op) if op.regions else ()
            for index, value in enumerate(op.operands):
                if not is_tensor(value):
                    continue
                value_info = self.values.get(value)
                if value_info is None:
                    # Defined outside of the scope: unknown.
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
                is_result_read = False
                is_memory_read = reads or op.has_trait(IsTerminator)
                for alias in aliases:
                    alias_info = self.values[alias.value]
                    alias_info.sources.append((operand, alias))
                    is_result_read |= alias_info.is_read
                    is_memory_read |= alias_info.is_memory_read
                value_info.is_memory_read |= is_memory_read
                if reads or (is_result_read and not writes):
                    value_info.is_read = True
                    value_info.reads.append(operand)
                elif writes and index in read_in_regions:
                    value_info.written_in_regions.append(operand)

    def _read_in_regions(self, op: Operation) -> Container[int]:
        """The operands whose memory the regions may read, which they are passed to."""
        branching = RegionBranchOpInterface.of(op)
        if branching is None:
            return range(len(op.operands)) if passes_tensors_to_regions(op) else ()
        return {
            branch.first + i
            for branch in branching.branches(op, op)
            for i, target in enumerate(branch.targets)
            if isinstance(target, BlockArgument)
            and (target_info := self.values.get(target)) is not None
            and target_info.is_memory_read
        }

    # The third walk: definitions --------------------------------------------------------

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
            inherited = earliest_per_block(
                definition
                for operand, _ in value.sources
                for definition in operand.value.definitions
            )
        if info.op.regions and any(
            info.enter < definition.start <= info.exit for definition in inherited
        ):
            return (value,)
        return inherited
