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

Limits of a single pass are in the file of that pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Self

_collected: ContextVar[Counter[str] | None] = ContextVar("limits met", default=None)


class Limit(int):
    """A number that an analysis stops at, with the name by which `limits_met` lists it."""

    name: str

    def __new__(cls, name: str, value: int) -> Self:
        limit = super().__new__(cls, value)
        limit.name = name
        return limit

    def met(self) -> None:
        """Note that an analysis has stopped here."""
        collected = _collected.get()
        if collected is not None:
            collected[self.name] += 1


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

MAX_ORIGINS = Limit("MAX_ORIGINS", 8)
"""Origins, or roots, of one tensor. Beyond, the tensor may alias any other."""

MAX_TRACED_OPS = Limit("MAX_TRACED_OPS", 16)
"""
Ops between a slice and the tensors that it is a part of. Beyond, the slice is not compared with
other parts of those.
"""

MAX_NESTED_EXTRACTIONS = Limit("MAX_NESTED_EXTRACTIONS", 16)
"""Slices of slices between a tensor and the source of an insertion. Beyond, they conflict."""

MAX_LINKED_SOURCES = Limit("MAX_LINKED_SOURCES", 4)
"""
Sources of one tensor for which equivalence is found while decisions are taken. Beyond, it is found
after the last decision, and decisions do without it: asking for each would be quadratic.
"""

# Numbers -------------------------------------------------------------------------------

MAX_INDEX_OPS = Limit("MAX_INDEX_OPS", 16)
"""Ops that an offset is traced back through. Beyond, the value so far is the base."""

MAX_CLAMPS = Limit("MAX_CLAMPS", 4)
"""Casts and clamps between an induction variable and an offset. Beyond, it is not recognized."""

# Loops, tile by tile -------------------------------------------------------------------

MAX_READS_OF_SLICE = Limit("MAX_READS_OF_SLICE", 16)
"""Uses of a slice that forward it. Beyond, the loop does not work in the tensor's buffer."""

MAX_NESTED_SLICES = Limit("MAX_NESTED_SLICES", 16)
"""Slices of slices in a nest of loops. Beyond, a tile is not known to be read first."""

MAX_NESTED_LOOPS = Limit("MAX_NESTED_LOOPS", 8)
"""Loops of one nest. Beyond, a tile is not known to be read first."""

# The check of decisions ----------------------------------------------------------------

MAX_FORWARDED_TOGETHER = Limit("MAX_FORWARDED_TOGETHER", 32)
"""Tensors that one op forwards together, compared in pairs. Beyond, they may overlap."""

MAX_LOCATION_PAIRS = Limit("MAX_LOCATION_PAIRS", 16)
"""Pairs of alternative locations of two tensors. Beyond, they may overlap."""

MAX_FACTS = Limit("MAX_FACTS", 32)
"""Facts about one tensor. Beyond, one fact that implies them all takes their place."""

MAX_INDEXED_ROOTS = Limit("MAX_INDEXED_ROOTS", 8)
"""Roots by which a live tensor is indexed. Beyond, it is looked at for each root."""

MAX_ADDRESS_CORRECTIONS = Limit("MAX_ADDRESS_CORRECTIONS", 32)
"""Corrections of one tensor's address. Beyond, it is its own base."""

MAX_ADDRESS_ROUNDS = Limit("MAX_ADDRESS_ROUNDS", 8)
"""Rounds in which all addresses are found. Beyond, what is left is found as it is."""

MAX_PATH_STEPS = Limit("MAX_PATH_STEPS", 8)
"""Steps of an access path. Beyond, the tensor is its own base."""

# The bound of copies: beyond each, fewer copies count as forced -------------------------

MAX_DEPENDENT_OPS = Limit("MAX_DEPENDENT_OPS", 128)
"""Ops that are searched for one that needs another one's result."""

MAX_CONTAINERS = Limit("MAX_CONTAINERS", 8)
"""Tensors that one tensor is put into, and that are compared in pairs."""

MAX_LATER_READERS = Limit("MAX_LATER_READERS", 8)
"""Readers of one place, the last ones in the text."""

MAX_LOOP_ROUNDS = Limit("MAX_LOOP_ROUNDS", 4)
"""Rounds in which the value of what loops carry shrinks. Beyond, it is worth nothing."""

MAX_BOX_PAIRS = Limit("MAX_BOX_PAIRS", 64)
"""Pairs of parts of two tensors."""

MAX_VIEW_STEPS = Limit("MAX_VIEW_STEPS", 16)
"""Views of views. Beyond, the view is taken for a tensor with memory of its own."""

MAX_DISJOINT_PARTS = Limit("MAX_DISJOINT_PARTS", 16)
"""Disjoint parts of one tensor whose copies are counted."""

# Models --------------------------------------------------------------------------------

MAX_SIZE_STEPS = Limit("MAX_SIZE_STEPS", 64)
"""Steps in which the sizes of a slice are traced back. Beyond, it is a part of the tensor."""

MAX_RESHAPES = Limit("MAX_RESHAPES", 16)
"""Reshapes of reshapes that a buffer is traced back through."""

MAX_POSSIBLE_BUFFERS = Limit("MAX_POSSIBLE_BUFFERS", 64)
"""Buffers, and results of conditionals, that a buffer may be. Beyond, it is any of them."""

MAX_OPS_TO_LAST_READ = Limit("MAX_OPS_TO_LAST_READ", 256)
"""Ops between the load of a global tensor and its last read. Beyond, the tensor is copied."""

MAX_OPS_PER_ELEMENT = Limit("MAX_OPS_PER_ELEMENT", 4)
"""Ops that compute one element of a tensor. Beyond, computing it again is slower than a copy."""
