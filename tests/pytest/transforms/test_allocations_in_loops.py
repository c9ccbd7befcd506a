"""Which allocations are in loops."""

import pytest

from tests.peer.runner import parse_module
from xdsl_bufferization.memrefs.placement.hoisting_targets import (
    functions_that_allocate_in_loops,
)

BLOCKS = """
func.func @f(%c: i1) {{
  {}
  cf.br ^first
^first:
  {}
  cf.cond_br %c, ^left, ^right
^left:
  {}
  cf.br ^right
^right:
  {}
  cf.cond_br %c, {}
^exit:
  {}
  func.return
}}
"""


@pytest.mark.parametrize(
    "back, in_loop",
    [
        ("^exit", ()),
        ("^right", (3,)),
        # In reverse post-order, the exit is between the two blocks of the loop.
        ("^left", (2, 3)),
        ("^first", (1, 2, 3)),
    ],
)
def test_blocks_are_in_loops_if_branches_lead_back(back: str, in_loop: tuple[int, ...]):
    for block in range(5):
        texts = ["", "", "", "", f"^exit, {back}", ""]
        texts[block + (block > 3)] = "%m = memref.alloc() : memref<4xf32>"
        module = parse_module(BLOCKS.format(*texts))
        assert bool(functions_that_allocate_in_loops(module)) == (block in in_loop)
