"""The programs of which `benchmarks.elimination` measures the time."""

import pytest

from benchmarks.elimination import FAMILIES, copies, program
from tests.fuzzing.elimination import eliminate
from tests.peer.runner import parse_module

LEFT = {
    "fills": 0,
    # Two padded tensors at once take more than a padded one and one without padding.
    "pads": 4,
    # Of the argument.
    "concats": 1,
    "tiles": 0,
}


@pytest.mark.parametrize("family", FAMILIES)
def test_copies_are_eliminated_and_the_program_computes_the_same(family: str):
    module = parse_module(program(family, 5))
    assert copies(module) >= 4
    assert eliminate(module, runs=2).after.copies.number == LEFT[family]
