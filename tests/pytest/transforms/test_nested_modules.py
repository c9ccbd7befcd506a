"""Random programs with a module in the module that uses its names again."""

import pytest

from tests.fuzzing.pipelines import Pipeline
from tests.fuzzing.trials import Trial, Verdict, attempt, read
from tests.programs import generate_program


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "passes",
    [
        "bufferize",
        "bufferize{arena}",
        "bufferize{arena=argument arguments=read-only}",
        "bufferize{bufferize-function-boundaries=false copy-before-write}",
    ],
)
def test_names_of_a_module_may_be_used_again(passes: str, seed: int):
    module = read(generate_program(seed, ["modules"], ops=8).text)
    pipeline = Pipeline(
        "modules",
        all_in_one=passes,
        all_frees="boundaries" not in passes,
        hides_callees=bool(seed % 2),
    )
    assert attempt(module, pipeline, seed) == Trial(Verdict.EQUAL)
