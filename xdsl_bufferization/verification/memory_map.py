"""
The address of each tensor as decided, a base and an access path; its memory location; and which
locations overlap, at any point of the program.

    %a = tensor.insert %f into %t[%i]          // in place: the address of %t
    %s = tensor.extract_slice %a[0] [4] [1]    // in place: base %t, path (slice 0, 4)
    %b = tensor.insert %f into %s[%i]          // out of place: a buffer of its own
    %q = arith.select %c, %s, %u               // two sources: its own base

Addresses are a fixed point over loops: an iteration argument starts with the address of its init,
and becomes its own base if an iteration yields another one. Limits of `support/limits.py` bound the
rounds. Locations with one base are compared by access path, others by what control flow forwards to
them.

`LiveTensors` indexes the tensors that may still be read by their location.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.limits import (
    MAX_ADDRESS_ROUNDS,
    MAX_FORWARDED_TOGETHER,
    MAX_INDEXED_ROOTS,
    MAX_LOCATION_PAIRS,
    MAX_PATH_STEPS,
)
from xdsl_bufferization.verification.access_paths import (
    UNKNOWN_STEP,
    AccessPath,
    CopyOf,
    MemoryLocation,
    Relation,
    Root,
    Roots,
    Site,
    changes_in,
    is_allocated_in,
    is_within,
    location_after_iteration,
    path_after_iteration,
    relation,
    roots_after_iteration,
)
from xdsl_bufferization.verification.sources import (
    Source,
    Sources,
)


class Address(NamedTuple):
    """A part of the buffer of a base."""

    base: Site
    path: AccessPath = ()


class Addresses:
    """
    The addresses of all tensors.

    A tensor that values are forwarded to has the address of its sources, if they all have the
    same; otherwise it is its own base. What a loop carries is assumed to stay at the address
    that it starts from. Where that turns out to be wrong, the tensor is its own base, and all
    addresses are found again without that assumption.

    A loop copies a yielded tensor that is in the wrong buffer: to the right one, or to a new
    one if loops may yield these.
    """

    def __init__(self, sources: Sources, *, allow_return_allocs_from_loops: bool):
        self._sources = sources
        self._allow_return_allocs_from_loops = allow_return_allocs_from_loops
        self.of: dict[SSAValue, Address] = {}
        own_bases: dict[SSAValue, Address] = {}
        for _ in MAX_ADDRESS_ROUNDS.steps():
            self.of = own_bases.copy()
            for value in sources.of:
                self._update(value)
            wrong = [v for v in sources.of if self._address(v) != self.of.get(v)]
            if all(v in own_bases for v in wrong):
                break
            own_bases.update((v, Address(v)) for v in wrong)
        for value in sources.until_stable(self._update):
            self.of.setdefault(value, Address(value))

    def of_source(self, source: Source) -> Address | None:
        """
        The address of the operand, or of the copy that is made of it; `None` if that is not
        known yet.
        """
        if not source.in_place:
            return Address(CopyOf(source.op, source.operand))
        address = self.of.get(source.value)
        if not source.carried or address is None:
            return address
        own = self.of.get(source.carried[0])
        if own is None or self._needs_no_copy(source, address):
            return address
        available = None
        if not self._allow_return_allocs_from_loops:
            available = self._available_buffer(source)
        return (
            Address(CopyOf(source.op, source.operand))
            if available is None
            else available
        )

    def is_copied(self, source: Source) -> bool:
        """Whether the tensor comes from a copy of the operand."""
        return not source.in_place or (
            bool(source.carried)
            and not self._needs_no_copy(source, self.of[source.value])
        )

    # Finding addresses ------------------------------------------------------------------

    def _update(self, value: SSAValue) -> bool:
        old, own = self.of.get(value), Address(value)
        if old == own:
            return False
        new = self._address(value)
        if new is None or new == old:
            return False
        # Beyond the limit of rounds, what depends on a wrong assumption has no base but itself.
        self.of[value] = new if old is None else own
        return True

    def _address(self, value: SSAValue) -> Address | None:
        """The address that follows from those of the sources; `None` if none is known."""
        own = Address(value)
        sources = self._sources.of.get(value, ())
        if value in self._sources.forwarded or (
            len(sources) > 1 and all(source.step is None for source in sources)
        ):
            return self._common_address(value, sources)
        if first := self._sources.equivalent.get(value):
            return self.of.get(first)
        if len(sources) != 1 or not sources[0].is_definite or not sources[0].in_place:
            return own
        address = self.of.get(sources[0].value, None)
        if address is None:
            # A value from outside is its own base.
            return None if sources[0].value in self._sources.of else own
        base, path = address
        if sources[0].step is None:
            return address
        if MAX_PATH_STEPS.exceeded_by(len(path) + 1):
            return own
        return Address(base, (*path, sources[0].step))

    def _common_address(
        self, value: SSAValue, sources: Sequence[Source]
    ) -> Address | None:
        """The address of all sources that are known; the value's own if they differ."""
        addresses: set[Address] = set()
        for source in sources:
            address = self.of_source(source)
            if address is None:
                continue
            if source.carried[:1] == (value,) and self._is_copied_to_own_buffer(
                source, address
            ):
                continue
            base, path = address
            if source.loop is not None and (
                is_allocated_in(base, source.loop)
                or path_after_iteration(path, source.loop) != path
            ):
                return Address(value)
            addresses.add(address)
        if not addresses:
            return None
        return addresses.pop() if len(addresses) == 1 else Address(value)

    # Copies that loops make -------------------------------------------------------------

    def _is_copied_to_own_buffer(self, source: Source, address: Address) -> bool:
        """
        Whether the loop copies what it yields to the iteration argument's own buffer, so that
        the argument stays there, whatever its address is; assumed while that is unknown.
        """
        own = self.of.get(source.carried[0])
        return own is None or (
            address == own and not self._needs_no_copy(source, self.of[source.value])
        )

    def _available_buffer(self, source: Source) -> Address | None:
        """
        The iteration argument's buffer that a copy goes to, if it may not go to a new one: the
        argument's own, or if another value stays in that, one in which no value stays.
        """
        yielded = {
            other.carried[0]: other
            for index in range(len(source.op.operands))
            for _, other in self._sources.targets.get((source.op, index), ())
            if other.carried
        }
        available = [
            address for arg in yielded if (address := self.of.get(arg)) is not None
        ]
        copied: list[SSAValue] = []
        for argument, other in yielded.items():
            address = self.of.get(other.value)
            if address is not None and not self._needs_no_copy(other, address):
                copied.append(argument)
            elif address is not None and address in available:
                available.remove(address)
        # Each takes its own, if that is available.
        copied.sort(key=lambda argument: self.of.get(argument) not in available)
        for argument in copied:
            own = self.of.get(argument)
            taken = own if own in available else next(iter(available), None)
            if argument is source.carried[0]:
                return taken
            if taken is not None:
                available.remove(taken)
        return None

    def _needs_no_copy(self, source: Source, address: Address) -> bool:
        """
        Whether the next iteration uses the yielded buffer: the iteration argument's own, one
        that is swapped with that, or a new one if loops may yield these.
        """
        own, *others = source.carried
        if address == self.of.get(own):
            return True
        yielded = [self.of.get(value) for value in source.op.operands]
        if yielded.count(address) > 1:
            return False
        if self._allow_return_allocs_from_loops and self._is_new(address.base, source):
            return True
        kept = self._sources.kept_arguments(source.op)
        return own not in kept and any(
            other not in kept and self.of.get(other) == address for other in others
        )

    def _is_new(self, base: Site, source: Source) -> bool:
        """Whether the iteration that yields the memory also allocates it."""
        pending, seen = [base], {base}
        while pending:
            base = pending.pop()
            defining = base.op if isinstance(base, CopyOf) else base.owner
            region = source.op.parent_region()
            if region is None or not isinstance(defining, Operation):
                return False
            if not region.is_ancestor(defining):
                return False
            if isinstance(base, CopyOf):
                continue
            sources = self._sources.of.get(base, ())
            if not sources and not self._sources.is_allocated(base):
                return False
            for below in sources:
                address = self.of.get(below.value)
                if below.in_place and address is not None and address.base not in seen:
                    seen.add(address.base)
                    pending.append(address.base)
        return True


