"""
The data-flow analysis: which tensors' contents have been overwritten, at each op.

    %r = tensor.insert %f into %t[%i]    // in place: contents of %t are overwritten from here on
    %x = tensor.extract %t[%j]           // reads them: the decision is wrong

A tensor's contents are in its buffer from the op that defines it until an op writes to the same
memory. Forward; the lattice is the sets of facts, each that a write has overwritten contents of a
live tensor, at least in part. States join by union where paths join. Loops are visited until no
fact is new; no more than `MAX_FACTS` are kept for a tensor, so that this ends soon.

Where the contents of tensors come from: from arguments of the function, from ops, or from nowhere.

Reads and writes of an op, of the memory of a tensor operand.

    %x = tensor.extract %t[%i]           // reads the slice [%i] [1]
    %r = tensor.insert %f into %t[%i]    // writes the slice [%i] [1], in place; of a copy if not
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xdsl_bufferization.interfaces.buffer_effects import BufferEffect
from xdsl_bufferization.interfaces.parallel_combining import ParallelCombiningOpTrait
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface, is_loop
from xdsl_bufferization.interfaces.subset import Slice, SubsetInsertionOpInterface
from xdsl_bufferization.support.regions import blocks_in_order, parent_of, successors
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.verification.access_paths import (
    CopyOf,
    MemoryLocation,
    Root,
    Roots,
    Step,
    is_within,
    loop_of_regions,
    slice_step,
)
from xdsl_bufferization.verification.memory_map import (
    LiveTensors,
    MemoryMap,
)
from xdsl_bufferization.verification.problems import (
    NO_FACTS,
    Facts,
    ForbiddenWrite,
    Overwritten,
    State,
    Violation,
    fact_after_iteration,
    join,
    limited,
    state_after_iteration,
)
from xdsl_bufferization.verification.sources import (
    Source,
    Sources,
    Uses,
    is_function,
)


@dataclass
class OverwriteAnalysis:
    """
    The analysis of one function, or of the ops outside of all functions.

    It collects wrong decisions in `problems`, each once, and which of the function's arguments
    are read and written.
    """

    sources: Sources
    allow_return_allocs_from_loops: bool

    def __post_init__(self) -> None:
        self.memory = MemoryMap(
            self.sources,
            allow_return_allocs_from_loops=self.allow_return_allocs_from_loops,
        )
        self.problems: dict[
            tuple[Operation, int, bool], Violation | ForbiddenWrite
        ] = {}
        self.read_arguments: set[int] = set()
        self.written: set[Root] = set()
        self._forwarded: dict[SSAValue, Facts] = {}
        """The facts about block arguments and results that operands have been forwarded to."""
        self._origins = origins_of_contents(self.sources)
        self._live = LiveTensors(self.memory)
        self._memref_group = cache(self._describe_memref_group)
        self._uses = Uses(self.sources)
        for op in self.sources.scope:
            self._visit_op(op, {})

    def _is_undefined(self, value: SSAValue) -> bool:
        return self._origins.get(value) == frozenset()

    # Which tensors are live ---------------------------------------------------------------

    def _define(self, value: SSAValue, facts: Facts, state: State) -> None:
        """The tensor is defined, and these facts hold for its contents."""
        self._live.add(value)
        if facts:
            state[value] = facts
        else:
            state.pop(value, None)

    def _kill(self, value: SSAValue, state: State) -> None:
        """The tensor is not live any more."""
        self._live.remove(value)
        state.pop(value, None)

    # Control flow -------------------------------------------------------------------------

    def _visit_region(self, region: Region, state: State) -> State:
        """Visit the blocks until no fact is new; the state after the region."""
        first, live = region.first_block, self._uses.live_blocks(region)
        if first is None:
            return state
        loops = self.sources.loops_of(region)
        entry: dict[Block, State] = {first: state}
        leaving: State = {}
        pending = {*region.blocks}
        while pending:
            changed: set[Block] = set()
            for block in self._in_order(region):
                if block not in pending or block not in entry:
                    continue
                end = self._visit_block(block, dict(entry[block]))
                last = block.last_op
                if last is None or not last.successors:
                    leaving = join(leaving, self._without_dead(end, region))
                for successor in successors(block):
                    loop = loops.get((block, successor))
                    after = end if loop is None else state_after_iteration(end, loop)
                    after = self._without_dead(after, region, live[successor])
                    known = entry.get(successor)
                    new = after if known is None else join(known, after)
                    for argument in successor.args:
                        facts = self._forwarded.get(argument)
                        if facts and argument.first_use:
                            new = join(new, {argument: facts})
                    if new != known:
                        entry[successor] = new
                        changed.add(successor)
            pending = changed
        return leaving

    def _in_order(self, region: Region) -> Iterator[Block]:
        """The blocks, while the tensors that are used in several of them are live."""
        live_blocks, held = self._uses.live_blocks(region), set[SSAValue]()
        for block in blocks_in_order(region):
            live = live_blocks[block]
            for value in live - held:
                self._live.add(value)
            for value in held - live:
                self._live.remove(value)
            yield block
            held = live
        for value in held:
            self._live.remove(value)

    def _without_dead(
        self, state: State, region: Region, live: AbstractSet[SSAValue] = frozenset()
    ) -> State:
        """The state without the tensors used in several blocks that are not live any more."""
        crossing = self._uses.in_several_blocks.get(region)
        if crossing is None:
            return state
        return {v: f for v, f in state.items() if v not in crossing or v in live}

    def _visit_block(self, block: Block, state: State) -> State:
        for argument in block.args:
            if is_tensor(argument) and argument.first_use:
                self._define(argument, self._forwarded.get(argument, NO_FACTS), state)
        for op in block.ops:
            self._visit_op(op, state)
        return state

    def _visit_regions(self, op: Operation, state: State) -> None:
        """Visit the op's regions until no fact is new; the state becomes that after the op."""
        if op not in self._uses.around:
            return
        model = self.sources.model_of(op)
        if RegionBranchOpInterface.of(op) is not None:
            repetitive = is_loop(op)
        else:
            repetitive = model is None or any(
                model.is_repetitive(op, i) for i in range(len(op.regions))
            )
        if not repetitive:
            exclusive = model is not None and model.has_exclusive_regions(op)
            start = dict(state)
            for region in op.regions:
                end = self._visit_region(region, dict(start if exclusive else state))
                _replace(state, join(state, end))
            return
        loop = loop_of_regions(op)
        end, before = dict(state), None
        while before != (end, self._forwarded_into(op)):
            before = dict(end), self._forwarded_into(op)
            for region in op.regions:
                end = join(
                    end,
                    state_after_iteration(self._visit_region(region, dict(end)), loop),
                )
        _replace(state, end)

    def _forwarded_into(self, op: Operation) -> Sequence[Facts]:
        return [
            self._forwarded.get(argument, NO_FACTS)
            for region in op.regions
            if region.blocks
            for argument in region.blocks[0].args
        ]

    # Ops ----------------------------------------------------------------------------------

    def _visit_op(self, op: Operation, state: State) -> None:
        self._forward_operands(op, state)
        accesses = [
            Access(op, index, self.sources, self.memory)
            for index, operand in enumerate(op.operands)
            if is_tensor(operand) and not self._only_forwards(op, index)
        ]
        for access in accesses:
            self._check_read(access, state)
        self._check_within(op, accesses)
        self._visit_memrefs(op, state)
        if op.regions:
            self._visit_regions(op, state)
        results = [result for result in op.results if result in self.sources.of]
        updated = self._define_preserved(results, accesses, state)
        writes = [access for access in accesses if access.writes and access.in_place]
        for access in writes:
            self._write(access, {*updated, *access.updated_operand()}, state)
        if op.regions and writes:
            # For other elements, the body is executed after these writes.
            self._visit_regions(op, state)
        for result in updated:
            self._define(result, self._forwarded.get(result, NO_FACTS), state)
        for value in self._uses.last_uses.get(op, ()):
            self._kill(value, state)
        for result in results:
            if not result.first_use:
                self._kill(result, state)

    def _only_forwards(self, op: Operation, index: int) -> bool:
        return (op, index) in self.sources.targets and self.sources.model_of(
            op
        ) is not None

    def _forward_operands(self, op: Operation, state: State) -> None:
        """Forward the facts about operands to the values that the operands are forwarded to."""
        if not is_function(op):
            # Each execution of the op forwards its operands again.
            for value in (
                *op.results,
                *(a for region in op.regions for b in region.blocks for a in b.args),
            ):
                self._forwarded.pop(value, None)
        copies: dict[SSAValue, MemoryLocation] = {}
        for index in range(len(op.operands)):
            for target, source in self.sources.targets.get((op, index), ()):
                if facts := self._forwarded_facts(source, target, state):
                    self._forwarded[target] = (
                        self._forwarded.get(target, NO_FACTS) | facts
                    )
                if source.carried and self.memory.is_copied(source):
                    copies[source.carried[0]] = self.memory.location_of_source(source)
        if not self.allow_return_allocs_from_loops:
            # Copies are written to buffers of iteration arguments.
            for carried, location in copies.items():
                fact = self._overwritten(location, op)
                self._overwrite(fact, {carried, *op.operands}, state)

    def _define_preserved(
        self, results: Sequence[SSAValue], accesses: Sequence[Access], state: State
    ) -> list[SSAValue]:
        """
        Define the results that have contents of operands, which the op's own writes may
        overwrite; return the other results.
        """
        updated: list[SSAValue] = []
        for result in results:
            sources = self.sources.of[result]
            kept = [s for s in sources if s.keeps_contents]
            if result in self.sources.forwarded or len(kept) < len(sources) or not kept:
                updated.append(result)
                continue
            facts = NO_FACTS.union(
                *(self._forwarded_facts(s, result, state) for s in kept)
            )
            self._define(result, facts, state)
        return updated

    def _forwarded_facts(self, source: Source, target: SSAValue, state: State) -> Facts:
        """The facts about the target that follow from those about the source."""
        if self._is_undefined(source.value):
            return NO_FACTS
        location = self.memory.location(source.value).part(source.step)
        facts = [
            fact
            for fact in state.get(source.value, NO_FACTS)
            if self.memory.may_overlap(fact.location, location)
        ]
        if self.memory.is_copied(source):
            # The copy keeps the wrong contents, whatever becomes of the original.
            facts = [
                fact._replace(location=self.memory.location(target)) for fact in facts
            ]
        if source.loop is not None:
            facts = [fact_after_iteration(fact, source.loop) for fact in facts]
        return frozenset(facts)

    def _check_read(self, access: Access, state: State) -> None:
        """Report if what the op reads has been overwritten."""
        if not access.reads:
            return
        self.read_arguments |= self._origins.get(access.value, frozenset()) - {COMPUTED}
        facts = state.get(access.value)
        if not facts or self._is_undefined(access.value):
            return
        for fact in facts:
            if self.memory.may_overlap(fact.location, access.read_location) and not (
                access.replaced is not None
                and self.memory.overlaps_only(
                    fact.location, access.read_location, access.replaced
                )
            ):
                self._report(access, fact)
                return

    def _visit_memrefs(self, op: Operation, state: State) -> None:
        """
        Report if what the op reads through a memref of a tensor has been overwritten; what it
        writes there overwrites tensors.
        """
        for index, number, effect in self.sources.memrefs.uses.get(op, ()):
            tensors, written = self._memref_group(number)
            if BufferEffect.READ in effect:
                # Most memrefs of a group have no facts.
                overwritten = state.keys() & tensors.keys()
                for memref in sorted(
                    overwritten, key=lambda value: self._uses.order[definition(value)]
                ):
                    tensor = tensors[memref]
                    for fact in state[memref]:
                        if not self._is_undefined(tensor):
                            violation = Violation(op, index, fact, definition(tensor))
                            self.problems.setdefault((op, index, False), violation)
            if BufferEffect.WRITE in effect:
                for location in written:
                    self._overwrite(self._overwritten(location, op), tensors, state)

    def _describe_memref_group(
        self, number: int
    ) -> tuple[Mapping[SSAValue, SSAValue], Collection[MemoryLocation]]:
        """
        By memref of a group, which may share memory, the tensor that it is given out of; and where
        a write through one of them may be.
        """
        memrefs = self.sources.memrefs.groups[number]
        written = {
            self.memory.location(memref): None
            for memref, _ in memrefs
            if not self.sources.of[memref][0].keeps_contents
        }
        return {memref: memref.op.operands[i] for memref, i in memrefs}, written

    def _check_within(self, op: Operation, accesses: Sequence[Access]) -> None:
        """Report if the op writes what it reads, or writes, through another operand."""
        for write in accesses:
            if not (write.writes and write.in_place):
                continue
            for other in accesses:
                if (
                    other is not write
                    and other.in_place
                    and (other.reads or (other.writes and other.index < write.index))
                    and not self._is_undefined(other.value)
                    and self.memory.may_overlap(
                        write.written_location, other.read_location
                    )
                    and not write.tolerates_overlap_with(other)
                ):
                    self._report(other, self._overwritten(write.written_location, op))

    def _write(self, access: Access, updated: set[SSAValue], state: State) -> None:
        """The op writes the operand's memory, and overwrites the contents of other tensors."""
        self._check_writable(access)
        location = access.written_location
        self.written |= location.roots
        if access.writes_same_contents:
            return
        fact = self._overwritten(location, access.op)
        self._overwrite(fact, updated.union(access.preserved), state)

    def _overwrite(
        self, fact: Overwritten, exempt: Collection[SSAValue], state: State
    ) -> None:
        """Add the fact to all live tensors in the location but the exempt ones."""
        for value in self._live.in_roots(fact.location.roots):
            if value not in exempt and self.memory.may_overlap(
                self.memory.location(value), fact.location
            ):
                state[value] = limited(state.get(value, NO_FACTS) | {fact})

    def read_only_definition(self, roots: Roots) -> Operation | None:
        """The op that defines read-only memory among the roots, if there is any."""
        for site, _ in roots:
            if not isinstance(site, CopyOf):
                defining = definition(site)
                model = self.sources.model_of(defining)
                if model is None or not model.is_writable(defining, site, self.sources):
                    return defining
        return None

    def _check_writable(self, access: Access) -> None:
        defining = self.read_only_definition(access.location.roots)
        if defining is not None:
            key = access.op, access.index, True
            problem = ForbiddenWrite(access.op, access.index, defining)
            self.problems.setdefault(key, problem)

    def _overwritten(self, location: MemoryLocation, writer: Operation) -> Overwritten:
        return Overwritten(location, writer, self._uses.order[writer])

    def _report(self, access: Access, fact: Overwritten) -> None:
        self.problems.setdefault(
            (access.op, access.index, False),
            Violation(access.op, access.index, fact, definition(access.value)),
        )


