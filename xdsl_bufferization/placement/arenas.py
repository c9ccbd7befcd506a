"""
Arenas: one piece of memory for many buffers of a function, each at an offset.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.dialects.builtin import FileLineColLoc, MemRefType, StringAttr, i8
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.placement.exclusive_buffers import plan_together
from xdsl_bufferization.placement.memory_spaces import in_space
from xdsl_bufferization.placement.static_buffers import StaticBuffer, static_buffers
from xdsl_bufferization.planning import Buffer, Method, Plan, lower_bound, plan
from xdsl_bufferization.support.attributes import known_attribute
from xdsl_bufferization.support.names import op_name, printed_symbol

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
    base: int = 0
    """Its first byte, as an offset in the memory that it is a part of."""

    @property
    def end(self) -> int:
        """The first byte after it, as an offset in the memory that it is a part of."""
        return self.base + self.plan.height

    @property
    def type(self) -> MemRefType[Attribute]:
        """The memref type of the arena: bytes."""
        return MemRefType(i8, [self.plan.height], memory_space=self.memory_space)

    @property
    def alignment(self) -> int:
        """The alignment of the arena itself, in bytes."""
        return max(buffer.alignment for buffer in self.buffers)


def plan_arenas(
    function: Operation,
    alignment: int = 16,
    method: Method = Method.HEURISTIC,
    time_limit: float = 60,
    calls: CallEffects | None = None,
) -> Sequence[Arena]:
    """
    An arena for each memory space in which the function has buffers of known size. `calls`
    says what the calls in it free and store.

    `alignment`, in bytes, is that of allocations without an `alignment` attribute;
    `time_limit` limits an exact search, in seconds for each arena.
    """
    buffers = static_buffers(function, alignment, calls or CallEffects()).placed
    return arenas_of(function, buffers, method, time_limit)


def arenas_of(
    function: Operation,
    buffers: Iterable[StaticBuffer],
    method: Method,
    time_limit: float,
) -> Sequence[Arena]:
    """An arena for each memory space in which one of the function's buffers is."""
    by_space: dict[Attribute, list[StaticBuffer]] = {}
    for buffer in buffers:
        by_space.setdefault(buffer.op.memref.type.memory_space, []).append(buffer)
    return [
        Arena(
            function,
            space,
            placed,
            plan_together(
                placed,
                [Buffer(b.lower, b.upper, b.size, b.alignment) for b in placed],
                lambda buffers: plan_buffers(buffers, method, time_limit),
            ),
        )
        for space, placed in by_space.items()
    ]


def plan_buffers(buffers: Sequence[Buffer], method: Method, time_limit: float) -> Plan:
    """A plan for the buffers that is small enough."""
    bound = lower_bound(buffers)
    # The last few bytes take as long to save as all others together.
    enough = bound + bound // _SMALL_ENOUGH if method is Method.HEURISTIC else bound
    return plan(buffers, method=method, time_limit=time_limit, target=enough)


def describe_arena(arena: Arena, start: int | None = None) -> str:
    """
    A table of the arena's buffers and their live ranges, in the order of first use; with
    addresses for offsets if the address of the start of the memory space is given.
    """
    total = sum(buffer.size for buffer in arena.buffers)
    column = "offset" if start is None else "address"
    lines = [
        f"{symbol_of(arena.function)}: {arena.plan.height:,} bytes"
        f"{in_space(arena.memory_space)} for "
        f"{_number(arena.buffers)} of {total:,} bytes; {arena.plan.lower_bound:,} bytes "
        "are needed at once",
        f"{column:>12}{'bytes':>12}  life, in numbers of ops",
    ]
    places = [arena.base + offset for offset in arena.plan.offsets]
    shown = [f"{p:,}" if start is None else f"{start + p:#x}" for p in places]
    order = sorted(
        range(len(places)), key=lambda n: (arena.buffers[n].lower, places[n])
    )
    lines += describe_buffers(
        [arena.buffers[n] for n in order], [shown[n] for n in order]
    )
    return "\n".join(lines)


def describe_buffers(
    buffers: Sequence[StaticBuffer], places: Sequence[str]
) -> Sequence[str]:
    """A line for each buffer, with its place, its size and its live range."""
    return [
        f"{place:>12}{buffer.size:>12,}  {buffer.lower} to "
        f"{buffer.upper}: {_describe(buffer.op)}, from "
        f"{_describe(buffer.first)} to {_describe(buffer.last)}"
        for buffer, place in zip(buffers, places, strict=True)
    ]


def describe_left(
    function: Operation, left: Sequence[tuple[memref.AllocOp, str]]
) -> str:
    """A list of the function's allocations that no arena has, with the reasons."""
    lines = [f"{symbol_of(function)}: {_number(left)} left as allocated"]
    for op, reason in left:
        where = in_space(op.memref.type.memory_space)
        lines.append(f"  {_describe(op)}{where}: {reason}")
    return "\n".join(lines)


def symbol_of(function: Operation) -> str:
    """The name of the function, as it is printed."""
    return printed_symbol(known_attribute(function, "sym_name", StringAttr).data)


def _number(buffers: Sequence[object]) -> str:
    return "1 buffer" if len(buffers) == 1 else f"{len(buffers)} buffers"


def _describe(op: Operation) -> str:
    """The name of the op, with those of its result and its line if they are known."""
    result = next((f"%{r.name_hint} = " for r in op.results if r.name_hint), "")
    line = ""
    if isinstance(location := op.location, FileLineColLoc):
        line = f" (line {location.line.data})"
    return f"{result}{op_name(op)}{line}"
