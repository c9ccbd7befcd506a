"""
The tensors of a program, and what its ops do to them.

    %r = tensor.insert %f into %t[%i]    // 1. position 2; 2. reads and writes %t, may be %r;
                                         // 3. %r is defined by itself
    %x = tensor.extract %t[%i]           // 1. position 3; 2. reads %t: %t is read, %r is not

`TensorProgram` walks the ops of its scope three times. Each walk meets ops in an order in
which the answers that it needs are there already, so that all of it takes time linear in
the program:

1. *forward*, numbering: positions, and a record of each op and each tensor; see
   `numbering.py`;
2. *backward*: what each operand reads, writes and aliases, and whether a tensor is read
   at all, which is known for all later values when an op is reached;
3. *post-order*: the definitions of each tensor, which are known for all earlier values.

When the program has changed, the walks are about the alias components only that the changes
touch; see `numbering.py`. Records of other tensors stay as they are, and so do the answers of
models about ops that have not changed, unless the model looks at the rest of the program.

Definitions are where the contents of each tensor come from:

    %a = tensor.empty()                   // undefined contents: no definition
    %b = linalg.fill ins(%f) outs(%a)     // %b
    %c = tensor.extract_slice %b ...      // %b: forwarded
    %d = tensor.insert %x into %c[%i]     // %d

They are found in post-order, in which those of all sources of a tensor are known before its
own, in time linear in the sources.

Models ask questions while a program is analysed. An answer that a model gives without a question
depends on its op only, and holds as long as the op stays as it is. One that it gives after
questions depends on the tensors that it has asked about, too.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import (
    Callable,
    Collection,
    Container,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from operator import attrgetter
from typing import cast

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    AnswerT,
    BufferizableOpInterface,
    BufferRelation,
    FunctionSummary,
    MemoizingState,
    ModelOf,
    OperandUse,
    SummaryOf,
)
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.one_shot.facts.memrefs import MemrefUses
from xdsl_bufferization.one_shot.facts.numbering import (
    ChangedOps,
    Components,
    NoNumberLeftError,
    Numbering,
    carried_around,
    connected,
    results_and_arguments,
    tensors_of,
)
from xdsl_bufferization.one_shot.facts.records import (
    AliasingGroup,
    OpInfo,
    RegionInfo,
    TensorOperand,
    ValueInfo,
    earliest_per_block,
)
from xdsl_bufferization.support.regions import passes_tensors_to_regions, reachable
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor


class TensorProgram(MemoizingState):
    """
    The tensors of a sequence of ops, nested ones included.

    `scope` holds the outermost ops: functions, or all ops of a module. `model_of` gives
    the model of an op, or `None` for an op that is not bufferized; `summary_of` gives the
    summary of the function that an op calls, if it is known.

    The program is valid as long as its ops stay as they are, and again after `update`.
    """

    ops: Sequence[OpInfo]
    """In program order, an op before those in its regions."""
    post_order: Sequence[OpInfo]
    """In program order, an op after those in its regions."""
    values: dict[SSAValue, ValueInfo]
    """All tensors, and the memrefs that are given out of tensors."""
    _consulted: list[SSAValue] | None = None
    """The tensors that the model that is being asked has asked about; `None` without questions."""

    def __init__(
        self,
        scope: Iterable[Operation],
        model_of: ModelOf = BufferizableOpInterface.of,
        summary_of: SummaryOf = lambda _: None,
    ):
        super().__init__()
        self._summary_of = summary_of
        self.values = {}
        self._created = 0
        self.root: RegionInfo = RegionInfo(None, False, None, 0, None)
        self._numbering = Numbering(model_of, self._add_value)
        self._numbering.number(scope, self.root)
        self._info = self._numbering.info
        memrefs = MemrefUses(self._info, model_of)
        # They have positions, too.
        self._numbering.add(memrefs.users, memrefs.users)
        self._sort()
        whole = Components(self.ops, self.post_order, self.values.values(), True)
        self._gather_uses(whole)
        memrefs.record(self._info, self._add_value)
        find_definitions(whole, self.values)
        self.whole: Components = whole
        """All components of the program as it was at first."""
        self._changed: set[ValueInfo] = set()
        """The tensors of components that have changed since these were taken."""
        self._is_valid = True

    # What models may ask: see AnalysisState -------------------------------------------

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        self.note(a, b)
        return a is b

    def memoize(self, key: Hashable, compute: Callable[[], AnswerT]) -> AnswerT:
        self.note()
        return super().memoize(key, compute)

    def note(self, *values: SSAValue) -> None:
        """Note that a model has asked about these tensors, or about the program."""
        if self._consulted is None:
            self._consulted = []
        self._consulted += values

    def ask(self, info: OpInfo, question: Callable[[], AnswerT]) -> AnswerT:
        """The answer of the op's model to a question."""
        self._consulted = None
        answer = question()
        self.note_consulted(info)
        return answer

    def forget_consulted(self, info: OpInfo) -> None:
        """Forget all that the op's model has asked."""
        self._consulted = None
        info.is_known, info.consulted = True, None

    def note_consulted(self, info: OpInfo) -> None:
        """Note what the op's model has asked since."""
        if self._consulted is not None:
            info.is_known = False
            info.consulted = {*(info.consulted or ()), *self._consulted}

    def is_value_read(self, value: SSAValue) -> bool:
        self.note(value)
        info = self.values.get(value)
        return info is None or info.is_read

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        self.note()
        return self._summary_of(call)

    def possible_origins(
        self, value: SSAValue, within: Operation
    ) -> frozenset[SSAValue]:
        self.note(value)
        return self.memoize(
            (value, within), lambda: self._trace_back(value, self._info[within])
        )

    def _trace_back(self, value: SSAValue, within: OpInfo) -> frozenset[SSAValue]:
        def sources(value: SSAValue) -> Sequence[SSAValue]:
            info = self.values.get(value)
            if info is None or not within.enter < info.start <= within.exit:
                return ()
            return [operand.value.value for operand, _ in info.sources]

        return frozenset(v for v in reachable([value], sources) if not sources(v))

    # What the analysis asks -------------------------------------------------------------

    def operands(self) -> Iterator[TensorOperand]:
        """All tensor operands, in program order."""
        for info in self.ops:
            yield from info.operands

    def operand(self, op: Operation, index: int) -> TensorOperand | None:
        """The op's operand at the index, if it is a tensor of this program."""
        info = self._info.get(op)
        return None if info is None else info.operand(index)

    def aliasing_results(self, info: OpInfo) -> Sequence[AliasingGroup]:
        """Groups of results of the op that may share memory, whatever is in place."""
        if info.groups is None:
            model = info.model
            if model is None or not info.op.results:
                info.groups = ()
            else:
                info.groups = [
                    AliasingGroup(
                        [self.values[r] for r in group.results], group.relation
                    )
                    for group in self.ask(
                        info, lambda: model.aliasing_results(info.op, self)
                    )
                ]
        return info.groups

    def info(self, op: Operation) -> OpInfo | None:
        """The record of the op; `None` if it has neither tensors nor regions."""
        return self._info.get(op)

    def has_scalar_body(self, op: Operation) -> bool:
        """Whether the op has regions, and no op in them has a tensor or a memref, or is a call."""
        info = self._info.get(op)
        return info is not None and info.has_scalar_body

    def ops_within(self, info: OpInfo) -> Sequence[OpInfo]:
        """The ops in the regions of the op, in program order."""
        first = bisect_right(self.ops, info.enter, key=_enter)
        return self.ops[first : bisect_left(self.ops, info.exit, first, key=_enter)]

    # Changes of the program -------------------------------------------------------------

    def update(self, changes: ChangedOps) -> bool:
        """
        Note how the program has changed. `False` if the components that this is about cannot be
        told apart from the rest; then the program is not valid any more.

        Takes time linear in the ops that use tensors of the components, besides sorting.
        """
        ops = {*changes.placed, *changes.changed}
        if not self._is_valid or any(
            any(is_memref_type(v.type) for v in (*o.operands, *o.results)) for o in ops
        ):
            self._is_valid = False
            return False
        self._answers.clear()
        # A terminator shares memory with values of the op around it.
        touched = [
            *changes.former,
            *(
                alias.value
                for op in ops
                if (info := self._info.get(op)) is not None
                for operand in info.operands
                for alias in operand.aliases
            ),
        ]
        for op in changes.placed:
            self._numbering.remove(op)
        try:
            self._numbering.add(changes.placed, ())
        except NoNumberLeftError:
            self._is_valid = False
            return False
        seeds = {info for v in touched if (info := self.values.get(v)) is not None}
        for op in ops:
            info = self._info.get(op)
            if info is None:
                for value in results_and_arguments(op):
                    if (known := self.values.pop(value, None)) is not None:
                        seeds.discard(known)
                continue
            info.operands, info.groups = (), None
            info.is_known, info.consulted = False, None
            for value in (*tensors_of(op), *carried_around(info)):
                if (known := self.values.get(value)) is not None:
                    seeds.add(known)
        self._sort()
        part = self._components(self._connected(seeds))
        for value in part.values:
            if is_tensor(value.value):
                value.forget()
                if value.owner is None:
                    self._start_block_argument(value)
        self._gather_uses(part)
        find_definitions(part, self.values)
        self._changed.update(part.values)
        return True

    def take_changed(self) -> Components | None:
        """
        The components that `update` has changed since this was last asked, if there are any: those
        of an earlier update that a later one has not touched are still whole.
        """
        values = {v for v in self._changed if self.values.get(v.value) is v}
        self._changed.clear()
        return self._components(values) if values else None

    def _connected(self, seeds: Collection[ValueInfo]) -> Collection[ValueInfo]:
        """
        The tensors in the components of the seeds; all tensors if the seeds are most of them, as
        it would take longer to find the few that stay as they are.
        """
        if 2 * len(seeds) > len(self.values):
            return self.values.values()
        return connected(seeds, self._info, self.values)

    def _components(self, values: Collection[ValueInfo]) -> Components:
        in_order = dict.fromkeys(sorted(values, key=_place))
        if len(in_order) == len(self.values):
            return Components(self.ops, self.post_order, in_order, is_whole=True)
        ops: set[OpInfo] = set()
        for value in values:
            if value.owner is not None:
                ops.add(value.owner)
            for use in value.value.uses:
                if (user := self._info.get(use.operation)) is not None:
                    ops.add(user)
        return Components(
            sorted(ops, key=_enter),
            sorted(ops, key=_exit),
            in_order,
            is_whole=False,
        )

    def _sort(self) -> None:
        self.ops = sorted(self._info.values(), key=_enter)
        self.post_order = sorted(self.ops, key=_exit)

    # The first walk: positions; see `numbering.py` --------------------------------------

    def _add_value(
        self, value: SSAValue, region: RegionInfo, owner: OpInfo | None, start: int
    ) -> ValueInfo:
        info = self.values.get(value)
        if info is None:
            info = ValueInfo(value, region, owner, start, self._created)
            self._created += 1
            self.values[value] = info
            if owner is None and is_tensor(value):
                self._start_block_argument(info)
        else:
            info.region, info.owner, info.start = region, owner, start
        return info

    def _start_block_argument(self, info: ValueInfo) -> None:
        info.definitions = (info,)
        # A branch back to this block forwards to it before it is known what its arguments
        # are read by.
        control_flow, block = info.region.control_flow, info.value.owner
        info.is_read = (
            control_flow is not None
            and isinstance(block, Block)
            and control_flow.may_be_entered_again(block)
        )

    # The second walk: uses --------------------------------------------------------------

    def _gather_uses(self, part: Components) -> None:
        """Backward: what operands do, and which values are read."""
        for info in reversed(part.ops):
            if not info.is_known:
                self._ask_about_operands(info)
            operands = part.operands(info)
            if operands:
                self._record_uses(info, operands)

    def _ask_about_operands(self, info: OpInfo) -> None:
        op, model = info.op, info.model
        former = {operand.index: operand for operand in info.operands}
        operands: list[TensorOperand] = []
        self.forget_consulted(info)
        info.groups = None
        uses = _unknown_uses(op) if model is None else model.operand_uses(op, self)
        values = op.operands
        for index, reads, writes, aliases in uses:
            value = values[index]
            value_info = self.values.get(value)
            if value_info is None:
                # Defined outside of the scope: unknown.
                value_info = self._add_value(value, self.root, None, 0)
                value_info.definitions = (value_info,)
            operand = former.get(index)
            if operand is None:
                operand = TensorOperand(info, index, value_info, reads, writes, aliases)
            else:
                operand.reads, operand.writes, operand.aliases = reads, writes, aliases
            operands.append(operand)
        info.operands = operands
        self.note_consulted(info)

    def _record_uses(self, info: OpInfo, operands: Sequence[TensorOperand]) -> None:
        op, values = info.op, self.values
        is_terminator = op.next_op is None and op.has_trait(IsTerminator)
        read_in_regions: Container[int] | None = None if op.regions else ()
        for operand in operands:
            value = operand.value
            is_result_read = False
            is_memory_read = operand.reads or is_terminator
            for alias in operand.aliases:
                alias_info = values[alias.value]
                alias_info.sources.append((operand, alias))
                is_result_read |= alias_info.is_read
                is_memory_read |= alias_info.is_memory_read
            value.is_memory_read |= is_memory_read
            if operand.reads or (is_result_read and not operand.writes):
                value.is_read = True
                value.reads.append(operand)
            elif operand.writes:
                if read_in_regions is None:
                    read_in_regions = self._read_in_regions(op)
                if operand.index in read_in_regions:
                    value.written_in_regions.append(operand)

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


