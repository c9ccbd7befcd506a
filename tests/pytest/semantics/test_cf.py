"""Branches."""

import numpy as np
import pytest

from tests.peer import MlirTools
from tests.semantics import compare_with_mlir, run, without_semantics
from xdsl_bufferization.semantics.errors import ExecutionError

PROGRAM = """
func.func @loop(%n: index, %m: memref<4xi32>, %t: tensor<2xi32>) -> (i32, tensor<2xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  cf.br ^head(%zero, %none, %t : index, i32, tensor<2xi32>)
^head(%i: index, %s: i32, %u: tensor<2xi32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body(%i : index), ^end
^body(%k: index):
  %e = memref.load %m[%k] : memref<4xi32>
  %r = arith.addi %s, %e : i32
  %v = tensor.insert %r into %u[%zero] : tensor<2xi32>
  %j = arith.addi %k, %one : index
  cf.br ^head(%j, %r, %v : index, i32, tensor<2xi32>)
^end:
  return %s, %u : i32, tensor<2xi32>
}
func.func @switch(%flag: i8, %a: i32, %b: i32) -> i32 {
  cf.switch %flag : i8, [
    default: ^given(%a : i32),
    -3: ^given(%b : i32),
    200: ^sum(%a, %b : i32, i32)
  ]
^given(%x: i32):
  return %x : i32
^sum(%y: i32, %z: i32):
  %s = arith.addi %y, %z : i32
  return %s : i32
}
"""


def test_branches_are_what_mlir_compiles_them_to(mlir_tools: MlirTools):
    memory = np.array([3, 5, 8, 100], np.int32)
    tensor = np.array([1, 2], np.int32)
    a, b = np.array(10, np.int32), np.array(7, np.int32)
    loops = [("loop", [np.array(n, np.int64), memory, tensor]) for n in (0, 3, 4)]
    switches = [("switch", [np.array(n, np.int8), a, b]) for n in (-3, -56, 1)]
    compare_with_mlir(mlir_tools, PROGRAM, [*loops, *switches])


def test_assertions():
    program = """
func.func @f(%c: i1) {
  cf.assert %c, "so it is"
  func.return
}"""
    assert run(program, np.True_) == []
    with pytest.raises(ExecutionError, match="does not hold"):
        run(program, np.False_)


def test_all_ops_have_a_meaning():
    assert not without_semantics("cf")
