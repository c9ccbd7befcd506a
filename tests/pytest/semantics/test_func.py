"""Calls."""

import numpy as np
import pytest
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

from tests.peer.runner import parse_module
from tests.semantics import interpreter_of, run, without_semantics
from xdsl_bufferization.semantics.errors import ExecutionError, MissingSemanticsError


def test_recursive_and_indirect_calls():
    program = """
func.func @factorial(%n: i64) -> i64 {
  %one = arith.constant 1 : i64
  %more = arith.cmpi sgt, %n, %one : i64
  %r = scf.if %more -> (i64) {
    %m = arith.subi %n, %one : i64
    %f = func.call @factorial(%m) : (i64) -> i64
    %p = arith.muli %f, %n : i64
    scf.yield %p : i64
  } else {
    scf.yield %one : i64
  }
  func.return %r : i64
}
func.func @same(%n: i64) -> i64 {
  func.return %n : i64
}
func.func @f(%c: i1, %n: i64) -> i64 {
  %a = "func.constant"() <{value = @factorial}> : () -> ((i64) -> i64)
  %b = "func.constant"() <{value = @same}> : () -> ((i64) -> i64)
  %g = arith.select %c, %a, %b : (i64) -> i64
  %r = "func.call_indirect"(%g, %n) : ((i64) -> i64, i64) -> i64
  func.return %r : i64
}"""
    assert run(program, np.True_, np.int64(5)) == [120]
    assert run(program, np.False_, np.int64(5)) == [5]


CALL = """
func.func private @outside(i64) -> i64
func.func @f(%n: i64) -> i64 {
  %r = func.call @outside(%n) : (i64) -> i64
  func.return %r : i64
}"""


def test_functions_without_a_body():
    with pytest.raises(MissingSemanticsError, match="this function has no body"):
        run(CALL, np.int64(3))
    called: list[Operation] = []

    def triple(function: Operation, arguments: PythonValues) -> PythonValues:
        called.append(function)
        return (arguments[0] * 3,)

    module = parse_module(CALL)
    function = SymbolTable.lookup_symbol(module, "f")
    assert function is not None
    interpreter = interpreter_of(module, external=triple)
    assert interpreter.call(function, (np.int64(4),)) == (12,)
    assert called == [SymbolTable.lookup_symbol(module, "outside")]


def test_functions_that_are_not_there():
    with pytest.raises(MissingSemanticsError, match="there is no function @nowhere"):
        run(parse_module(CALL.replace("call @outside", "call @nowhere")), np.int64(3))


CONSTANT = """
func.func @g(%a: memref<4xf32>) -> (memref<4xf32>, i1) {
  %t = arith.constant true
  func.return %a, %t : memref<4xf32>, i1
}
func.func @f(%a: TYPE) -> TYPE {
  %g = func.constant @g : (TYPE) -> TYPE
  %r = func.call_indirect %g(%a) : (TYPE) -> TYPE
  func.return %r : TYPE
}"""


@pytest.mark.parametrize("type", ["memref<4xf32>", "tensor<4xf32>"])
def test_functions_of_another_type(type: str):
    """As after a pass that forgets a constant or a call."""
    taken_for = rf"'\({type}\) -> {type}'"
    with pytest.raises(ExecutionError, match=f"'func.constant': .* type {taken_for}"):
        run(CONSTANT.replace("TYPE", type), np.zeros(4, np.float32))

    direct = CONSTANT.replace("func.call_indirect %g", "func.call @g")
    lines = [line for line in direct.splitlines() if "func.constant" not in line]
    module = parse_module("\n".join(lines).replace("TYPE", type))
    with pytest.raises(ExecutionError, match=f"'func.call': .* type {taken_for}"):
        run(module, np.zeros(4, np.float32))


def test_values_that_are_no_functions():
    program = """
memref.global @g : memref<4xf32>
func.func @f() {
  %g = func.constant @g : () -> ()
  func.call_indirect %g() : () -> ()
  func.return
}"""
    with pytest.raises(ExecutionError, match=r"'memref\.global' is no"):
        run(program)


def test_calls_without_end():
    with pytest.raises(ExecutionError, match="nested too deeply"):
        run("func.func @f() {\n func.call @f() : () -> ()\n func.return\n}")


def test_casts_between_types_of_the_same_values():
    program = """
func.func @f(%t: tensor<2xf32>, %i: index) -> (tensor<?xf32>, i64) {
  %r, %j = "builtin.unrealized_conversion_cast"(%t, %i)
    : (tensor<2xf32>, index) -> (tensor<?xf32>, i64)
  func.return %r, %j : tensor<?xf32>, i64
}"""
    line = np.array([1, 2], np.float32)
    result, number = run(program, line, np.int64(3))
    np.testing.assert_array_equal(result, line)
    assert number == 3
    with pytest.raises(MissingSemanticsError, match="another kind"):
        run(program.replace("i64", "f64"), line, np.int64(3))


def test_poison_is_uninitialised():
    value, vector = run(
        """
func.func @f() -> (i8, vector<2xf32>) {
  %a = ub.poison : i8
  %b = ub.poison : vector<2xf32>
  func.return %a, %b : i8, vector<2xf32>
}"""
    )
    assert value == 77
    np.testing.assert_array_equal(vector, np.full(2, 77, np.float32))


def test_what_ops_have_no_meaning():
    # Functions and modules are not run where they stand, but called.
    assert without_semantics("func") == {"func.func"}
    assert without_semantics("builtin") == {"builtin.module"}
    assert without_semantics("ub") == set()
