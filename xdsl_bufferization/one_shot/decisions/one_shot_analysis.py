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

Equivalence classes: tensors that are known to be the same memref.

    %a = tensor.insert %f into %t[%i]          // %t, if in place
    %b = arith.select %c, %a, %t               // %t, as both choices are
    %d = tensor.extract_slice %t[0] [4] [1]    // a class of its own: a part of %t
    %r = scf.for ... iter_args(%x = %t) { ... scf.yield %y }    // %t, if %y is %x

Some equivalences follow from one decision, and are known right after it. The others are
found after all decisions, in one walk in post-order: what a loop's results are equivalent
to depends on what its body yields.

Read-after-write conflicts: a read would see what another op has written in the meantime.

    func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) {
      %0 = tensor.insert %f into %t[%i]   // out of place: a conflict with the read of %t
      %x = tensor.extract %t[%i]
      %1 = tensor.insert %x into %0[%i]   // in place: %0 is not read any more

`ConflictFinder` looks for one among the reads and writes of alias sets. Positions name the
candidates: a write in a live range (`facts/live_ranges.py`). For each candidate, rules from the
cheapest to the most expensive one say whether the write destroys what is read:

1. Is it the same operand, or does the write make the contents, or does the op read before it
   writes? Asked of the records and of the op's model.
2. Do the two touch different elements? (`facts/overlaps.py`)
3. Does a model know better? (`is_not_conflicting`)

Decisions taken so far are asked for, as equivalences and by `is_copied`; no later decision makes
these answers wrong, as decisions are never taken back. Takes logarithmic time to find the
candidates, and constant time for each rule, except in a nest of loops.

Source: https://mlir.llvm.org/docs/Bufferization/#tensor--buffer-boundary and the design
document of One-Shot Bufferize that it links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations

from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.ir import SSAValue

from xdsl_bufferization.dialects.bufferization import ToBufferOp, ToTensorOp
from xdsl_bufferization.host.commands import with_progress
from xdsl_bufferization.interfaces.bufferizable import AliasingValue, BufferRelation
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.one_shot.decisions.alias_sets import (
    AliasSet,
    AliasSets,
    Writability,
    find_races,
    is_writable,
)
from xdsl_bufferization.one_shot.decisions.analysis import (
    BufferizationAnalysis,
    in_order,
)
from xdsl_bufferization.one_shot.decisions.in_place_requests import cannot_be_in_place
from xdsl_bufferization.one_shot.decisions.reasons import (
    Conflict,
    NotWritable,
    Race,
    Reason,
)
from xdsl_bufferization.one_shot.facts.live_ranges import LiveRange
from xdsl_bufferization.one_shot.facts.numbering import Components
from xdsl_bufferization.one_shot.facts.origins import SourcesGiven, may_depend
from xdsl_bufferization.one_shot.facts.overlaps import Overlaps
from xdsl_bufferization.one_shot.facts.program import ProgramState, TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo
from xdsl_bufferization.one_shot.facts.slices import When
from xdsl_bufferization.support.limits import MAX_LINKED_SOURCES
from xdsl_bufferization.support.options import OneShotOptions


class OneShotAnalysis(BufferizationAnalysis):
    """
    Decides which operands are in place; with `copy_before_write`, none that is written, unless
    it must be in place, or is memory that the program itself writes:

        %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
        %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>   // the only use: %m

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
        self.ops_share_memory = not copy_before_write or any(
            o.writes and o.must_be_in_place for o in program.operands()
        )
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
            if not (
                self._copy_before_write
                and operand.writes
                and not _is_memory_of_program(operand)
            ):
                self._decide(operand)
        self._equivalence.link_all(part)

    def is_in_place(self, operand: TensorOperand) -> bool:
        return operand in self._in_place

    def reason(self, operand: TensorOperand) -> Reason | None:
        return self._reasons.get(operand)

    def is_copied(self, operand: TensorOperand) -> bool:
        """Whether the operand is known to be out of place, by the decisions so far."""
        return operand in self._reasons

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        return self._equivalence.is_equivalent(a, b)

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


def _is_memory_of_program(operand: TensorOperand) -> bool:
    """Whether a writable memref is a tensor for one `to_buffer` only, this one."""
    value, op = operand.value.value, operand.owner.op
    return (
        isinstance(op, ToBufferOp)
        and isinstance(value.owner, ToTensorOp)
        and value.owner.writable is not None
        and value.has_one_use()
    )


class EquivalenceClasses(ProgramState):
    """
    A union-find structure over the tensors of a program: those that are known to be the
    same memref, given `is_in_place`, the decisions so far.
    """

    def __init__(
        self, program: TensorProgram, is_in_place: Callable[[TensorOperand], bool]
    ):
        super().__init__(program)
        self._is_in_place = is_in_place
        self._parents: dict[SSAValue, SSAValue] = {}
        """By tensor: another one in its class; none for the representative of a class."""

    def link_aliases(self, operand: TensorOperand) -> None:
        """Note what follows at once from the operand being in place."""
        for alias in operand.aliases:
            value = self.program.values[alias.value]
            if value.owner is not operand.owner:
                continue
            if not MAX_LINKED_SOURCES.exceeded_by(len(value.sources)):
                sources: Iterable[tuple[TensorOperand, AliasingValue]] = value.sources
                if may_depend(operand, value):
                    sources = SourcesGiven(self).of(value)
                self._link(value, sources)

    def start(self, part: Components) -> None:
        """Start again with the tensors of the components, which are undecided."""
        for value in part.values:
            self._parents.pop(value.value, None)

    def link_all(self, part: Components) -> None:
        """Note what follows from all decisions on the components, once all are made."""
        program = self.program
        sources = SourcesGiven(self)
        for info in part.post_order:
            for result in info.op.results:
                value = program.values.get(result)
                if value is not None and value.sources and value in part:
                    self._link(value, sources.of(value))
            for group in program.aliasing_results(info):
                if (
                    group.relation is BufferRelation.EQUIVALENT
                    and group.values[0] in part
                ):
                    for a, b in zip(group.values, group.values[1:], strict=False):
                        self._union(a.value, b.value)
        for value in part.values:
            if value.owner is None and value.sources:
                self._link_block_argument(value)

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        """Whether both tensors are known to be the same memref."""
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

    def _link(
        self,
        value: ValueInfo,
        sources: Iterable[tuple[TensorOperand, AliasingValue]],
    ) -> None:
        """
        Union a result with its must-alias source, or with all sources if these are already one
        class.
        """
        first = value.sources[0][0].value.value
        all_equivalent = True
        for operand, alias in sources:
            equivalent = (
                alias.relation is BufferRelation.EQUIVALENT
                and self._is_in_place(operand)
            )
            if equivalent and alias.definite:
                self._union(value.value, operand.value.value)
                return
            all_equivalent &= equivalent and self.is_equivalent(
                operand.value.value, first
            )
        if all_equivalent:
            self._union(value.value, first)

    def _link_block_argument(self, value: ValueInfo) -> None:
        """
        Link a block argument to a tensor if each branch forwards the same memref as that
        tensor, or the argument itself.
        """
        forwarded: set[SSAValue] = set()
        for operand, alias in value.sources:
            if alias.relation is not BufferRelation.EQUIVALENT or (
                not self._is_in_place(operand)
            ):
                return
            forwarded.add(self._find(operand.value.value))
        forwarded.discard(self._find(value.value))
        if len(forwarded) == 1:
            self._union(value.value, forwarded.pop())


class ConflictFinder:
    """Finds conflicts between the reads and the in-place writes of alias sets."""

    def __init__(self, program: TensorProgram, decisions: OneShotAnalysis):
        self._decisions = decisions
        self._overlaps = Overlaps(program, decisions.is_equivalent)
        self._aliased: dict[TensorOperand, AbstractSet[SSAValue]] = {}
        """By operand that an op writes, the tensors that alias it."""

    def start(self, part: Components) -> None:
        """Start again with the tensors of the components, which have changed."""
        self._overlaps.start(part)
        self._aliased.clear()

    def with_write(
        self, sets: Sequence[AliasSet], write: TensorOperand
    ) -> Conflict | None:
        """
        A conflict of the write with a read in one of the sets, or with another write of its
        op, if there is any.
        """
        first, last = write.owner.enter, write.owner.exit
        for alias_set in sets:
            for other in () if alias_set.writes is None else alias_set.writes_at(first):
                if self._are_writes_in_conflict(write, other):
                    return self._conflict(write, other, write.value)
            for live_range in alias_set.ranges.overlapping(first, last):
                if self._is_conflict(live_range, write):
                    return self._conflict(live_range.read, write, live_range.definition)
        return None

    def between(self, sets: Sequence[AliasSet]) -> Conflict | None:
        """
        A conflict of a read in one of the sets with a write in another, if there is any.

        Takes time in proportion to the smaller set of each pair, and to the candidates
        that turn out to be harmless.
        """
        for a, b in combinations(sets, 2):
            small, large = (a, b) if a.weight < b.weight else (b, a)
            if small.writes is not None:
                for write in small.writes:
                    if conflict := self.with_write((large,), write):
                        return conflict
            if large.writes is not None:
                for live_range in small.ranges:
                    for write in large.writes_within(live_range):
                        if self._is_conflict(live_range, write):
                            return self._conflict(
                                live_range.read, write, live_range.definition
                            )
        return None

    def _conflict(
        self, read: TensorOperand, write: TensorOperand, definition: ValueInfo
    ) -> Conflict:
        values = (read.value, write.value)
        stopped = next(filter(self._overlaps.stopped_at_limit, values), None)
        return Conflict(read, write, definition, stopped)

    def _are_writes_in_conflict(self, a: TensorOperand, b: TensorOperand) -> bool:
        """
        Whether one op writes the second operand before it is done with the first, if the two
        are in one alias set.

        A called function, or a region, may read what it has written to either. An op in
        destination-passing style does not; but if one result may be either operand, it is
        written to both.
        """
        return (
            a is not b
            and a.owner is b.owner
            and (
                DestinationStyleOpInterface.of(a.owner.op) is None
                or _may_be_returned(a, b)
            )
            and self._overlaps.may_overlap(a, b, When.SAME_ITERATION)
        )

    def _aliased_by(self, operand: TensorOperand) -> AbstractSet[SSAValue]:
        """The tensors that share the operand's buffer if it is in place."""
        # Each result of a loop that swaps buffers aliases each init.
        if operand not in self._aliased:
            self._aliased[operand] = {alias.value for alias in operand.aliases}
        return self._aliased[operand]

    def _is_conflict(self, live_range: LiveRange, write: TensorOperand) -> bool:
        """
        Whether the write, at a position in the live range, destroys what is read, if the
        two are in one alias set:

            %0 = tensor.insert %f into %t[%i]   // write: operand %t
            %x = tensor.extract %t[%j]          // read: operand %t; definition: %t

        Each exit is a reason why it does not, the cheapest first.
        """
        read, definition = live_range.read, live_range.definition
        if read is write and not live_range.is_repeated:
            # %0 = tensor.insert %f into %t[%i]   // reads %t, but not after its own write
            return False
        if self._makes_contents(write, definition):
            return False
        if not live_range.is_repeated and self._reads_before(read, write):
            return False
        if self._overlaps.apart(live_range, write) is not None:
            return False
        return not _models_exclude(read, write)

    def _makes_contents(self, write: TensorOperand, definition: ValueInfo) -> bool:
        """
        Whether the write is, or is a part of, what puts the contents there:

            %0 = linalg.fill ins(%f) outs(%t)   // writes %t and defines %0
            %x = tensor.extract %0[%i]

            %1 = scf.for ... iter_args(%a = %t) {
              %2 = tensor.insert %f into %a[%i] // within the op that defines %1
              scf.yield %2
            }
            %y = tensor.extract %1[%i]

        A write in the loop does destroy what a read *in* the loop gets from before: there, the
        definition is %a or %t, not %1.
        """
        owner = definition.owner
        if owner is None:
            return False
        if owner.enter < write.owner.enter <= owner.exit:
            return True
        return (
            owner is write.owner and definition in write.memrefs
        ) or definition.value in self._aliased_by(write)

    def _reads_before(self, read: TensorOperand, write: TensorOperand) -> bool:
        """
        Whether both are operands of one op, which is done with what it reads before it writes:

            %0 = linalg.exp ins(%t) outs(%t)    // each element is read, then written

        Not if the two overlap in part, as the write of one element precedes the read of the next:

            %a = tensor.extract_slice %t[0] [7] [1]
            %b = tensor.extract_slice %t[1] [7] [1]
            %1 = linalg.exp ins(%a) outs(%b)
        """
        op = read.owner
        if op is not write.owner:
            return False
        if self._decisions.is_copied(read):
            # The read is of a copy, which is made before the op.
            return True
        return (
            op.model is not None
            and op.model.is_elementwise(op.op, read.index, write.index)
            and self._overlaps.are_same_or_disjoint(read, write)
        )


def _models_exclude(read: TensorOperand, write: TensorOperand) -> bool:
    """Whether the model of either op knows that the write leaves what is read as it is."""
    reader, writer = read.owner, write.owner
    uses = (reader.op, read.index), (writer.op, write.index)
    return any(
        info.model is not None and info.model.is_not_conflicting(info.op, *uses)
        for info in ((reader,) if reader is writer else (reader, writer))
    )


def _may_be_returned(a: TensorOperand, b: TensorOperand) -> bool:
    """Whether one result of the op may be either of its operands."""
    results = {alias.value for alias in a.aliases}
    return any(alias.value in results for alias in b.aliases)
