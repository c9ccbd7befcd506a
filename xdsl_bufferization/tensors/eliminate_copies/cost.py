"""What One-Shot Bufferize makes of a tensor program: copies, bytes, and peak memory."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.buffers.call_effects import CallEffects
from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.placement.static_buffers import static_buffers
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.memref_types import memory_space_of
from xdsl_bufferization.support.shaped_types import is_memref_type
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.tensors.analysed_module import AnalysedModule


class Copies(NamedTuple):
    """Copies in the text of a program, those in loops counted once."""

    number: int = 0
    size: int = 0
    """The bytes of those whose size is known."""

    def __add__(self, other: object) -> Copies:
        assert isinstance(other, Copies)
        return Copies(self.number + other.number, self.size + other.size)


class Cost(NamedTuple):
    """What a function does with memory."""

    copies: Copies
    peaks: Mapping[Attribute, int]
    """By memory space: the most bytes of known size that it has allocated at a time."""

    def is_no_more_than(self, other: Cost) -> bool:
        """Whether nothing is more."""
        return (
            self.copies.number <= other.copies.number
            and self.copies.size <= other.copies.size
            and all(
                peak <= other.peaks.get(space, 0) for space, peak in self.peaks.items()
            )
        )


class _LiveRange(NamedTuple):
    """Of memory that an op allocates: positions, bytes, and memory space."""

    start: int
    end: float
    size: int
    space: Attribute
    op: Operation


class Costs:
    """
    The costs of a program, which stays as it is, and may be changed afterwards.

    Raises `BufferizationError` if it cannot be bufferized.
    """

    def __init__(self, program: AnalysedModule):
        self._on_buffers = program.on_buffers
        self._functions: dict[func.FuncOp, _Function] = {}
        """By function of the program: its clone on buffers."""

    def copies(self, function: func.FuncOp) -> Copies:
        """The copies in a function of the program."""
        return self._on_buffers_of(function).copies

    def of(self, function: func.FuncOp) -> Cost:
        """The cost of a function of the program."""
        bufferized = self._on_buffers_of(function)
        return Cost(bufferized.copies, bufferized.peaks)

    def spaces_of_results(self, function: func.FuncOp) -> Sequence[Attribute]:
        """The memory space of each result that is a memref."""
        return self._on_buffers_of(function).spaces_of_results

    def allocated_above(
        self, limits: Mapping[func.FuncOp, Mapping[Attribute, int]]
    ) -> AbstractSet[Operation]:
        """
        The ops of the program that allocate what the functions have allocated in a memory
        space while that is more than the limit of the space, in bytes; 0 if it has none.
        """
        return {
            found
            for function, spaces in limits.items()
            for space, live_ranges in self._on_buffers_of(function).live_ranges.items()
            for op in _allocated_above(live_ranges, spaces.get(space, 0))
            if (found := self._on_buffers.origin(op)) is not None
        }

    def _on_buffers_of(self, function: func.FuncOp) -> _Function:
        if (known := self._functions.get(function)) is None:
            clone = self._on_buffers.ops[function]
            assert isinstance(clone, func.FuncOp)
            known = self._functions[function] = _Function(clone)
        return known


class _Function:
    """What is known of a function on buffers, found out when it is asked for."""

    def __init__(self, function: func.FuncOp):
        self._function = function

    @cached_property
    def copies(self) -> Copies:
        return _copies(self._function)

    @cached_property
    def live_ranges(self) -> Mapping[Attribute, Sequence[_LiveRange]]:
        """By memory space."""
        by_space: dict[Attribute, list[_LiveRange]] = defaultdict(list)
        for live_range in _live_ranges(self._function):
            by_space[live_range.space].append(live_range)
        return by_space

    @cached_property
    def peaks(self) -> Mapping[Attribute, int]:
        return {
            space: max(bytes for _, bytes in _allocated(live_ranges))
            for space, live_ranges in self.live_ranges.items()
        }

    @cached_property
    def spaces_of_results(self) -> Sequence[Attribute]:
        types = self._function.function_type.outputs
        return [memory_space_of(type) for type in types if is_memref_type(type)]


def _live_ranges(function: func.FuncOp) -> Sequence[_LiveRange]:
    """
    When memory is allocated, if all is freed behind its last use; what is not freed stays
    to the end.
    """
    try:
        buffers = static_buffers(function, 1, CallEffects()).placed
    except BufferizationError:
        # Control flow is unknown.
        buffers = ()
    points = ProgramPoints(function)
    live_ranges = [
        _LiveRange(
            min(int(points.position(buffer.op)), buffer.lower),
            buffer.upper,
            buffer.size,
            memory_space_of(buffer.op.memref.type),
            buffer.op,
        )
        for buffer in buffers
    ]
    placed = {buffer.op for buffer in buffers}
    live_ranges += [
        _LiveRange(
            int(points.position(op)),
            math.inf,
            size,
            memory_space_of(allocated.type),
            op,
        )
        for op in walk([function])
        if op not in placed
        for allocated in allocated_by(op)
        if (size := bytes_of_contents(allocated))
    ]
    return live_ranges


def _allocated(live_ranges: Iterable[_LiveRange]) -> Iterator[tuple[float, int]]:
    """The bytes that are allocated from each position on at which that changes."""
    changes: dict[float, int] = defaultdict(int)
    for live_range in live_ranges:
        changes[live_range.start] += live_range.size
        changes[live_range.end] -= live_range.size
    allocated = 0
    for position, change in sorted(changes.items()):
        allocated += change
        yield position, allocated


def _allocated_above(
    live_ranges: Sequence[_LiveRange], limit: int
) -> Iterator[Operation]:
    """The ops of what is alive while more bytes than the limit are allocated."""
    above = [p for p, allocated in _allocated(live_ranges) if allocated > limit]
    for live_range in live_ranges:
        index = bisect_left(above, live_range.start)
        if index < len(above) and above[index] < live_range.end:
            yield live_range.op


def _copies(function: func.FuncOp) -> Copies:
    total = Copies()
    for op in walk([function]):
        if (model := CopyOpInterface.of(op)) is not None:
            total += Copies(1, bytes_of_contents(model.source(op)) or 0)
    return total
