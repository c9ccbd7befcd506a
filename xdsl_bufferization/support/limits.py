"""
Limits: how far the analyses look, so that each answer takes bounded time.

    %1 = arith.select %c, %t0, %t1 : tensor<8xf32>
    ...
    %9 = arith.select %c, %8, %t9 : tensor<8xf32>    // ten origins, more than MAX_ORIGINS
    %s = linalg.exp ins(%9) outs(%t0)                // %9 may overlap %t0 in part: a copy

Beyond a limit an analysis gives the answer that holds for every program: tensors may alias, a
copy may be needed, a copy counts as avoidable. Results are correct at every value; a higher value
finds more, for programs that are rare, at more cost for all. Values are a few times as large as
those of the programs in `benchmarks/` and of real networks need.

`limits_met` lists the limits that stopped an analysis:

    with limits_met() as met:
        bufferize(context, module)
    print(met)    // Counter({'MAX_ORIGINS': 3})

How often a program is tried, and how large arenas are planned, is limited where that is done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

_collected: ContextVar[Counter[str] | None] = ContextVar("limits met", default=None)


class Limit(int):
    """A number that an analysis stops at, with the name by which `limits_met` lists it."""

    name: str = ""

    def met(self) -> None:
        """Note that an analysis has stopped here."""
        collected = _collected.get()
        if collected is not None:
            collected[self.name] += 1

    def exceeded_by(self, number: int) -> bool:
        """Whether the number is larger; then an analysis stops here."""
        if number > self:
            self.met()
            return True
        return False

    def steps(self) -> Iterator[int]:
        """As many steps, for a loop that stops here unless it ends before."""
        yield from range(self)
        self.met()

    def first(self, items: Iterable[T]) -> list[T]:
        """The first items; if there are more, an analysis leaves them out."""
        found = [*islice(items, self + 1)]
        return found[:self] if self.exceeded_by(len(found)) else found

    def within(self, items: Iterable[T]) -> list[T] | None:
        """The items; `None` if there are more, so that an analysis stops here."""
        found = [*islice(items, self + 1)]
        return None if self.exceeded_by(len(found)) else found


@contextmanager
def limits_met() -> Generator[Counter[str]]:
    """
    Count how often each limit stops an analysis within the context, by its name here. Decisions
    that are taken from memoized answers count once.
    """
    met = Counter[str]()
    token = _collected.set(met)
    try:
        yield met
    finally:
        _collected.reset(token)


# Facts about tensors -------------------------------------------------------------------

MAX_ORIGINS = Limit(8)
"""Origins, or roots, of one tensor. Beyond, the tensor may alias any other."""

MAX_TRACED_OPS = Limit(16)
"""
Ops between a slice and the tensors that it is a part of. Beyond, the slice is not compared with
other parts of those.
"""

MAX_NESTED_EXTRACTIONS = Limit(16)
"""Slices of slices between a tensor and the source of an insertion. Beyond, they conflict."""

MAX_LINKED_SOURCES = Limit(4)
"""
Sources of one tensor for which equivalence is found while decisions are taken. Beyond, it is found
after the last decision, and decisions do without it: asking for each would be quadratic.
"""

# Numbers -------------------------------------------------------------------------------

MAX_INDEX_OPS = Limit(16)
"""Ops that an offset is traced back through. Beyond, the value so far is the base."""

MAX_CLAMPS = Limit(4)
"""Casts and clamps between an induction variable and an offset. Beyond, it is not recognized."""

# Loops, tile by tile -------------------------------------------------------------------

MAX_READS_OF_SLICE = Limit(16)
"""Uses of a slice that forward it. Beyond, the loop does not work in the tensor's buffer."""

MAX_NESTED_SLICES = Limit(16)
"""Slices of slices in a nest of loops. Beyond, a tile is not known to be read first."""

MAX_NESTED_LOOPS = Limit(8)
"""Loops of one nest. Beyond, a tile is not known to be read first."""

# The check of decisions ----------------------------------------------------------------

MAX_FORWARDED_TOGETHER = Limit(32)
"""Tensors that one op forwards together, compared in pairs. Beyond, they may overlap."""

MAX_LOCATION_PAIRS = Limit(16)
"""Pairs of alternative locations of two tensors. Beyond, they may overlap."""

MAX_FACTS = Limit(32)
"""Facts about one tensor. Beyond, one fact that implies them all takes their place."""

MAX_INDEXED_ROOTS = Limit(8)
"""Roots by which a live tensor is indexed. Beyond, it is looked at for each root."""

MAX_ADDRESS_ROUNDS = Limit(8)
"""Rounds in which all addresses are found. Beyond, a tensor with a wrong one is its own base."""

MAX_PATH_STEPS = Limit(8)
"""Steps of an access path. Beyond, the tensor is its own base."""

# The bound of copies: beyond each, fewer copies count as forced -------------------------

MAX_DEPENDENT_OPS = Limit(128)
"""Ops that are searched for one that needs another one's result."""

MAX_CONTAINERS = Limit(8)
"""Tensors that one tensor is put into, and that are compared in pairs."""

MAX_LATER_READERS = Limit(8)
"""Readers of one place, the last ones in the text."""

