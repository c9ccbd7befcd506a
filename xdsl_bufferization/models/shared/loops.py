"""
Tensors that loops carry, and the buffers that they live in.

A loop hands tensors from one iteration to the next. Most often each lives in one buffer:
what is handed over is equivalent to the argument in the same place. Otherwise

- buffers may change places, as in `yield %b, %a`, which takes no copy;
- a tensor in a new buffer is handed over as it is if the loop may return new buffers;
- any other one is copied, best into the buffer of an argument that is not handed over
  itself, so that no new memory is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import (
    AnalysisState,
    Decisions,
    ForwardedCopy,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.shaped_types import is_tensor


@dataclass(frozen=True, slots=True)
class LoopForwarding:
    """
    A step of a loop that takes buffers from block arguments to where a terminator hands
    them: operand `first + i` of the terminator and argument `i` are the same *place*.

    A loop with one region takes one such step, `scf.while` one for each region.
    """

    arguments: Sequence[SSAValue]
    terminator: Operation
    first: int = 0

    @property
    def operands(self) -> Sequence[SSAValue]:
        return self.terminator.operands[self.first :]

    def argument(self, place: int) -> SSAValue | None:
        """The argument in the place, if there is one, of the type handed over there."""
        if place >= len(self.arguments):
            return None
        argument = self.arguments[place]
        return argument if argument.type == self.operands[place].type else None

    def is_kept(self, place: int, state: AnalysisState) -> bool:
        """Whether what is handed over is known to be in the argument's buffer."""
        argument = self.argument(place)
        return argument is not None and state.is_equivalent(
            argument, self.operands[place]
        )


def exchanging_places(
    loop: Operation, steps: Sequence[LoopForwarding], state: AnalysisState
) -> dict[int, set[int]]:
    """
    For each place that may be handed the buffer of another one, all places that it may
    exchange buffers with in the course of the iterations, itself included.

    A place that always gets its own buffer back does not take part.
    """
    groups: dict[int, set[int]] = {}
    for step in steps:
        origins = {
            place: state.possible_origins(value, loop)
            for place, value in enumerate(step.operands)
            if is_tensor(value)
        }
        kept = {
            argument
            for place in origins
            if (argument := step.argument(place)) is not None
            and all(origin is argument for origin in origins[place])
        }
        moved = {
            argument: place
            for place, argument in enumerate(step.arguments)
            if is_tensor(argument) and argument not in kept
        }
        for place, value in enumerate(step.operands):
            if place not in origins or step.argument(place) in kept:
                continue
            others = [moved[origin] for origin in origins[place] if origin in moved]
            if step.argument(place) is None:
                # It needs a buffer that is in another place.
                others += [p for a, p in moved.items() if a.type == value.type]
            for other in others:
                group = groups.get(place, {place}) | groups.get(other, {other})
                groups.update(dict.fromkeys(group, group))
    return groups


def forwarded_copies(
    loop: Operation,
    steps: Sequence[LoopForwarding],
    decisions: Decisions,
    *,
    allow_new_memory: bool,
) -> Sequence[ForwardedCopy]:
    """
    The copies that take each tensor to a buffer that is its own in the next iteration.

    Raises `BufferizationError` if there is no such buffer, unless new memory may leave
    the loop.
    """
    groups: dict[int, set[int]] | None = None
    copies: list[ForwardedCopy] = []
    for step in steps:
        tensors = [i for i, value in enumerate(step.operands) if is_tensor(value)]
        moved = [i for i in tensors if not step.is_kept(i, decisions)]
        if moved:
            if groups is None:
                groups = exchanging_places(loop, steps, decisions)
            resolution = _Resolution(loop, step, tensors, moved, groups, decisions)
            copies.extend(resolution.copies(allow_new_memory))
    return copies


class _Resolution:
    """How one step is resolved."""

    def __init__(
        self,
        loop: Operation,
        step: LoopForwarding,
        tensors: Sequence[int],
        moved: Sequence[int],
        groups: dict[int, set[int]],
        decisions: Decisions,
    ):
        self._loop = loop
        self._step = step
        self._moved = moved
        self._groups = groups
        self._decisions = decisions
        self._memory = {i: decisions.memory_of(step.operands[i]) for i in tensors}
        self._users = Counter(m for memory in self._memory.values() for m in memory)

    def copies(self, allow_new_memory: bool) -> Sequence[ForwardedCopy]:
        copied = [
            place
            for place in self._moved
            if not self._changes_place(place)
            and not (allow_new_memory and self._is_new(place))
        ]
        in_use = {
            memory
            for place, memories in self._memory.items()
            if place not in copied
            for memory in memories
        }
        destinations: dict[int, SSAValue] = {}
        # Each into the buffer that is its own, as far as possible.
        for own in (True, False):
            for place in copied:
                if place in destinations:
                    continue
                candidates = {place} if own else self._groups.get(place, set[int]())
                for candidate in sorted(candidates):
                    argument = self._destination(place, candidate)
                    if argument is not None and argument not in in_use:
                        destinations[place] = argument
                        in_use.add(argument)
                        break
        if not allow_new_memory:
            for place in copied:
                if place not in destinations:
                    raise self._error(place)
        return [self._copy(place, copied, destinations) for place in copied]

    def _copy(
        self, place: int, copied: Sequence[int], destinations: dict[int, SSAValue]
    ) -> ForwardedCopy:
        overwritten = {
            argument for other, argument in destinations.items() if other != place
        }
        destination = destinations.get(place)
        return ForwardedCopy(
            self._step.terminator,
            self._step.first + place,
            destination,
            destination is not None and not overwritten.isdisjoint(self._memory[place]),
        )

    def _changes_place(self, place: int) -> bool:
        """Whether it is an argument's buffer, which is handed to no other place."""
        value = self._step.operands[place]
        return self._is_only_user(place) and any(
            (argument := self._step.arguments[other]).type == value.type
            and self._decisions.is_equivalent(argument, value)
            for other in self._groups.get(place, ())
            if other < len(self._step.arguments)
        )

    def _is_new(self, place: int) -> bool:
        """Whether it is in memory allocated in this iteration, for this place alone."""
        return self._is_only_user(place) and all(
            self._decisions.is_allocation(memory)
            and isinstance(memory.owner, Operation)
            and self._loop.is_ancestor(memory.owner)
            for memory in self._memory[place]
        )

    def _is_only_user(self, place: int) -> bool:
        return all(self._users[memory] == 1 for memory in self._memory[place])

    def _destination(self, place: int, candidate: int) -> SSAValue | None:
        """The argument in the candidate's place, if the tensor fits into its buffer."""
        step = self._step
        if candidate >= len(step.arguments):
            return None
        argument, type = step.arguments[candidate], step.operands[place].type
        fits = (
            argument.type == type
            and isinstance(type, ShapedType)
            and type.has_static_shape()
        )
        return argument if fits else None

    def _error(self, place: int) -> BufferizationError:
        return BufferizationError(
            self._step.terminator,
            f"operand #{self._step.first + place} is not equivalent to the iteration "
            "argument in the same place, and there is no buffer for a copy of it, so "
            "that the loop would have to return a new one",
            related=[("the loop", self._loop)],
            hint="allow that with the option allow-return-allocs-from-loops, or hand "
            "over a tensor computed in destination-passing style from the argument",
        )
