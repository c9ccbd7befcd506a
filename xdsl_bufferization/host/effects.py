"""
The effects of ops on memory, including the ops in their regions.

The `bufferization` ops of xDSL's own passes, and of contexts that were not made for this
package, are of classes without effects; the redefinition of the op has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import (
    EffectInstance,
    IsTerminator,
    MemoryEffect,
    MemoryEffectKind,
    RecursiveMemoryEffect,
    SymbolOpInterface,
    get_effects,
)

from xdsl_bufferization.host.extensions import extension_of

Allocated: TypeAlias = SSAValue | SymbolRefAttr | None


def memory_effects(op: Operation) -> AbstractSet[EffectInstance] | None:
    """The effects of the op and of those in its regions; `None` if they are not known."""
    effects = get_effects(op)
    if effects is None and op.name.startswith("bufferization."):
        for trait in _traits_of_redefinition(op.name):
            effects = {*(effects or ()), *(trait.get_effects(op) or ())}
    return effects


@cache
def _traits_of_redefinition(name: str) -> tuple[MemoryEffect, ...]:
    return tuple(
        trait
        for op in extension_of("bufferization").operations
        if op.name == name
        for trait in op.traits
        if isinstance(trait, MemoryEffect)
    )


class Effects(NamedTuple):
    """The known effects of an op and of those in its regions."""

    kinds: frozenset[MemoryEffectKind] = frozenset()
    allocated_outside: frozenset[Allocated] = frozenset()
    """The allocated memory that is not a value of the op, or of ops in its regions."""


NO_EFFECTS: Final = Effects()


class NestedEffects:
    """
    The effects of ops, by op.

    xDSL's `get_effects` asks all ops in the regions each time, which is quadratic in the depth
    of a nest whose ops are all asked about. This asks each op once, so the answers are valid
    as long as no op is added or moved.
    """

    def __init__(self) -> None:
        self._writes: dict[Block, dict[Operation, int]] = {}
        """By block and op: the number of ops before it in the block that may write."""
        self._known: dict[Operation, Effects | None] = {}

    def of(self, op: Operation) -> Effects | None:
        """The effects of the op and of those in its regions; `None` if they are not known."""
        # A stack of its own, not Python's: regions nest as deep as the input likes.
        stack = [op]
        while stack:
            current = stack.pop()
            if current in self._known:
                continue
            ops = _effective_ops(current)
            if unknown := [child for child in ops if child not in self._known]:
                stack += (current, *unknown)
            else:
                self._known[current] = self._combined(current)
        return self._known[op]

    def may_be_erased(self, op: Operation) -> bool:
        """Whether the op may be erased if no result is used. As xDSL's function decides it."""
        if not _may_be_erased(type(op)):
            return False
        effects = self.of(op)
        return (
            effects is not None
            and effects.kinds <= {MemoryEffectKind.READ, MemoryEffectKind.ALLOC}
            and not effects.allocated_outside
        )

    def may_write_between(self, first: Operation, last: Operation) -> bool:
        """Whether an op from `first` on may write, before `last`; both are in one block."""
        block = first.parent
        assert block is not None
        if block not in self._writes:
            self._writes[block] = self._writes_before_each(block)
        writes = self._writes[block]
        return writes[first] != writes[last]

    def _writes_before_each(self, block: Block) -> dict[Operation, int]:
        counts: dict[Operation, int] = {}
        writes = 0
        for op in block.ops:
            counts[op] = writes
            effects = self.of(op)
            if effects is None or MemoryEffectKind.WRITE in effects.kinds:
                writes += 1
        return counts

    def _combined(self, op: Operation) -> Effects | None:
        traits = _traits(type(op))
        if not traits:
            return None
        kinds: set[MemoryEffectKind] = set()
        allocated: set[Allocated] = set()
        for trait in traits:
            if isinstance(trait, RecursiveMemoryEffect):
                continue
            own = trait.get_effects(op)
            if own is None:
                return None
            kinds.update(effect.kind for effect in own)
            allocated.update(e.value for e in own if e.kind is MemoryEffectKind.ALLOC)
        for child in _effective_ops(op):
            if (effects := self._known[child]) is None:
                return None
            kinds |= effects.kinds
            allocated |= effects.allocated_outside
        if not kinds:
            return NO_EFFECTS
        outside = (value for value in allocated if not _is_within(value, op))
        return Effects(frozenset(kinds), frozenset(outside))


@lru_cache(maxsize=1024)
def _traits(kind: type[Operation]) -> Sequence[MemoryEffect]:
    return kind.get_traits_of_type(MemoryEffect)


@lru_cache(maxsize=1024)
def _may_be_erased(kind: type[Operation]) -> bool:
    """Whether ops of the class that have no use may be erased if their effects allow that."""
    kept = IsTerminator, SymbolOpInterface
    return not any(kind.has_trait(t, value_if_unregistered=False) for t in kept)


def _effective_ops(op: Operation) -> Iterator[Operation]:
    """The ops in the regions, if the op has their effects."""
    if op.regions and op.has_trait(RecursiveMemoryEffect, value_if_unregistered=False):
        for region in op.regions:
            for block in region.blocks:
                yield from block.ops


def _is_within(value: Allocated, op: Operation) -> bool:
    return isinstance(value, SSAValue) and op.is_ancestor(value.owner)
