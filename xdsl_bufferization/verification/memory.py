"""
Where in memory each tensor is, if the decisions are carried out; whatever the order in which
ops run.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import cast

from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.verification.parts import (
    SOMEWHERE,
    Path,
    Relation,
    aged,
    relation,
)
from xdsl_bufferization.verification.places import (
    CopyOf,
    Place,
    Root,
    Roots,
    Site,
    aged_place,
    aged_roots,
    is_inside,
)
from xdsl_bufferization.verification.sources import Source, Sources

_MANY = 32
"""
Of more tensors that are handed over together than these no pairs are compared, nor is a
tensor's place corrected more often.
"""
_FEW = 16
"""How many ways that control may have come are told apart."""
_LONG = 8
"""Of a part of more parts than these nothing is known but its roots."""


class MemoryMap:
    """
    The places of all tensors.

    A loop that is handed a tensor in a wrong buffer copies it, to the right one, or to a new
    one if that may leave loops.
    """

    def __init__(self, sources: Sources, *, allow_return_allocs_from_loops: bool):
        self._sources = sources
        self._allow_return_allocs_from_loops = allow_return_allocs_from_loops
        self._spots: dict[SSAValue, tuple[Site, Path]] = {}
        self._corrections = Counter[SSAValue]()
        self._roots: dict[SSAValue, Roots] = {}
        self._find_spots()
        self._find_roots()
        self._apart = self._find_apart()

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
        sources = self._sources.of.get(place.base, ())
        if not sources or any(source.step is not None for source in sources):
            return None
        ways: list[Place] = []
        for source in sources:
            way = self.place_of_source(source)
            if source.loop is not None:
                way = aged_place(way, source.loop)
            ways.append(way.then(*place.path))
        return ways

    # Bases and parts --------------------------------------------------------------------

    def _find_spots(self) -> None:
        """
        Bases and parts. A tensor that is handed over is in the same place as its sources if
        they all are in one, which is assumed of loops until another source shows.
        """
        for value in self._sources.until_stable(self._find_spot):
            self._spots.setdefault(value, (value, ()))

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
        sources = self._sources.of.get(value, ())
        if value in self._sources.handed_over or (
            len(sources) > 1 and all(source.step is None for source in sources)
        ):
            spots: set[tuple[Site, Path]] = set()
            for source in sources:
                spot = self._spot_of_source(source)
                if spot is None:
                    continue
                if source.carried[:1] == (value,) and self._fits(source, spot):
                    continue
                base, path = spot
                if source.loop is not None and (
                    is_inside(base, source.loop) or aged(path, source.loop) != path
                ):
                    return own
                spots.add(spot)
            if not spots:
                return None
            return spots.pop() if len(spots) == 1 else own
        if first := self._sources.same_memory.get(value):
            return self._spots.get(first)
        if len(sources) != 1 or not sources[0].is_definite or not sources[0].in_place:
            return own
        spot = self._spots.get(sources[0].value, None)
        if spot is None:
            # A value from outside is its own base.
            return None if sources[0].value in self._sources.of else own
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

    def _fits(self, source: Source, spot: tuple[Site, Path]) -> bool:
        """
        Whether a loop goes on wherever the tensor turns out to be, as what it is handed is
        copied there; which is assumed as long as nothing is known of the tensor.
        """
        own = self._spots.get(source.carried[0])
        return own is None or (
            spot == own and not self._stays(source, self._spots[source.value])
        )

    def _free_buffer(self, source: Source) -> tuple[Site, Path] | None:
        """
        Which of the carried buffers a copy goes to that must not be in a new one: the one
        that it should be in, or else, as others change places with that, one that is left.
        """
        handed = {
            other.carried[0]: other
            for index in range(len(source.op.operands))
            for _, other in self._sources.targets.get((source.op, index), ())
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
            sources = self._sources.of.get(base, ())
            model = self._sources.model_of(maker)
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
            for source in self._sources.of.get(base, ()):
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
        sources = self._sources.of.get(base, ())
        own = Root(self._sources.shared.get(base, base))
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
        for group in self._sources.groups:
            bases = [
                v
                for v in group
                if v in self._sources.handed_over and self._spots[v] == (v, ())
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
            for source in self._sources.of[value]:
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
