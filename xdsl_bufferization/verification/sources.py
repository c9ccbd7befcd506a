"""
The operands that each tensor may come from, and which part of them it is.

    %s = tensor.extract_slice %t[4] [4] [1]    // %t, the slice [4] [4]
    %r = arith.select %c, %s, %u               // %s or %u, each as a whole
    %l = scf.for ... iter_args(%a = %r) { scf.yield %b }    // %a: %r, or %b of an earlier iteration

In one walk, from what models say; linear in the operands.

Where tensors, and memrefs given out of them, are used last, and the blocks they are live in.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    BufferizableOpInterface,
    BufferRelation,
    FunctionSummary,
    MemoizingState,
)
from xdsl_bufferization.interfaces.contents import is_forwarding
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranch,
    RegionBranchOpInterface,
    is_loop,
)
from xdsl_bufferization.interfaces.subset import Slice, SubsetExtractionOpInterface
from xdsl_bufferization.memrefs.buffers.memrefs_of_tensors import MemrefsOfTensors
from xdsl_bufferization.support.call_graph import is_call
from xdsl_bufferization.support.regions import (
    ancestor_in,
    block_of,
    exits,
    region_of,
    walk,
)
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.verification.access_paths import (
    UNKNOWN_STEP,
    CopyOf,
    Loop,
    ReshapeStep,
    Site,
    Step,
    always_yields,
    loop_of_regions,
    loops_of_blocks,
    slice_step,
)


@dataclass(frozen=True)
class Source:
    """An operand that a tensor may come from."""

    op: Operation
    operand: int
    in_place: bool
    step: Step | None = None
    """Which part of the operand the tensor is; `None` for all of it."""
    is_definite: bool = True
    """Whether the tensor is always in the operand's memory, if that is in place."""
    keeps_contents: bool = True
    """Whether the tensor has the contents of its part of the operand."""
    loop: Loop | None = None
    """The loop whose iteration ends between the operand and the tensor."""
    carried: tuple[SSAValue, ...] = ()
    """
    If a loop carries the tensor: the iteration argument whose buffer it should be in, then
    the other iteration arguments.
    """

    @property
    def value(self) -> SSAValue:
        return self.op.operands[self.operand]


