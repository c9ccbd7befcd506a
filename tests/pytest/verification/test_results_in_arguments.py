"""Results that are arguments of the function, in the same shape again."""

import pytest

from tests.peer.runner import parse_module
from xdsl_bufferization.verification.functions import check_decisions

DECIDED = """
func.func private @reshaped(%t: {type}, %n: index) -> {type} {{
  %0 = "tensor.collapse_shape"(%t) <{{reassociation = [[0 : i64, 1 : i64]]}}>
    {{__inplace_operands_attr__ = ["true"]}} : ({type}) -> {flat}
  %1 = tensor.expand_shape %0 [[0 : i64, 1 : i64]] output_shape [{sizes}]
    {{__inplace_operands_attr__ = [{sizes_in_place}]}} : {flat} into {type}
  func.return {{__inplace_operands_attr__ = ["true"]}} %1 : {type}
}}
func.func @add(%t: {type}, %n: index) -> {type} {{
  %0 = func.call @reshaped(%t, %n) {{__inplace_operands_attr__ = ["true", "none"]}}
    : ({type}, index) -> {type}
  %1 = linalg.add {{__inplace_operands_attr__ = ["true", "true", "true"]}}
    ins(%t, %0 : {type}, {type}) outs(%0 : {type}) -> {type}
  func.return {{__inplace_operands_attr__ = ["true"]}} %1 : {type}
}}
"""


@pytest.mark.parametrize(
    "type, flat, sizes, is_same",
    [
        ("tensor<2x4xf32>", "tensor<8xf32>", "2, 4", True),
        ("tensor<?x4xf32>", "tensor<?xf32>", "%n, 4", True),
        # Rows may be of another length than before.
        ("tensor<?x?xf32>", "tensor<?xf32>", "%n, %n", False),
    ],
)
def test_elements_are_where_the_argument_has_them_if_the_shape_is_the_same(
    type: str, flat: str, sizes: str, is_same: bool
):
    dynamic = ['"true"', *['"none"'] * sizes.count("%")]
    module = parse_module(
        DECIDED.format(
            type=type, flat=flat, sizes=sizes, sizes_in_place=", ".join(dynamic)
        )
    )

    problems = check_decisions(module, bufferize_function_boundaries=True)

    assert (not problems) == is_same
