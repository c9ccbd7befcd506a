"""
Where in memory each tensor is, if the decisions are carried out.

This holds whatever the order in which ops run. A tensor is a *part* of the buffer of its
*base*: the first tensor up from it that may be in several buffers, or is in a new one. A
base is in one of several *roots*, each of them memory that is made at a *site* each time
that control comes by.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias, cast

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    BufferRelation,
    FunctionSummary,
    is_tensor,
)
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranch,
    RegionBranchOpInterface,
    exits,
)
from xdsl_bufferization.interfaces.registry import op_name
from xdsl_bufferization.interfaces.subset import Slice, SubsetExtractionOpInterface
from xdsl_bufferization.verification.loops import (
    Loop,
    loop_of_regions,
    loops_of_blocks,
)
from xdsl_bufferization.verification.parts import (
    SOMEWHERE,
    Path,
    Relation,
    Reshaped,
    Step,
    aged,
    part,
    relation,
)
from xdsl_bufferization.walk import walk

_MANY = 32
"""
Of more tensors that are handed over together than these no pairs are compared, nor is a
tensor's place corrected more often.
"""
_FEW = 16
"""How many ways that control may have come are told apart."""
_LONG = 8
"""Of a part of more parts than these nothing is known but its roots."""


class CopyOf(NamedTuple):
    """The copy that an op gets instead of its operand."""

    op: Operation
    operand: int


Site: TypeAlias = SSAValue | CopyOf
"""What memory is made for."""


class Root(NamedTuple):
    """Memory that is made at a site."""

    site: Site
    is_earlier: bool = False
    """Whether it is of an earlier iteration of a loop around the site."""


Roots: TypeAlias = frozenset[Root]


class Place(NamedTuple):
    """A part of the buffer of a base; without one, somewhere in the roots."""

    base: Site | None
    path: Path
    roots: Roots

    def then(self, *steps: Step | None) -> Place:
        """A part of this place."""
        return self._replace(path=(*self.path, *(s for s in steps if s is not None)))


@dataclass(frozen=True)
class Source:
    """An operand that a tensor may come from."""

    op: Operation
    operand: int
    in_place: bool
    step: Step | None = None
    """Which part of the operand the tensor is; `None` for all of it."""
    is_definite: bool = True
    """Whether the tensor is in the operand's memory each time."""
    keeps_contents: bool = True
    """Whether the tensor has the operand's contents, as far as it is part of it."""
    loop: Loop | None = None
    """The loop of which an iteration ends on the way."""
    carried: tuple[SSAValue, ...] = ()
    """
    If a loop carries the tensor: the one whose buffer it should be in, then the others that
    are carried with it.
    """

    @property
    def value(self) -> SSAValue:
        return self.op.operands[self.operand]


