"""
Facts of the data-flow analysis: a live tensor's contents have been overwritten, where in memory and
by which op. And wrong decisions, as errors describe them.

    %r = tensor.insert %f into %t[%i]    // in place: %t is overwritten at [%i] [1], by this op
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.support.diagnostics import describe_ops
from xdsl_bufferization.support.limits import MAX_FACTS
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.verification.access_paths import (
    Loop,
    MemoryLocation,
    location_after_iteration,
)


class Overwritten(NamedTuple):
    """A write that has overwritten contents of a tensor."""

    location: MemoryLocation
    """Where the contents are lost."""
    writer: Operation
    position: int
    """The writer's position in the order of the program's text."""
    loop: Loop | None = None
    """The loop, if the write was in an earlier iteration of one."""


Facts: TypeAlias = frozenset[Overwritten]


State: TypeAlias = dict[SSAValue, Facts]
"""The facts about each tensor that is overwritten and may still be read."""


NO_FACTS: Facts = frozenset()


def limited(facts: Facts) -> Facts:
    """
    The facts without those that others imply. Many facts are merged into one that implies
    them all: that something in one of their roots is overwritten.
    """
    if MAX_FACTS.exceeded_by(len(facts)):
        first = min(facts, key=lambda fact: fact.position)
        roots = frozenset(root for fact in facts for root in fact.location.roots)
        facts |= {first._replace(location=MemoryLocation(None, (), roots))}
    if len(facts) == 1 or all(fact.location.base is not None for fact in facts):
        return facts
    kept: list[Overwritten] = []
    # The most general facts come first.
    for fact in sorted(
        facts,
        key=lambda f: (f.location.base is not None, -len(f.location.roots), f.position),
    ):
        if not any(
            other.location.base is None and fact.location.roots <= other.location.roots
            for other in kept
        ):
            kept.append(fact)
    return frozenset(kept)


def join(a: State, b: State) -> State:
    """The facts of both states, where paths join."""
    if not a or not b:
        return dict(a or b)
    joined = dict(a)
    for value, facts in b.items():
        joined[value] = limited(joined.get(value, NO_FACTS) | facts)
    return joined


def state_after_iteration(state: State, loop: Loop) -> State:
    """The state, as seen from the next iteration of the loop."""
    return {
        value: frozenset(fact_after_iteration(fact, loop) for fact in facts)
        for value, facts in state.items()
        if not loop.defines(value)
    }


def fact_after_iteration(fact: Overwritten, loop: Loop) -> Overwritten:
    """The fact, as seen from the next iteration of the loop."""
    location = location_after_iteration(fact.location, loop)
    within = loop.contains(fact.writer)
    return fact._replace(
        location=location, loop=fact.loop or (loop if within else None)
    )


@dataclass(frozen=True)
class Violation:
    """A decision that changes what the program computes."""

    reader: Operation
    """The op that reads other contents than it should."""
    operand: int
    overwritten: Overwritten
    definition: Operation
    """The op that defines the contents that it should read."""

    def __str__(self) -> str:
        writer, loop = self.overwritten.writer, self.overwritten.loop
        if writer is self.reader:
            when = "while it writes"
        elif loop is None:
            when = "after they have been overwritten"
        else:
            when = f"after an earlier iteration of '{op_name(loop.op)}' has overwritten them"
        return "\n".join(
            [
                f"'{op_name(self.reader)}' reads the contents of operand #{self.operand} "
                + when,
                *describe_ops(
                    [
                        ("at", self.reader),
                        ("defined by", self.definition),
                        ("overwritten by", None if writer is self.reader else writer),
                        ("on the way back through", None if loop is None else loop.op),
                    ]
                ),
            ]
        )


@dataclass(frozen=True)
class ForbiddenWrite:
    """A write to read-only memory."""

    writer: Operation
    operand: int
    definition: Operation

    def __str__(self) -> str:
        return "\n".join(
            [
                f"'{op_name(self.writer)}' writes operand #{self.operand} in place, whose "
                "memory must not be written",
                *describe_ops([("at", self.writer), ("defined by", self.definition)]),
            ]
        )
