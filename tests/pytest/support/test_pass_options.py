"""Options given from Python, and what is said of them."""

from __future__ import annotations

from typing import Any

import pytest

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.option_help import help_text, options
from xdsl_bufferization.support.options import (
    AnalysisHeuristic,
    OneShotOptions,
    OwnershipOptions,
)
from xdsl_bufferization.transforms.arith_bufferize import ArithBufferizePass
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


def test_a_pass_gives_its_options_to_others():
    bufferize = BufferizePass(copy_before_write=True, touches_only=("my.op",))
    assert bufferize.options() == OneShotOptions(
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
