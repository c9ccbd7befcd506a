"""xDSL's `canonicalize` leaves regions as they are that it would not inline right."""

import pytest
from xdsl.transforms.canonicalize import CanonicalizePass

from tests.peer.runner import parse_module
from xdsl_bufferization.support.reading import context_of_all_dialects

REGION = """
func.func @f(%a: f32, %b: index) -> f32 {{
  %r = scf.execute_region -> (f32) {{
    {end}
  }}
  func.return %r : f32
}}
"""


@pytest.mark.parametrize(
    "end, inlined",
    [
        ("scf.yield %a : f32", True),
        ("scf.yield %b : index", False),
        ("scf.yield %a, %b : f32, index", False),
        ("scf.yield", False),
        ('"llvm.unreachable"() : () -> ()', False),
    ],
)
def test_regions_that_yield_their_results_are_inlined(end: str, inlined: bool):
    module = parse_module(REGION.format(end=end))

    CanonicalizePass().apply(context_of_all_dialects(), module)

    assert ("scf.execute_region" not in str(module)) == inlined