class MemoryMap(AnalysisState):
    """
    The places of all tensors in the ops of `scope`, those of functions' arguments included.

    `is_in_place` tells the decision for an operand, `model_of` the model of an op,
    `summary_of` what a called function does. A loop that is handed a tensor in a wrong
    buffer copies it, to the right one, or to a new one if that may leave loops.
    """

    def __init__(
        self,
        scope: Iterable[Operation],
        is_in_place: Callable[[Operation, int], bool],
        model_of: Callable[[Operation], BufferizableOpInterface | None],
        summary_of: Callable[[Operation], FunctionSummary | None],
        *,
        allow_return_allocs_from_loops: bool,
    ):
        self._allow_return_allocs_from_loops = allow_return_allocs_from_loops
        self._is_in_place = is_in_place
        self._model_of = model_of
        self._summary_of = summary_of
        self.sources: dict[SSAValue, list[Source]] = {}
        self.targets: dict[tuple[Operation, int], list[tuple[SSAValue, Source]]] = {}
        """What operands are handed over as: to blocks, regions, or results of regions."""
        self._merging: set[SSAValue] = set()
        """Values that are handed over, and so come from one of their sources at a time."""
        self._spots: dict[SSAValue, tuple[Site, Path]] = {}
        self._corrections = Counter[SSAValue]()
        self._same_memory: dict[SSAValue, SSAValue] = {}
        """Results of one op that are always one buffer: the first of them."""
        self._shared: dict[SSAValue, SSAValue] = {}
        """Results of one op that may share memory: one that stands for all."""
        self._roots: dict[SSAValue, Roots] = {}
        self._groups: list[Sequence[SSAValue]] = []
        """Tensors that are handed over together."""
        self._block_loops: dict[Region, Mapping[tuple[Block, Block], Loop]] = {}
        self._gather(scope)
        self._dependents = self._find_dependents()
        self._find_spots()
        self._find_roots()
        self._apart = self._find_apart()
        self.undefined = self._find_undefined()
        """Tensors whose contents do not matter."""
        self.arguments = self._follow_arguments()
        """Of each tensor, the function's arguments that it has contents of."""

    # What models ask --------------------------------------------------------------------

    def is_value_read(self, value: SSAValue) -> bool:
        return True

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        return a is b

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        return self._summary_of(call)

    def possible_origins(
        self, value: SSAValue, within: Operation
    ) -> frozenset[SSAValue]:
        return frozenset((value,))

    # What the check asks ----------------------------------------------------------------

    def place(self, value: SSAValue) -> Place:
        """Where the tensor is."""
        base, path = self._spots[value]
        return Place(base, path, self._roots_of(base))

    def may_overlap(self, a: Place, b: Place) -> bool:
        """Whether some memory may belong to both, whatever way control has come."""
        pending = [(a, b)]
        for _ in range(_FEW):
            if not pending:
                return False
            a, b = pending.pop()
            if self._share_nothing(a, b):
                continue
            if a.base is not None and a.base == b.base:
                return True
            pairs = self._ways_apart(a, b)
            if pairs is None:
                return True
            pending.extend(pairs)
        return bool(pending)

    def _share_nothing(self, a: Place, b: Place) -> bool:
        if a.base is not None and b.base is not None:
            if a.base == b.base:
                return relation(a.path, b.path) is Relation.DISJOINT
            if frozenset((a.base, b.base)) in self._apart:
                return True
        return a.roots.isdisjoint(b.roots)

    def is_same_or_apart(self, a: Place, b: Place) -> bool:
        """
        Whether the places are the same wherever they are, if they share any memory: whatever
        way control has come.
        """
        pending = [(a, b)]
        for _ in range(_FEW):
            if not pending:
                return True
            a, b = pending.pop()
            if a.base is not None and a.base == b.base:
                if relation(a.path, b.path) in (Relation.SAME, Relation.DISJOINT):
                    continue
                return False
            if not self._share_nothing(a, b):
                pairs = self._ways_apart(a, b)
                if pairs is None:
                    return False
                pending.extend(pairs)
        return False

    def _ways_apart(self, a: Place, b: Place) -> Sequence[tuple[Place, Place]] | None:
        """The pairs of places that the two may be; `None` if no more is known."""
        if (ways := self._ways_to(b)) is not None:
            return [(a, way) for way in ways]
        if (ways := self._ways_to(a)) is not None:
            return [(way, b) for way in ways]
        return None

    def _ways_to(self, place: Place) -> Sequence[Place] | None:
        """The places that it may be, if it is always just one of these."""
        if not isinstance(place.base, SSAValue):
            return None
        sources = self.sources.get(place.base, ())
        if not sources or any(source.step is not None for source in sources):
            return None
        ways: list[Place] = []
        for source in sources:
            way = self.place_of_source(source)
            if source.loop is not None:
                way = aged_place(way, source.loop)
            ways.append(way.then(*place.path))
        return ways

    def is_handed_over(self, value: SSAValue) -> bool:
        """Whether the tensor comes from one of its sources, as control goes."""
        return value in self._merging

    def loops_of(self, region: Region) -> Mapping[tuple[Block, Block], Loop]:
        """The loops that branches between the region's blocks make."""
        if region not in self._block_loops:
            self._block_loops[region] = loops_of_blocks(region)
        return self._block_loops[region]

    # Gathering --------------------------------------------------------------------------

    def _gather(self, scope: Iterable[Operation]) -> None:
        ops = [*walk(scope)]
        for op in ops:
            for value in (
                *(a for r in op.regions for block in r.blocks for a in block.args),
                *op.results,
            ):
                if is_tensor(value):
                    self.sources[value] = []
            self._groups += [op.results if op.regions else ()]
            self._groups += [b.args for r in op.regions for b in r.blocks]
        for op in ops:
            if op.regions:
                self._gather_branches(op)
        for op in ops:
            model = self._model_of(op)
            for index, operand in enumerate(op.operands):
                if is_tensor(operand) and (op, index) not in self.targets:
                    self._gather_aliases(op, index, model)
            if model is not None and op.results:
                for group in model.aliasing_results(op, self):
                    first, *others = group.results
                    self._shared.update(dict.fromkeys(group.results, first))
                    if group.relation is BufferRelation.EQUIVALENT:
                        self._same_memory.update(dict.fromkeys(others, first))
        for op in ops:
            self._assume_anything(op)

    def _gather_branches(self, op: Operation) -> None:
        """What the op hands to its regions, and they to each other and to its results."""
        model = RegionBranchOpInterface.of(op)
        if model is None:
            return
        for branch in model.branches(op, op):
            for i, target in enumerate(branch.targets):
                self._hand_over(op, branch.first + i, target, None)
        repetitive = any(model.is_repetitive(op, i) for i in range(len(op.regions)))
        loop = loop_of_regions(op) if repetitive else None
        for last in exits(op):
            branches = model.branches(op, last)
            carried = () if loop is None else _carried_to(last, branches)
            for branch in branches:
                for i, target in enumerate(branch.targets):
                    forward = isinstance(target, BlockArgument) and (
                        _region_index(op, target) > _region_index(op, last)
                    )
                    in_turn = (*carried[i : i + 1], *carried[:i], *carried[i + 1 :])
                    self._hand_over(
                        last,
                        branch.first + i,
                        target,
                        None if forward else loop,
                        in_turn if i < len(carried) else (),
                    )

    def _hand_over(
        self,
        op: Operation,
        index: int,
        target: SSAValue,
        loop: Loop | None,
        carried: tuple[SSAValue, ...] = (),
    ) -> None:
        if is_tensor(target) and index < len(op.operands):
            in_place = self._is_in_place(op, index)
            source = Source(op, index, in_place, loop=loop, carried=carried)
            self.sources[target].append(source)
            self.targets.setdefault((op, index), []).append((target, source))
            self._merging.add(target)

    def _gather_aliases(
        self, op: Operation, index: int, model: BufferizableOpInterface | None
    ) -> None:
        """What shares memory with the operand, if that is in place."""
        if model is None:
            # An unknown op may hand anything on.
            aliases = [
                AliasingValue(result, BufferRelation.UNKNOWN, False)
                for result in op.results
                if is_tensor(result)
            ]
            keeps = True
        else:
            aliases = model.aliasing_values(op, index, self)
            keeps = not model.writes(op, index, self)
        in_place = self._is_in_place(op, index)
        for alias in aliases:
            if alias.value.owner is op:
                self.sources[alias.value].append(
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
                self._hand_over(op, index, alias.value, self._loop_between(op, alias))
            elif (parent := op.parent_op()) is not None:
                self._hand_over(op, index, alias.value, loop_of_regions(parent))

    def _loop_between(self, branch: Operation, alias: AliasingValue) -> Loop | None:
        """The loop that the branch leads back in."""
        source, target = branch.parent, cast("BlockArgument", alias.value).block
        if source is None or source.parent is not target.parent is not None:
            return None
        assert source.parent is not None
        return self.loops_of(source.parent).get((source, target))

    def _assume_anything(self, op: Operation) -> None:
        """
        The tensor arguments of regions of which no model tells where they come from may be
        anything that the op is given, or that its regions end with.
        """
        if is_function(op):
            return
        unknown = [
            argument
            for region in op.regions
            if region.blocks
            for argument in region.blocks[0].args
            if is_tensor(argument) and not self.sources[argument]
        ]
        if not unknown:
            return
        loop = loop_of_regions(op)
        for giver in (op, *exits(op)):
            for index, operand in enumerate(giver.operands):
                if not is_tensor(operand):
                    continue
                source = Source(
                    giver,
                    index,
                    self._is_in_place(giver, index),
                    SOMEWHERE,
                    is_definite=False,
                    loop=None if giver is op else loop,
                )
                for argument in unknown:
                    self.sources[argument].append(source)
                    self.targets.setdefault((giver, index), []).append(
                        (argument, source)
                    )

    def _find_dependents(self) -> Mapping[SSAValue, list[SSAValue]]:
        dependents: dict[SSAValue, list[SSAValue]] = {v: [] for v in self.sources}
        for value, sources in self.sources.items():
            for source in sources:
                others = source.op.operands if source.carried else ()
                for other in {source.value, *source.carried, *others}:
                    dependents.setdefault(other, []).append(value)
        for value, first in self._same_memory.items():
            dependents[first].append(value)
        return dependents

    # Places -----------------------------------------------------------------------------

    def _find_spots(self) -> None:
        """
        Bases and parts. A tensor that is handed over is in the same place as its sources if
        they all are in one, which is assumed of loops until another source shows.
        """
        for value in self._until_stable(self._find_spot):
            self._spots.setdefault(value, (value, ()))

    def _until_stable(self, update: Callable[[SSAValue], bool]) -> Iterable[SSAValue]:
        """Update all tensors, and again what depends on those that have changed."""
        pending = deque(self._dependents)
        waiting = set(pending)
        while pending:
            value = pending.popleft()
            waiting.discard(value)
            if update(value):
                for dependent in self._dependents[value]:
                    if dependent not in waiting:
                        waiting.add(dependent)
                        pending.append(dependent)
        return self._dependents

    def _find_spot(self, value: SSAValue) -> bool:
        old, own = self._spots.get(value), (value, ())
        if old == own:
            return False
        new = self._spot(value)
        if new is None or new == old:
            return False
        # What has been assumed of a loop goes wrong once for each tensor that it carries.
        self._corrections[value] += old is not None
        self._spots[value] = new if self._corrections[value] < _MANY else own
        return True

    def _spot(self, value: SSAValue) -> tuple[Site, Path] | None:
        """`None` as long as it is not known."""
        own: tuple[Site, Path] = (value, ())
        sources = self.sources.get(value, ())
        if value in self._merging or (
            len(sources) > 1 and all(source.step is None for source in sources)
        ):
            spots: set[tuple[Site, Path]] = set()
            for source in sources:
                spot = self._spot_of_source(source)
                if spot is None:
                    continue
                base, path = spot
                if source.loop is not None and (
                    _is_inside(base, source.loop) or aged(path, source.loop) != path
                ):
                    return own
                spots.add(spot)
            if not spots:
                return None
            return spots.pop() if len(spots) == 1 else own
        if first := self._same_memory.get(value):
            return self._spots.get(first)
        if len(sources) != 1 or not sources[0].is_definite or not sources[0].in_place:
            return own
        spot = self._spots.get(sources[0].value, None)
        if spot is None:
            # A value from outside is its own base.
            return None if sources[0].value in self.sources else own
        base, path = spot
        if sources[0].step is None:
            return spot
        return own if len(path) >= _LONG else (base, (*path, sources[0].step))

    def _spot_of_source(self, source: Source) -> tuple[Site, Path] | None:
        if not source.in_place:
            return CopyOf(source.op, source.operand), ()
        spot = self._spots.get(source.value)
        if not source.carried or spot is None:
            return spot
        own = self._spots.get(source.carried[0])
        if own is None or self._stays(source, spot):
            return spot
        free = None
        if not self._allow_return_allocs_from_loops:
            free = self._free_buffer(source)
        return (CopyOf(source.op, source.operand), ()) if free is None else free

    def _free_buffer(self, source: Source) -> tuple[Site, Path] | None:
        """
        Which of the carried buffers a copy goes to that must not be in a new one: the one
        that it should be in, or else, as others change places with that, one that is left.
        """
        handed = {
            other.carried[0]: other
            for index in range(len(source.op.operands))
            for _, other in self.targets.get((source.op, index), ())
            if other.carried
        }
        free = [spot for arg in handed if (spot := self._spots.get(arg)) is not None]
        copied: list[SSAValue] = []
        for argument, other in handed.items():
            spot = self._spots.get(other.value)
            if spot is not None and not self._stays(other, spot):
                copied.append(argument)
            elif spot in free:
                free.remove(spot)
        # Each takes its own, if it can.
        copied.sort(key=lambda argument: self._spots.get(argument) not in free)
        for argument in copied:
            own = self._spots.get(argument)
            taken = own if own in free else next(iter(free), None)
            if argument is source.carried[0]:
                return taken
            if taken is not None:
                free.remove(taken)
        return None

    def _stays(self, source: Source, spot: tuple[Site, Path]) -> bool:
        """
        Whether a loop goes on in the buffer that it is handed: the one that it should be in,
        one that only changes places with that, or a new one. Otherwise it makes a copy.
        """
        own, *others = (self._spots.get(value) for value in source.carried)
        if spot == own:
            return True
        handed = [self._spots.get(value) for value in source.op.operands]
        if handed.count(spot) > 1:
            return False
        return spot in others or (
            self._allow_return_allocs_from_loops and self._is_new(spot[0], source)
        )

    def _is_new(self, base: Site, source: Source) -> bool:
        """Whether the memory is made in the iteration that hands it over."""
        pending, seen = [base], {base}
        while pending:
            base = pending.pop()
            maker = base.op if isinstance(base, CopyOf) else base.owner
            region = source.op.parent_region()
            if region is None or not isinstance(maker, Operation):
                return False
            if not region.is_ancestor(maker):
                return False
            if isinstance(base, CopyOf):
                continue
            sources = self.sources.get(base, ())
            model = self._model_of(maker)
            if not sources and (
                model is None or not model.allocates(maker, cast("OpResult", base))
            ):
                return False
            for below in sources:
                spot = self._spots.get(below.value)
                if below.in_place and spot is not None and spot[0] not in seen:
                    seen.add(spot[0])
                    pending.append(spot[0])
        return True

    def is_copied(self, source: Source) -> bool:
        """Whether the tensor comes from a copy of the operand."""
        return not source.in_place or (
            bool(source.carried) and not self._stays(source, self._spots[source.value])
        )

    # Roots ------------------------------------------------------------------------------

    def _find_roots(self) -> None:
        bases = {base for base, _ in self._spots.values()}
        self._roots = {
            base: frozenset() for base in bases if isinstance(base, SSAValue)
        }
        dependents: dict[SSAValue, list[SSAValue]] = {base: [] for base in self._roots}
        for base in self._roots:
            for source in self.sources.get(base, ()):
                spot = self._spot_of_source(source)
                if spot is not None and isinstance(spot[0], SSAValue):
                    dependents[spot[0]].append(base)
        pending = deque(self._roots)
        while pending:
            base = pending.popleft()
            roots = self._roots_from_sources(base)
            if roots != self._roots[base]:
                self._roots[base] = roots
                pending.extend(dependents[base])

    def _roots_from_sources(self, base: SSAValue) -> Roots:
        sources = self.sources.get(base, ())
        own = Root(self._shared.get(base, base))
        if not sources:
            return frozenset((own,))
        roots: set[Root] = set()
        for source in sources:
            spot = self._spot_of_source(source)
            # A value from outside is its own base.
            found = self._roots_of(source.value if spot is None else spot[0])
            roots |= found if source.loop is None else aged_roots(found, source.loop)
            if not source.is_definite and source.step is SOMEWHERE:
                roots.add(own)
        return frozenset(roots)

    def _find_apart(self) -> set[frozenset[Site]]:
        """
        Pairs of tensors that are handed over together, always in different buffers: because
        they start so, and what is handed on is in different buffers if they are.
        """
        apart: set[frozenset[Site]] = set()
        self._apart = apart
        pairs: list[tuple[SSAValue, SSAValue]] = []
        for group in self._groups:
            bases = [
                v for v in group if v in self._merging and self._spots[v] == (v, ())
            ]
            if len(bases) <= _MANY:
                pairs.extend(combinations(bases, 2))
        apart.update(map(frozenset[Site], pairs))
        changed = True
        while changed:
            changed = False
            for pair in pairs:
                key = frozenset[Site](pair)
                if key in apart and not all(self._are_handed_over_apart(*pair)):
                    apart.discard(key)
                    changed = True
        return apart

    def _are_handed_over_apart(self, a: SSAValue, b: SSAValue) -> Iterator[bool]:
        """Whether each op hands the two over in different buffers."""
        by_op: dict[Operation, tuple[list[Source], list[Source]]] = {}
        for index, value in enumerate((a, b)):
            for source in self.sources[value]:
                by_op.setdefault(source.op, ([], []))[index].append(source)
        for ours, others in by_op.values():
            # An op that hands over twice has both in the same order.
            yield len(ours) == len(others) and not any(
                self.may_overlap(self.place_of_source(x), self.place_of_source(y))
                for x, y in zip(ours, others, strict=True)
            )

    def place_of_source(self, source: Source) -> Place:
        """Where what comes from the source is, in the original or in a copy."""
        spot = self._spot_of_source(source)
        base, path = (source.value, ()) if spot is None else spot
        return Place(base, path, self._roots_of(base)).then(source.step)

    def _roots_of(self, base: Site) -> Roots:
        return (
            self._roots[base]
            if isinstance(base, SSAValue)
            else frozenset((Root(base),))
        )

    # Contents ---------------------------------------------------------------------------

    def _find_undefined(self) -> set[SSAValue]:
        undefined: set[SSAValue] = set()

        def update(value: SSAValue) -> bool:
            if value in undefined:
                return False
            sources = self.sources.get(value, ())
            if sources:
                found = all(s.keeps_contents and s.value in undefined for s in sources)
            else:
                found = self._is_allocated_without_contents(value)
            if found:
                undefined.add(value)
            return found

        self._until_stable(update)
        return undefined

    def _is_allocated_without_contents(self, value: SSAValue) -> bool:
        if not isinstance(value, OpResult):
            return False
        model = self._model_of(value.op)
        return (
            model is not None
            and model.allocates(value.op, value)
            and model.defines_contents(value.op, value) is False
        )

    def _follow_arguments(self) -> Mapping[SSAValue, frozenset[int]]:
        arguments: dict[SSAValue, frozenset[int]] = {}

        def update(value: SSAValue) -> bool:
            sources = self.sources.get(value, ())
            if not sources and isinstance(value, BlockArgument):
                found = frozenset((value.index,))
            else:
                found = frozenset[int]().union(
                    *(
                        arguments.get(source.value, frozenset[int]())
                        for source in sources
                        if source.keeps_contents
                    )
                )
            if found == arguments.get(value, frozenset[int]()):
                return False
            arguments[value] = found
            return True

        self._until_stable(update)
        return arguments


def is_function(op: Operation) -> bool:
    """Whether the arguments of the op's region come from callers."""
    return "function_type" in op.properties or "function_type" in op.attributes


def aged_place(place: Place, loop: Loop) -> Place:
    """The place, as it is to be seen from the next iteration of the loop."""
    roots = aged_roots(place.roots, loop)
    if place.base is None or _is_inside(place.base, loop):
        return Place(None, (), roots)
    return Place(place.base, aged(place.path, loop), roots)


def aged_roots(roots: Roots, loop: Loop) -> Roots:
    """The memory, as it is to be seen from the next iteration of the loop."""
    if not any(_is_inside(root.site, loop) for root in roots):
        return roots
    return frozenset(
        root._replace(is_earlier=root.is_earlier or _is_inside(root.site, loop))
        for root in roots
    )


def _is_inside(site: Site, loop: Loop) -> bool:
    return loop.contains(site.op) if isinstance(site, CopyOf) else loop.defines(site)


def _carried_to(
    terminator: Operation, branches: Sequence[RegionBranch]
) -> tuple[SSAValue, ...]:
    """The arguments in whose buffers the loop should find what the terminator hands over."""
    block = terminator.parent
    if block is None:
        return ()
    for branch in branches:
        if branch.targets and branch.targets[0].owner is block:
            return tuple(branch.targets)
    return tuple(block.args)


def _region_index(op: Operation, inside: BlockArgument | Operation) -> int:
    block = inside.block if isinstance(inside, BlockArgument) else inside.parent
    assert block is not None
    return next(i for i, region in enumerate(op.regions) if region is block.parent)


def _step(op: Operation, operand: int, alias: AliasingValue) -> Step | None:
    """Which part of the operand the result is."""
    value = op.operands[operand]
    extraction = SubsetExtractionOpInterface.of(op)
    if alias.relation is BufferRelation.EQUIVALENT:
        same = value.type == alias.value.type or op_name(op) == "tensor.cast"
        return None if same else Reshaped(alias.value.type)
    if extraction is not None and extraction.container(op) is value:
        subset = extraction.subset(op)
        if isinstance(subset, Slice):
            return part(subset)
    return SOMEWHERE
