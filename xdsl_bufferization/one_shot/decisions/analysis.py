"""
Which tensor operands are in place: One-Shot Analysis.

Operands are decided one by one, ops from the last to the first. An operand is in place
unless that would write memory that must not be written, or create a read-after-write
conflict. What is decided is free of conflicts, so that for a new decision only reads and
writes on different sides of the alias sets being merged have to be looked at.

Source: https://mlir.llvm.org/docs/Bufferization/#what-is-one-shot-bufferize
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferRelation, FunctionSummary
from xdsl_bufferization.one_shot.decisions.alias_sets import AliasSet, AliasSets
from xdsl_bufferization.one_shot.decisions.conflicts import Conflict, ConflictFinder
from xdsl_bufferization.one_shot.decisions.heuristics import in_order
from xdsl_bufferization.one_shot.decisions.writability import Writability
from xdsl_bufferization.one_shot.facts.parallel import find_races
from xdsl_bufferization.one_shot.facts.program import (
    TensorOperand,
    TensorProgram,
    ValueInfo,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.progress import with_progress
from xdsl_bufferization.support.shaped_types import is_tensor


@dataclass(frozen=True, slots=True)
class NotWritable:
    """Why an operand is out of place: the memory of `value` must not be written."""

    value: ValueInfo


@dataclass(frozen=True, slots=True)
class Race:
    """
    Why an operand is out of place: runs of a parallel region would all write the memory
    of `definition`, which is outside of the region.
    """

    write: TensorOperand
    definition: ValueInfo


Reason = Conflict | NotWritable | Race


class BufferizationAnalysis(ABC):
    """
    What the rewrite has to know about the tensors of a program; any analysis that can
    tell which operands are in place may take the place of One-Shot Analysis.
    """

    def __init__(self, program: TensorProgram):
        self.program = program

    ops_share_memory: ClassVar[bool] = True
    """Whether a tensor may be written that other tensors share memory with."""

    @abstractmethod
    def is_in_place(self, operand: TensorOperand) -> bool:
        """Whether the op works on the buffer of the operand, not on a copy of it."""

    def reason(self, operand: TensorOperand) -> Reason | None:
        """Why the operand is out of place; `None` if it is in place, or not known."""
        return None

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        """Whether both tensors are known to live in the very same memref."""
        return a is b

    def is_value_read(self, value: SSAValue) -> bool:
        """Whether the contents of the tensor reach an op that reads memory."""
        return self.program.is_value_read(value)

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        """What the called function does to its arguments, if that is known."""
        return self.program.summary_of(call)

    def possible_origins(
        self, value: SSAValue, within: Operation
    ) -> frozenset[SSAValue]:
        """See `AnalysisState`."""
        return self.program.possible_origins(value, within)

    def memory_of(self, value: SSAValue) -> frozenset[SSAValue]:
        """See `Decisions`."""
        memory: set[SSAValue] = set()
        pending, seen = [value], {value}
        while pending:
            value = pending.pop()
            info = self.program.values.get(value)
            sources: list[TensorOperand] = []
            is_own = True
            if info is not None and info.sources:
                is_own = False
                for operand, alias in self.program.sources_given(
                    info, self.is_equivalent
                ):
                    if self.is_in_place(operand):
                        sources.append(operand)
                        is_own |= not alias.definite and (
                            alias.relation is BufferRelation.UNKNOWN
                        )
                    else:
                        is_own = True
            if is_own:
                memory.add(value)
            for operand in sources:
                if (source := operand.value.value) not in seen:
                    seen.add(source)
                    pending.append(source)
        return frozenset(memory)

    def is_allocation(self, value: SSAValue) -> bool:
        """See `Decisions`."""
        info = self.program.values.get(value)
        if info is None or info.owner is None or not isinstance(value, OpResult):
            return False
        owner = info.owner
        return owner.model is not None and (
            owner.model.allocates(owner.op, value)
            or (bool(info.sources) and owner.model.is_writable(owner.op, value, self))
        )

    def can_omit_copy(self, operand: TensorOperand) -> bool:
        """
        Whether an out-of-place operand needs a buffer of its own, but not its contents:
        these are undefined, overwritten, or not read.
        """
        if not operand.value.definitions:
            return True
        if operand.reads:
            return False
        return operand.writes or not any(
            self.is_value_read(alias.value) for alias in operand.aliases
        )


class AlwaysCopyAnalysis(BufferizationAnalysis):
    """
    Every operand that its op writes is out of place, without any analysis.

    Of no use if an op writes an operand that must be in place: `fits` tells.
    """

    ops_share_memory = False

    @staticmethod
    def fits(program: TensorProgram) -> bool:
        """Whether there is no operand that must be in place and is written."""
        return not any(o.writes and _is_constrained(o) for o in program.operands())

    def is_in_place(self, operand: TensorOperand) -> bool:
        return not operand.writes


class OneShotAnalysis(BufferizationAnalysis):
    """
    Decides which operands are in place; with `copy_before_write` none that its op writes,
    unless it must be.

    Raises `BufferizationError` if one that must be in place can not be.
    """

    def __init__(
        self,
        program: TensorProgram,
        options: OneShotOptions | None = None,
        *,
        copy_before_write: bool = False,
    ):
        super().__init__(program)
        options = options or OneShotOptions()
        self.alias_sets = AliasSets(program)
        self.writability = Writability(
            program, lambda value: _is_writable(value, program)
        )
        self._conflicts = ConflictFinder(program, self)
        self._in_place: set[TensorOperand] = set()
        self._reasons: dict[TensorOperand, Reason] = {}
        self._equivalence = _EquivalenceClasses(self)
        self._races: Mapping[TensorOperand, ValueInfo] = {}
        if options.check_parallel_regions:
            self._races = find_races(program)
        self._merge_aliasing_results()
        self._decide_constrained_operands()
        operands = in_order(program, options)
        total = sum(len(info.operands) for info in program.ops)
        for operand in with_progress(operands, total, "analysis"):
            if not (copy_before_write and operand.writes):
                self._decide(operand)
        self._equivalence.link_all()

    def is_in_place(self, operand: TensorOperand) -> bool:
        return operand in self._in_place

    def reason(self, operand: TensorOperand) -> Reason | None:
        return self._reasons.get(operand)

    def is_copied(self, operand: TensorOperand) -> bool:
        """See `DecisionsSoFar`."""
        return operand in self._reasons

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        return self._equivalence.are_equivalent(a, b)

    def is_written(self, value: ValueInfo) -> bool:
        """Whether the memory of the tensor is written in place."""
        return bool(self.alias_sets.find(value).writes)

    def _merge_aliasing_results(self) -> None:
        """What results of one op share among themselves does not depend on decisions."""
        for info in self.program.ops:
            for group in self.program.aliasing_results(info):
                first, *others = group.values
                for other in others:
                    self.alias_sets.union(
                        self.alias_sets.find(first), self.alias_sets.find(other)
                    )

    def _decide_constrained_operands(self) -> None:
        """Terminators and the like have no choice; what they merge, others build on."""
        for operand in self.program.operands():
            if _is_constrained(operand):
                self._decide(operand)
                if reason := self._reasons.get(operand):
                    raise _cannot_be_in_place(operand, reason)

    def _decide(self, operand: TensorOperand) -> None:
        if operand in self._in_place:
            return
        sets = self._affected_sets(operand)
        if reason := self._reason_against(operand, sets):
            self._reasons[operand] = reason
            return
        self._in_place.add(operand)
        self.writability.add(operand)
        self._equivalence.link_aliases(operand)
        merged = sets[0]
        for alias_set in sets[1:]:
            merged = self.alias_sets.union(merged, alias_set)
        if operand.writes:
            merged.add_write(operand)
            if operand in self._races:
                merged.racing = operand

    def _affected_sets(self, operand: TensorOperand) -> list[AliasSet]:
        """The alias sets that are merged if the operand is in place."""
        find, values = self.alias_sets.find, self.program.values
        sets = [find(operand.value)]
        for alias in operand.aliases:
            alias_set = find(values[alias.value])
            if alias_set not in sets:
                sets.append(alias_set)
        return sets

    def _reason_against(
        self, operand: TensorOperand, sets: list[AliasSet]
    ) -> Reason | None:
        if (read_only := self.writability.obstacle(operand)) is not None:
            return NotWritable(read_only)
        if (race := self._race(operand, sets)) is not None:
            return race
        if operand.writes:
            if (conflict := self._conflicts.with_write(sets, operand)) is not None:
                return conflict
            if (conflict := self._conflict_within_loop(operand)) is not None:
                return conflict
        return self._conflicts.between(sets) if len(sets) > 1 else None

    def _race(self, operand: TensorOperand, sets: list[AliasSet]) -> Race | None:
        """
        A write within a parallel region to memory from outside of it, unless nothing
        reads that memory.
        """
        if not self._races or not any(len(alias_set.ranges) for alias_set in sets):
            return None
        write = operand if operand in self._races else None
        for alias_set in sets:
            write = write or alias_set.racing
        return None if write is None else Race(write, self._races[write])

    def _conflict_within_loop(self, operand: TensorOperand) -> Conflict | None:
        """
        A loop that writes two operands must not be given the same memory for both: what
        it does to the one it would do to the other, at any time.
        """
        if takes_tensors(operand.owner.op):
            alias_set = self.alias_sets.find(operand.value)
            for other in operand.owner.operands:
                if (
                    other is not operand
                    and other.writes
                    and other in self._in_place
                    and self.alias_sets.find(other.value) is alias_set
                ):
                    return Conflict(operand, other, operand.value)
        return None


_FEW = 4
"""With more sources than these, what a tensor is equivalent to is not known early."""


class _EquivalenceClasses:
    """
    Tensors that are known to live in the very same memref.

    What follows from one decision is known right after it. The rest is found after all
    decisions, in one walk in post-order: what a loop's results are equivalent to depends on
    what its body yields.
    """

    def __init__(self, analysis: OneShotAnalysis):
        self._analysis = analysis
        self._parents: dict[SSAValue, SSAValue] = {}

    def link_aliases(self, operand: TensorOperand) -> None:
        """The operand is in place."""
        for alias in operand.aliases:
            value = self._analysis.program.values[alias.value]
            if value.owner is operand.owner and len(value.sources) <= _FEW:
                self._link(value)

    def link_all(self) -> None:
        program = self._analysis.program
        for info in program.post_order:
            for result in info.op.results:
                value = program.values.get(result)
                if value is not None and value.sources:
                    self._link(value)
            for group in program.aliasing_results(info):
                if group.relation is BufferRelation.EQUIVALENT:
                    for a, b in zip(group.values, group.values[1:], strict=False):
                        self._union(a.value, b.value)
        for value in program.values.values():
            if value.owner is None and value.sources:
                self._link_block_argument(value)

    def are_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        return self._find(a) is self._find(b)

    def _find(self, value: SSAValue) -> SSAValue:
        parents = self._parents
        while (parent := parents.get(value)) is not None:
            if (grandparent := parents.get(parent)) is not None:
                parents[value] = grandparent
            value = parent
        return value

    def _union(self, a: SSAValue, b: SSAValue) -> None:
        a, b = self._find(a), self._find(b)
        if a is not b:
            self._parents[a] = b

    def _link(self, value: ValueInfo) -> None:
        first = value.sources[0][0].value.value
        all_equivalent = True
        sources = self._analysis.program.sources_given(value, self.are_equivalent)
        for operand, alias in sources:
            equivalent = (
                alias.relation is BufferRelation.EQUIVALENT
                and self._analysis.is_in_place(operand)
            )
            if equivalent and alias.definite:
                self._union(value.value, operand.value.value)
                return
            all_equivalent &= equivalent and self.are_equivalent(
                operand.value.value, first
            )
        if all_equivalent:
            self._union(value.value, first)

    def _link_block_argument(self, value: ValueInfo) -> None:
        """
        An argument that each branch hands the same buffer, or the one it has already, is
        that buffer.
        """
        handed: set[SSAValue] = set()
        for operand, alias in value.sources:
            if alias.relation is not BufferRelation.EQUIVALENT or (
                not self._analysis.is_in_place(operand)
            ):
                return
            handed.add(self._find(operand.value.value))
        handed.discard(self._find(value.value))
        if len(handed) == 1:
            self._union(value.value, handed.pop())


def takes_tensors(op: Operation) -> bool:
    """Whether the op hands tensors to its regions."""
    return any(
        is_tensor(argument)
        for region in op.regions
        if region.blocks
        for argument in region.blocks[0].args
    )


def _is_constrained(operand: TensorOperand) -> bool:
    model, op = operand.owner.model, operand.owner.op
    return model is not None and model.must_be_in_place(op, operand.index)


def _is_writable(value: ValueInfo, program: TensorProgram) -> bool:
    info = value.owner if value.owner is not None else value.region.parent
    if info is None or info.model is None:
        return False
    block = value.value.owner
    if isinstance(block, Block) and block.prev_block is not None:
        # It depends on what branches hand to the block.
        return True
    return info.model.is_writable(info.op, value.value, program)


def _cannot_be_in_place(operand: TensorOperand, reason: Reason) -> BufferizationError:
    constraint = f"must have operand #{operand.index} in place, but "
    match reason:
        case NotWritable(value):
            owner = value.value.owner
            source = owner if isinstance(owner, Operation) else owner.parent_op()
            return BufferizationError(
                operand.owner.op,
                constraint + "its buffer must not be written",
                related=[("the buffer that is not writable comes from", source)],
            )
        case Conflict(read, write, _):
            return BufferizationError(
                operand.owner.op,
                constraint + "that causes a read-after-write conflict",
                related=[
                    ("the contents are still to be read by", read.owner.op),
                    ("but destroyed by", write.owner.op),
                ],
            )
        case Race(write, definition):
            owner = definition.value.owner
            source = owner if isinstance(owner, Operation) else owner.parent_op()
            return BufferizationError(
                operand.owner.op,
                constraint + "several runs of a parallel region would write the same "
                "memory",
                related=[
                    ("it is written by", write.owner.op),
                    ("and comes from", source),
                ],
            )
