"""
What a report says, without how it looks: the target prints it as text, HTML or JSON.

All sizes are in bytes, `None` where they are known only when the program runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from xdsl_bufferization.report.source import Note, SourceRange

# Functions on tensors ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Allocation:
    """A buffer that bufferization makes."""

    value: str
    """The tensor that lives in it, as it is written in the program."""
    type: str
    size: int | None
    op: str
    """The op that asks for it."""
    place: SourceRange | None
    reason: str
    """Why there is another buffer; empty if `op` just asks for it."""
    loops: Sequence[Note]
    """The loops around it, the outermost first: it is made in each of their runs."""
    notes: Sequence[Note] = ()
    """
    Where in the program the reason comes from; as `advice`, only if nothing is copied to it,
    as a copy says the same.
    """
    advice: Sequence[str] = ()
    """What the program's author can do about it: sentences."""


@dataclass(frozen=True, slots=True)
class Copy:
    """Contents that bufferization copies from one buffer to another."""

    value: str
    """The tensor that is copied, as it is written in the program."""
    type: str
    size: int | None
    op: str
    """The op that is given the copy, or makes it."""
    place: SourceRange | None
    """Where `op` is given the tensor."""
    reason: str
    """Why there is a copy: a clause without its first capital letter and its full stop."""
    notes: Sequence[Note]
    """Where in the program that comes from."""
    advice: Sequence[str]
    """What the program's author can do about it: sentences."""
    loops: Sequence[Note]
    """As of `Allocation`."""


@dataclass(frozen=True, slots=True)
class TensorFunction:
    """What becomes of a function on tensors."""

    name: str
    place: SourceRange | None
    in_place: int
    """How many tensor operands the ops work on as they are."""
    out_of_place: int
    """How many need a buffer of their own."""
    allocations: Sequence[Allocation]
    copies: Sequence[Copy]
    kind: Literal["tensors"] = "tensors"


# Functions on memrefs ---------------------------------------------------------------------

Kind: TypeAlias = Literal["heap", "stack", "arena"]
"""Where a buffer is: `arena` means a part of memory that the function has anyway."""

Ending: TypeAlias = Literal[
    "freed",
    "freed or handed on",
    "returned",
    "stored",
    "never freed",
    "freed with the stack",
    "part of an arena",
]
"""
What becomes of a buffer in the end. One that is `freed or handed on` is freed on some ways
through the function, and gets out of it on others; one that is `stored` gets to where
memrefs are not followed, as into other memory.
"""


@dataclass(frozen=True, slots=True)
class Span:
    """Positions in the function."""

    first: int
    end: int
    """The first position behind it."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory that the function takes, or a part of an arena that it uses as a buffer."""

    name: str
    """The memref, as it is written in the program."""
    type: str
    size: int | None
    kind: Kind
    op: str
    """The op that makes it."""
    place: SourceRange | None
    loops: Sequence[Note]
    """The loops around it, the outermost first: it is made in each of their runs."""
    ending: Ending
    taken: Span
    """
    While there is memory for it: until it is freed, or the function ends. Of a part of an
    arena, the same as `used`.
    """
    used: Span | None
    """From the first to the last op that touches it; `None` if none does."""
    first_use: Note | None
    last_use: Note | None
    frees: Sequence[Note]
    """The ops that free it, one of which runs."""
    offset: int | None = None
    """Of a part of an arena, where it begins."""
    more_at_once: int = 0
    """
    How many more of it are alive in a loop that hands it from run to run, where the next is
    made before the last is freed.
    """
    loop: Span | None = None
    """That loop."""
    piles_up: bool = False
    """Whether each run of a loop leaves one more that is not freed in the function."""
    in_parallel: bool = False
    """Whether runs of a loop that may happen at the same time make one each."""


@dataclass(frozen=True, slots=True)
class Step:
    """How much is alive from a position on."""

    position: int
    live_bytes: int
    unknown: int
    """How many buffers of unknown size are alive besides."""
    note: Note
    """The op there."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How much memory is alive when, without that of functions that are called."""

    steps: Sequence[Step]
    """In the order of positions, each where something changes."""
    peak: Step | None
    """Where most bytes are alive, the first time; `None` if there never are any buffers."""
    alive: Sequence[int]
    """Of the buffers, by number, those that are alive then, the largest first."""
    idle: Sequence[int]
    """Those of them that no op touches any more, or none has touched yet."""
    needed_bytes: int
    """The most that were alive if each buffer were there only while it is used."""
    is_lower_bound: bool
    """
    Whether there may be more: buffers pile up, have unknown sizes, or are made by runs of a
    loop that may happen at the same time.
    """


@dataclass(frozen=True, slots=True)
class Arena:
    """One piece of memory with buffers in it."""

    name: str
    size: int | None
    place: SourceRange | None
    """Where it is made; `None` for an argument."""
    parts: Sequence[int]
    """The buffers in it, by number."""
    usage: Usage


@dataclass(frozen=True, slots=True)
class BufferCopy:
    """An op that copies the contents of one memref to another."""

    source: str
    target: str
    """As they are written in the program."""
    size: int | None
    op: str
    place: SourceRange | None
    loops: Sequence[Note]
    """As of `Buffer`."""


@dataclass(frozen=True, slots=True)
class MemoryFunction:
    """What a function on memrefs does with memory."""

    name: str
    place: SourceRange | None
    positions: int
    """How many there are."""
    buffers: Sequence[Buffer]
    """In the order in which they are made."""
    heap: Usage
    """Arenas are among it, their parts are not."""
    stack: Usage
    arenas: Sequence[Arena]
    copies: Sequence[BufferCopy]
    calls: Sequence[Note]
    """The calls of functions, each with the name of the function: their memory is theirs."""
    kind: Literal["memrefs"] = "memrefs"


# Programs --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Report:
    """What is reported of a program."""

    source: str
    """The name of its file; empty if places are in the text that xDSL prints."""
    functions: Sequence[TensorFunction | MemoryFunction]