MAX_LOOP_ROUNDS = Limit(4)
"""Rounds in which the value of what loops carry shrinks. Beyond, it is worth nothing."""

MAX_BOX_PAIRS = Limit(64)
"""Pairs of parts of two tensors."""

MAX_VIEW_STEPS = Limit(16)
"""Views of views. Beyond, the view is taken for a tensor with memory of its own."""

MAX_DISJOINT_PARTS = Limit(16)
"""Disjoint parts of one tensor whose copies are counted."""

# Models --------------------------------------------------------------------------------

MAX_SIZE_STEPS = Limit(64)
"""Steps in which the sizes of a slice are traced back. Beyond, it is a part of the tensor."""

MAX_RESHAPES = Limit(16)
"""Reshapes of reshapes that a buffer is traced back through."""

MAX_POSSIBLE_BUFFERS = Limit(64)
"""Buffers, and results of conditionals, that a buffer may be. Beyond, it is any of them."""

MAX_OPS_TO_LAST_READ = Limit(256)
"""Ops between the load of a global tensor and its last read. Beyond, the tensor is copied."""

MAX_OPS_PER_ELEMENT = Limit(4)
"""Ops that compute one element of a tensor. Beyond, computing it again is slower than a copy."""

# Changes of tensor programs: beyond each, the program stays as it is there ------------

MAX_ELIMINATED = Limit(4)
"""The symbols that are replaced by their bounds when two sizes are compared."""

MAX_OPS_FOR_KINDS = Limit(300)
"""The ops of a function in which `eliminate-copies` is tried without each kind of edits."""

MAX_OPS_FOR_EDITS = Limit(48)
"""The ops of a program that `eliminate-copies` tries without each of its edits alone."""

MAX_ATTEMPTS = Limit(5)
"""Attempts to eliminate copies, each without the culprits found in those before."""

MAX_INSERTION_CHAIN = Limit(32)
"""Insertions that are ordered together."""

MAX_USES_IN_CONDITIONAL = Limit(8)
"""Uses of a tensor that is overwritten in a conditional."""

MAX_NESTED_CONDITIONALS = Limit(8)
"""Conditionals, one in the other, in which an op overwrites a tensor from outside."""

MAX_PASSED_OPS = Limit(512)
"""Ops, nested ones included, that an op is moved across."""

MAX_UNROLLED_OPS = Limit(256)
"""Ops of the body of a loop that is unrolled, nested ones included."""

MAX_SCANNED_USES = Limit(16)
"""Uses of a tensor that a loop reads slice by slice."""

MAX_SCANNED_TENSORS = Limit(8)
"""Tensors that a tensor that a loop carries may start as."""

MAX_PIECES = Limit(32)
"""
Pieces that a tensor is put together from: a rotation of a tensor of three dimensions in each of
them has 8, and 27 tiles have an elementwise op that reads it rotated both ways.
"""

MAX_RESHAPES_OF_EMPTY = Limit(8)
"""Reshapes between an empty tensor and the insertion."""

MAX_FAILED_SEARCHES = Limit(8)
"""Failures to replace an empty tensor. Beyond, it is not found any more."""

MAX_DESTINATION_STEPS = Limit(16)
"""Ops through which a destination is traced back to the tensor that it is a part of."""

MAX_MOVED_OPS = Limit(64)
"""Ops that are moved to make one value available."""

MAX_TYPE_ROUNDS = Limit(4)
"""
Attempts to follow the buffers of a function, each with the types that loops were found to carry
in those before. Beyond, copies to other layouts are estimated.
"""

# Peaks of memory: beyond each, less is tried ------------------------------------------

MAX_ACCESSED_SLICES = Limit(32)
"""Slices of one alias set that are compared with each other; others count as all of it."""

MAX_WAITING_READERS = Limit(64)
"""Readers of one slice that a write waits for. Beyond, it waits for those of all slices."""

MAX_REORDERED_OPS = Limit(20_000)
"""Ops of a block that is reordered."""

MAX_SPLIT_CHAINS = Limit(32)
"""Chains of a function that are split."""

MAX_SPLIT_TRIALS = Limit(24)
"""Programs that are tried without a gain."""

MAX_SPLIT_TENSORS = Limit(16)
"""Tensors of a peak whose chains are tried, the largest first."""

MAX_PEAKS = Limit(4)
"""Times at which a peak is reached again that are looked at."""

MAX_BUFFERS_AT_PEAK = Limit(256)
"""Buffers that are live at a peak that are looked at, the largest first."""

MAX_SPLIT_CHAIN = Limit(32)
"""Ops of a chain that is split; its loop body stays small."""

MAX_RECOMPUTED_OPS = Limit(16)
"""Ops that are computed where another op reads their results, for one buffer."""

MAX_RECOMPUTED_USES = Limit(64)
"""Uses of an op that is computed again."""

MAX_FUSED_USES = Limit(32)
"""Uses of an op that is fused."""

# Report -------------------------------------------------------------------------------

MAX_OPS_TRIED = Limit(1_000)
"""
Ops of all programs together that the report tries changes on; with more than a fifth of them, one.
"""


def _give_names(limits: Mapping[str, object]) -> None:
    for name, limit in limits.items():
        if isinstance(limit, Limit):
            limit.name = name


_give_names(globals())
