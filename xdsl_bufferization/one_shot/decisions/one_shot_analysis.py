"""
One-Shot Analysis: decides which tensor operands are in place.

    %r = tensor.insert %f into %t[%i]    // 2. would write {%t}, read at %x: out of place
    %x = tensor.extract %t[%i]           // 1. only reads: in place
    %s = tensor.insert %x into %r[%i]    // 0. {%r} is not read any more: in place

Operands are decided one by one, ops from the last to the first. An operand is in place
unless that would write read-only memory, or create a read-after-write conflict. The
decisions so far are free of conflicts, so that for a new one only reads and writes on
different sides of the alias sets being merged have to be looked at.

Source: https://mlir.llvm.org/docs/Bufferization/#what-is-one-shot-bufferize
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.ir import SSAValue

from xdsl_bufferization.one_shot.decisions.alias_sets import AliasSet, AliasSets
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.decisions.conflicts import ConflictFinder
from xdsl_bufferization.one_shot.decisions.equivalence import EquivalenceClasses
from xdsl_bufferization.one_shot.decisions.heuristics import in_order
from xdsl_bufferization.one_shot.decisions.in_place_requests import cannot_be_in_place
from xdsl_bufferization.one_shot.decisions.reasons import NotWritable, Race, Reason
from xdsl_bufferization.one_shot.decisions.writability import Writability, is_writable
from xdsl_bufferization.one_shot.facts.components import Components
from xdsl_bufferization.one_shot.facts.parallel import find_races
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.progress import with_progress


class OneShotAnalysis(BufferizationAnalysis):
    """
    Decides which operands are in place; with `copy_before_write`, none that is written,
    unless it must be in place.

    Raises `BufferizationError` if an operand that must be in place cannot be.
    """

    def __init__(
        self,
        program: TensorProgram,
        options: OneShotOptions | None = None,
        *,
        copy_before_write: bool = False,
    ):
        super().__init__(program)
        self._options: OneShotOptions = options or OneShotOptions()
        self.alias_sets = AliasSets(program)
        self.writability = Writability(
            program, lambda value: is_writable(value, program)
        )
        self._conflicts = ConflictFinder(program, self)
        self._in_place: set[TensorOperand] = set()
        self._reasons: dict[TensorOperand, Reason] = {}
        self._equivalence = EquivalenceClasses(program, self.is_in_place)
        self._races: Mapping[TensorOperand, ValueInfo] = {}
        self._copy_before_write = copy_before_write
        self._decide_all(program.whole)

    def decide_again(self, part: Components) -> None:
        """
        Decide about components of the program again, which have changed.

        Raises `BufferizationError` as before; the analysis is not valid then.
        """
        self.forget_derived()
        for info in part.ops:
            for operand in part.operands(info):
                self._in_place.discard(operand)
                self._reasons.pop(operand, None)
        self.alias_sets.start(part)
        self.writability.start(part)
        self._conflicts.start(part)
        self._equivalence.start(part)
        self._decide_all(part)

    def _decide_all(self, part: Components) -> None:
        if self._options.check_parallel_regions:
            self._races = find_races(part)
        self._merge_aliasing_results(part)
        self._decide_constrained_operands(part)
        operands = in_order(part, self._options)
        total = sum(len(part.operands(info)) for info in part.ops)
        for operand in with_progress(operands, total, "analysis"):
            if not (self._copy_before_write and operand.writes):
                self._decide(operand)
        self._equivalence.link_all(part)

    def is_in_place(self, operand: TensorOperand) -> bool:
        return operand in self._in_place

    def reason(self, operand: TensorOperand) -> Reason | None:
        return self._reasons.get(operand)

    def is_copied(self, operand: TensorOperand) -> bool:
        """See `DecisionsSoFar`."""
        return operand in self._reasons

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        return self._equivalence.are_equivalent(a, b)

    def are_aliases(self, a: ValueInfo, b: ValueInfo) -> bool:
        """Whether the memory of the two tensors may overlap, as decided."""
        return self.alias_sets.find(a) is self.alias_sets.find(b)

    def is_written(self, value: ValueInfo) -> bool:
        """Whether the memory of the tensor is written in place."""
        return bool(self.alias_sets.find(value).writes)

    def _merge_aliasing_results(self, part: Components) -> None:
        """Merge results of one op that share memory, whatever is decided."""
        for info in part.ops:
            for group in self.program.aliasing_results(info):
                first, *others = group.values
                if first not in part:
                    continue
                for other in others:
                    self.alias_sets.union(
                        self.alias_sets.find(first), self.alias_sets.find(other)
                    )

    def _decide_constrained_operands(self, part: Components) -> None:
        """
        Decide operands without a choice first, so that others take account of them; also those
        of unknown rank, which cannot be copied. With `copy_before_write` a destination that
        cannot be written is copied like any other.
        """
        for operand in (o for info in part.ops for o in part.operands(info)):
            if operand.must_be_in_place:
                self._decide(operand)
                reason = self._reasons.get(operand)
                if reason is not None and not (
                    self._copy_before_write
                    and (operand.writes or isinstance(reason, NotWritable))
                    and operand.aliases
                ):
                    raise cannot_be_in_place(operand, reason)
            elif (
                type(operand.value.value.type) is UnrankedTensorType
                and operand.owner.model is not None
            ):
                self._decide(operand)

    def _decide(self, operand: TensorOperand) -> None:
        if operand in self._in_place:
            return
        if operand.only_reads:
            # Conflicts are found when what writes or merges alias sets is decided.
            self._in_place.add(operand)
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
        aliases = [values[alias.value] for alias in operand.aliases]
        tensors = (operand.value, *aliases, *operand.memrefs)
        return [*dict.fromkeys(map(find, tensors))]

    def _reason_against(
        self, operand: TensorOperand, sets: list[AliasSet]
    ) -> Reason | None:
        """Why the operand must not be in place; `sets` are those that would be merged."""
        if (read_only := self.writability.obstacle(operand)) is not None:
            return NotWritable(read_only)
        if (race := self._race(operand, sets)) is not None:
            return race
        if operand.writes:
            if (conflict := self._conflicts.with_write(sets, operand)) is not None:
                return conflict
        return self._conflicts.between(sets) if len(sets) > 1 else None

    def _race(self, operand: TensorOperand, sets: list[AliasSet]) -> Race | None:
        """
        A write in a parallel region to memory from outside of it, unless nothing reads
        that memory.
        """
        if not self._races or not any(len(alias_set.ranges) for alias_set in sets):
            return None
        write = operand if operand in self._races else None
        for alias_set in sets:
            write = write or alias_set.racing
        return None if write is None else Race(write, self._races[write])