class Sources(MemoizingState):
    """
    The sources of all tensors in the ops of `scope`.

    `is_in_place` returns the decision for an operand, `model_of` the model of an op,
    `summary_of` the summary of the function that a call calls.
    """

    def __init__(
        self,
        scope: Sequence[Operation],
        is_in_place: Callable[[Operation, int], bool],
        model_of: Callable[[Operation], BufferizableOpInterface | None],
        summary_of: Callable[[Operation], FunctionSummary | None],
    ):
        super().__init__()
        self.scope = scope
        self.ops = [*walk(scope)]
        """The ops of the scope, and those nested in them."""
        self.is_in_place = is_in_place
        self.model_of = model_of
        self._summary_of = summary_of
        self.of: dict[SSAValue, list[Source]] = {}
        """
        By tensor, or memref that is given out of one: each after those that it is computed
        from, but for back edges of loops.
        """
        self.targets: dict[tuple[Operation, int], list[tuple[SSAValue, Source]]] = {}
        """By op and operand: the block arguments and results that the operand is forwarded to."""
        self.forwarded: set[SSAValue] = set()
        """The block arguments and results that operands are forwarded to."""
        self.equivalent: dict[SSAValue, SSAValue] = {}
        """For results of one op that are always in the same buffer: the first of them."""
        self.aliasing: dict[SSAValue, SSAValue] = {}
        """For results of one op that may alias: one that stands for all."""
        self.forwarded_together: list[Sequence[SSAValue]] = []
        """The results of one op, or the arguments of one block, which are forwarded together."""
        self.loops_of = cache(loops_of_blocks)
        """The loops of a region's blocks, by back edge."""
        self.kept_arguments = cache(self._kept_arguments)
        self._gather(self.ops)
        self._dependents = self._find_dependents()

    # What models ask --------------------------------------------------------------------

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        return self._summary_of(call)

    def is_allocated(self, site: Site) -> bool:
        """Whether the memory is new each time that its op runs, if it is no one's before."""
        if isinstance(site, CopyOf):
            return True
        if not isinstance(site, OpResult) or (model := self.model_of(site.op)) is None:
            return False
        summary = self.summary_of(site.op) if is_call(site.op) else None
        return model.allocates(site.op, site) or (
            summary is not None and summary.allocated[site.index]
        )

    # What the analysis asks --------------------------------------------------------------------

    def until_stable(self, update: Callable[[SSAValue], bool]) -> Iterable[SSAValue]:
        """Update all tensors, and the dependents of those that changed until none changes."""
        pending = deque(self._dependents)
        waiting = set(pending)
        while pending:
            value = pending.popleft()
            waiting.discard(value)
            if update(value):
                new = [v for v in self._dependents[value] if v not in waiting]
                waiting.update(new)
                pending.extend(dict.fromkeys(new))
        return self._dependents

    def _kept_arguments(self, terminator: Operation) -> frozenset[SSAValue]:
        """
        The iteration arguments to which this terminator of a loop's body yields their own buffer,
        or a copy of it, whichever operands are in place.

        Such an argument swaps its buffer with no other.
        """
        return frozenset(
            source.carried[0]
            for index in range(len(terminator.operands))
            for _, source in self.targets.get((terminator, index), ())
            if source.carried
            and source.carried[0].type == source.value.type
            and self._only_origin.get(source.value) is source.carried[0]
        )

    @cached_property
    def _only_origin(self) -> Mapping[SSAValue, BlockArgument]:
        """For tensors that come from one block argument, and from nothing else: that."""
        found: dict[SSAValue, BlockArgument] = {}
        for value, sources in self.of.items():
            if isinstance(value, BlockArgument):
                found[value] = value
                continue
            origins = {found.get(source.value) for source in sources}
            if len(origins) == 1 and (origin := origins.pop()) is not None:
                found[value] = origin
        return found

    # Gathering --------------------------------------------------------------------------

    def _gather(self, ops: Sequence[Operation]) -> None:
        for value in _values(ops):
            if is_tensor(value):
                self.of[value] = []
        self.memrefs = MemrefsOfTensors(ops, self.model_of)
        for group in self.memrefs.groups:
            for memref, index in group:
                self.of[memref] = [self._given_out(memref.op, index)]
        for op in ops:
            self.forwarded_together += [op.results if op.regions else ()]
            self.forwarded_together += [b.args for r in op.regions for b in r.blocks]
        for op in ops:
            if op.regions:
                self._gather_branches(op)
        for op in ops:
            model = self.model_of(op)
            for index, operand in enumerate(op.operands):
                if is_tensor(operand) and (op, index) not in self.targets:
                    self._gather_aliases(op, index, model)
            if model is not None and op.results:
                for group in model.aliasing_results(op, self):
                    first, *others = group.results
                    self.aliasing.update(dict.fromkeys(group.results, first))
                    if group.relation is BufferRelation.EQUIVALENT:
                        self.equivalent.update(dict.fromkeys(others, first))
        for op in ops:
            self._add_unknown_sources(op)

    def _given_out(self, op: Operation, index: int) -> Source:
        """The source of a memref that the op gives out of the operand."""
        model, in_place = self.model_of(op), self.is_in_place(op, index)
        keeps = model is not None and not model.writes(op, index, self)
        return Source(op, index, in_place, keeps_contents=keeps)

    def _gather_branches(self, op: Operation) -> None:
        """Gather what the op forwards to its regions, and they to each other and to its results."""
        model = RegionBranchOpInterface.of(op)
        if model is None:
            return
        has_iteration = always_yields(op)
        for branch in model.branches(op, op):
            for i, target in enumerate(branch.targets):
                if not (has_iteration and target.owner is op):
                    self._forward(op, branch.first + i, target, None)
        loop = loop_of_regions(op) if is_loop(op) else None
        for last in exits(op):
            branches = model.branches(op, last)
            carried = () if loop is None else _carried_arguments(last, branches)
            for branch in branches:
                for i, target in enumerate(branch.targets):
                    forward = isinstance(target, BlockArgument) and (
                        _region_index(op, target) > _region_index(op, last)
                    )
                    in_turn = (*carried[i : i + 1], *carried[:i], *carried[i + 1 :])
                    self._forward(
                        last,
                        branch.first + i,
                        target,
                        None if forward else loop,
                        in_turn if i < len(carried) else (),
                    )

    def _forward(
        self,
        op: Operation,
        index: int,
        target: SSAValue,
        loop: Loop | None,
        carried: tuple[SSAValue, ...] = (),
    ) -> None:
        if is_tensor(target) and index < len(op.operands):
            in_place = self.is_in_place(op, index)
            source = Source(op, index, in_place, loop=loop, carried=carried)
            self.of[target].append(source)
            self.targets.setdefault((op, index), []).append((target, source))
            self.forwarded.add(target)

    def _gather_aliases(
        self, op: Operation, index: int, model: BufferizableOpInterface | None
    ) -> None:
        """The values that alias the operand if it is in place."""
        if model is None:
            # The results of an unknown op may alias any of its operands.
            aliases = [
                AliasingValue(result, BufferRelation.UNKNOWN, False)
                for result in op.results
                if is_tensor(result)
            ]
            keeps = True
        else:
            aliases = model.aliasing_values(op, index, self)
            keeps = not model.writes(op, index, self)
        in_place = self.is_in_place(op, index)
        for alias in aliases:
            if alias.value.owner is op:
                self.of[alias.value].append(
                    Source(
                        op,
                        index,
                        in_place,
                        _step(op, index, alias),
                        alias.definite,
                        keeps,
                    )
                )
            elif isinstance(alias.value, BlockArgument):
                self._forward(op, index, alias.value, self._loop_between(op, alias))
            elif (parent := op.parent_op()) is not None:
                self._forward(op, index, alias.value, loop_of_regions(parent))

    def _loop_between(self, branch: Operation, alias: AliasingValue) -> Loop | None:
        """The loop, if the branch is a back edge."""
        source, target = branch.parent, block_of(alias.value)
        if source is None or source.parent is not target.parent is not None:
            return None
        return self.loops_of(region_of(source)).get((source, target))

    def _add_unknown_sources(self, op: Operation) -> None:
        """
        The arguments of a region whose sources no model gives may be any operand of the op,
        or any operand of a terminator of its regions.
        """
        if is_function(op):
            return
        unknown = [
            argument
            for region in op.regions
            if region.blocks
            for argument in region.blocks[0].args
            if is_tensor(argument) and not self.of[argument]
        ]
        if not unknown:
            return
        loop = loop_of_regions(op)
        for forwarding in (op, *exits(op)):
            for index, operand in enumerate(forwarding.operands):
                if not is_tensor(operand):
                    continue
                source = Source(
                    forwarding,
                    index,
                    self.is_in_place(forwarding, index),
                    UNKNOWN_STEP,
                    is_definite=False,
                    loop=None if forwarding is op else loop,
                )
                for argument in unknown:
                    self.of[argument].append(source)
                    self.targets.setdefault((forwarding, index), []).append(
                        (argument, source)
                    )

    def _find_dependents(self) -> Mapping[SSAValue, list[SSAValue]]:
        dependents: dict[SSAValue, list[SSAValue]] = {v: [] for v in self.of}
        for value, sources in self.of.items():
            for source in sources:
                others = source.op.operands if source.carried else ()
                for other in {source.value, *source.carried, *others}:
                    dependents.setdefault(other, []).append(value)
        for value, first in self.equivalent.items():
            dependents[first].append(value)
        return dependents


