"""What users of the static memory planner rely on: valid plans, bounds, and small arenas."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.packing import PACKINGS, packing
from benchmarks.planning import MINIMALLOC_CAPACITY, plain_best_fit, problems
from tests.executed_lines import executed_lines
from xdsl_bufferization.planning import Buffer, Method, conflicts, lower_bound, plan
from xdsl_bufferization.planning.problem import components, height_of, round_up

MINIMALLOC = problems()
UNSOLVED = "gaps 400"
"""No method finds how it fits."""


@st.composite
def buffers(
    draw: st.DrawFn, most: int = 12, alignments: Sequence[int] = (1, 2, 3, 4, 8)
) -> list[Buffer]:
    """Problems with few positions, so that lives meet in all ways."""
    return [
        Buffer(
            lower := draw(st.integers(-3, 8)),
            lower + draw(st.integers(0, 6)),
            draw(st.integers(0, 12)),
            draw(st.sampled_from(alignments)),
        )
        for _ in range(draw(st.integers(0, most)))
    ]


def alive_together(one: Buffer, other: Buffer) -> bool:
    return max(one.lower, other.lower) < min(one.upper, other.upper)


def overlap(buffers: Sequence[Buffer], offsets: Sequence[int]) -> bool:
    """Whether a plan is not valid, by the definition."""
    return any(
        o < 0
        or o % b.alignment
        or any(
            alive_together(b, c) and o < p + c.size and p < o + b.size
            for c, p in zip(buffers[:i], offsets, strict=False)
            if b.size and c.size
        )
        for i, (b, o) in enumerate(zip(buffers, offsets, strict=True))
    )


def smallest_height(buffers: Sequence[Buffer]) -> int:
    """The best of all orders of dropping buffers on those that came before."""
    best = None
    for order in permutations(range(len(buffers))):
        tops: dict[int, int] = {}
        for i in order:
            b = buffers[i]
            floor = max(
                (top for j, top in tops.items() if alive_together(b, buffers[j])),
                default=0,
            )
            # What is empty is in nobody's way.
            tops[i] = round_up(floor, b.alignment) + b.size if b.size else 0
        height = max(
            (tops[i] if b.lower < b.upper else b.size for i, b in enumerate(buffers)),
            default=0,
        )
        best = height if best is None else min(best, height)
    return best or 0


@given(buffers())
@settings(deadline=None)
def test_heuristic_plans_are_valid_and_within_bounds(problem: list[Buffer]):
    result = plan(problem)
    assert not overlap(problem, result.offsets)
    assert not [*conflicts(problem, result.offsets)]
    assert result.height == height_of(problem, result.offsets)
    assert lower_bound(problem) <= result.lower_bound <= result.height
    assert result.height <= plain_best_fit(problem)


def test_a_stretch_that_joins_the_one_before_is_planned_once():
    lives = [(64, 90), (37, 95), (0, 33), (54, 66), (84, 111), (74, 122), (47, 80)]
    lives += [(27, 64), (41, 73), (11, 32), (89, 100), (22, 42), (89, 122), (49, 82)]
    small = {3, 5, 6}
    problem = [
        Buffer(lower, upper, 4096 if number in small else 100_000)
        for number, (lower, upper) in enumerate(lives)
    ]
    assert not overlap(problem, plan(problem).offsets)


@given(buffers(most=6))
@settings(deadline=None, max_examples=60)
def test_exact_plans_are_the_best_of_all(problem: list[Buffer]):
    result = plan(problem, method=Method.EXACT)
    assert not overlap(problem, result.offsets)
    assert result.is_optimal
    assert result.height == smallest_height(problem) <= plan(problem).height


@given(buffers(most=40))
@settings(deadline=None, max_examples=20)
def test_what_is_found_within_a_time_limit_is_valid(problem: list[Buffer]):
    result = plan(problem, method=Method.EXACT, time_limit=0.05)
    assert not overlap(problem, result.offsets)
    assert lower_bound(problem) <= result.lower_bound <= result.height


@given(buffers(most=8), st.lists(st.integers(-1, 20), min_size=8, max_size=8))
def test_the_check_finds_all_plans_that_are_not_valid(
    problem: list[Buffer], offsets: list[int]
):
    offsets = offsets[: len(problem)]
    assert bool([*conflicts(problem, offsets)]) == overlap(problem, offsets)


@given(st.integers(1, 300), st.floats(0, 1), st.integers(0, 2**32))
@settings(deadline=None, max_examples=30)
def test_packings_fit(pieces: int, gaps: float, seed: int):
    problem = packing(pieces, gaps=gaps, seed=seed)
    assert not [*conflicts(problem.buffers, problem.offsets)]
    assert height_of(problem.buffers, problem.offsets) <= problem.capacity
    full = packing(pieces, seed=seed)
    assert len(full.buffers) == pieces
    assert lower_bound(full.buffers) == full.capacity


@pytest.mark.parametrize(
    ("problem", "capacity"),
    [
        pytest.param(packed.buffers, packed.capacity, id=name)
        for name, packed in PACKINGS.items()
        if name != UNSOLVED
    ]
    + [
        pytest.param(problem, MINIMALLOC_CAPACITY, id=name, marks=pytest.mark.slow)
        for name, problem in MINIMALLOC.items()
    ],
)
@pytest.mark.parametrize("method", Method)
def test_what_was_cut_out_of_a_packing_fits(
    problem: Sequence[Buffer], capacity: int, method: Method
):
    result = plan(problem, method=method, time_limit=300, target=capacity)
    assert not [*conflicts(problem, result.offsets)]
    assert result.height <= capacity


def test_nothing_needs_no_memory():
    result = plan([])
    assert (result.offsets, result.height, result.is_optimal) == ((), 0, True)


def test_buffers_that_only_touch_share_memory():
    result = plan([Buffer(0, 5, 16), Buffer(5, 9, 16), Buffer(9, 10, 8)])
    assert (result.offsets, result.height) == ((0, 0, 0), 16)


def test_identical_lives_are_stacked():
    result = plan([Buffer(0, 1, 24)] * 50)
    assert sorted(result.offsets) == [*range(0, 1200, 24)]
    assert result.is_optimal


def test_empty_buffers_and_empty_lives_are_in_nobodys_way():
    result = plan([Buffer(0, 9, 8), Buffer(0, 9, 0), Buffer(4, 4, 12)])
    assert (result.offsets, result.height) == ((0, 0, 0), 12)
    assert result.is_optimal


def test_only_the_topmost_buffer_spares_its_padding():
    result = plan([Buffer(0, 1, 1, 64), Buffer(0, 1, 10, 64), Buffer(0, 1, 3, 64)])
    assert sorted(result.offsets) == [0, 64, 128]
    assert (result.height, result.is_optimal) == (129, True)


def test_alignments_need_not_be_powers_of_two():
    result = plan([Buffer(0, 2, 5, 6), Buffer(0, 2, 5, 10)], method=Method.EXACT)
    assert result.is_optimal
    assert result.height == 11


def test_a_target_is_enough():
    problem = [Buffer(i, i + 3, 7 * i % 11 + 1) for i in range(30)]
    best = plan(problem, method=Method.EXACT)
    enough = plan(problem, method=Method.EXACT, target=2 * best.height)
    assert best.height <= enough.height <= 2 * best.height


@pytest.mark.slow
def test_the_effort_limits_the_heuristic():
    problem = PACKINGS[UNSOLVED].buffers
    greedy = plan(problem, effort=0)
    assert plan(problem).height <= greedy.height
    assert not [*conflicts(problem, greedy.offsets)]
    assert executed_lines(lambda: plan(problem, effort=0)) < executed_lines(
        lambda: plan(problem, effort=100_000)
    )


def test_components_are_apart_in_time():
    problem = [Buffer(0, 2, 1), Buffer(5, 9, 1), Buffer(1, 3, 1), Buffer(3, 4, 1)]
    assert [c.members for c in components(problem)] == [[0, 2], [3], [1]]


def test_sections_are_the_largest_sets_that_are_alive_at_once():
    (component,) = components([Buffer(0, 9, 1), Buffer(1, 3, 1), Buffer(4, 6, 1)])
    assert component.sections == 2
    assert (component.first, component.end) == ([0, 0, 1], [2, 1, 2])


def test_many_buffers_that_are_alive_at_once():
    problem = [Buffer(i, 3000 + i, 64 * (i % 17 + 1), 64) for i in range(3000)]
    result = plan(problem)
    assert result.is_optimal
    assert not [*conflicts(problem, result.offsets)]


def test_the_same_input_gives_the_same_plan():
    problem = [
        Buffer(i * 7 % 50, i * 7 % 50 + i % 9 + 1, i * i % 97 + 1) for i in range(120)
    ]
    assert plan(problem) == plan(problem)


@pytest.mark.parametrize(
    "buffer, message",
    [
        (Buffer(0, 1, -1), "buffer 1 has a negative size"),
        (Buffer(0, 1, 1, 0), "buffer 1 has an alignment that is not positive"),
        (Buffer(2, 1, 1), "buffer 1 ends before it starts"),
    ],
)
def test_bad_input(buffer: Buffer, message: str):
    with pytest.raises(ValueError, match=message):
        plan([Buffer(0, 1, 1), buffer])