class MemoryMap:
    """The memory locations of all tensors."""

    def __init__(self, sources: Sources, *, allow_return_allocs_from_loops: bool):
        self._sources = sources
        self._addresses = Addresses(
            sources, allow_return_allocs_from_loops=allow_return_allocs_from_loops
        )
        self.is_copied = self._addresses.is_copied
        self._roots: dict[SSAValue, Roots] = {}
        self._find_roots()
        self._disjoint = self._find_disjoint()

    def location(self, value: SSAValue) -> MemoryLocation:
        """Where the tensor is."""
        base, path = self._addresses.of[value]
        return MemoryLocation(base, path, self._roots_of(base))

    def location_of_source(self, source: Source) -> MemoryLocation:
        """Where a tensor from that source is: in the operand, or in a copy of it."""
        address = self._addresses.of_source(source)
        base, path = Address(source.value) if address is None else address
        return MemoryLocation(base, path, self._roots_of(base)).part(source.step)

    # Overlaps ---------------------------------------------------------------------------

    def may_overlap(
        self, a: MemoryLocation, b: MemoryLocation, *, in_part: bool = False
    ) -> bool:
        """
        Whether the locations may have memory in common, on any path of control flow; with
        `in_part`, without being the same.
        """
        pending = [(a, b)]
        asked: set[tuple[MemoryLocation, MemoryLocation]] = set()
        for _ in range(MAX_LOCATION_PAIRS):
            if not pending:
                break
            a, b = pair = pending.pop()
            if pair in asked or self._are_disjoint(a, b):
                continue
            asked.add(pair)
            if a.base is not None and a.base == b.base:
                if in_part and relation(a.path, b.path) is Relation.SAME:
                    continue
                return True
            pairs = self._alternative_pairs(a, b)
            if pairs is None:
                return True
            pending.extend(pairs)
        if pending:
            MAX_LOCATION_PAIRS.met()
        return bool(pending)

    def overlaps_only(
        self, a: MemoryLocation, whole: MemoryLocation, part: MemoryLocation
    ) -> bool:
        """
        Whether the location has memory in common with `part` of `whole` only: on each path
        of control flow, it is within that, or disjoint from all of it.
        """
        pending = [a]
        for _ in MAX_LOCATION_PAIRS.steps():
            if not pending:
                return True
            a = pending.pop()
            if is_within(a, part) or not self.may_overlap(a, whole):
                continue
            alternatives = self._alternatives(a, whole)
            if alternatives is None:
                return False
            pending.extend(alternatives)
        return False

    def _are_disjoint(self, a: MemoryLocation, b: MemoryLocation) -> bool:
        if a.base is not None and b.base is not None:
            if a.base == b.base:
                return relation(a.path, b.path) is Relation.DISJOINT
            if frozenset((a.base, b.base)) in self._disjoint:
                return True
        return a.roots.isdisjoint(b.roots)

    def _alternative_pairs(
        self, a: MemoryLocation, b: MemoryLocation
    ) -> Sequence[tuple[MemoryLocation, MemoryLocation]] | None:
        """
        The locations of the two for each alternative of one of them; `None` if neither has
        alternatives.
        """
        of_a, of_b = self._alternatives(a, b), self._alternatives(b, a)
        # Where b is an alternative of a, no other one of b meets it.
        if of_b is not None and (of_a is None or b not in of_a):
            return [(a, alternative) for alternative in of_b]
        if of_a is not None:
            return [(alternative, b) for alternative in of_a]
        return None

    def _alternatives(
        self, location: MemoryLocation, other: MemoryLocation
    ) -> Collection[MemoryLocation] | None:
        """
        The locations of the base's sources, and its own memory if it may be in that.

        If `other` is the same in all iterations of a loop, what holds of the two holds by
        induction over the iterations: what the loop carries is not seen from the next one.
        """
        if not isinstance(location.base, SSAValue):
            return None
        sources = self._sources.of.get(location.base, ())
        if not sources:
            return None
        alternatives: dict[MemoryLocation, None] = {}
        for source in sources:
            alternative = self.location_of_source(source)
            if source.loop is not None and changes_in(other, source.loop):
                alternative = location_after_iteration(alternative, source.loop)
            alternatives[alternative.part(*location.path)] = None
            if _may_be_elsewhere(source):
                own = frozenset((self._own_root(location.base),))
                alternatives[MemoryLocation(None, (), own)] = None
        return alternatives

    # Roots ------------------------------------------------------------------------------

    def _find_roots(self) -> None:
        # In the order of definitions, in which only loops have to be visited again.
        def update(value: SSAValue) -> bool:
            base, known = self._addresses.of[value].base, self._roots.get(value)
            is_base = base is value
            roots = self._roots_from_sources(value) if is_base else self._roots_of(base)
            self._roots[value] = roots
            return roots != known

        self._sources.until_stable(update)

    def _roots_from_sources(self, base: SSAValue) -> Roots:
        sources = self._sources.of.get(base, ())
        own = self._own_root(base)
        if not sources:
            return frozenset((own,))
        roots: set[Root] = set()
        for source in sources:
            address = self._addresses.of_source(source)
            # A value from outside is its own base.
            found = self._roots_of(source.value if address is None else address.base)
            if source.loop is not None:
                found = roots_after_iteration(found, source.loop)
            roots |= found
            if _may_be_elsewhere(source):
                roots.add(own)
        return frozenset(roots)

    def _own_root(self, base: SSAValue) -> Root:
        return Root(self._sources.aliasing.get(base, base))

    def _roots_of(self, base: Site) -> Roots:
        return (
            self._roots.get(base, frozenset())
            if isinstance(base, SSAValue)
            else frozenset((Root(base),))
        )

    # Disjoint tensors -------------------------------------------------------------------

    def _find_disjoint(self) -> set[frozenset[Site]]:
        """
        Pairs of tensors that are forwarded together and always in disjoint buffers.

        All pairs are assumed to be, and those removed for which a forwarding op contradicts
        that, until no more are: a greatest fixed point.
        """
        disjoint: set[frozenset[Site]] = set()
        self._disjoint = disjoint
        pairs: list[tuple[SSAValue, SSAValue]] = []
        for group in self._sources.forwarded_together:
            bases = [
                v
                for v in group
                if v in self._sources.forwarded and self._addresses.of[v] == Address(v)
            ]
            if not MAX_FORWARDED_TOGETHER.exceeded_by(len(bases)):
                pairs.extend(combinations(bases, 2))
        disjoint.update(map(frozenset[Site], pairs))
        changed = True
        while changed:
            changed = False
            for pair in pairs:
                key = frozenset[Site](pair)
                if key in disjoint and not all(self._are_forwarded_disjoint(*pair)):
                    disjoint.discard(key)
                    changed = True
        return disjoint

    def _are_forwarded_disjoint(self, a: SSAValue, b: SSAValue) -> Iterator[bool]:
        """For each op that forwards to the two, whether it forwards disjoint buffers."""
        by_op: dict[Operation, tuple[list[Source], list[Source]]] = {}
        for index, value in enumerate((a, b)):
            for source in self._sources.of[value]:
                by_op.setdefault(source.op, ([], []))[index].append(source)
        for ours, others in by_op.values():
            # An op that forwards on several edges has both in the same order.
            yield len(ours) == len(others) and not any(
                self.may_overlap(self.location_of_source(x), self.location_of_source(y))
                for x, y in zip(ours, others, strict=True)
            )