def _replace(state: State, new: State) -> None:
    state.clear()
    state.update(new)


COMPUTED = -1
"""Stands for contents that ops have computed."""


def origins_of_contents(sources: Sources) -> Mapping[SSAValue, AbstractSet[int]]:
    """
    For each tensor, the indices of the arguments whose contents it may have, or `COMPUTED`; none if
    its contents are undefined, such as those of `tensor.empty`. A least fixed point.
    """
    origins: dict[SSAValue, frozenset[int]] = {}
    nothing, computed = frozenset[int](), frozenset((COMPUTED,))

    def update(value: SSAValue) -> bool:
        found_in = sources.of.get(value, ())
        if found_in:
            found = nothing.union(
                *(
                    origins.get(source.value, nothing)
                    if source.keeps_contents
                    else computed
                    for source in found_in
                )
            )
        elif isinstance(value, BlockArgument):
            found = frozenset((value.index,))
        else:
            found = nothing if _is_uninitialized(value, sources) else computed
        changed = found != origins.get(value)
        origins[value] = found
        return changed

    sources.until_stable(update)
    return origins


def _is_uninitialized(value: SSAValue, sources: Sources) -> bool:
    if not isinstance(value, OpResult):
        return False
    model = sources.model_of(value.op)
    return (
        model is not None
        and model.allocates(value.op, value)
        and model.defines_contents(value.op, value) is False
    )


