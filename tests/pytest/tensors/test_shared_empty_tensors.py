"""Empty tensors that share memory are held against the decisions; costs are compared rarely."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.elimination import OPTIONS, random_module
from tests.networks import NETWORKS
from xdsl_bufferization.tensors.costs import costs
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.eliminate_copies.driver import (
    eliminate_copies,
    share_memory,
)


@pytest.mark.parametrize("name", ["fire", "decode"])
def test_costs_are_not_computed_if_all_operands_stay_in_place(name: str):
    before, after, computed = _share(NETWORKS[name]())

    assert after < before
    assert not computed


def test_costs_tell_if_an_operand_leaves_its_place():
    # A fill whose result a dead `scf.if` yields gets a buffer of its own.
    before, after, computed = _share(random_module(24)[1])

    assert after < before
    assert computed


def _share(module: ModuleOp) -> tuple[int, int, int]:
    """The empty tensors before and after memory is shared, and how often costs are computed."""
    program = eliminate_copies(module, OPTIONS)
    program.remember(Costs)
    before = _empty_tensors(module)
    with patch.object(costs, "costs_of_functions", wraps=costs.costs_of_functions) as c:
        share_memory(program)
    return before, _empty_tensors(module), c.call_count


def _empty_tensors(module: ModuleOp) -> int:
    return sum(isinstance(op, tensor.EmptyOp) for op in module.walk())
