"""After changes, only what they touch is decided again, as a new analysis would decide it."""

from __future__ import annotations

import pytest

from tests.decided_again import Counted, each_decided_again
from tests.executed_lines import executed_lines
from tests.fuzzing.elimination import OPTIONS, random_module
from tests.networks import NETWORKS
from tests.peer.runner import parse_module
from tests.slow import first_of, one_in
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.eliminate_copies.driver import eliminate_copies


@pytest.mark.parametrize("seeds", first_of(4, range(400), 100), ids=str)
def test_random_programs_are_decided_as_by_a_new_analysis(seeds: range):
    total = Counted()
    for seed in seeds:
        _, module = random_module(seed)
        with each_decided_again() as counted:
            try:
                eliminate_copies(module, OPTIONS)
            except BufferizationError:
                continue
        total.updates += counted.updates
        total.analyses += counted.analyses
    # Most analyses are updates.
    assert total.updates > 2 * total.analyses


@pytest.mark.parametrize("name", one_in(6, NETWORKS))
def test_networks_are_decided_as_by_a_new_analysis(name: str):
    module = NETWORKS[name]()
    with each_decided_again() as counted:
        eliminate_copies(module, OPTIONS)
    assert counted.analyses == 1


CALLS = """
func.func private @set(%t: tensor<8xf32>, %x: f32, %i: index) -> tensor<8xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  func.return %0 : tensor<8xf32>
}
func.func @twice(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, f32) {
  %0 = func.call @set(%t, %x, %i) : (tensor<8xf32>, f32, index) -> tensor<8xf32>
  %1 = tensor.extract %t[%i] : tensor<8xf32>
  func.return %0, %1 : tensor<8xf32>, f32
}
"""


def test_callers_are_decided_again_if_a_function_does_something_else():
    module = parse_module(CALLS)
    program = AnalysedModule(module, OPTIONS)
    callee = next(iter(module.ops))
    insert = callee.regions[0].block.first_op
    assert insert is not None
    with each_decided_again() as counted:
        assert any(
            program.decisions.summaries[f].writes[0]
            for f in program.decisions.summaries
        )
        # The function returns its argument as it is.
        program.changes.replace_uses(insert.results[0], insert.operands[1])
        program.changes.remove(insert)
        program.has_changed()
        summaries = program.decisions.summaries.values()
        assert not any(summary.writes[0] for summary in summaries)
        # It overwrites it again.
        program.changes.undo(0)
        program.has_changed()
        assert any(s.writes[0] for s in program.decisions.summaries.values())
    assert (counted.analyses, counted.updates) == (1, 2)


def test_facts_about_changes_are_gathered_before_anything_is_decided():
    program = AnalysedModule(parse_module(components(3)), OPTIONS)
    analysis, *_ = analyses = [*program.analyses]
    extracts = [o for o in program.module.walk() if o.name == "tensor.extract"]
    read = [analysis.program.values[extract.operands[0]] for extract in extracts]
    with each_decided_again() as counted:
        for extract, value in zip(extracts[:2], read, strict=False):
            program.changes.remove(extract)
            program.has_changed()
            assert program.undecided_analyses == analyses
            assert len(value.reads) == 1
        assert (counted.analyses, counted.updates) == (0, 0)
        assert program.analyses == analyses
    assert len(read[2].reads) == 2
    assert (counted.analyses, counted.updates) == (0, 1)


def test_what_has_not_changed_is_not_decided_again():
    program = AnalysedModule(parse_module(components(3)), OPTIONS)
    decisions, costs = program.decisions, program.remember(Costs)
    extract = next(o for o in program.module.walk() if o.name == "tensor.extract")
    with each_decided_again() as counted:
        program.has_changed()
        assert program.decisions is decisions
        assert program.remember(Costs) is costs
        assert (counted.analyses, counted.updates) == (0, 0)
        program.changes.remove(extract)
        program.has_changed()
        assert program.remember(Costs) is not costs
        # What the log knows nothing of.
        program.forget()
        assert program.decisions is decisions
    assert (counted.analyses, counted.updates) == (0, 2)


def test_what_is_decided_about_a_called_function_is_a_fact_about_its_callers():
    program = AnalysedModule(parse_module(CALLS), OPTIONS)
    insert = next(op for op in program.module.walk() if op.name == "tensor.insert")
    assert len(program.analyses) == 3
    with each_decided_again() as counted:
        program.changes.replace_uses(insert.results[0], insert.operands[1])
        program.has_changed()
        assert len(program.undecided_analyses) == 3
    assert (counted.analyses, counted.updates) == (0, 1)


def components(n: int) -> str:
    """A program of n components: each is filled, copied to be overwritten, and read."""
    lines = ["func.func @f(%x: f32, %i: index) {"]
    for k in range(n):
        lines += [
            f"%e{k} = tensor.empty() : tensor<8xf32>",
            f"%f{k} = linalg.fill ins(%x : f32) outs(%e{k} : tensor<8xf32>) -> tensor<8xf32>",
            f"%s{k} = tensor.insert %x into %f{k}[%i] : tensor<8xf32>",
            f"%r{k} = tensor.extract %f{k}[%i] : tensor<8xf32>",
        ]
    return "\n".join([*lines, "func.return", "}"])


def work_of_one_change(n: int) -> int:
    """The lines that are executed to decide again after one of n components has changed."""
    module = parse_module(components(n))
    program = AnalysedModule(module, OPTIONS)
    assert program.analyses
    last = [op for op in module.walk() if op.name == "tensor.extract"][-1]
    program.changes.remove(last)
    program.has_changed()
    return executed_lines(lambda: program.decisions)


def test_work_is_that_of_the_components_that_changed():
    work_of_one_change(2)
    assert work_of_one_change(400) < 1.5 * work_of_one_change(100)