class Access:
    """The parts of one tensor operand's memory that an op reads and writes."""

    def __init__(
        self,
        op: Operation,
        index: int,
        sources: Sources,
        memory: MemoryMap,
    ):
        self.op, self.index, self.value = op, index, op.operands[index]
        self._sources, self._memory = sources, memory
        self._model = model = sources.model_of(op)
        self.in_place = sources.is_in_place(op, index)
        self.location = memory.location(self.value)
        self.reads = model is None or model.reads(op, index, sources)
        self.writes = model is None or model.writes(op, index, sources)
        read = None if model is None else model.read_part(op, index)
        written = None
        if model is not None and (self.reads or not self.writes):
            # A write without a read overwrites the whole operand.
            written = model.written_part(op, index)
        self.read_location = self.location.part(_step(read))
        self.written_location = self.location.part(_step(written))
        insertion = SubsetInsertionOpInterface.of(op)
        self._source: int | None = None
        """The operand that the op inserts into this one."""
        if insertion is not None and insertion.destination_operand(op) == index:
            self._source = insertion.source_operand(op)
        self.replaced: MemoryLocation | None = None
        """The part that the op overwrites, so that its old contents do not matter."""
        if self._source is not None or (self.writes and written is not None):
            self.replaced = self.written_location

    def updated_operand(self) -> Sequence[SSAValue]:
        """The operand itself, if the op updates it without having a result for it."""
        if self.op.has_trait(ParallelCombiningOpTrait, value_if_unregistered=False):
            return (self.value,)
        return ()

    @property
    def _inserted(self) -> SSAValue | None:
        """The tensor that the op inserts into the operand, if it inserts one."""
        value = None if self._source is None else self.op.operands[self._source]
        return value if value in self._sources.of else None

    @property
    def writes_same_contents(self) -> bool:
        """Whether the op inserts a tensor where that tensor is already."""
        inserted = self._inserted
        return inserted is not None and is_within(
            self._memory.location(inserted), self.written_location
        )

    @property
    def preserved(self) -> Sequence[SSAValue]:
        """
        The tensor that the op inserts, if that keeps its contents: because it is where it is
        inserted already, or disjoint from that.
        """
        inserted = self._inserted
        if inserted is None or self._memory.may_overlap(
            self._memory.location(inserted), self.written_location, in_part=True
        ):
            return ()
        return (inserted,)

    def tolerates_overlap_with(self, other: Access) -> bool:
        """
        Whether the op computes the same although the other operand overlaps the memory that
        it writes.
        """
        model = self._model
        if model is None:
            return False
        if other.index == self._source:
            return not self._memory.may_overlap(
                other.location, self.written_location, in_part=True
            )
        if model.is_not_conflicting(
            self.op, (self.op, other.index), (self.op, self.index)
        ):
            return True
        return model.is_elementwise(self.op, other.index, self.index) and not (
            self._memory.may_overlap(other.location, self.location, in_part=True)
        )


def definition(value: SSAValue) -> Operation:
    """The op that defines the value, or has it as an argument of a block in a region."""
    owner = value.owner
    return owner if isinstance(owner, Operation) else parent_of(owner)


def _step(slice: Slice | None) -> Step | None:
    return None if slice is None else slice_step(slice)
