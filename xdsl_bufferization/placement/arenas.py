"""
Arenas: one piece of memory for many buffers of a function, each at an offset.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import FileLineColLoc, MemRefType, StringAttr, i8
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.placement.static_buffers import StaticBuffer, static_buffers
from xdsl_bufferization.planning import Buffer, Method, Plan, lower_bound, plan
from xdsl_bufferization.support.names import op_name

ARENA_ATTRIBUTE = "bufferize.arena"
"""On arguments that are arenas: their alignment, in bytes."""

_SMALL_ENOUGH = 500
"""The heuristic accepts an arena that exceeds the lower bound by one part in this many."""


@dataclass(frozen=True, slots=True)
class Arena:
    """One piece of memory for buffers of a function, with their offsets."""

    function: Operation
    memory_space: Attribute
    buffers: Sequence[StaticBuffer]
    plan: Plan

    @property
    def type(self) -> MemRefType[Attribute]:
        """The memref type of the arena: bytes."""
        return MemRefType(i8, [self.plan.height], memory_space=self.memory_space)

    @property
    def alignment(self) -> int:
        """The alignment of the arena itself, in bytes."""
        return max(buffer.requirements.alignment for buffer in self.buffers)


def plan_arenas(
    function: Operation,
    alignment: int = 16,
    method: Method = Method.HEURISTIC,
    time_limit: float = 60,
) -> Sequence[Arena]:
    """
    An arena for each memory space in which the function has buffers of known size.

    `alignment`, in bytes, is that of allocations without an `alignment` attribute;
    `time_limit` limits an exact search, in seconds for each arena.
    """
    by_space: dict[Attribute, list[StaticBuffer]] = {}
    for buffer in static_buffers(function, alignment):
        by_space.setdefault(buffer.op.memref.type.memory_space, []).append(buffer)
    return [
        Arena(
            function,
            space,
            buffers,
            _plan([b.requirements for b in buffers], method, time_limit),
        )
        for space, buffers in by_space.items()
    ]


def _plan(buffers: Sequence[Buffer], method: Method, time_limit: float) -> Plan:
    bound = lower_bound(buffers)
    # The last few bytes take as long to save as all others together.
    enough = bound + bound // _SMALL_ENOUGH if method is Method.HEURISTIC else bound
    return plan(buffers, method=method, time_limit=time_limit, target=enough)


def describe_arena(arena: Arena) -> str:
    """A table of the arena's buffers and their live ranges, in the order of first use."""
    name = arena.function.properties["sym_name"]
    assert isinstance(name, StringAttr)
    total = sum(buffer.requirements.size for buffer in arena.buffers)
    lines = [
        f"@{name.data}: {arena.plan.height:,} bytes for {_number(arena.buffers)} of "
        f"{total:,} bytes; {arena.plan.lower_bound:,} bytes are needed at once",
        f"{'offset':>12}{'bytes':>12}  life, in numbers of ops",
    ]
    placed = zip(arena.buffers, arena.plan.offsets, strict=True)
    for buffer, offset in sorted(placed, key=lambda p: (p[0].requirements.lower, p[1])):
        lines.append(
            f"{offset:>12,}{buffer.requirements.size:>12,}  {buffer.requirements.lower} to "
            f"{buffer.requirements.upper}: {_describe(buffer.op)}, from "
            f"{_describe(buffer.first)} to {_describe(buffer.last)}"
        )
    return "\n".join(lines)


def _number(buffers: Sequence[StaticBuffer]) -> str:
    return "1 buffer" if len(buffers) == 1 else f"{len(buffers)} buffers"


def _describe(op: Operation) -> str:
    """The name of the op, with those of its result and its line if they are known."""
    result = next((f"%{r.name_hint} = " for r in op.results if r.name_hint), "")
    line = ""
    if isinstance(location := op.location, FileLineColLoc):
        line = f" (line {location.line.data})"
    return f"{result}{op_name(op)}{line}"
