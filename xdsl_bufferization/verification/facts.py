"""
What is known of tensors whose contents have been overwritten.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.verification.loops import Loop
from xdsl_bufferization.verification.places import Place, aged_place

_MANY = 32
"""More facts about one tensor than these are taken together."""


class Overwritten(NamedTuple):
    """That a tensor's contents are not in a place any more."""

    place: Place
    writer: Operation
    position: int
    """The writer's, in the order of the program's text."""
    loop: Loop | None = None
    """If the writer was in an earlier iteration: of the loop that has begun anew."""


Facts: TypeAlias = frozenset[Overwritten]


State: TypeAlias = dict[SSAValue, Facts]
"""What is known of tensors that are overwritten, and may still be read."""


NOTHING: Facts = frozenset()


def limited(facts: Facts) -> Facts:
    """Without facts that others say too, and many as one that says more than all."""
    if len(facts) > _MANY:
        first = min(facts, key=lambda fact: fact.position)
        roots = frozenset(root for fact in facts for root in fact.place.roots)
        facts |= {first._replace(place=Place(None, (), roots))}
    if len(facts) == 1 or all(fact.place.base is not None for fact in facts):
        return facts
    kept: list[Overwritten] = []
    # What says most comes first.
    for fact in sorted(facts, key=_says_less):
        if not any(
            other.place.base is None and fact.place.roots <= other.place.roots
            for other in kept
        ):
            kept.append(fact)
    return frozenset(kept)


def _says_less(fact: Overwritten) -> tuple[bool, int, int]:
    return fact.place.base is not None, -len(fact.place.roots), fact.position


def joined(a: State, b: State) -> State:
    """What holds if either does."""
    if not a or not b:
        return dict(a or b)
    joined = dict(a)
    for value, facts in b.items():
        joined[value] = limited(joined.get(value, NOTHING) | facts)
    return joined


def aged(state: State, loop: Loop) -> State:
    """What is left when an iteration of the loop is over."""
    return {
        value: frozenset(aged_fact(fact, loop) for fact in facts)
        for value, facts in state.items()
        if not loop.defines(value)
    }


def aged_fact(fact: Overwritten, loop: Loop) -> Overwritten:
    place = aged_place(fact.place, loop)
    within = loop.contains(fact.writer)
    return fact._replace(place=place, loop=fact.loop or (loop if within else None))
