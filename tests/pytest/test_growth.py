"""The work of the passes grows with the program, and not faster."""

from collections.abc import Callable

import pytest

from benchmarks.programs import FAMILIES
from tests import program_shapes
from tests.executed_lines import executed_lines
from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module
from tests.slow import one_in
from xdsl_bufferization.verification.functions import check_decisions

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

DECIDE = "one-shot-bufferize{bufferize-function-boundaries test-analysis-only}"

DEALLOCATION = "buffer-deallocation-pipeline"

ARENA_AS_ARGUMENT = "plan-static-memory{arena-as-argument}"

SHARED_HOISTING = "buffer-loop-hoisting{share-memory=true}"

Case = tuple[Callable[[int], str], str, int]
"""A shape of programs, passes, and the size of the smaller program that is compared."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "before, passes",
    [("", "bufferize"), ("bufferize", ON_BUFFERS)],
    ids=["bufferize", "on buffers"],
)
@pytest.mark.parametrize("family", FAMILIES)
def test_work_is_linear(family: str, before: str, passes: str):
    # What is imported and computed once, with the first program, is not what is measured.
    _, small, large = (_work(family, n, before, passes) for n in (1, 60, 240))

    # Sixteen times as much where it is quadratic.
    assert large < 4.1 * small


@pytest.mark.parametrize(
    "case",
    one_in(
        3,
        [
            (program_shapes.blocks_that_may_go_back, DEALLOCATION, 20),
            (program_shapes.blocks_that_forward_memrefs_back, DEALLOCATION, 20),
            (program_shapes.nested_conditionals, "bufferize", 25),
            (program_shapes.rotating_for, "bufferize", 15),
            (program_shapes.rotating_while, "one-shot-bufferize", 15),
            (program_shapes.loop_of_temporaries, SHARED_HOISTING, 100),
            (program_shapes.calls_of_growing_size, ARENA_AS_ARGUMENT, 40),
        ],
    ),
)
def test_work_is_not_quadratic(case: Case):
    shape, passes, n = case
    _, small, large = (_work_on(shape(size), "", passes) for size in (2, n, 4 * n))

    # xDSL has quadratic work of its own, such as its walk of nested regions; and each result of
    # a loop that rotates buffers may be in the buffer of each init.
    assert large < 6 * small


@pytest.mark.parametrize(
    "case",
    one_in(
        3,
        [
            (program_shapes.call_of_many, "bufferize", 40),
            (program_shapes.call_of_many, "bufferize{arena}", 20),
            (program_shapes.call_on_memrefs, "bufferize", 40),
            (program_shapes.blocks_with_one_exit, "bufferize", 40),
            (program_shapes.blocks_with_one_exit_by_many_conditions, "bufferize", 40),
            (program_shapes.calls_of_updates, "bufferize", 150),
        ],
    ),
)
def test_work_for_calls_and_branches_is_nearly_linear(case: Case):
    shape, passes, n = case
    _, small, large = (_work_on(shape(size), "", passes) for size in (2, n, 4 * n))

    # xDSL's verifier counts the blocks of the region at each branch, and on memrefs each argument
    # of a call may be each of its results.
    assert large < 5 * small


@pytest.mark.parametrize(
    "shape",
    one_in(
        3,
        [
            program_shapes.conditionals_that_hand_on,
            program_shapes.loops_of_buffers_used_later,
            program_shapes.returned_choice,
        ],
    ),
)
def test_work_for_memrefs_handed_on_in_a_chain_is_linear(shape: Callable[[int], str]):
    _, small, large = (_work_on(shape(n), "", DEALLOCATION) for n in (2, 40, 160))

    assert large < 4.1 * small


@pytest.mark.parametrize(
    "shape",
    one_in(
        3,
        [
            program_shapes.joining_blocks,
            program_shapes.joining_blocks_with_new_memory,
            program_shapes.selected_memrefs,
        ],
    ),
)
def test_work_to_verify_decisions_is_linear(shape: Callable[[int], str]):
    def work(n: int) -> int:
        module = parse_module(shape(n))
        apply(DECIDE, module)
        return executed_lines(
            lambda: check_decisions(module, bufferize_function_boundaries=True)
        )

    _, small, large = (work(n) for n in (2, 20, 80))

    assert large < 4.1 * small


def _work(family: str, n: int, before: str, passes: str) -> int:
    return _work_on(FAMILIES[family](n), before, passes)


def _work_on(program: str, before: str, passes: str) -> int:
    module = parse_module(program)
    apply(before, module)
    return executed_lines(lambda: apply(passes, module))


def test_work_for_calls_of_declarations_is_that_of_their_aliases():
    # Each of n results may be each of n operands; all pairs of results were compared, too.
    shape = program_shapes.call_of_declaration
    _, small, large = (_work_on(shape(size), "", "bufferize") for size in (2, 15, 60))

    assert large < 10 * small
