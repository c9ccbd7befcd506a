"""
Which arenas the functions of a program have, where these are in memory spaces, reports on them, and
refusals of programs whose memory cannot be planned.

Where buffers have addresses, or offsets from the start of a memory space, those of a function
must not be where its callers keep theirs. So the arena of a function begins after the arenas of
all functions that it calls end, in the same space. A function has no place if several calls of it
may be active at a time.

If programs are refused that allocate, only the arenas of functions that callers outside of the
module call, and the results of these functions, may be allocated.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntegerAttr,
    ModuleOp,
    NoneAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.memrefs.buffers.allocation_uses import MemrefFlows
from xdsl_bufferization.memrefs.calling_conventions.available_sizes import (
    AvailableSizes,
)
from xdsl_bufferization.memrefs.placement.arena_buffers import (
    FREED,
    IN_BRANCH,
    KNOWN_LATE,
    MAX_BOUND,
    RETURNED,
    UNKNOWN_SIZE,
    ArenaBuffer,
    ArenaBuffers,
    BufferSizes,
    arena_buffers,
)
from xdsl_bufferization.memrefs.placement.arenas import (
    Arena,
    Planner,
    Region,
    plan_arenas,
)
from xdsl_bufferization.memrefs.placement.hoisting_targets import (
    Execution,
    allocations_in_loops,
    execution_of_region,
)
from xdsl_bufferization.memrefs.sizes.computation import names_of
from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes
from xdsl_bufferization.planning.problem import round_up
from xdsl_bufferization.support.attributes import known_attribute
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    function_around,
    functions_in,
    is_private,
    within_function,
)
from xdsl_bufferization.support.diagnostics import BufferizationError, print_remark
from xdsl_bufferization.support.names import op_name, printable, printed_symbol
from xdsl_bufferization.support.regions import block_of, reachable, walk

_LEAVE = "without static, it is left as an allocation"
BOUND = "by cf.assert in the first block of the function, or by arith.minui"
"""How a program states a bound of a size."""
_STATE_BOUND = f"state how large it may get, {BOUND}; {_LEAVE}"
_HINTS_OF_REFUSALS = {
    RETURNED: "give the function its result's memory as an argument",
    FREED: "plan before memory is freed",
    UNKNOWN_SIZE: _STATE_BOUND,
    KNOWN_LATE: _STATE_BOUND,
    IN_BRANCH: _STATE_BOUND,
}


def unexpected(
    function: Operation, left: Sequence[tuple[Operation, str]]
) -> Sequence[tuple[Operation, str]]:
    """
    Those of the allocations that are left, with their reasons, that are no results which callers
    outside of the module may get.
    """
    if isinstance(function, func.FuncOp) and is_private(function):
        return left
    return [(op, reason) for op, reason in left if reason != RETURNED]


def refuse(function: Operation, left: Sequence[tuple[Operation, str]]) -> None:
    """
    Raises `BufferizationError` about the first of the allocations that are left, with their
    reasons, or the first op that allocates other than `memref.alloc`, if there is one.
    """
    for op, reason in left:
        raise BufferizationError(
            op,
            f"is in no arena: {reason}",
            hint=_HINTS_OF_REFUSALS.get(reason, _LEAVE),
        )
    for op in walk([function]):
        if not isinstance(op, memref.AllocOp) and allocated_by(op):
            raise BufferizationError(
                op, "is in no arena: only memref.alloc is planned", hint=_LEAVE
            )


def refuse_allocated(arenas: Sequence[Arena], reason: str) -> None:
    """Raises `BufferizationError` if a function allocates an arena that callers should."""
    for arena in arenas:
        raise BufferizationError(
            arena.function,
            f"allocates an arena of {arena.plan.height} bytes in each call: {reason}",
            related=[("it holds", arena.regions[0].buffers[0].op)],
            hint=_LEAVE,
        )


def refuse_repeated(module: ModuleOp) -> None:
    """
    Raises `BufferizationError` about the first op that allocates in a loop, or in a private
    function, after deallocation, which copies what has no single owner.
    """
    for function in functions_in(module):
        if isinstance(function, func.FuncOp) and is_private(function):
            where, ops = "each call", walk([function])
        else:
            where, ops = "each iteration", allocations_in_loops(function)
        for op in filter(allocated_by, ops):
            raise BufferizationError(
                op,
                f"allocates in {where}: memory that is returned or passed on is copied "
                "where it may be that of an argument",
                hint=_LEAVE,
            )


class SharedSpaces:
    """The memory that functions take of spaces, noted callees first."""

    def __init__(self, calls: CallGraph):
        self._calls = calls
        self._ends: dict[Operation, Mapping[Attribute, int]] = {}
        """By function and space: the end of what it and the functions that it calls take."""
        self._callees: dict[Operation, dict[func.FuncOp, None]] = {}
        for call, callee in calls.callees.items():
            if (caller := function_around(call)) is not None:
                self._callees.setdefault(caller, {})[callee] = None
        self._overlapping = reachable(
            (f for f, its in calls.calls.items() if any(map(_may_overlap, its))),
            self._callees_of,
        )

    def problem(self, function: Operation) -> str:
        """Why the function can have no place of its own; empty if it can."""
        if function in self._calls.recursive:
            return "its function is recursive, so that several calls need it"
        if function in self._overlapping:
            return "its function is called in parallel, so that several calls need it"
        if (
            isinstance(function, func.FuncOp)
            # A function in the body of another one is not called.
            and self._calls.calls.get(function)
            and not self._calls.may_change(function)
        ):
            return "its function is used by other ops than calls"
        return ""

    def below(self, function: Operation) -> dict[Attribute, int]:
        """By space the end of what the functions that the function calls take."""
        found: dict[Attribute, int] = {}
        for callee in self._callees_of(function):
            for space, end in self.ends(callee).items():
                found[space] = max(end, found.get(space, 0))
        return found

    def ends(self, function: Operation) -> Mapping[Attribute, int]:
        """By space the end of what the function, and those that it calls, take."""
        return self._ends.get(function, {})

    def note(self, function: Operation, arenas: Sequence[Arena]) -> None:
        """Note the arenas of the function, which have their places."""
        taken = {arena.memory_space: arena.end for arena in arenas}
        self._ends[function] = self.below(function) | taken

    def _callees_of(self, function: Operation) -> Iterable[func.FuncOp]:
        return self._callees.get(function, ())


def _may_overlap(op: Operation) -> bool:
    """Whether executions of the op by one execution of its function may overlap in time."""
    return any(
        execution_of_region(block_of(inner)) is Execution.UNKNOWN
        for inner, _ in pairwise(within_function(op))
    )


_DEFAULT_NAME = "default"
"""The name of the space of memrefs that name none."""


def space_name(space: Attribute) -> str:
    """
    The name of a memory space in options and reports: a string without its quotes, a number
    without the type `i64`, which it has unless another is written, or else the attribute as it
    is printed.
    """
    match space:
        case NoneAttr():
            return _DEFAULT_NAME
        case StringAttr(data=name):
            return name
        case IntegerAttr(value=number, type=type) if type == i64:
            return str(number.data)
        case _:
            return str(space)


def in_space(space: Attribute) -> str:
    """The memory space as the end of a phrase; empty for the default space."""
    name = space_name(space)
    return "" if name == _DEFAULT_NAME else f" in memory space {printable(name)}"


@dataclass(frozen=True)
class MemorySpaces:
    """The start addresses and sizes of memory spaces, in bytes, by name; where they are known."""

    starts: Mapping[str, int]
    sizes: Mapping[str, int]

    def start(self, space: Attribute) -> int | None:
        """The address of the first byte of the space."""
        return self.starts.get(space_name(space))

    def size(self, space: Attribute) -> int | None:
        """The number of bytes of the space."""
        return self.sizes.get(space_name(space))


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
    flows: MemrefFlows
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
        left = unexpected(function, found.left)
        if self.refuse_others:
            refuse(function, left)
        planned = plan_arenas(
            available, found.placed, self.planner, given=given, apart=apart
        )
        arenas = [self._at_its_base(arena) for arena in planned]
        if self.report:
            regions = [(arena, region) for arena in arenas for region in arena.regions]
            for arena, region in sorted(regions, key=lambda r: not r[1].is_static):
                print(self._table(arena, region), file=sys.stderr)
        for arena in arenas:
            self._check_size(arena)
        if self.report and found.left:
            print(_describe_left(function, found.left), file=sys.stderr)
        elif self.remarks:
            _remark_on(left if self.results_stay else found.left)
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
            self.flows.uses(function), available.points, self.alignment, size
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
        lowest = start + self.shared.below(arena.function).get(space, 0)
        return replace(arena, base=round_up(lowest, arena.alignment) - start)

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

    def _table(self, arena: Arena, region: Region) -> str:
        """
        A table of the region's buffers and their live ranges, in the order of first use; with
        addresses for offsets if the address of the start of the memory space is known.
        """
        start = self.spaces.start(arena.memory_space)
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
        for buffer, offset in sorted(
            zip(buffers, plan.offsets, strict=True), key=lambda entry: entry[0].lower
        ):
            place = arena.base + offset
            where = f"{place:,}" if start is None else f"{start + place:#x}"
            lines.append(f"{where:>12}{_describe_buffer(buffer)}")
        return "\n".join(lines)


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
