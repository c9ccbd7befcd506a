"""The reason why a write leaves what is read as it is: the programs of `Apart`, and others."""

from __future__ import annotations

import pytest

from tests.one_shot_programs import Program
from xdsl_bufferization.one_shot.facts.live_ranges import live_ranges
from xdsl_bufferization.one_shot.facts.overlaps import Apart, Overlaps

CONSTANTS = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
SELECT = """
%w = tensor.insert %f into %t[%i] : tensor<8xf32>
%x = tensor.extract %{}[%i] : tensor<8xf32>
%y = tensor.extract %s[%i] : tensor<8xf32>
"""
INSERTION = """
%a = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
%w = tensor.insert %f into %a[%j] : tensor<4xf32>
%x = tensor.insert_slice %w into %t[%{}] [4] [1] : tensor<4xf32> into tensor<8xf32>
"""
ELEMENTS = """
%w = tensor.insert %f into %t[%c0] : tensor<8xf32>
%x = tensor.extract %t[%{}] : tensor<8xf32>
"""
LOOP = """
%w = scf.for %k = %c0 to %j step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {{
  %x = tensor.extract %t[%{}] : tensor<8xf32>
  %v = tensor.insert %x into %a[%k] : tensor<8xf32>
  scf.yield %v : tensor<8xf32>
}}
"""


@pytest.mark.parametrize(
    "body, read, write, expected",
    [
        (SELECT.format("u"), 0, 1, Apart.TENSORS),
        (SELECT.format("t"), 0, 1, None),
        (INSERTION.format("i"), 1, 1, Apart.INSERTION),
        (INSERTION.format("j"), 1, 1, None),
        (ELEMENTS.format("c1"), 0, 1, Apart.SLICES),
        (ELEMENTS.format("i"), 0, 1, None),
        (LOOP.format("k"), 0, 3, Apart.TILES),
        (LOOP.format("i"), 0, 3, None),
    ],
)
def test_reasons(body: str, read: int, write: int, expected: Apart | None):
    select = "" if "%s" not in body else "%s = arith.select %c, %t, %u : tensor<8xf32>"
    fill = "%{0}0 = linalg.fill ins(%f : f32) outs(%{0} : tensor<8xf32>) -> tensor<8xf32>\n"
    both = fill.format("t") + fill.format("u")
    body = f"{select}\n{body}".replace("%t", "%t0").replace("%u", "%u0")
    program = Program(CONSTANTS + both + body)
    operand = program.operand("x", read)
    (live_range,) = (
        live_range
        for name in ("t0", "u0")
        for live_range in live_ranges(program.value(name))
        if live_range.read is operand
    )
    overlaps = Overlaps(program.tensors, lambda a, b: a is b)
    assert overlaps.apart(live_range, program.operand("w", write)) is expected
