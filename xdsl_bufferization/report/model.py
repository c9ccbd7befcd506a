"""
The contents of a report, for all formats: text, HTML and JSON.

All sizes are formulas in bytes: a number, or, if they are only known at run time, in terms of sizes
that the program names; `None` if they have no such form. Positions
number the ops of a function, and the starts of blocks, in program order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from xdsl_bufferization.report.source import (
    NONE,
    Formula,
    Line,
    Note,
    Sized,
    SourceRange,
    formula_text,
    total,
)

# All functions ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Donation:
    """An agreement with callers on a result that is in the memory of an argument."""

    result: int
    """The index of the result."""
    argument: str
    """The argument, as written in the program."""


# Functions on tensors ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Allocation(Sized):
    """A buffer that bufferization makes."""

    name: str
    """The tensor that it holds, as written in the program; of an arena, `output_name`."""
    value: str
    """The tensor that it is made for, as written in the program."""
    type: str
    bytes: Formula | None
    op: str
    """The op that needs it."""
    place: SourceRange | None
    reason: str
    """Why another buffer is needed; empty if it is the only one that `op` is made for."""
    loops: Sequence[Note]
    """The loops around it, the outermost first; it is made in each iteration."""
    notes: Sequence[Note] = ()
    """
    The parts of the program that the reason is about. Notes and `advice` are only given if
    nothing is copied to the buffer; otherwise the copy has them.
    """
    advice: Sequence[str] = ()
    """Changes of the program that avoid it, in sentences."""
    output_name: str = ""
    """The memref, as written in the program that `bufferize` makes of this one."""
    needed: str = ""
    """Without advice: why the program, as it is, needs it; a clause, as `reason` is."""
    code: str = ""
    """The kind of `reason`, such as `B001`, if there is one."""


Verdict: TypeAlias = Literal["forced", "avoidable", "unknown"]
"""
Whether a copy is `forced`, that is, every bufferization of the program makes one like it; or
`avoidable`, that is, a way to avoid it is known; or neither is known. Independent of whether its
size is known.
"""


@dataclass(frozen=True, slots=True)
class Copy(Sized):
    """Contents that bufferization copies from one buffer to another."""

    value: str
    """The tensor that is copied, as written in the program."""
    type: str
    bytes: Formula | None
    op: str
    """The op that uses the copy, or makes it."""
    place: SourceRange | None
    """Where the tensor is written as an operand of `op`."""
    reason: str
    """Why there is a copy: a clause, without capital letter and full stop."""
    notes: Sequence[Note]
    """The parts of the program that the reason is about."""
    advice: Sequence[str]
    """Changes of the program that avoid it, in sentences; none if it is forced."""
    loops: Sequence[Note]
    """As in `Allocation`."""
    verdict: Verdict = "unknown"
    verdict_reason: str = ""
    """
    Why it is forced, how it is avoided, or what makes it necessary as far as that is known: a
    clause, as `reason` is. Empty if nothing is known, or `advice` says it.
    """
    times: int = 1
    """
    The number of times that it is made in one call of the function, as if each branch were taken;
    loops with an unknown trip count are counted once.
    """
    is_times_known: bool = True
    """Whether there is no such loop."""
    peak_increase: int | None = None
    """
    The bytes by which the peak of the function's memory is higher without this copy, if that is
    why it is made; `None` otherwise.
    """
    tried: str = ""
    """
    The attempts of `eliminate-copies`, and why it has given them up: a clause, as `reason` is.
    Empty if the copy is forced, or if nothing was tried and there is advice.
    """
    code: str = ""
    """As in `Allocation`."""


@dataclass(frozen=True, slots=True)
class Move(Sized):
    """An op that only moves elements to another tensor, and so to another buffer."""

    value: str
    """The result that it is made for, as written in the program."""
    type: str
    """The type of the tensor that the elements are moved to."""
    bytes: Formula | None
    """Those of that tensor."""
    op: str
    """The op that moves them."""
    place: SourceRange | None
    loops: Sequence[Note]
    """As in `Allocation`."""
    reason: str = ""
    """Why its readers do not read its source: a clause, without capital letter and full stop."""
    notes: Sequence[Note] = ()
    """The parts of the program that the reason is about."""
    advice: Sequence[str] = ()
    """Changes of the program that avoid it, in sentences."""
    times: int = 1
    """As in `Copy`."""
    is_times_known: bool = True
    """As in `Copy`."""
    code: str = ""
    """As in `Allocation`."""


@dataclass(slots=True)
class TensorFunction:
    """The buffers and copies of a function on tensors."""

    name: str = ""
    place: SourceRange | None = None
    in_place: int = 0
    """The number of tensor operands that are in place."""
    out_of_place: int = 0
    """The number of tensor operands that need a buffer of their own."""
    allocations: list[Allocation] = field(default_factory=list[Allocation])
    copies: list[Copy] = field(default_factory=list[Copy])
    donations: Sequence[Donation] = ()
    forced: int = 0
    """
    The bytes that every bufferization copies each time the function is called, at least;
    counted as `Copy.times` counts.
    """
    eliminated: list[Copy] = field(default_factory=list[Copy])
    """The copies that would be made without `eliminate-copies`."""
    moves: list[Move] = field(default_factory=list[Move])
    """The ops that are left that only move elements, beside the copies."""
    memory: MemoryFunction | None = None
    """
    The memory of the function that `bufferize` makes of it, in lines of this program: those
    of the ops whose work is done.
    """
    kind: Literal["tensors"] = "tensors"

    @property
    def copied(self) -> int:
        """The bytes of known size that are copied each time the function is called."""
        return sum(copy.times * (copy.size or 0) for copy in self.copies)

    @property
    def moved(self) -> int:
        """The bytes of known size that are moved each time the function is called."""
        return sum(move.times * (move.size or 0) for move in self.moves)


# Functions on memrefs ---------------------------------------------------------------------

Kind: TypeAlias = Literal["heap", "stack", "arena"]
"""Where a buffer is; `arena` means in a part of another buffer or an argument."""

Ending: TypeAlias = Literal[
    "freed",
    "freed or handed on",
    "returned",
    "stored",
    "never freed",
    "freed with the stack",
    "part of an arena",
    "during the call",
]
"""
How the live range of a buffer ends. One that is `freed or handed on` is freed on some paths
through the function, and escapes on others; one that is `stored` escapes to where memrefs
are not followed, such as other memory.
"""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of positions in the function."""

    first: int
    end: int
    """The first position after it."""