def _may_be_elsewhere(source: Source) -> bool:
    """Whether the tensor may be in other memory than that of its sources."""
    return not source.is_definite and source.step is UNKNOWN_STEP


class LiveTensors:
    """
    The tensors that are live where the analysis is, indexed by their roots.

    Where branches join again and again, and each brings new memory, a tensor has as many
    roots as there are branches before it. Such tensors are kept apart, and found for each
    write: there are few of them at a time.
    """

    def __init__(self, memory: MemoryMap):
        self._memory = memory
        self._all: dict[SSAValue, None] = {}
        self._by_root: dict[Root, dict[SSAValue, None]] = defaultdict(dict)
        self._with_many_roots: dict[SSAValue, None] = {}

    def add(self, value: SSAValue) -> None:
        """The tensor is live from now on."""
        for tensors in self._that_list(value):
            tensors[value] = None

    def remove(self, value: SSAValue) -> None:
        """The tensor is not live any more."""
        for tensors in self._that_list(value):
            tensors.pop(value, None)

    def _that_list(self, value: SSAValue) -> Iterator[dict[SSAValue, None]]:
        yield self._all
        roots = self._memory.location(value).roots
        if MAX_INDEXED_ROOTS.exceeded_by(len(roots)):
            yield self._with_many_roots
        else:
            yield from (self._by_root[root] for root in roots)

    def in_roots(self, roots: Roots) -> Iterable[SSAValue]:
        """The live tensors that may be in one of the roots, and perhaps others."""
        if len(self._all) <= len(roots):
            return [*self._all]
        found = self._with_many_roots.copy()
        for root in roots:
            found.update(self._by_root.get(root, {}))
        return found
