"""
What a report says, without how it looks: the target prints it as text, HTML or JSON.

All sizes are in bytes, `None` where they are known only when the program runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from xdsl_bufferization.report.memory_model import MemoryFunction
from xdsl_bufferization.report.source import Note, Place


@dataclass(frozen=True, slots=True)
class Allocation:
    """A buffer that bufferization makes."""

    value: str
    """The tensor that lives in it, as it is written in the program."""
    type: str
    size: int | None
    op: str
    """The op that asks for it."""
    place: Place | None
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
    place: Place | None
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
    place: Place | None
    in_place: int
    """How many tensor operands the ops work on as they are."""
    out_of_place: int
    """How many need a buffer of their own."""
    allocations: Sequence[Allocation]
    copies: Sequence[Copy]
    kind: Literal["tensors"] = "tensors"


@dataclass(frozen=True, slots=True)
class Report:
    """What is reported of a program."""

    source: str
    """The name of its file; empty if places are in the text that xDSL prints."""
    functions: Sequence[TensorFunction | MemoryFunction]