@dataclass(frozen=True, slots=True)
class Buffer(Sized):
    """Memory that the function allocates, a part of an arena, or all memory of a callee."""

    name: str
    """The memref, as written in the program, or the tensor that it is made for."""
    type: str
    bytes: Formula | None
    kind: Kind
    op: str
    """The op that makes it."""
    place: SourceRange | None
    loops: Sequence[Note]
    """The loops around it, the outermost first; it is made in each iteration."""
    ending: Ending
    taken: Span
    """
    While it is allocated: until it is freed or the function ends. For a part of an arena,
    the same as `used`.
    """
    used: Span | None
    """From the first to the last op that uses it; `None` if none does."""
    first_use: Note | None
    last_use: Note | None
    frees: Sequence[Note] = ()
    """The ops that free it; one of them is executed."""
    offset_bytes: Formula | None = None
    """The offset of a part of an arena."""
    more_at_once: int = 0
    """
    How many more of it are live at once in a loop that forwards it to its next iteration,
    and allocates the next one before it frees the last.
    """
    loop: Span | None = None
    """The loop."""
    piles_up: bool = False
    """Whether each iteration of a loop leaves one more that is never freed."""
    in_parallel: bool = False
    """Whether the iterations of a parallel loop allocate one each."""
    is_callee: bool = False
    """
    Whether it is all memory of a function that is called, besides what that returns; `name` is
    the function's.
    """
    output_name: str = ""
    """The memref, as written in the program that has the buffers."""
    may_be_more: bool = False
    """Whether the memory of the callee is only known to be at least this."""
    gaps: Sequence[Span] = ()
    """
    The parts of `taken` in which it is not there, or does not count: branches that exclude
    its allocation, and ops after such a branch with more memory.
    """

    @property
    def is_left(self) -> bool:
        """Whether it may still be there after the function, without being returned."""
        return self.ending in ("stored", "never freed", "freed or handed on")

    @property
    def offset(self) -> int | None:
        """The offset of a part of an arena, if it is known now."""
        return None if self.offset_bytes is None else self.offset_bytes.number


