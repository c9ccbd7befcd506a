"""Programs that `split-at-peak` changes compute the same, and need less memory."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import NoneAttr

from tests.fuzzing.elimination import (
    OPTIONS,
    assert_same,
    functions_of,
    random_module,
)
from tests.networks import NETWORKS
from tests.slow import first_of, one_in
from xdsl_bufferization.semantics.checking.check import CheckOptions, check_pipeline
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.reading import context_of_all_dialects
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.eliminate_copies.driver import (
    eliminate_copies,
    share_memory,
)
from xdsl_bufferization.tensors.splitting import split_at_peak

PIPELINE = "eliminate-copies,split-at-peak,bufferize"

SPLIT = ("dense", "inception", "plain")
"""Networks whose peak falls."""


@pytest.mark.parametrize("name", one_in(2, SPLIT))
def test_networks_need_less_and_compute_the_same(name: str):
    module = NETWORKS[name]()
    program = eliminate_copies(module.clone(), OPTIONS)
    share_memory(program)
    (function,) = functions_of(program.module)
    before = program.remember(Costs).of(function)
    split_at_peak(program, 8)
    program.module.verify()
    after = Costs(AnalysedModule(program.module, OPTIONS)).of(function)
    assert after.is_no_more_than(before)
    assert after.peaks[NoneAttr()] < before.peaks[NoneAttr()]

    report = check_pipeline(
        context_of_all_dialects(), module, PIPELINE, CheckOptions(runs=1, searches=0)
    )
    assert report.problem is None, report


@pytest.mark.parametrize("seeds", first_of(5, range(320), 40), ids=str)
def test_random_programs_compute_the_same(seeds: range):
    for seed in seeds:
        _, module = random_module(seed)
        try:
            program = eliminate_copies(module.clone(), OPTIONS)
            split_at_peak(program, 8)
        except BufferizationError:
            continue
        program.module.verify()
        if not program.module.is_structurally_equivalent(module):
            assert_same(module, program.module, runs=2)
            program.bufferize()
            assert_same(module, program.module, runs=2)