def _values(ops: Iterable[Operation]) -> Iterator[SSAValue]:
    """
    The block arguments and the results of the ops, parents first: the arguments before what
    is in their block, the results after what is in their op.
    """
    around: list[Operation] = []
    for op in ops:
        while around and around[-1] is not op.parent_op():
            yield from around.pop().results
        if around and op.parent is not None and op is op.parent.first_op:
            yield from op.parent.args
        around.append(op)
    for op in reversed(around):
        yield from op.results


def is_function(op: Operation) -> bool:
    """Whether the op is a function, of any dialect, whose arguments come from callers."""
    return "function_type" in op.properties or "function_type" in op.attributes


def _carried_arguments(
    terminator: Operation, branches: Sequence[RegionBranch]
) -> tuple[SSAValue, ...]:
    """The iteration arguments whose buffers the terminator's operands should be in."""
    block = terminator.parent
    if block is None:
        return ()
    for branch in branches:
        if branch.targets and branch.targets[0].owner is block:
            return tuple(branch.targets)
    return tuple(block.args)


def _region_index(op: Operation, inside: BlockArgument | Operation) -> int:
    region = region_of(block_of(inside))
    return next(i for i, other in enumerate(op.regions) if other is region)


def _step(op: Operation, operand: int, alias: AliasingValue) -> Step | None:
    """Which part of the operand the result is."""
    value = op.operands[operand]
    extraction = SubsetExtractionOpInterface.of(op)
    if alias.relation is BufferRelation.EQUIVALENT:
        same = value.type == alias.value.type or is_forwarding(op)
        return None if same else ReshapeStep(alias.value.type)
    if extraction is not None and extraction.container(op) is value:
        subset = extraction.subset(op)
        if isinstance(subset, Slice):
            type = value.type
            if isinstance(type, TensorType) and subset.is_all_of(type.get_shape()):
                # It only drops dimensions of size 1.
                return None
            return slice_step(subset)
    return UNKNOWN_STEP


