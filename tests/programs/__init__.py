"""Tensor programs to test with."""

from collections.abc import Iterable
from random import Random

from tests.programs.boundaries import BUFFERS, CALLS, EXTERNAL, MUTUAL
from tests.programs.control_flow import (
    BLOCKS,
    BODIES,
    LOOPS,
    REGIONS,
    SWITCHES,
    TILES,
)
from tests.programs.dynamic import UNKNOWN_SIZES
from tests.programs.frees import BOXES, FREES, REALLOCS
from tests.programs.generator import Function, Program, generate
from tests.programs.memory import (
    ALIGNED,
    CLONES,
    OUTSIDE,
    PARTS,
    SPACES,
    UNRANKED,
    WIDE_ELEMENTS,
)
from tests.programs.modules import MODULES
from tests.programs.moves import MOVES
from tests.programs.structured import MATRICES, STRUCTURED
from tests.programs.tensors import TENSORS, VECTORS

__all__ = [
    "FAMILIES",
    "FREEING_FAMILIES",
    "MEMORY_FAMILIES",
    "Function",
    "Program",
    "generate_program",
]

_FAMILIES = {
    "blocks": BLOCKS,
    "bodies": BODIES,
    "buffers": BUFFERS,
    "calls": CALLS,
    "external": EXTERNAL,
    "loops": LOOPS,
    "matrices": MATRICES,
    "moves": MOVES,
    "mutual": MUTUAL,
    "regions": REGIONS,
    "structured": STRUCTURED,
    "switches": SWITCHES,
    "tensors": TENSORS,
    "tiles": TILES,
    "unknown sizes": UNKNOWN_SIZES,
    "vectors": VECTORS,
}
FAMILIES = (*_FAMILIES, "recursion", "elements")
"""What programs may have besides what each may have."""

_MEMORY_FAMILIES = {
    "aligned": ALIGNED,
    "clones": CLONES,
    "modules": MODULES,
    "outside": OUTSIDE,
    "parts": PARTS,
    "spaces": SPACES,
    "unranked": UNRANKED,
    "wide elements": WIDE_ELEMENTS,
}
MEMORY_FAMILIES = (*_MEMORY_FAMILIES,)
"""
More of them, for programs that go through random pipelines: memory of the program's own, and
what is not in functions.
"""

_FREEING_FAMILIES = {"boxes": BOXES, "frees": FREES, "reallocs": REALLOCS}
FREEING_FAMILIES = (*_FREEING_FAMILIES,)
"""Memory of the program's own that it stores in memory, reallocates, or frees itself."""

_ALL_FAMILIES = {**_FAMILIES, **_MEMORY_FAMILIES, **_FREEING_FAMILIES}


def generate_program(
    seed: int | Random,
    families: Iterable[str] = (),
    *,
    functions: int = 3,
    ops: int = 14,
) -> Program:
    """
    The program of the seed, in MLIR's custom syntax; `families` are some of `FAMILIES`,
    `MEMORY_FAMILIES` and `FREEING_FAMILIES`.
    For the number of functions and ops see `generate`.
    """
    chosen = {*families}
    return generate(
        seed,
        [_ALL_FAMILIES[name] for name in sorted(chosen & _ALL_FAMILIES.keys())],
        recursion="recursion" in chosen,
        elements="elements" in chosen,
        functions=functions,
        ops=ops,
    )
