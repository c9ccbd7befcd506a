"""Tensor programs to test with."""

from collections.abc import Iterable

from tests.programs.control_flow import (
    BLOCKS,
    BODIES,
    LOOPS,
    REGIONS,
    SWITCHES,
)
from tests.programs.generator import Function, Program, generate
from tests.programs.tensors import TENSORS, VECTORS

__all__ = ["FAMILIES", "Function", "Program", "generate_program"]

_FAMILIES = {
    "blocks": BLOCKS,
    "bodies": BODIES,
    "loops": LOOPS,
    "regions": REGIONS,
    "switches": SWITCHES,
    "tensors": TENSORS,
    "vectors": VECTORS,
}
FAMILIES = (*_FAMILIES, "recursion")
"""What programs may have besides what each may have."""


def generate_program(seed: int, families: Iterable[str] = ()) -> Program:
    """
    The program of the seed, in MLIR's custom syntax; `families` are some of `FAMILIES`.
    """
    chosen = {*families}
    return generate(
        seed,
        [_FAMILIES[name] for name in sorted(chosen - {"recursion"})],
        recursion="recursion" in chosen,
    )