@dataclass(frozen=True, slots=True)
class LoopExtent:
    """A loop of a function."""

    note: Note
    """Its op, or the first op of a loop of branches."""
    span: Span
    depth: int
    """The number of loops around it."""


@dataclass(frozen=True, slots=True)
class Step:
    """How much is live from a position on."""

    position: int
    bytes: Formula
    """The bytes of live buffers."""
    unknown: int
    """The number of live buffers of unknown size, without a formula."""
    note: Note
    """The op at the position."""

    @property
    def live_bytes(self) -> int:
        """The bytes of buffers whose size is known now."""
        return self.bytes.terms.get(frozenset(), 0)


@dataclass(frozen=True, slots=True)
class Usage:
    """The memory that is live over time, callees included."""

    steps: Sequence[Step]
    """In the order of positions, one for each change."""
    peak: Step | None
    """
    The first step with the most live bytes, for most sizes; `None` if there are no buffers.
    """
    alive: Sequence[int]
    """The indices of the buffers that are live at the peak, the largest first."""
    idle: Sequence[int]
    """Those of them that are not used any more, or not yet."""
    needed_bytes: int
    """The peak if each buffer were only allocated while it is used."""
    is_lower_bound: bool
    """
    Whether the peak may be higher: buffers pile up, have unknown sizes, or are allocated by
    the iterations of a parallel loop.
    """
    other_peaks: Sequence[Step] = ()
    """Steps that have more live bytes than the peak for some sizes that are known at run time."""


@dataclass(frozen=True, slots=True)
class Arena(Sized):
    """A buffer, or an argument, that other buffers are parts of."""

    name: str
    bytes: Formula | None
    place: SourceRange | None
    """Where it is allocated."""
    is_given: bool
    """Whether it is an argument, memory of the caller."""
    parts: Sequence[int]
    """The indices of the buffers in it."""
    usage: Usage


@dataclass(frozen=True, slots=True)
class BufferCopy(Sized):
    """An op that copies the contents of one memref to another."""

    source: str
    target: str
    """As written in the program."""
    bytes: Formula | None
    op: str
    place: SourceRange | None
    loops: Sequence[Note]
    """As in `Buffer`."""
    times: int = 1
    """As in `Copy`."""


@dataclass(frozen=True, slots=True)
class MemoryFunction:
    """The memory of a function on memrefs."""

    name: str
    place: SourceRange | None
    positions: int
    """The number of positions."""
    lines: Sequence[int | None]
    """The line of each position; `None` where a block starts."""
    buffers: Sequence[Buffer]
    """In the order of their allocations; callees at the end."""
    heap: Usage
    """Includes arenas, but not their parts."""
    stack: Usage
    arenas: Sequence[Arena]
    copies: Sequence[BufferCopy]
    calls: Sequence[Note]
    """The calls whose memory is not known, each with the name of the callee."""
    donations: Sequence[Donation] = ()
    loops: Sequence[LoopExtent] = ()
    """In the order of the program, each before those within it."""
    least_peak: int | None = None
    """The bytes of the heap that the function needs at once in every order of its ops, if known."""
    advice: Sequence[str] = ()
    """A change that lowers the peak, as has been tried, with the bytes; in a sentence."""
    kind: Literal["memrefs"] = "memrefs"


# Programs --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Report:
    """The report on a program."""

    source: str
    """The name of its file; empty if lines refer to the text that xDSL prints."""
    functions: Sequence[TensorFunction | MemoryFunction]
    program: Sequence[Line] = ()
    """
    The text that xDSL prints of the functions, or of the whole program if it is reported on;
    empty if lines refer to a file.
    """
    version: int = 1
    """The version of the JSON schema; see `to_json`."""


# Peaks and rows of tables -------------------------------------------------------------


