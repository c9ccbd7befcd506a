"""Read-only memory, and memory that is written."""

from __future__ import annotations

import pytest

from tests.one_shot_programs import Program
from xdsl_bufferization.one_shot.decisions.alias_sets import Writability

BODY = """
%s = arith.select %c, %t, %u : tensor<8xf32>
%r = tensor.insert %f into %s[%i] : tensor<8xf32>
%x = tensor.extract %s[%i] : tensor<8xf32>
"""


@pytest.mark.parametrize("in_place", [(), (1,), (2,), (1, 2)])
def test_memory_of_operands_in_place_reaches_the_result(in_place: tuple[int, ...]):
    program = Program(BODY)
    t = program.value("t")
    writability = Writability(program.tensors, lambda value: value is not t)
    for index in in_place:
        writability.add(program.operand("s", index))
    assert writability.read_only(program.value("s")) is (t if 1 in in_place else None)
    assert writability.obstacle(program.operand("r", 1)) is (
        t if 1 in in_place else None
    )
    # Reading is no harm.
    assert writability.obstacle(program.operand("x", 0)) is None


def test_a_write_marks_what_the_memory_comes_from():
    program = Program(BODY)
    t, u = program.value("t"), program.value("u")
    writability = Writability(program.tensors, lambda value: value is not t)
    writability.add(program.operand("r", 1))
    writability.add(program.operand("s", 2))
    assert writability.is_written(u)
    assert not writability.is_written(t)
    assert writability.obstacle(program.operand("s", 1)) is t
