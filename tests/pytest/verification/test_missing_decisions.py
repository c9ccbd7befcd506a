"""Programs in which decisions are missing are refused."""

import pytest

from tests.peer.runner import parse_module
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.verification.functions import check_decisions


@pytest.mark.parametrize("decisions", ['["none"]', "[]", '"true"'])
def test_too_few_decisions_are_refused(decisions: str):
    module = parse_module(f"""
    func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {{
      %r = tensor.insert %f into %t[%i] {{__inplace_operands_attr__ = {decisions}}} : tensor<4xf32>
      func.return {{__inplace_operands_attr__ = ["true"]}} %r : tensor<4xf32>
    }}
    """)

    with pytest.raises(BufferizationError, match="no in-place decision for operand #1"):
        check_decisions(module, bufferize_function_boundaries=True)
