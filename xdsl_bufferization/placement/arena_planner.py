"""
Which arenas the functions of a program have, where these are in memory spaces, and reports on them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects import memref
from xdsl.dialects.builtin import FileLineColLoc, StringAttr
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.calling_conventions.available_sizes import AvailableSizes
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.placement.arena_buffers import (
    FREED,
    KNOWN_LATE,
    MAX_BOUND,
    RETURNED,
    ArenaBuffer,
    ArenaBuffers,
    BufferSizes,
    arena_buffers,
)
from xdsl_bufferization.placement.arenas import Arena, Planner, Region, plan_arenas
from xdsl_bufferization.placement.refusals import (
    BOUND,
    refuse_left,
    refuse_others,
    unexpected,
)
from xdsl_bufferization.placement.shared_spaces import (
    MemorySpaces,
    SharedSpaces,
    in_space,
    space_name,
)
from xdsl_bufferization.sizes.computation import names_of
from xdsl_bufferization.sizes.size_analysis import Sizes
from xdsl_bufferization.support.attributes import known_attribute
from xdsl_bufferization.support.diagnostics import BufferizationError, print_remark
from xdsl_bufferization.support.names import op_name, printed_symbol


@dataclass(frozen=True)
class ArenaPlanner:
    """
    The plans for functions, each made by `plan`.

    `shared` is given if functions get places in memory spaces that they share: all do with
    `has_offsets`, or else those in spaces that start at a known address.
    """

    alignment: int
    planner: Planner
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

    def plan(
        self,
        function: Operation,
        sizes: Sizes,
        *,
        given: bool = False,
        apart: bool = False,
    ) -> Sequence[Arena]:
        """
        The arenas of a function, whose callees have been planned: see `plan_arenas`.

        Raises `BufferizationError` if one is too large, or an allocation is to be refused.
        """
        available = AvailableSizes(function, sizes)
        found = self._buffers(available)
        if self.refuse_others:
            refuse_left(unexpected(function, found.left))
            refuse_others(function)
        planned = plan_arenas(
            available, found.placed, self.planner, given=given, apart=apart
        )
        arenas = [self._at_its_base(arena) for arena in planned]
        if self.report:
            tables = [(not r.is_static, t) for a in arenas for r, t in self._tables(a)]
            for _, table in sorted(tables, key=lambda entry: entry[0]):
                print(table, file=sys.stderr)
        for arena in arenas:
            self._check_size(arena)
        if self.report and found.left:
            print(_describe_left(function, found.left), file=sys.stderr)
        elif self.remarks:
            _remark_on(
                unexpected(function, found.left) if self.results_stay else found.left
            )
        if self.shared is not None:
            self.shared.note(
                function, [a for a in arenas if self._has_place(a.memory_space)]
            )
        return arenas

    def _buffers(self, available: AvailableSizes) -> ArenaBuffers:
        """The buffers for arenas in each memory space."""
        function = available.function
        constant = self.refuse_others or self.has_offsets
        measure = BufferSizes(available, any_layout=self.has_offsets, constant=constant)
        shared = "" if self.shared is None else self.shared.problem(function)

        def size(op: memref.AllocOp) -> Expression | str:
            found = measure(op)
            if isinstance(found, str):
                return found
            space = op.memref.type.memory_space
            if shared and self._has_place(space):
                return shared
            return found if found.number is not None else self._limit(space) or found

        return arena_buffers(
            function, available.points, self.alignment, self.calls, size
        )

    def _limit(self, space: Attribute) -> str:
        """Why nothing of run-time size is planned in the memory space; empty if it is."""
        known = "its size is known at run time only, and "
        if self.max_size is not None or self.spaces.size(space) is not None:
            return known + "that of the arena is limited"
        if self.spaces.start(space) is not None:
            return known + "memory at an address is shared"
        return ""

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
        plan = arena.plan
        if size is not None and arena.end > size:
            limit, option = size - arena.base, f"max-sizes={space}:{size}"
        elif self.max_size is not None and plan.height > self.max_size:
            limit, option = self.max_size, f"max-size-in-bytes={self.max_size}"
        else:
            return
        after = ""
        if arena.base:
            after = f" after {arena.base} bytes of the functions that it calls"
        raise BufferizationError(
            arena.function,
            f"needs an arena of {plan.height} bytes"
            f"{in_space(arena.memory_space)}{after}, more than "
            f"{option}; at least {plan.lower_bound} are needed at once",
            hint="allow more, or let method=exact search for a smaller one"
            if plan.lower_bound <= limit
            else "allow more, or split the function's work in smaller parts",
        )

    def _tables(self, arena: Arena) -> Iterator[tuple[Region, str]]:
        """
        A table of each region's buffers and their live ranges, in the order of first use; with
        addresses for offsets if the address of the start of the memory space is known.
        """
        start = self.spaces.start(arena.memory_space)
        for region in arena.regions:
            plan, buffers = region.plan, region.buffers
            unit, total, extra, column = "", "", "", "life, in numbers of ops"
            if region.is_static:
                total = f" of {sum(buffer.size for buffer in buffers):,} bytes"
            else:
                name = names_of(region.unit)
                unit = f"*({name})" if len(region.unit.terms) > 1 else f"*{name}"
                column = f"times {unit[1:]}; {column}"
            if region.level:
                extra = f" + {region.level * region.alignment:,} for alignment"
            lines = [
                f"{_symbol(arena.function)}: {plan.height:,}{unit}{extra} bytes"
                f"{in_space(arena.memory_space)} for {_number(buffers)}{total}; "
                f"{plan.lower_bound:,}{unit} bytes are needed at once",
                f"{'offset' if start is None else 'address':>12}{'bytes':>12}  {column}",
            ]
            places = [arena.base + offset for offset in plan.offsets]
            for buffer, place in sorted(
                zip(buffers, places, strict=True), key=lambda entry: entry[0].lower
            ):
                where = f"{place:,}" if start is None else f"{start + place:#x}"
                lines.append(f"{where:>12}{_describe_buffer(buffer)}")
            yield region, "\n".join(lines)


def _describe_buffer(buffer: ArenaBuffer) -> str:
    return (
        f"{buffer.size:>12,}  {buffer.lower} to {buffer.upper}: {_describe(buffer.op)}, "
        f"from {_describe(buffer.first)} to {_describe(buffer.last)}"
    )


def _describe_left(
    function: Operation, left: Sequence[tuple[memref.AllocOp, str]]
) -> str:
    """A list of the function's allocations that no arena has, with the reasons."""
    lines = [f"{_symbol(function)}: {_number(left)} left as allocated"]
    for op, reason in left:
        where = in_space(op.memref.type.memory_space)
        lines.append(f"  {_describe(op)}{where}: {reason}")
    return "\n".join(lines)


def _symbol(function: Operation) -> str:
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


def _remark_on(left: Sequence[tuple[Operation, str]]) -> None:
    """Say why allocations stay, and what helps, each hint once."""
    hints = dict(_HINTS)
    for op, reason in left:
        print_remark(
            op,
            f"stays an allocation of its own: {reason}",
            hint=hints.pop(reason, ""),
        )


_HINTS = {
    FREED: "plan before memory is freed: bufferize{free=false},plan-static-memory,"
    "buffer-deallocation-pipeline",
    KNOWN_LATE: f"state that it has at most {MAX_BOUND:,} bytes, {BOUND}",
    RETURNED: "give the function its memory as an argument; bufferize{results=arguments} does "
    "that if its sizes follow from the other arguments",
}
