"""
Which arenas the functions of a program have, and where these are in memory spaces.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from xdsl.dialects import memref
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.placement.arenas import (
    Arena,
    arenas_of,
    describe_arena,
    describe_left,
)
from xdsl_bufferization.placement.memory_spaces import (
    MemorySpaces,
    in_space,
    space_name,
)
from xdsl_bufferization.placement.refusals import (
    refuse_left,
    refuse_others,
    unexpected,
)
from xdsl_bufferization.placement.shared_spaces import SharedSpaces
from xdsl_bufferization.placement.static_buffers import (
    FREED,
    MAX_BYTES,
    TOO_LARGE,
    StaticBuffer,
    static_buffers,
)
from xdsl_bufferization.planning import Method
from xdsl_bufferization.support.diagnostics import BufferizationError, print_remark
from xdsl_bufferization.support.walk import walk

_Left: TypeAlias = tuple[memref.AllocOp, str]
Left: TypeAlias = Sequence[_Left]
"""Allocations that stay, each with the reason."""


class RunTimePlans(Protocol):
    """See `RunTimeMemory`, which is only imported for programs with dynamic shapes."""

    def bounded(
        self, function: Operation, *, every: bool
    ) -> tuple[Sequence[StaticBuffer], Left]: ...

    def plan(
        self, function: Operation, static: Sequence[Arena]
    ) -> tuple[Sequence[Arena], Left]: ...


@dataclass(frozen=True)
class StaticMemory:
    """
    The plans for functions, each made by `plan`.

    `shared` is given if functions get places in memory spaces that they share: all do with
    `has_offsets`, or else those in spaces that start at a known address.
    """

    alignment: int
    method: Method
    time_limit: float
    max_size: int | None
    """The most bytes of an arena."""
    spaces: MemorySpaces
    calls: CallEffects
    has_offsets: bool
    report: bool
    remarks: bool
    """Whether to print a remark about each allocation that stays, if there is no report."""
    refuse_others: bool = False
    """Whether programs are refused that allocate beside arenas and results of functions."""
    results_stay: bool = False
    """Whether results that callers outside of the module get are left without a remark."""
    shared: SharedSpaces | None = None
    run_time: RunTimePlans | None = None
    """Plans buffers of dynamic shape, if the program has any."""

    def plan(self, function: Operation) -> Sequence[Arena]:
        """
        The arenas of a function, whose callees have been planned.

        Raises `BufferizationError` if one is too large, or an allocation is to be refused.
        """
        buffers = static_buffers(
            function, self.alignment, self.calls, any_layout=self.has_offsets
        )
        placed, left = [*buffers.placed], [*buffers.left]
        if self.run_time is not None:
            bounded, others = self.run_time.bounded(function, every=self.refuse_others)
            placed += bounded
            left = _left_of_any_shape(function, left, others)
        left += [(b.op, TOO_LARGE) for b in placed if b.size > MAX_BYTES]
        placed = [b for b in placed if b.size <= MAX_BYTES]
        if self.shared is not None and (problem := self.shared.problem(function)):
            left += [(b.op, problem) for b in placed if self._has_place(_space_of(b))]
            placed = [b for b in placed if not self._has_place(_space_of(b))]
        if self.refuse_others:
            refuse_left(unexpected(function, left))
            refuse_others(function)
        arenas = [
            self._at_its_base(arena)
            for arena in arenas_of(function, placed, self.method, self.time_limit)
        ]
        for arena in arenas:
            if self.report:
                start = self.spaces.start(arena.memory_space)
                print(describe_arena(arena, start), file=sys.stderr)
            self._check_size(arena)
        if self.run_time is not None:
            arenas, dynamic = self.run_time.plan(function, arenas)
            left = _left_of_any_shape(function, left, dynamic)
        if self.report and left:
            print(describe_left(function, left), file=sys.stderr)
        elif self.remarks:
            _remark_on(unexpected(function, left) if self.results_stay else left)
        if self.shared is not None:
            self.shared.note(
                function, [a for a in arenas if self._has_place(a.memory_space)]
            )
        return arenas

    def _has_place(self, space: Attribute) -> bool:
        """Whether arenas in the space have a place in it."""
        return self.has_offsets or self.spaces.start(space) is not None

    def _at_its_base(self, arena: Arena) -> Arena:
        """The arena, placed after the arenas of the functions that its function calls."""
        space = arena.memory_space
        if self.shared is None or not self._has_place(space):
            return arena
        start = self.spaces.start(space) or 0
        lowest = start + self.shared.base(arena.function, space)
        aligned = -(-lowest // arena.alignment) * arena.alignment
        return replace(arena, base=aligned - start)

    def _check_size(self, arena: Arena) -> None:
        space = space_name(arena.memory_space)
        size = self.spaces.size(arena.memory_space)
        if size is not None and arena.end > size:
            limit, option = size - arena.base, f"max-sizes={space}:{size}"
        elif self.max_size is not None and arena.plan.height > self.max_size:
            limit, option = self.max_size, f"max-size-in-bytes={self.max_size}"
        else:
            return
        after = ""
        if arena.base:
            after = f" after {arena.base} bytes of the functions that it calls"
        raise BufferizationError(
            arena.function,
            f"needs an arena of {arena.plan.height} bytes"
            f"{in_space(arena.memory_space)}{after}, more than "
            f"{option}; at least {arena.plan.lower_bound} are needed at once",
            hint="allow more, or let method=exact search for a smaller one"
            if arena.plan.lower_bound <= limit
            else "allow more, or split the function's work in smaller parts",
        )


def _remark_on(left: Sequence[tuple[Operation, str]]) -> None:
    """Say why allocations stay; what helps against frees is said once."""
    hint = _BEFORE_FREES
    for op, reason in left:
        is_freed = reason == FREED
        print_remark(
            op,
            f"stays an allocation of its own: {reason}",
            hint=hint if is_freed else "",
        )
        hint = "" if is_freed else hint


def _left_of_any_shape(function: Operation, static: Left, dynamic: Left) -> list[_Left]:
    """The allocations that stay in the order of the ops: those of each kind of shape."""
    found = [e for e in static if e[0].memref.type.has_static_shape()] + [*dynamic]
    order = {op: number for number, op in enumerate(walk([function]))}
    return sorted(found, key=lambda entry: order[entry[0]])


_BEFORE_FREES = (
    "plan before memory is freed: bufferize{free=false},plan-static-memory,"
    "buffer-deallocation-pipeline"
)


def _space_of(buffer: StaticBuffer) -> Attribute:
    return buffer.op.memref.type.memory_space
