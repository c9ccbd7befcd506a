"""
The checker accepts what is decided for each program of the tests and examples, and objects
to each conflicting operand in place, unless the program computes the same in spite of it.
"""

from __future__ import annotations

import pytest

from tests.pytest.test_decisions import FILES, valid_programs
from tests.slow import in_turn
from tests.verification import decide, problems, why_not_the_same
from xdsl_bufferization import OneShotOptions
from xdsl_bufferization.support.diagnostics import BufferizationError

OPTIONS = {
    "": OneShotOptions(allow_unknown_ops=True),
    "function boundaries": OneShotOptions(
        bufferize_function_boundaries=True, allow_unknown_ops=True
    ),
    "new buffers leave loops": OneShotOptions(
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
        allow_unknown_ops=True,
    ),
}


@pytest.mark.parametrize("options, file", in_turn(OPTIONS, FILES, 9))
def test_decisions_are_accepted_and_conflicts_objected_to(options: str, file: str):
    check(file, OPTIONS[options])


def check(file: str, options: OneShotOptions) -> None:
    for module in valid_programs(file):
        try:
            flips = decide(module, options)
        except BufferizationError:
            continue
        assert not [*map(str, problems(module, options))]
        for flip in flips:
            flip.make()
            if not problems(module, options):
                # Then the analysis was more careful than it had to be.
                assert not why_not_the_same(module, options), flip
            flip.undo()
