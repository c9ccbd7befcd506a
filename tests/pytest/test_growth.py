"""The work of the passes grows with the program, and not faster."""

import pytest

from benchmarks.programs import FAMILIES
from tests.executed_lines import executed_lines
from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module

ON_BUFFERS = ",".join(
    (
        "buffer-hoisting",
        "buffer-loop-hoisting",
        "copy-removal",
        "drop-equivalent-buffer-results",
        "buffer-results-to-out-params",
        "promote-buffers-to-stack",
        "optimize-allocation-liveness",
        "plan-static-memory",
    )
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "before, passes",
    [("", "bufferize"), ("bufferize", ON_BUFFERS)],
    ids=["bufferize", "on buffers"],
)
@pytest.mark.parametrize("family", FAMILIES)
def test_work_is_linear(family: str, before: str, passes: str):
    # What is imported and computed once, with the first program, is not what is measured.
    _, small, large = (_work(family, n, before, passes) for n in (1, 150, 600))

    # Sixteen times as much where it is quadratic.
    assert large < 4.1 * small


def _work(family: str, n: int, before: str, passes: str) -> int:
    module = parse_module(FAMILIES[family](n))
    apply(before, module)
    return executed_lines(lambda: apply(passes, module))
