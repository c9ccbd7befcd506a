"""
The base and the access path of each tensor as decided.

    %s = tensor.extract_slice %t[0] [4] [1]    // in place: base %t, path (slice 0, 4)
    %r = arith.select %c, %s, %s               // in place: the same
    %q = arith.select %c, %s, %u               // two sources: its own base

A fixed point over loops: an iteration argument starts with the address of its init, and becomes its
own base if an iteration yields another one. Limits of `support/limits.py` bound the rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.limits import (
    MAX_ADDRESS_CORRECTIONS,
    MAX_ADDRESS_ROUNDS,
    MAX_PATH_STEPS,
)
from xdsl_bufferization.support.regions import index_of
from xdsl_bufferization.verification.access_paths import (
    AccessPath,
    CopyOf,
    Site,
    is_allocated_in,
    path_after_iteration,
)
from xdsl_bufferization.verification.sources import Source, Sources


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
        self._corrections = Counter[SSAValue]()
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
        # An assumption about a loop may fail once for each tensor that the loop carries.
        self._corrections[value] += old is not None
        if MAX_ADDRESS_CORRECTIONS.exceeded_by(self._corrections[value] + 1):
            new = own
        self.of[value] = new
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
            model = self._sources.model_of(defining)
            result = defining.results[index_of(base)]
            if not sources and (model is None or not model.allocates(defining, result)):
                return False
            for below in sources:
                address = self.of.get(below.value)
                if below.in_place and address is not None and address.base not in seen:
                    seen.add(address.base)
                    pending.append(address.base)
        return True
