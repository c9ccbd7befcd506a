"""
Which tensors' contents each buffer holds, followed through the program as it runs.

A tensor is a version of its buffer's contents, which is there from the op that defines it
until an op writes to the same memory. The one fact that is followed is *overwritten*: of
which live tensors the contents are not there any more, at least in part, and which op has
written what. Facts join where control joins; a loop is run until there are no new ones. An
op that reads a tensor where it is overwritten shows a decision to be wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.support.walk import blocks_in_order, walk
from xdsl_bufferization.verification.accesses import Access, definition
from xdsl_bufferization.verification.contents import arguments_in, undefined_tensors
from xdsl_bufferization.verification.facts import (
    NOTHING,
    Facts,
    Overwritten,
    State,
    aged,
    aged_fact,
    joined,
    limited,
)
from xdsl_bufferization.verification.loops import loop_of_regions, successors
from xdsl_bufferization.verification.memory import MemoryMap
from xdsl_bufferization.verification.places import (
    CopyOf,
    Place,
    Root,
    Roots,
    is_part_of,
)
from xdsl_bufferization.verification.problems import ForbiddenWrite, Violation
from xdsl_bufferization.verification.sources import Source, Sources, is_function


@dataclass
class Versions:
    """
    Follows the versions through one function, or the ops outside of all functions.

    `run` collects what is wrong in `problems`, each once, and what is read and written of
    the function's arguments.
    """

    sources: Sources
    memory: MemoryMap
    allow_return_allocs_from_loops: bool
    problems: dict[tuple[Operation, int, bool], Violation | ForbiddenWrite] = field(
        default_factory=dict, init=False
    )
    read_arguments: set[int] = field(default_factory=set[int], init=False)
    written: set[Root] = field(default_factory=set[Root], init=False)
    _live: dict[Root, dict[SSAValue, None]] = field(default_factory=dict, init=False)
    """By root: the tensors that may be in it, and may still be read."""
    _last_uses: dict[Operation, list[SSAValue]] = field(
        default_factory=dict, init=False
    )
    _order: dict[Operation, int] = field(default_factory=dict, init=False)
    _with_tensors: set[Operation] = field(default_factory=set[Operation], init=False)
    """Ops with regions in which there are ops on tensors."""
    _handed: dict[SSAValue, Facts] = field(default_factory=dict, init=False)
    """What is known of tensors that have been handed over."""

    def __post_init__(self) -> None:
        self._undefined = undefined_tensors(self.sources)
        self._arguments = arguments_in(self.sources)

    def run(self, scope: Sequence[Operation]) -> None:
        """Run the ops, and all that is nested in them."""
        self._find_last_uses(scope)
        for op in scope:
            self._run_op(op, {})

    # Which tensors are live ---------------------------------------------------------------

    def _find_last_uses(self, scope: Sequence[Operation]) -> None:
        """After which op of its own block a tensor is not used any more."""
        for position, op in enumerate(walk(scope)):
            self._order[op] = position
            parent = op.parent_op()
            while parent not in self._with_tensors and any(map(is_tensor, op.operands)):
                if parent is None:
                    break
                self._with_tensors.add(parent)
                parent = parent.parent_op()
        order = self._order
        for value in self.sources.of:
            block = (
                value.owner if isinstance(value.owner, Block) else value.owner.parent
            )
            last: Operation | None = None
            for use in value.uses:
                user: Operation | None = use.operation
                while user is not None and user.parent is not block:
                    user = user.parent_op()
                if user is None:
                    # Used in another block; it counts as live ever after.
                    last = None
                    break
                if last is None or order.get(user, 0) > order.get(last, 0):
                    last = user
            if last is not None:
                self._last_uses.setdefault(last, []).append(value)

    def _begin(self, value: SSAValue, facts: Facts, state: State) -> None:
        """The tensor is defined, with contents of which that is known."""
        for root in self.memory.place(value).roots:
            self._live.setdefault(root, {})[value] = None
        if facts:
            state[value] = facts
        else:
            state.pop(value, None)

    def _end(self, value: SSAValue, state: State) -> None:
        """The tensor is not used any more."""
        for root in self.memory.place(value).roots:
            self._live.get(root, {}).pop(value, None)
        state.pop(value, None)

    # Control flow -------------------------------------------------------------------------

    def _run_region(self, region: Region, state: State) -> State:
        """Run the blocks until nothing new is found; the state where control leaves."""
        blocks = blocks_in_order(region)
        loops = self.sources.loops_of(region)
        entry: dict[Block, State] = {blocks[0]: state} if blocks else {}
        leaving: State = {} if blocks else state
        pending = list(blocks)
        while pending:
            changed: set[Block] = set()
            for block in pending:
                if block not in entry:
                    continue
                end = self._run_block(block, dict(entry[block]))
                last = block.last_op
                if last is None or not last.successors:
                    leaving = joined(leaving, end)
                for successor in successors(block):
                    loop = loops.get((block, successor))
                    after = end if loop is None else aged(end, loop)
                    known = entry.get(successor)
                    new = after if known is None else joined(known, after)
                    for argument in successor.args:
                        if facts := self._handed.get(argument):
                            new = joined(new, {argument: facts})
                    if new != known:
                        entry[successor] = new
                        changed.add(successor)
            pending = [block for block in blocks if block in changed]
        return leaving

    def _run_block(self, block: Block, state: State) -> State:
        for argument in block.args:
            if is_tensor(argument):
                self._begin(argument, self._handed.get(argument, NOTHING), state)
        for op in block.ops:
            self._run_op(op, state)
        return state

    def _run_regions(self, op: Operation, state: State) -> None:
        """Run the op's regions as often as the op may; the state becomes that behind it."""
        if op not in self._with_tensors:
            return
        model, branching = self.sources.model_of(op), RegionBranchOpInterface.of(op)
        indices = range(len(op.regions))
        if branching is not None:
            repetitive = any(branching.is_repetitive(op, i) for i in indices)
        else:
            repetitive = model is None or any(
                model.is_repetitive(op, i) for i in indices
            )
        if not repetitive:
            exclusive = model is not None and model.has_exclusive_regions(op)
            start = dict(state)
            for region in op.regions:
                end = self._run_region(region, dict(start if exclusive else state))
                _replace(state, joined(state, end))
            return
        loop = loop_of_regions(op)
        end, before = dict(state), None
        while before != (end, self._handed_to(op)):
            before = dict(end), self._handed_to(op)
            for region in op.regions:
                end = joined(end, aged(self._run_region(region, dict(end)), loop))
        _replace(state, end)

    def _handed_to(self, op: Operation) -> Sequence[Facts]:
        return [
            self._handed.get(argument, NOTHING)
            for region in op.regions
            if region.blocks
            for argument in region.blocks[0].args
        ]

    # Ops ----------------------------------------------------------------------------------

    def _run_op(self, op: Operation, state: State) -> None:
        self._hand_over(op, state)
        accesses = [
            Access(op, index, self.sources, self.memory)
            for index, operand in enumerate(op.operands)
            if is_tensor(operand) and not self._only_hands_over(op, index)
        ]
        for access in accesses:
            self._check_read(access, state)
        self._check_within(op, accesses)
        if op.regions:
            self._run_regions(op, state)
        results = [result for result in op.results if is_tensor(result)]
        updated = self._define_kept(results, accesses, state)
        writes = [access for access in accesses if access.writes and access.in_place]
        for access in writes:
            self._write(access, {*updated, *access.updated_operand()}, state)
        if op.regions and writes:
            # The body also runs after what the op has written for other elements.
            self._run_regions(op, state)
        for result in updated:
            self._begin(result, self._handed.get(result, NOTHING), state)
        for value in self._last_uses.get(op, ()):
            self._end(value, state)
        for result in results:
            if not result.first_use:
                self._end(result, state)

    def _only_hands_over(self, op: Operation, index: int) -> bool:
        return (op, index) in self.sources.targets and self.sources.model_of(
            op
        ) is not None

    def _hand_over(self, op: Operation, state: State) -> None:
        """Hand what is known of operands to what they become."""
        if not is_function(op):
            # What an earlier run of the op has handed over is gone.
            for value in (
                *op.results,
                *(a for region in op.regions for b in region.blocks for a in b.args),
            ):
                self._handed.pop(value, None)
        copies: dict[SSAValue, Place] = {}
        for index in range(len(op.operands)):
            for target, source in self.sources.targets.get((op, index), ()):
                if facts := self._passed_on(source, target, state):
                    self._handed[target] = self._handed.get(target, NOTHING) | facts
                if source.carried and self.memory.is_copied(source):
                    copies[source.carried[0]] = self.memory.place_of_source(source)
        if not self.allow_return_allocs_from_loops:
            # Copies go to buffers that are carried already.
            for carried, place in copies.items():
                fact = Overwritten(place, op, self._order[op])
                self._overwrite(fact, {carried, *op.operands}, state)

    def _define_kept(
        self, results: Sequence[SSAValue], accesses: Sequence[Access], state: State
    ) -> list[SSAValue]:
        """
        Define the results that have old contents, which the op's own writes may overwrite;
        the others are returned.
        """
        updated: list[SSAValue] = []
        for result in results:
            sources = self.sources.of[result]
            kept = [s for s in sources if s.keeps_contents]
            if (
                result in self.sources.handed_over
                or len(kept) < len(sources)
                or not kept
            ):
                updated.append(result)
                continue
            facts = NOTHING.union(*(self._passed_on(s, result, state) for s in kept))
            self._begin(result, facts, state)
        return updated

    def _passed_on(self, source: Source, target: SSAValue, state: State) -> Facts:
        """What is known of the target because of the operand that it comes from."""
        if source.value in self._undefined:
            return NOTHING
        place = self.memory.place(source.value).then(source.step)
        facts = [
            fact
            for fact in state.get(source.value, NOTHING)
            if self.memory.may_overlap(fact.place, place)
        ]
        if self.memory.is_copied(source):
            # The copy is wrong for good.
            facts = [fact._replace(place=self.memory.place(target)) for fact in facts]
        if source.loop is not None:
            facts = [aged_fact(fact, source.loop) for fact in facts]
        return frozenset(facts)

    def _check_read(self, access: Access, state: State) -> None:
        """Whether what the op reads is there."""
        if not access.reads:
            return
        self.read_arguments |= self._arguments.get(access.value, frozenset())
        facts = state.get(access.value)
        if not facts or access.value in self._undefined:
            return
        for fact in facts:
            if self.memory.may_overlap(fact.place, access.read_place) and not (
                access.replaced is not None and is_part_of(fact.place, access.replaced)
            ):
                self._object(access, fact)
                return

    def _check_within(self, op: Operation, accesses: Sequence[Access]) -> None:
        """Whether the op writes what it reads, or writes, by way of another operand."""
        for write in accesses:
            if not (write.writes and write.in_place):
                continue
            for other in accesses:
                if (
                    other is not write
                    and other.in_place
                    and (other.reads or (other.writes and other.index < write.index))
                    and other.value not in self._undefined
                    and self.memory.may_overlap(write.written_place, other.read_place)
                    and not write.may_overwrite(other)
                ):
                    self._object(other, self._overwritten(write))

    def _write(self, access: Access, updated: set[SSAValue], state: State) -> None:
        """The op writes the operand's memory: others lose their contents."""
        self._check_writable(access)
        place = access.written_place
        self.written |= place.roots
        if access.writes_what_is_there:
            return
        exempt = updated.union(access.unharmed)
        self._overwrite(self._overwritten(access), exempt, state)

    def _overwrite(
        self, fact: Overwritten, exempt: Collection[SSAValue], state: State
    ) -> None:
        """All live tensors in the place lose their contents, but for those."""
        seen = set(exempt)
        for root in fact.place.roots:
            for value in self._live.get(root, ()):
                if value in seen:
                    continue
                seen.add(value)
                if self.memory.may_overlap(self.memory.place(value), fact.place):
                    state[value] = limited(state.get(value, NOTHING) | {fact})

    def is_read_only(self, roots: Roots) -> bool:
        """Whether some of the memory must not be written."""
        return self._read_only(roots) is not None

    def _read_only(self, roots: Roots) -> Operation | None:
        """What makes memory among the roots that must not be written."""
        for site, _ in roots:
            if not isinstance(site, CopyOf):
                maker = definition(site)
                model = self.sources.model_of(maker)
                if model is None or not model.is_writable(maker, site, self.sources):
                    return maker
        return None

    def _check_writable(self, access: Access) -> None:
        maker = self._read_only(access.place.roots)
        if maker is not None:
            key = access.op, access.index, True
            problem = ForbiddenWrite(access.op, access.index, maker)
            self.problems.setdefault(key, problem)

    def _overwritten(self, write: Access) -> Overwritten:
        return Overwritten(write.written_place, write.op, self._order[write.op])

    def _object(self, access: Access, fact: Overwritten) -> None:
        self.problems.setdefault(
            (access.op, access.index, False),
            Violation(access.op, access.index, fact, definition(access.value)),
        )


def _replace(state: State, new: State) -> None:
    state.clear()
    state.update(new)
