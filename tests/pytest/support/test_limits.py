"""Limits are named for what they limit, and list where they stop an analysis."""

from __future__ import annotations

import re

import pytest

from tests.environments import PROJECT
from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module
from xdsl_bufferization.support import limits
from xdsl_bufferization.support.limits import Limit, limits_met

DECIDE = "one-shot-bufferize{bufferize-function-boundaries test-analysis-only}"


def chosen_of(number: int) -> str:
    """A program in which a tensor is one of so many arguments."""
    arguments = ", ".join(f"%t{i}: tensor<8xf32>" for i in range(number))
    selects = [
        f"%s{i} = arith.select %c, {'%t0' if i == 1 else f'%s{i - 1}'}, %t{i} : tensor<8xf32>"
        for i in range(1, number)
    ]
    return "\n".join(
        (
            f"func.func @f(%c: i1, {arguments}) -> tensor<8xf32> {{",
            *selects,
            f"%r = linalg.exp ins(%s{number - 1} : tensor<8xf32>) outs(%t0 : tensor<8xf32>) "
            "-> tensor<8xf32>",
            "func.return %r : tensor<8xf32>",
            "}",
        )
    )


@pytest.mark.parametrize("number, is_met", [(8, False), (9, True)])
def test_limits_that_a_program_meets_are_listed(number: int, is_met: bool):
    module = parse_module(chosen_of(number))
    with limits_met() as met:
        apply(DECIDE, module)
    assert ("MAX_ORIGINS" in met) == is_met
    assert ('"false"' in str(module)) == is_met


def test_nothing_is_counted_outside_of_the_context():
    with limits_met() as met:
        pass
    limits.MAX_ORIGINS.met()
    assert not met


def test_a_limit_is_met_where_it_stops_a_search():
    limit = Limit(2)
    limit.name = "LIMIT"
    with limits_met() as met:
        assert limit.within("ab") == ["a", "b"]
        assert not limit.exceeded_by(2)
        assert [*zip(limit.steps(), "ab", strict=False)] == [(0, "a"), (1, "b")]
    assert met == {"LIMIT": 1}
    with limits_met() as met:
        assert limit.within("abc") is None
        assert limit.first("abc") == ["a", "b"]
        assert limit.exceeded_by(3)
        for _ in limit.steps():
            break
    assert met == {"LIMIT": 3}


def test_limits_are_named_like_their_variables():
    found = {k: v for k, v in vars(limits).items() if isinstance(v, Limit)}
    assert found
    assert {name: limit.name for name, limit in found.items()} == {n: n for n in found}


def test_each_limit_notes_that_it_is_met():
    text = "\n".join(
        path.read_text() for path in (PROJECT / "xdsl_bufferization").rglob("*.py")
    )
    names = {k for k, v in vars(limits).items() if isinstance(v, Limit)}
    assert not names - {
        *re.findall(r"(MAX_\w+)\.(?:met|exceeded_by|first|steps|within)\(", text)
    }


@pytest.mark.parametrize(
    "folder", ["models", "one_shot", "placement", "tensors", "verification"]
)
def test_limits_stand_in_one_file(folder: str):
    for path in (PROJECT / "xdsl_bufferization" / folder).rglob("*.py"):
        named = re.findall(r"^_?(?:MANY|FEW|DEEP)\b.* = ", path.read_text(), re.M)
        assert not named, path
