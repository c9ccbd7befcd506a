"""No pipeline copies less than the bound says that every one does."""

from __future__ import annotations

from random import Random

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.strategy import families_here
from tests.fuzzing.trials import read
from tests.peer import find_mlir_tools
from tests.peer.runner import parse_module
from tests.programs import generate_program
from tests.slow import exhaustive, one_in, slow
from tests.verification.copies import PIPELINES, bounds, reached
from tests.verification.copying import copying_program


def assert_bound(module: ModuleOp) -> int:
    """The bytes that are forced, which no pipeline does without."""
    module.verify()
    found = bounds(module)
    for pipeline in PIPELINES:
        for name, size in reached(module, pipeline).items():
            assert found.get(name, 0) <= size, (pipeline, name)
    return sum(found.values())


@pytest.mark.parametrize(
    "seeds", [range(20), *slow([range(20, 70)]), *exhaustive([range(70, 120)])], ids=str
)
def test_no_pipeline_copies_less_in_programs_about_copies(seeds: range):
    forced = 0
    for seed in seeds:
        module = parse_module(copying_program(Random(seed)))
        forced += assert_bound(module) > 0
    # Otherwise nothing is tested.
    assert forced > len(seeds) // 2


@pytest.mark.parametrize(
    "seeds", [range(1), *slow([range(1, 10)]), *exhaustive([range(10, 20)])], ids=str
)
@pytest.mark.parametrize("family", one_in(6, families_here()))
def test_no_pipeline_copies_less_in_programs_of_all_families(family: str, seeds: range):
    for seed in seeds:
        program = generate_program(Random(seed), [family], functions=2, ops=10)
        assert_bound(read(program.text, find_mlir_tools()))
