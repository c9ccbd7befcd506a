"""
The traffic of a function, which is copies and moves, its peaks, and the bytes of its tensors and
memrefs, which may be known at run time only.

    %e = tensor.empty(%n) : tensor<?x16xf32>     // 64 * %n bytes

How often ops run each time their function does: traffic in a loop counts once an iteration.

    scf.for %i = %c0 to %c8 step %c1 { ... }    // 8: bounds and step are constants
    scf.while ... { ... }                       // UNKNOWN_TRIP_COUNT

Each branch counts as taken. Takes time in proportion to the loops around the op, and linear in the
rank and what `memrefs/sizes/size_analysis.py` takes for dynamic sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.contents import move_of
from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.interfaces.parallel_combining import combines_in_parallel
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.sizes import Expression
from xdsl_bufferization.support.data_layout import DataLayout
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.tensors.costs.profile import Bytes, assumed

if TYPE_CHECKING:
    from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes


class BufferBytes:
    """
    The bytes of tensors and memrefs by a data layout, given what analyses their sizes: as long as
    the program does not change, the same object.
    """

    def __init__(self, layout: DataLayout, sizes: Callable[[], Sizes]):
        self._layout = layout
        self._sizes = sizes

    def of(self, value: SSAValue) -> Expression | None:
        """The bytes of all elements; `None` if these have none, or the value has no rank."""
        type = value.type
        known = self._layout.bytes_of_contents(type)
        if known is not None:
            return Expression.constant(known)
        if not isinstance(type, TensorType | MemRefType):
            return None
        stride = self._layout.stride_in_bytes(type.element_type)
        elements = self._sizes().elements(value)
        if stride is None or elements is None:
            return None
        return elements.times(stride)


def bytes_in(function: Operation) -> BufferBytes:
    """The bytes of the tensors and memrefs of a function, as long as it does not change."""
    return BufferBytes(DataLayout.of(function), sizes_if_asked())


def sizes_if_asked() -> Callable[[], Sizes]:
    """A function that always returns the same sizes, which are made when it is first called."""

    def sizes() -> Sizes:
        # Most programs have no dynamic sizes.
        from xdsl_bufferization.memrefs.sizes.size_analysis import Sizes

        return Sizes()

    return cache(sizes)


class Copies(NamedTuple):
    """Copies in the text of a program, those in loops counted once."""

    number: int = 0
    bytes: Bytes = Bytes()
    repeated: int = 0
    """The bytes that they copy in further iterations of loops (`executions`)."""

    @property
    def size(self) -> int:
        """Their bytes, as far as these are known or assumed."""
        return self.bytes.number

    def are_no_more_than(self, other: Copies) -> bool:
        """Whether neither number nor bytes are more."""
        return self.number <= other.number and not self.bytes.may_exceed(other.bytes)


class Moves(NamedTuple):
    """
    Moves in the text of a program: the ops that only move elements from one tensor to another;
    those in loops counted once.
    """

    number: int = 0
    read: int = 0
    """The bytes that they read, as far as these are known or assumed."""
    written: int = 0
    """The bytes that they write."""
    repeated: int = 0
    """The bytes that they read and write in further iterations of loops (`executions`)."""


NO_MOVES = Moves()


def moves_of(
    function: Operation,
    known: BufferBytes | None = None,
    ops: Iterable[Operation] | None = None,
) -> Moves:
    """
    The moves in a function on tensors, given the sizes of tensors that are `known`, and its `ops`
    with tensors if these are known, too. Takes time linear in the ops.
    """
    buffers = known or bytes_in(function)
    number = read = written = repeated = 0
    for op in walk([function]) if ops is None else ops:
        if not op.results or (move := move_of(op)) is None or move.map is None:
            continue
        number += 1
        size = buffers.of(op.results[0])
        source = buffers.of(move.source)
        if size is not None and source is not None:
            stored = assumed(size)
            taken = min(assumed(source), stored)
            read += taken
            written += stored
            repeated += (taken + stored) * (executions(op) - 1)
    return Moves(number, read, written, repeated)


class Cost(NamedTuple):
    """The copies, moves and peaks of a function."""

    copies: Copies
    memory: Mapping[Attribute, Bytes]
    """By memory space: the most bytes that it has allocated at a time."""
    moves: Moves = NO_MOVES

    @property
    def peaks(self) -> Mapping[Attribute, int]:
        """By memory space: the peak, as far as it is known or assumed."""
        return {space: peak.number for space, peak in self.memory.items()}

    @property
    def depends_on_sizes(self) -> bool:
        """Whether a peak depends on sizes that are known at run time only."""
        return any(peak.maxima for peak in self.memory.values())

    @property
    def traffic(self) -> tuple[int, int]:
        """The number of copies and moves, and the bytes that they read and write."""
        copies, moves = self.copies, self.moves
        return (
            copies.number + moves.number,
            2 * copies.size + moves.read + moves.written,
        )

    @property
    def executed(self) -> int:
        """The bytes that copies and moves read and write each time the function runs."""
        return self.traffic[1] + 2 * self.copies.repeated + self.moves.repeated

    def is_no_more_than(self, other: Cost) -> bool:
        """
        Whether nothing is more. Moves may be more if they take the place of copies that read
        and write as much.
        """
        return (
            self.copies.are_no_more_than(other.copies)
            and self.traffic[0] <= other.traffic[0]
            and self.traffic[1] <= other.traffic[1]
            and not any(
                peak.may_exceed(other.memory.get(space, Bytes()))
                for space, peak in self.memory.items()
            )
        )


UNKNOWN_TRIP_COUNT = 16
"""The iterations that are assumed of a loop whose bounds are no constants."""


def executions(op: Operation) -> int:
    """The number of times that the op runs each time its function does."""
    number, nested = 1, op
    while (parent := nested.parent_op()) is not None:
        number *= _trip_count(parent, nested)
        nested = parent
    return number


def _trip_count(op: Operation, nested: Operation) -> int:
    """The number of times that the region around the nested op runs each time the op does."""
    if (known := trip_count(op)) is not None:
        return known
    region = nested.parent_region()
    if region is None or combines_in_parallel(nested):
        return 1
    index = op.get_region_index(region)
    models = RegionBranchOpInterface.of(op), BufferizableOpInterface.of(op)
    if any(model is not None and model.is_repetitive(op, index) for model in models):
        return UNKNOWN_TRIP_COUNT
    return 1
