"""
Common subexpressions, eliminated in time linear in the program.

Does what xDSL's pass `cse` does. That copies the table of known ops for each region, and hashes the
attributes of each op several times. Here, the ops that a region adds to one table are taken out of
it at the region's end, and only ops with the same operands are compared:

    %a = arith.constant 0.0 : f32
    scf.for ... { %b = arith.constant 0.0 : f32 }   // %b is %a
    %c = arith.constant 0.0 : f32                   // %c is %a, not %b
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from xdsl.ir import Operation, Region
from xdsl.rewriter import Rewriter
from xdsl.traits import IsolatedFromAbove, IsTerminator, MemoryEffectKind

from xdsl_bufferization.repairs.nested_effects import NestedEffects
from xdsl_bufferization.support.walk import walk_all

_READS = frozenset((MemoryEffectKind.READ,))

_Table: TypeAlias = dict[Hashable, list[Operation]]


class Eliminated(NamedTuple):
    """The changes of `eliminate_common_subexpressions`."""

    users: dict[Operation, None]
    """The ops that use other operands, as these are equal to those that they used."""
    had_dead_code: bool
    """Whether there were ops without effects whose results no op used."""


def eliminate_common_subexpressions(module: Operation) -> Eliminated:
    """
    Replace ops without effects by equal ops before them, in their block or around it, and ops
    that read memory by equal ones before them in their block that read the same; erase them,
    and unused ops without effects.
    """
    elimination = _Elimination()
    elimination.run(module)
    return Eliminated(elimination.users, elimination.had_dead_code)


@dataclass(eq=False, slots=True)
class _Nest:
    """An op whose regions are being visited."""

    op: Operation
    regions: Iterator[Region]
    table: _Table
    """The known ops outside of the op, which none of its ops replace if it is isolated."""
    ops: Iterator[Operation] = field(default_factory=lambda: iter(()))
    """The ops of the current region that are still to be visited."""
    added: list[Hashable] = field(default_factory=list[Hashable])
    """The keys under which the current region has added known ops."""


class _Elimination:
    def __init__(self) -> None:
        self.users: dict[Operation, None] = {}
        self.had_dead_code = False
        self._effects = NestedEffects()
        self._known: _Table = {}
        """
        The ops that may replace others: the first one of a name and operands by `_key`, others by
        `_full_key`, the closest one last.
        """
        self._erased: dict[Operation, None] = {}

    def run(self, module: Operation) -> None:
        nests = [_Nest(module, iter(module.regions), self._known)]
        while nests:
            nest = nests[-1]
            if (op := self._visit_until_nest(nest)) is not None:
                nests.append(_Nest(op, iter(op.regions), self._known))
                if op.has_trait(IsolatedFromAbove, value_if_unregistered=True):
                    self._known = {}
                continue
            for key in reversed(nest.added):
                self._known[key].pop()
            nest.added.clear()
            region = next(nest.regions, None)
            if region is None:
                nests.pop()
                self._known = nest.table
                if nests:
                    self._visit(nest.op, nests[-1].added)
            elif region.blocks.first is region.blocks.last is not None:
                nest.ops = iter(region.block.ops)
        for op in self._erased:
            for nested in walk_all([op]):
                self.users.pop(nested, None)
            Rewriter.erase_op(op)

    def _visit_until_nest(self, nest: _Nest) -> Operation | None:
        """Visit ops of the current region; returns the first one that has regions itself."""
        for op in nest.ops:
            if op.regions:
                return op
            self._visit(op, nest.added)
        return None

    def _visit(self, op: Operation, added: list[Hashable]) -> None:
        if _is_unused(op):
            if self._effects.may_be_erased(op):
                self._erased[op] = None
                self.had_dead_code = True
                return
            if not op.results:
                return
        effects = self._effects.of(op)
        if effects is None or not effects.kinds <= _READS:
            return
        if op.regions and any(r.blocks.first is not r.blocks.last for r in op.regions):
            return
        if op.next_op is None and op.has_trait(IsTerminator):
            return
        key = _key(op)
        existing = self._equal(op, key)
        if existing is not None and (
            not effects.kinds or self._reads_the_same(existing, op)
        ):
            self._replace(op, existing)
            return
        if self._known.get(key):
            key = _full_key(op)
        self._known.setdefault(key, []).append(op)
        added.append(key)

    def _equal(self, op: Operation, key: Hashable) -> Operation | None:
        """The closest known op that is equal to the op, which has the key."""
        first = self._known.get(key)
        if not first:
            return None
        known = (*first, *self._known.get(_full_key(op), ()))
        return next((other for other in reversed(known) if _are_equal(op, other)), None)

    def _replace(self, op: Operation, existing: Operation) -> None:
        for old, new in zip(op.results, existing.results, strict=True):
            users = {use.operation: None for use in old.uses}
            # A user can come before what it uses, in a region without an order.
            if not any(self._equal(user, _key(user)) for user in users):
                old.replace_all_uses_with(new)
                self.users.update(users)
        if _is_unused(op):
            self._erased[op] = None

    def _reads_the_same(self, existing: Operation, op: Operation) -> bool:
        """Whether no op between the two may write, in the block of both."""
        return existing.parent is op.parent is not None and (
            not self._effects.may_write_between(existing, op)
        )


def _is_unused(op: Operation) -> bool:
    for result in op.results:
        if result.first_use is not None:
            return False
    return True


def _key(op: Operation) -> Hashable:
    """A key that few unequal ops share."""
    # Ops of one name may be of two classes, where one redefines the other.
    operands = tuple(op.operands)
    return (op.name, operands) if operands else _full_key(op)


def _full_key(op: Operation) -> Hashable:
    """A key that only equal ops share; it takes longer to hash."""
    return (op.name, tuple(op.operands), frozenset(op.properties.items()))


def _are_equal(op: Operation, other: Operation) -> bool:
    """Whether ops with the same key are equal."""
    return (
        op.attributes == other.attributes
        and op.properties == other.properties
        and op.result_types == other.result_types
        and all(
            region.is_structurally_equivalent(of_other)
            for region, of_other in zip(op.regions, other.regions, strict=True)
        )
    )
