"""Control flow of scf, compared with what MLIR compiles it to."""

import numpy as np
import pytest

from tests.peer import MlirTools
from tests.peer.numpy_types import Array
from tests.peer.runner import parse_module
from tests.semantics import GARBAGE, compare_with_mlir, run, without_semantics
from xdsl_bufferization.semantics.checking.check import check_pipeline
from xdsl_bufferization.semantics.errors import (
    ExecutionError,
    MemoryFault,
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.support.reading import context_of_all_dialects

PROGRAM = """
func.func @for(%t: tensor<4xf32>, %n: index, %x: f32) -> (tensor<4xf32>, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r:2 = scf.for %i = %zero to %n step %two iter_args(%a = %t, %s = %x)
      -> (tensor<4xf32>, f32) {
    %e = tensor.extract %a[%i] : tensor<4xf32>
    %g = arith.addf %s, %e : f32
    %b = tensor.insert %g into %a[%i] : tensor<4xf32>
    scf.yield %b, %g : tensor<4xf32>, f32
  }
  return %r#0, %r#1 : tensor<4xf32>, f32
}
func.func @for_unsigned(%low: i8, %high: i8, %step: i8, %n: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %unsigned = scf.for unsigned %i = %low to %high step %step iter_args(%s = %zero)
      -> i32 : i8 {
    %wide = arith.extsi %i : i8 to i32
    %sum = arith.addi %s, %wide : i32
    %more = arith.addi %sum, %n : i32
    scf.yield %more : i32
  }
  %signed = scf.for %i = %low to %high step %step iter_args(%s = %zero) -> i32 : i8 {
    %more = arith.addi %s, %n : i32
    scf.yield %more : i32
  }
  return %unsigned, %signed : i32, i32
}
func.func @if(%t: tensor<4xf32>, %c: i1, %x: f32) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %r = scf.if %c -> tensor<4xf32> {
    %b = tensor.insert %x into %t[%zero] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @if_without_else(%m: memref<4xf32>, %c: i1, %x: f32) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  scf.if %c {
    memref.store %x, %m[%zero] : memref<4xf32>
  }
  return %m : memref<4xf32>
}
func.func @while(%n: index) -> (index, index) {
  %zero = arith.constant 0 : index
  %r:2 = scf.while (%i = %n, %s = %zero) : (index, index) -> (index, index) {
    %more = arith.cmpi sgt, %i, %zero : index
    %square = arith.muli %i, %i : index
    scf.condition(%more) %i, %square : index, index
  } do {
  ^bb0(%i: index, %s: index):
    %one = arith.constant 1 : index
    %j = arith.subi %i, %one : index
    scf.yield %j, %s : index, index
  }
  return %r#0, %r#1 : index, index
}
func.func @execute_region(%c: i1, %x: f32, %y: f32) -> f32 {
  %r = scf.execute_region -> f32 {
    cf.cond_br %c, ^bb1, ^bb2(%y : f32)
  ^bb1:
    %s = arith.addf %x, %y : f32
    cf.br ^bb2(%s : f32)
  ^bb2(%z: f32):
    scf.yield %z : f32
  }
  return %r : f32
}
func.func @index_switch(%n: index) -> f32 {
  %r = scf.index_switch %n -> f32
  case 2 {
    %x = arith.constant 2.5 : f32
    scf.yield %x : f32
  }
  case 7 {
    %x = arith.constant 7.5 : f32
    scf.yield %x : f32
  }
  default {
    %x = arith.constant 0.5 : f32
    scf.yield %x : f32
  }
  return %r : f32
}
func.func @forall(%t: tensor<4x6xf32>, %n: index) -> (tensor<4x6xf32>, tensor<6xf32>) {
  %e = arith.constant dense<0.0> : tensor<6xf32>
  %r:2 = scf.forall (%i, %j) = (0, 0) to (%n, 6) step (1, 2)
      shared_outs(%a = %t, %b = %e) -> (tensor<4x6xf32>, tensor<6xf32>) {
    %s = tensor.extract_slice %a[%i, %j] [1, 2] [1, 1]
      : tensor<4x6xf32> to tensor<2xf32>
    %k = tensor.extract %t[%i, %j] : tensor<4x6xf32>
    %d = linalg.fill ins(%k : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %a[%i, %j] [1, 2] [1, 1]
        : tensor<2xf32> into tensor<4x6xf32>
      tensor.parallel_insert_slice %d into %b[%j] [2] [1]
        : tensor<2xf32> into tensor<6xf32>
    }
  }
  return %r#0, %r#1 : tensor<4x6xf32>, tensor<6xf32>
}
func.func @forall_in_memory(%m: memref<4x6xf32>, %n: index) -> memref<4x6xf32> {
  scf.forall (%i, %j) in (%n, 3) {
    %k = memref.load %m[%j, %i] : memref<4x6xf32>
    memref.store %k, %m[%i, %j] : memref<4x6xf32>
  }
  return %m : memref<4x6xf32>
}
func.func @parallel(%m: memref<4x6xf32>, %n: index, %x: f32) -> (f32, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.parallel (%i, %j) = (%zero, %one) to (%n, %n) step (%one, %one)
      init (%x, %x) -> (f32, f32) {
    %e = memref.load %m[%i, %j] : memref<4x6xf32>
    scf.reduce(%e, %x : f32, f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.subf %a, %b : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r#0, %r#1 : f32, f32
}
func.func @parallel_in_memory(%m: memref<4x6xf32>, %n: index) -> memref<4x6xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    %k = memref.load %m[%zero, %i] : memref<4x6xf32>
    memref.store %k, %m[%i, %zero] : memref<4x6xf32>
    scf.reduce
  }
  return %m : memref<4x6xf32>
}
"""

LINE = np.array([1, 0.1, -3, 8], np.float32)
SQUARE = np.arange(24, dtype=np.float32).reshape(4, 6) / 7
X, Y = np.array(0.3, np.float32), np.array(5, np.float32)
TRUE, FALSE = np.array(True), np.array(False)


def size(number: int) -> Array:
    return np.array(number, np.int64)


def byte(number: int) -> Array:
    return np.array(number, np.int8)


CALLS = [
    ("for", [LINE, size(4), X]),
    ("for_unsigned", [byte(100), byte(-100), byte(30), np.array(1000, np.int32)]),
    ("if", [LINE, TRUE, X]),
    ("if_without_else", [LINE, TRUE, X]),
    ("while", [size(3)]),
    ("execute_region", [TRUE, X, Y]),
    ("index_switch", [size(7)]),
    ("forall", [SQUARE, size(3)]),
    ("forall_in_memory", [SQUARE, size(4)]),
    ("parallel", [SQUARE, size(4), X]),
    ("parallel_in_memory", [SQUARE, size(4)]),
    ("for", [LINE, size(-1), X]),
    ("if", [LINE, FALSE, X]),
    ("if_without_else", [LINE, FALSE, X]),
    ("while", [size(0)]),
    ("execute_region", [FALSE, X, Y]),
    ("index_switch", [size(3)]),
    ("forall", [SQUARE, size(0)]),
    ("forall_in_memory", [SQUARE, size(0)]),
    ("parallel", [SQUARE, size(0), X]),
    ("parallel_in_memory", [SQUARE, size(0)]),
]


def test_control_flow_is_what_mlir_compiles_it_to(mlir_tools: MlirTools):
    compare_with_mlir(mlir_tools, PROGRAM, CALLS)


def loop(op: str, step: int) -> str:
    return f"""
func.func @f(%n: index) {{
  %zero = arith.constant 0 : index
  %step = arith.constant {step} : index
  {op}
  func.return
}}"""


@pytest.mark.parametrize("step", [0, -1])
@pytest.mark.parametrize(
    "op",
    [
        "scf.for %i = %zero to %n step %step {}",
        "scf.forall (%i) = (0) to (%n) step (%step) {}",
        '"scf.parallel"(%zero, %n, %step) <{operandSegmentSizes = '
        "array<i32: 1, 1, 1, 0>}> ({^bb0(%i: index):\n"
        '"scf.reduce"() : () -> ()}) : (index, index, index) -> ()',
    ],
)
def test_a_step_is_positive(op: str, step: int):
    with pytest.raises(UndefinedBehaviorError, match=f"the step is {step}"):
        run(loop(op, step), np.int64(4))


def test_what_is_on_the_stack_lives_for_one_iteration():
    program = """
func.func @f(%n: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}>
    : () -> memref<index>
  %last = scf.for %i = %zero to %n step %one iter_args(%m = %a) -> (memref<index>) {
    %b = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}>
      : () -> memref<index>
    "memref.store"(%i, %b) : (index, memref<index>) -> ()
    scf.yield %b : memref<index>
  }
  %r = "memref.load"(%last) : (memref<index>) -> index
  func.return %r : index
}"""
    with pytest.raises(MemoryFault, match="no longer there"):
        run(program, np.int64(2))


FORALL = """
func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%a = %t) -> (tensor<4xf32>) {
    %read = arith.constant READ : index
    %e = tensor.extract %a[%read] : tensor<4xf32>
    %s = arith.addf %e, %x : f32
    %b = tensor.from_elements %s : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %a[%i] [1] [1]
        : tensor<1xf32> into tensor<4xf32>
    }
  }
  func.return %r : tensor<4xf32>
}"""


def test_what_other_iterations_insert_is_unspecified():
    (result,) = run(FORALL.replace("READ", "1"), LINE, X[()])

    read = np.array([LINE[1], LINE[1], GARBAGE, GARBAGE], np.float32)
    np.testing.assert_array_equal(result, read + X)


@pytest.mark.parametrize("read", range(4))
def test_what_depends_on_other_iterations_is_not_compared(read: int):
    context = context_of_all_dialects()
    module = parse_module(FORALL.replace("READ", str(read)))

    report = check_pipeline(context, module, "bufferize")

    assert report.ok, report


def test_iterations_see_what_they_insert_themselves():
    """Also if one slice is inserted twice, into tensors of which one is read."""
    program = """
func.func @f(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = scf.forall (%i) in (4) shared_outs(%a = %t, %b = %t)
      -> (tensor<4xf32>, tensor<4xf32>) {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %a[%i] [1] [1]
        : tensor<1xf32> into tensor<4xf32>
      tensor.parallel_insert_slice %s into %b[%i] [1] [1]
        : tensor<1xf32> into tensor<4xf32>
    }
  }
  func.return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}"""
    for result in run(program, LINE):
        np.testing.assert_array_equal(result, LINE)


@pytest.mark.parametrize(
    "insertion, error, message",
    [
        (
            '"tensor.parallel_insert_slice"(%b, %a) <{static_offsets = array<i64: 4>, '
            "static_sizes = array<i64: 1>, static_strides = array<i64: 1>, "
            "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : "
            "(tensor<1xf32>, tensor<4xf32>) -> ()",
            UndefinedBehaviorError,
            "'tensor.parallel_insert_slice': the slice with offset 4",
        ),
        (
            '"mine.combine"(%b, %a) : (tensor<1xf32>, tensor<4xf32>) -> ()',
            MissingSemanticsError,
            "'mine.combine': has no semantics",
        ),
    ],
)
def test_what_iterations_insert(
    insertion: str, error: type[ExecutionError], message: str
):
    program = f"""
func.func @f(%t: tensor<4xf32>, %b: tensor<1xf32>) {{
  %r = scf.forall (%i) in (4) shared_outs(%a = %t) -> (tensor<4xf32>) {{
    scf.forall.in_parallel {{
      {insertion}
    }}
  }}
  func.return
}}"""
    with pytest.raises(error, match=message):
        run(parse_module(program), LINE, LINE[:1])


def test_all_ops_have_a_meaning():
    assert not without_semantics("scf")