def rows_of(buffers: Iterable[Buffer]) -> Sequence[Sequence[Buffer]]:
    """The buffers, in order; buffers of one view are together."""
    rows: dict[object, list[Buffer]] = {}
    for number, buffer in enumerate(buffers):
        offset = offset_text(buffer)
        key = (buffer.name, offset) if offset else number
        rows.setdefault(key, []).append(buffer)
    return [*rows.values()]


def help_at_peak(function: MemoryFunction) -> Sequence[str]:
    """Ways to lower the peak of the heap, in sentences, if several buffers are live there."""
    heap = function.heap
    if function.advice or heap.peak is None or len(heap.alive) < 2:
        return function.advice
    if heap.needed_bytes < heap.peak.live_bytes and heap.peak.bytes.number is not None:
        less = heap.peak.live_bytes - heap.needed_bytes
        return [
            f"{heap.needed_bytes:,} bytes are enough, {less:,} less, if each buffer is made before "
            "its first use and freed after its last: plan-static-memory plans an arena like that."
        ]
    return [
        "The report on the program before bufferize, if it has tensors there, tries donations, "
        "options and passes."
    ]


def offset_text(buffer: Buffer) -> str:
    """The offset of a part of an arena, also if it is known at run time only; empty for others."""
    return "" if buffer.offset_bytes is None else formula_text(buffer.offset_bytes)


def sizes_at_once(buffers: Iterable[Buffer]) -> Sequence[Formula | None]:
    """
    The size of each buffer that the function itself allocates, once for each that is live at once;
    of a loop that leaves one more in each run, one counts.
    """
    return [
        buffer.bytes
        for buffer in buffers
        if not buffer.is_callee
        for _ in range(1 + buffer.more_at_once)
    ]


SHOWN = 12
"""The most buffers at a peak that are listed, the largest first."""


@dataclass(frozen=True, slots=True)
class AtPeak:
    """A buffer that is alive at a peak."""

    buffer: Buffer
    is_idle: bool
    """Whether no op uses it at that time: not any more, or not yet."""
    loop: Note | None = None
    """The outermost loop that uses the buffer to the end, and that it is made outside of."""

    @property
    def made(self) -> str:
        """The op that makes it, with its line."""
        return _at(Note(self.buffer.op, self.buffer.place))

    @property
    def needed(self) -> str:
        """Until when it is needed, or why it is there."""
        buffer = self.buffer
        leaves = buffer.is_left or buffer.ending == "returned"
        if buffer.is_callee:
            return "during the call"
        if buffer.last_use is None:
            return buffer.ending if leaves else "never used"
        until = _at(buffer.last_use)
        if self.loop is not None:
            until += f" in {_at(self.loop)}"
        if leaves:
            until += f", {buffer.ending}"
        return f"{until}; not in use at the peak" if self.is_idle else until


def buffers_at_peak(function: MemoryFunction, usage: Usage) -> Sequence[AtPeak]:
    """The buffers that are alive at the peak, the largest first."""
    idle = {*usage.idle}
    return [
        AtPeak(function.buffers[n], n in idle, _loop(function, n)) for n in usage.alive
    ]


def _loop(function: MemoryFunction, number: int) -> Note | None:
    """The outermost loop that uses a buffer to the end, and that it is made outside of."""
    buffer = function.buffers[number]
    if buffer.used is None:
        return None
    made, last = buffer.taken.first, buffer.used.end - 1
    for loop in function.loops:
        if loop.span.first <= last < loop.span.end and not made >= loop.span.first:
            return loop.note
    return None


def peak_of(function: MemoryFunction) -> Formula:
    """The bytes that the function needs at once: its heap, and the arenas that it is given."""
    heap = NONE if function.heap.peak is None else function.heap.peak.bytes
    given, _ = total(a.bytes for a in function.arenas if a.is_given)
    return heap + given


def _at(note: Note) -> str:
    return note.text + line_of(note.place)


def line_of(place: SourceRange | None) -> str:
    """The name of the layer, and the number of the line in brackets."""
    return "" if place is None else f"{place.layer} (line {place.line})"