def live_blocks(
    region: Region, users: Mapping[SSAValue, Iterable[Block]]
) -> Mapping[Block, set[SSAValue]]:
    """
    By block of the region, the tensors that it defines, or that are live-in.

    `users` has the blocks in which each tensor is used; from these backward, up to the block that
    defines it. Linear in the result.
    """
    live = {block: set[SSAValue]() for block in region.blocks}
    for value, blocks in users.items():
        pending = [*blocks]
        while pending:
            block = pending.pop()
            if value not in live[block]:
                live[block].add(value)
                if block is not block_of(value):
                    pending += block.predecessors()
    return live


class Uses:
    """
    The uses of the tensors that have `sources`, and of memrefs given out of them; each
    memref is used by all ops that read or write one of its group.
    """

    order: Mapping[Operation, int]
    """The position of each op in the text."""
    last_uses: dict[Operation, list[SSAValue]]
    """
    By op, the values that nothing after it uses in its block; a value that is used in
    another block than its own has no last use.
    """
    around: set[Operation]
    """The ops in whose regions there are uses."""

    def __init__(self, sources: Sources):
        self.order = {op: position for position, op in enumerate(sources.ops)}
        self.last_uses = {}
        self.around = set()
        self.in_several_blocks: dict[Region, dict[SSAValue, Sequence[Block]]] = {}
        """By region: tensors used in other blocks of it than their own, and these blocks."""
        self.live_blocks = cache(self._live_blocks)
        self._add_memrefs(sources.memrefs)
        given_out = {m for group in sources.memrefs.groups for m, _ in group}
        for value in sources.of:
            if value not in given_out:
                self._add_tensor(value)

    def _live_blocks(self, region: Region) -> Mapping[Block, set[SSAValue]]:
        return live_blocks(region, self.in_several_blocks.get(region, {}))

    def _add_tensor(self, value: SSAValue) -> None:
        users = [use.operation for use in value.uses]
        self._add_around(users)
        block = block_of(value)
        if (last := self._last_in_block(block, users)) is not None:
            self.last_uses.setdefault(last, []).append(value)
        elif users:
            region = region_of(block)
            ancestors = (ancestor_in(region, user) for user in users)
            blocks = [op.parent for op in ancestors if op is not None and op.parent]
            self.in_several_blocks.setdefault(region, {})[value] = blocks

    def _add_memrefs(self, memrefs: MemrefsOfTensors) -> None:
        users_of: list[list[Operation]] = [[] for _ in memrefs.groups]
        for op, uses in memrefs.uses.items():
            for use in uses:
                users_of[use.group].append(op)
        for group, users in zip(memrefs.groups, users_of, strict=True):
            self._add_around(users)
            last_in: dict[Block, Operation | None] = {}
            for memref, _ in group:
                block = block_of(memref)
                if block not in last_in:
                    last_in[block] = self._last_in_block(block, users)
                if (last := last_in[block]) is not None:
                    self.last_uses.setdefault(last, []).append(memref)

    def _add_around(self, users: Sequence[Operation]) -> None:
        for user in users:
            parent = user.parent_op()
            while parent is not None and parent not in self.around:
                self.around.add(parent)
                parent = parent.parent_op()

    def _last_in_block(
        self, block: Block, users: Sequence[Operation]
    ) -> Operation | None:
        """The last of the ops in the block in which the users are, if all are in it."""
        last: Operation | None = None
        for user in users:
            ancestor = block.find_ancestor_op_in_block(user)
            if ancestor is None:
                return None
            if last is None or self.order.get(ancestor, 0) > self.order.get(last, 0):
                last = ancestor
        return last
