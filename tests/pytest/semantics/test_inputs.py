"""Values that are given for arguments."""

from __future__ import annotations

import pytest

from tests.peer.runner import parse_module
from xdsl_bufferization.semantics.checking.check import (
    CheckOptions,
    InputError,
    check,
)
from xdsl_bufferization.semantics.checking.inputs import InputOptions
from xdsl_bufferization.semantics.checking.report import Report


def check_given(before: str, after: str, value: float) -> Report:
    """Compare the programs, with the value of the first argument."""
    options = CheckOptions(inputs=InputOptions(scalars={0: value}))
    return check(parse_module(before), parse_module(after), options)


def integers(type: str, least: int, greatest: int) -> list[tuple[str, float, str]]:
    """Values that the type does not have, each with the error."""
    wrong = (least - 1, greatest + 1, 10**30, 1.5, float("inf"), float("nan"))
    is_from = f"but is an integer from {least} to {greatest}"
    return [(type, value, f"cannot be {value}, {is_from}") for value in wrong]


SIGNLESS = -(2**63), 2**64 - 1


@pytest.mark.parametrize(
    "type, value, message",
    [
        *integers("index", *SIGNLESS),
        *integers("i64", *SIGNLESS),
        *integers("i8", -128, 255),
        *integers("si8", -128, 127),
        *integers("ui8", 0, 255),
        *integers("i1", -1, 1),
        *integers("tensor<i8>", -128, 255),
        ("f16", 1e6, "cannot be as large as 1000000.0"),
        ("f64", 10**400, "cannot be as large as 1000"),
        ("tensor<?xf32>", 1.0, "is no scalar, so it cannot be 1.0"),
        ("vector<4xindex>", 1, "is no scalar, so it cannot be 1"),
        ("memref<*xf32>", 1, "is no scalar, so it cannot be 1"),
    ],
)
def test_values_that_an_argument_can_not_have(type: str, value: float, message: str):
    text = f"func.func @f(%x: {type}) -> {type} {{ return %x : {type} }}"

    with pytest.raises(InputError) as error:
        check_given(text, text, value)

    assert str(error.value).startswith(f"@f: argument 0, of type '{type}', {message}")


@pytest.mark.parametrize(
    "type, value, expected",
    [
        ("index", 2**64 - 1, -1),
        ("i8", 255, -1),
        ("i8", -128, -128),
        ("ui8", 255, -1),
        ("i1", -1, True),
        ("i16", 1e3, 1000),
        ("tensor<i8>", 3, 3),
        ("f32", float("inf"), float("inf")),
    ],
)
def test_values_that_an_argument_can_have(type: str, value: float, expected: object):
    text = (
        f"func.func @f(%x: {type}) -> i1 {{ %r = arith.constant true return %r : i1 }}"
    )
    wrong = text.replace("true", "false")

    problem = check_given(text, wrong, value).problem

    assert problem is not None
    assert problem.inputs == [expected]
