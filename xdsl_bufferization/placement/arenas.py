"""
What one piece of memory, an arena, can hold for a function, and when.
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
"""Of arguments that are arenas: the alignment that they must have, in bytes."""

_SMALL_ENOUGH = 500
"""The heuristic stops at an arena that is larger than it must be by a part of so many."""


@dataclass(frozen=True, slots=True)
class Arena:
    """One piece of memory for buffers of a function, and where in it each of them is."""

    function: Operation
    memory_space: Attribute
    buffers: Sequence[StaticBuffer]
    plan: Plan

    @property
    def type(self) -> MemRefType[Attribute]:
        """That of the arena, as so many bytes."""
        return MemRefType(i8, [self.plan.height], memory_space=self.memory_space)

    @property
    def alignment(self) -> int:
        """What its own address has to be a multiple of, in bytes."""
        return max(buffer.life.alignment for buffer in self.buffers)


def plan_arenas(
    function: Operation,
    alignment: int = 16,
    method: Method = Method.HEURISTIC,
    time_limit: float = 60,
) -> Sequence[Arena]:
    """
    An arena for each memory space in which the function has buffers that may share memory.

    `alignment`, in bytes, is that of buffers that say nothing of it; `time_limit` that of
    an exact search, in seconds for each arena.
    """
    by_space: dict[Attribute, list[StaticBuffer]] = {}
    for buffer in static_buffers(function, alignment):
        by_space.setdefault(buffer.op.memref.type.memory_space, []).append(buffer)
    return [
        Arena(
            function,
            space,
            buffers,
            _plan([b.life for b in buffers], method, time_limit),
        )
        for space, buffers in by_space.items()
    ]


def _plan(lives: Sequence[Buffer], method: Method, time_limit: float) -> Plan:
    bound = lower_bound(lives)
    # The last bytes take as long to find as all others.
    enough = bound + bound // _SMALL_ENOUGH if method is Method.HEURISTIC else bound
    return plan(lives, method=method, time_limit=time_limit, target=enough)


def describe_arena(arena: Arena) -> str:
    """A table of what the arena holds when, in the order of first use."""
    name = arena.function.properties["sym_name"]
    assert isinstance(name, StringAttr)
    total = sum(buffer.life.size for buffer in arena.buffers)
    lines = [
        f"@{name.data}: {arena.plan.height:,} bytes for {_number(arena.buffers)} of "
        f"{total:,} bytes; {arena.plan.lower_bound:,} bytes are needed at once",
        f"{'offset':>12}{'bytes':>12}  life, in numbers of ops",
    ]
    places = zip(arena.buffers, arena.plan.offsets, strict=True)
    for buffer, offset in sorted(places, key=lambda p: (p[0].life.lower, p[1])):
        lines.append(
            f"{offset:>12,}{buffer.life.size:>12,}  {buffer.life.lower} to "
            f"{buffer.life.upper}: {_describe(buffer.op)}, from "
            f"{_describe(buffer.first)} to {_describe(buffer.last)}"
        )
    return "\n".join(lines)


def _number(buffers: Sequence[StaticBuffer]) -> str:
    return "1 buffer" if len(buffers) == 1 else f"{len(buffers)} buffers"


def _describe(op: Operation) -> str:
    """The op's name, with that of its result and its line as far as they are known."""
    result = next((f"%{r.name_hint} = " for r in op.results if r.name_hint), "")
    line = ""
    if isinstance(location := op.location, FileLineColLoc):
        line = f" (line {location.line.data})"
    return f"{result}{op_name(op)}{line}"