def _unknown_uses(op: Operation) -> Sequence[OperandUse]:
    """An unknown op may do anything with its tensors."""
    aliases = tuple(
        AliasingValue(result, BufferRelation.UNKNOWN, False)
        for result in op.results
        if is_tensor(result)
    )
    return [
        OperandUse(index, True, True, aliases)
        for index, value in enumerate(op.operands)
        if is_tensor(value)
    ]


_enter = attrgetter("enter")
_exit = attrgetter("exit")


def _place(value: ValueInfo) -> tuple[bool, int, int]:
    """The place in program order, of memrefs after those of all tensors."""
    if not is_tensor(value.value):
        return True, value.number, 0
    index = cast(OpResult | BlockArgument, value.value).index
    return False, value.start, index


def find_definitions(part: Components, values: Mapping[SSAValue, ValueInfo]) -> None:
    """Record the definitions of the tensors of the components that are results of ops."""
    for info in part.post_order:
        for result in info.op.results:
            value = values.get(result)
            if value is not None and is_tensor(result) and value in part:
                value.definitions = _definitions(info, result, value)


def _definitions(
    info: OpInfo, result: OpResult, value: ValueInfo
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


class ProgramState(AnalysisState):
    """The answers of a program, for an analysis that knows more than the program."""

    def __init__(self, program: TensorProgram):
        self.program = program

    def is_value_read(self, value: SSAValue) -> bool:
        return self.program.is_value_read(value)

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        return self.program.summary_of(call)

    def possible_origins(
        self, value: SSAValue, within: Operation
    ) -> frozenset[SSAValue]:
        return self.program.possible_origins(value, within)

    def memoize(self, key: Hashable, compute: Callable[[], AnswerT]) -> AnswerT:
        return self.program.memoize(key, compute)
