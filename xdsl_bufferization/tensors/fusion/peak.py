"""
Buffers that are live at the peak, and would not be if what they hold were computed where it is
read afterwards.

    %p = linalg.exp ins(%a) ...          // %p is live up to its last reader
    ...                                  // the peak
    %r = linalg.generic ins(%p, %b) ...  // computes exp of %a itself: %p is not live at the peak

That pays if what is read instead is live anyway, or smaller. Elementwise ops that compute what is
read are computed again, too, as long as these are few (`search.py`). Which peak is left is
estimated from the live ranges, before anything is changed.

Cost: time in proportion to the largest buffers that are live at the peak and their uses, if none of
them can be done without; otherwise in proportion to the function.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

from xdsl.dialects import tensor
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.support.limits import MAX_BUFFERS_AT_PEAK, MAX_PEAKS
from xdsl_bufferization.tensors.costs.buffer_uses import SCALE, BufferUses
from xdsl_bufferization.tensors.costs.profile import Allocation, Buffer, Profile

LiveRange: TypeAlias = tuple[float, float]
"""From when on something is live, and when it is not any more."""


class PeakMemory:
    """The memory of the default memory space that a function allocates, as decided."""

    def __init__(self, uses: BufferUses, profile: Profile):
        self._uses = uses
        self._allocations = profile.allocations
        self.bytes: int = profile.peak
        """The peak."""
        at_peak = (time for time, size in profile.steps if size == self.bytes)
        self.times: Sequence[float] = MAX_PEAKS.first(at_peak)
        """When it is reached."""

    def live_at(self, time: float) -> Sequence[Allocation]:
        """The largest buffers that are live at a time."""
        live = (a for a in self._allocations if a.is_live(time))
        return MAX_BUFFERS_AT_PEAK.first(
            sorted(live, key=lambda a: a.bytes, reverse=True)
        )

    def values_from(self, time: float, allocation: Allocation) -> Sequence[SSAValue]:
        """The tensors in the buffer that are read from the time on."""
        return [
            value
            for value in allocation.values
            if isinstance(value, SSAValue)
            and not isinstance(value.owner, tensor.EmptyOp)
            and any(self.time_of(use.operation) >= time for use in value.uses)
        ]

    def time_of(self, op: Operation) -> float:
        """When the op runs."""
        return self._uses.points.position(op) * SCALE

    def defined_at(self, value: SSAValue) -> float:
        """When the value is there."""
        return self._uses.points.defined_at(value) * SCALE

    def last_use(self, value: SSAValue) -> float:
        """The time of the last use of the value."""
        return max((self.time_of(use.operation) for use in value.uses), default=0)

    def buffers_of(self, value: SSAValue) -> Sequence[Allocation]:
        """The buffers that the value may be in."""
        return self._buffers.get(value, ())

    def is_overwritten(self, value: SSAValue, until: float) -> bool:
        """Whether the buffers of the value have other contents at a time afterwards."""
        defined = self.defined_at(value)
        return any(
            isinstance(other, OpResult)
            and defined < self.time_of(other.op) <= until
            and DestinationStyleOpInterface.of(other.op) is not None
            for allocation in self.buffers_of(value)
            for other in allocation.values
        )

    def bytes_added(self, kept: Sequence[Allocation], time: float) -> int:
        """The bytes that are live at a time, too, if the buffers are kept that long."""
        return sum(a.bytes for a in kept if not a.is_live(time))

    def ranges_without(
        self, allocation: Allocation, ops: Container[Operation | None], time: float
    ) -> Sequence[LiveRange]:
        """
        When the buffer is live if the ops do not use it, and it is split at a time at which
        nothing else needs what it holds.
        """
        start, end = allocation.start, allocation.end
        touched = [
            touch.first
            for touch in allocation.touches
            if self._uses.points.at[touch.position] not in ops
        ]
        before = max((t for t in touched if t < time), default=None)
        written = [
            self.time_of(value.op)
            for value in allocation.values
            if isinstance(value, OpResult)
            and value.op not in ops
            and self.time_of(value.op) > time
            and not isinstance(value.op, tensor.EmptyOp)
        ]
        ranges = [] if before is None else [(start, before + 1)]
        return [*ranges, (min(written), end)] if written else ranges

    def peak_with(
        self,
        ranges: Mapping[Allocation, Sequence[LiveRange]],
        kept: Mapping[Allocation, float],
    ) -> int:
        """The peak if buffers are live at other times, or are kept up to a time."""
        return Profile(
            replace(a, start=round(start), end=max(end, kept.get(a, 0)))
            for a in self._allocations
            for start, end in ranges.get(a, [(a.start, a.end)])
        ).peak

    @cached_property
    def _buffers(self) -> Mapping[Buffer, Sequence[Allocation]]:
        found: dict[Buffer, list[Allocation]] = {}
        for allocation in self._allocations:
            for value in allocation.values:
                found.setdefault(value, []).append(allocation)
        return found
