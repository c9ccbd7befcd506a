"""Loops that read each tile before they write it, asked one by one."""

from __future__ import annotations

import pytest

from tests.one_shot_programs import Program
from xdsl_bufferization.one_shot.facts.live_ranges import live_ranges
from xdsl_bufferization.one_shot.facts.slices import Parts
from xdsl_bufferization.one_shot.facts.tiles import Tiles

LOOP = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = scf.for %k = %c0 to %j step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {{
  {before}
  %w = tensor.insert %f into %a[%k] : tensor<8xf32>
  {after}
  scf.yield %w : tensor<8xf32>
}}
"""
READ = "%x = tensor.extract %t[%{}] : tensor<8xf32>"


@pytest.mark.parametrize(
    "before, after, expected",
    [
        (READ.format("k"), "", True),
        ("", READ.format("k"), False),
        # An element that another iteration may have written.
        (READ.format("i"), "", False),
    ],
)
def test_a_tile_is_read_before_it_is_written(before: str, after: str, expected: bool):
    program = Program(LOOP.format(before=before, after=after))
    tiles = Tiles(program.tensors, program.origins, Parts(program.tensors))
    read = program.operand("x", 0)
    (live_range,) = (
        live_range
        for live_range in live_ranges(program.value("t"))
        if live_range.read is read
    )
    assert live_range.is_repeated
    assert tiles.are_read_first(live_range, program.operand("r", 3)) == expected
