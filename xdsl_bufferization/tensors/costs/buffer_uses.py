"""
The buffers that a function will have: which are allocated, when they are touched, and which
values are in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.buffers.program_points import ProgramPoints
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.reachability import reachable
from xdsl_bufferization.tensors.costs.buffer_bytes import BufferBytes
from xdsl_bufferization.tensors.costs.buffer_types import Buffer, NewBuffer
from xdsl_bufferization.tensors.costs.figures import Copies, executions
from xdsl_bufferization.tensors.costs.profile import Touch, assumed, total

if TYPE_CHECKING:
    from xdsl_bufferization.sizes.size_analysis import Sizes

SCALE = 1 << 20
"""The distance of the times of two ops: copies before and after an op have room."""


class BufferUses:
    """
    The buffers of a function, which one pass over its ops records, given the sizes of its program,
    and which ops have scalar bodies.

    Times are positions of `ProgramPoints` times `SCALE`. All is indexed by buffer, and by the
    values that stand for the buffers that they will be in.
    """

    def __init__(
        self,
        function: Operation,
        sizes: Callable[[], Sizes],
        has_scalar_body: Callable[[Operation], bool],
    ):
        self.points: ProgramPoints = ProgramPoints(function, has_scalar_body)
        self.allocated: list[tuple[Buffer, int]] = []
        """New buffers, with the times at which they are allocated."""
        self.touches: dict[Buffer, list[Touch]] = {}
        """When each buffer is touched under that name."""
        self.sources: dict[SSAValue, list[Buffer]] = {}
        """By value: what it is in, or a part of, or was computed from, because of one op."""
        self.derived: dict[Buffer, list[Buffer]] = {}
        """
        By buffer: the values that are it, or a part of it, because of one op. For a call, a buffer
        that is not allocated stands between its operands and its results.
        """
        self.returned: set[Buffer] = set()
        """The buffers that the function returns."""
        self.shared: set[SSAValue] = set()
        """Block arguments in whose place the buffer itself will be."""
        self.bytes: BufferBytes = BufferBytes(DataLayout.of(function), sizes)
        """The bytes of the tensors and memrefs."""
        self._copied: list[Expression] = []
        """The bytes of each copy."""
        self._repeated = 0
        """The bytes that copies in loops copy in further iterations."""

    @property
    def copies(self) -> Copies:
        """The copies that are made."""
        return Copies(len(self._copied), total(self._copied), self._repeated)

    def size(self, buffer: Buffer) -> Expression | None:
        """The size; `None` if it is not known."""
        value = buffer.value if isinstance(buffer, NewBuffer) else buffer
        return self.bytes.of(value)

    def values_in(self, buffer: Buffer) -> Iterable[Buffer]:
        """The buffer, and all values that may alias it."""
        return reachable([buffer], lambda value: self.derived.get(value, ()))

    def copy(self, source: Buffer, place: Operation) -> None:
        """Record a copy of the buffer, made where the op is."""
        size = self.size(source)
        self._copied.append(Expression({}) if size is None else size)
        self._repeated += assumed(self._copied[-1]) * (executions(place) - 1)

    def add_source(
        self, value: SSAValue, source: Buffer, new: Sequence[OpResult] = ()
    ) -> None:
        """
        Record that the value is in the source, or is a part of it; or if it is one of those
        that are `new` buffers, that it is computed from the source.
        """
        sources = self.sources.setdefault(value, [])
        if not sources or source is not sources[-1]:
            sources.append(source)
            if value not in new:
                self.derived.setdefault(source, []).append(value)

    def touch(self, buffers: Iterable[Buffer], touch: Touch) -> None:
        """Record when the buffers are touched."""
        for buffer in buffers:
            self.touches.setdefault(buffer, []).append(touch)

    def touch_of(self, op: Operation, position: int) -> Touch:
        """When the op at the position touches buffers."""
        last = self.points.end(op) if op.regions else position
        return Touch(position, position * SCALE, last * SCALE)
