"""Random programs for hypothesis, which makes those that fail small."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.trials import read
from tests.peer import find_mlir_tools
from tests.programs import FAMILIES, generate_program

NEEDS_TOOLS = "structured"
"""The family with ops that xDSL has no custom syntax for."""


def families_here() -> list[str]:
    """The families of programs that can be read here."""
    known = [*FAMILIES]
    if find_mlir_tools() is None:
        known.remove(NEEDS_TOOLS)
    return known


@st.composite
def modules(draw: DrawFn, family: str) -> ModuleOp:
    """
    Programs of the family and up to two others; everything the generator chooses is drawn.
    """
    others = st.lists(st.sampled_from(families_here()), max_size=2, unique=True)
    chosen = {family, *draw(others)}
    random = draw(st.randoms(use_true_random=False))
    assert isinstance(random, Random)
    program = generate_program(random, chosen, functions=2, ops=6)
    return read(program.text, find_mlir_tools())
