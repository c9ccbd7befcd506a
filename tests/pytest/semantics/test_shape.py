"""Shapes, and what is assumed of them."""

import numpy as np
import pytest

from tests.peer.runner import parse_module
from tests.semantics import run
from xdsl_bufferization.semantics.errors import ExecutionError, UndefinedBehaviorError
from xdsl_bufferization.semantics.values import Value

T = np.zeros((4, 1), np.float32)
I, S = "index", "tensor<?xindex>"
SHAPE = np.array([4, 1])
ROW = np.array([3])


@pytest.mark.parametrize(
    "op, type, expected",
    [
        ('"shape.shape_of"(%t) : (tensor<?x?xf32>) -> RESULT', S, [4, 1]),
        ('"shape.dim"(%t, %i) : (tensor<?x?xf32>, index) -> RESULT', I, 4),
        ('"shape.rank"(%s) : (tensor<?xindex>) -> RESULT', I, 2),
        ('"shape.num_elements"(%s) : (tensor<?xindex>) -> RESULT', I, 4),
        ('"shape.get_extent"(%s, %i) : (tensor<?xindex>, index) -> RESULT', I, 4),
        (
            '"shape.broadcast"(%s, %u) : (tensor<?xindex>, tensor<?xindex>) -> RESULT',
            S,
            [4, 3],
        ),
        (
            '"shape.concat"(%s, %u) : (tensor<?xindex>, tensor<?xindex>) -> RESULT',
            S,
            [4, 1, 3],
        ),
        (
            '"shape.is_broadcastable"(%s, %u) : '
            "(tensor<?xindex>, tensor<?xindex>) -> RESULT",
            "i1",
            True,
        ),
        (
            '"shape.shape_eq"(%s, %u) : (tensor<?xindex>, tensor<?xindex>) -> RESULT',
            "i1",
            False,
        ),
        (
            '"shape.const_shape"() <{shape = dense<[5, 6]> : tensor<2xindex>}> : '
            "() -> RESULT",
            S,
            [5, 6],
        ),
        (
            '"shape.reduce"(%s, %n) ({^bb0(%d: index, %e: index, %a: index):\n'
            "%b = arith.addi %a, %e : index\n"
            '"shape.yield"(%b) : (index) -> ()}) : (tensor<?xindex>, index) -> RESULT',
            I,
            7,
        ),
        ('"shape.add"(%n, %n) : (index, index) -> RESULT', I, 4),
        ('"shape.div"(%n, %n) : (index, index) -> RESULT', I, 1),
    ],
)
def test_shapes(op: str, type: str, expected: Value):
    (result,) = run(parse_module(program(op, type)), T, SHAPE, ROW, *NUMBERS)
    np.testing.assert_array_equal(result, expected)


NUMBERS = (np.int64(0), np.int64(2))


def program(op: str, type: str) -> str:
    return f"""
func.func @f(%t: tensor<?x?xf32>, %s: tensor<?xindex>, %u: tensor<?xindex>, %i: index,
    %n: index) -> {type} {{
  %r = {op.replace("RESULT", type)}
  func.return %r : {type}
}}"""


ASSUMING = """
func.func @f(%s: tensor<?xindex>, %u: tensor<?xindex>, %c: i1, %t: tensor<2xf32>) ->
    tensor<2xf32> {
  %a = "shape.cstr_broadcastable"(%s, %u)
    : (tensor<?xindex>, tensor<?xindex>) -> !shape.witness
  %b = "shape.cstr_require"(%c) <{msg = "so it is"}> : (i1) -> !shape.witness
  %w = "shape.const_witness"() <{passing = true}> : () -> !shape.witness
  %all = "shape.assuming_all"(%a, %b, %w)
    : (!shape.witness, !shape.witness, !shape.witness) -> !shape.witness
  %r = "shape.assuming"(%all) ({
    "shape.assuming_yield"(%t) : (tensor<2xf32>) -> ()
  }) : (!shape.witness) -> tensor<2xf32>
  func.return %r : tensor<2xf32>
}"""


def test_what_is_assumed_has_to_hold():
    module = parse_module(ASSUMING)
    line = np.ones(2, np.float32)
    (result,) = run(module, SHAPE, ROW, np.True_, line)
    np.testing.assert_array_equal(result, line)
    for arguments in ((SHAPE, ROW, np.False_), (np.array([2]), ROW, np.True_)):
        with pytest.raises(UndefinedBehaviorError, match="does not hold"):
            run(module, *arguments, line)


@pytest.mark.parametrize(
    "op, message",
    [
        (
            '"shape.broadcast"(%s, %u) : (tensor<?xindex>, tensor<?xindex>) -> RESULT',
            r"shapes \[\[4, 1\], \[3, 2\]\] cannot be broadcast",
        ),
        (
            '"shape.get_extent"(%s, %n) : (tensor<?xindex>, index) -> RESULT',
            "out of the bounds",
        ),
        ('"shape.div"(%n, %i) : (index, index) -> RESULT', "division by zero"),
    ],
)
def test_what_would_be_an_error(op: str, message: str):
    module = parse_module(program(op, S))
    with pytest.raises(ExecutionError, match=message):
        run(module, T, SHAPE, np.array([3, 2]), *NUMBERS)
