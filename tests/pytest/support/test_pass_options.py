"""Options given from Python, and what is said of them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization import one_shot_bufferize
from xdsl_bufferization.former.dialect_conversion import ArithBufferizePass
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import (
    AnalysisHeuristic,
    BufferizeOptions,
    OneShotOptions,
    OwnershipOptions,
)
from xdsl_bufferization.support.pass_options import help_text, options
from xdsl_bufferization.transforms.bufferize import BufferizePass
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass
from xdsl_bufferization.universe import UNIVERSE


def test_text_is_the_choice_that_it_names():
    text: Any = "top-down"
    options = OneShotBufferizePass(analysis_heuristic=text).options()
    assert options.analysis_heuristic is AnalysisHeuristic.TOP_DOWN


@pytest.mark.parametrize(
    "kind, field, value, problem",
    [
        (
            OneShotBufferizePass,
            "unknown_type_conversion",
            "infer-layout-map",
            "one-shot-bufferize: 'infer-layout-map' is not a value of "
            "unknown-type-conversion; its values are identity-layout-map, "
            "fully-dynamic-layout-map",
        ),
        (
            BufferizePass,
            "analysis_fuzzer_seed",
            -1,
            "bufferize: '-1' is not a value of analysis-fuzzer-seed; it is not negative",
        ),
        (
            ArithBufferizePass,
            "alignment",
            -8,
            "arith-bufferize: '-8' is not a value of alignment; it is 0 or a power of two, "
            "in bytes",
        ),
    ],
)
def test_values_are_checked(kind: type, field: str, value: Any, problem: str):
    with pytest.raises(BufferizationError) as caught:
        kind(**{field: value})
    assert str(caught.value) == problem


@pytest.mark.parametrize(
    "field, value, takes",
    [
        ("must_be_in_place", "no", "true or false"),
        ("buffer_alignment", "64", "an integer"),
        ("buffer_alignment", True, "an integer"),
        ("dialect_filter", "tensor", "names, separated by commas"),
        ("no_analysis_func_filter", (3,), "names, separated by commas"),
    ],
)
def test_values_of_another_type(field: str, value: Any, takes: str):
    module = ModuleOp([])
    option = field.replace("_", "-")
    problem = re.escape(f"'{value}' is not a value of {option}; it takes {takes}")

    with pytest.raises(BufferizationError, match=f"one-shot-bufferize: {problem}"):
        OneShotBufferizePass(**{field: value})
    with pytest.raises(BufferizationError, match=f"OneShotOptions: {problem}"):
        one_shot_bufferize(Context(), module, OneShotOptions(**{field: value}))


def test_options_of_the_function_are_those_of_the_pass():
    text: Any = "no-layout-map"
    with pytest.raises(BufferizationError, match="'no-layout-map' is not a value"):
        one_shot_bufferize(
            Context(),
            ModuleOp([]),
            OneShotOptions(function_boundary_type_conversion=text),
        )


def test_a_pass_gives_its_options_to_others():
    bufferize = BufferizePass(copy_before_write=True, touches_only=("my.op",))
    assert bufferize.options() == BufferizeOptions(
        bufferize_function_boundaries=True, copy_before_write=True
    )
    assert bufferize.options_as(OwnershipOptions) == OwnershipOptions(
        touches_only=("my.op",)
    )


@pytest.mark.parametrize("name", UNIVERSE.all_passes)
def test_help_says_what_each_option_means(name: str):
    kind = UNIVERSE.all_passes[name]()
    text = help_text(kind)
    for option in options(kind):
        assert option.meaning
        assert f"\n{option.name}: {option.meaning}" in text
