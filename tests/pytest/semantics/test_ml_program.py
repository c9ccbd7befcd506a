"""Globals."""

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.traits import SymbolTable

from tests.peer.runner import parse_module
from tests.semantics import GARBAGE, interpreter_of, run, without_semantics
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)

PROGRAM = """
ml_program.global private mutable @counter(dense<[1, 2]> : tensor<2xi32>) : tensor<2xi32>
ml_program.global private @constant(dense<5> : tensor<2xi32>) : tensor<2xi32>
ml_program.global private mutable @unknown : tensor<2xi32>
func.func @f() -> (tensor<2xi32>, tensor<2xi32>) {
  %a = "ml_program.global_load"() <{global = @counter}> : () -> tensor<2xi32>
  %b = ml_program.global_load_const @constant : tensor<2xi32>
  %c = arith.addi %a, %b : tensor<2xi32>
  "ml_program.global_store"(%c) <{global = @counter}> : (tensor<2xi32>) -> ()
  %d = "ml_program.global_load"() <{global = @counter}> : () -> tensor<2xi32>
  func.return %a, %d : tensor<2xi32>, tensor<2xi32>
}
func.func @g() -> tensor<2xi32> {
  %a = "ml_program.global_load"() <{global = @unknown}> : () -> tensor<2xi32>
  func.return %a : tensor<2xi32>
}
"""


def test_globals_keep_their_values_between_calls():
    module = parse_module(PROGRAM)
    interpreter = interpreter_of(module)
    function = SymbolTable.lookup_symbol(module, "f")
    assert function is not None
    for before in (np.array([1, 2]), np.array([6, 7])):
        loaded, stored = interpreter.call(function, ())
        np.testing.assert_array_equal(loaded, before)
        np.testing.assert_array_equal(stored, before + 5)
    # Another run of the module starts again.
    np.testing.assert_array_equal(run(module)[0], [1, 2])


def test_a_global_without_a_value_is_uninitialised():
    (result,) = run(PROGRAM, function="g")
    np.testing.assert_array_equal(result, np.full(2, GARBAGE, np.int32))


def changed(old: str, new: str) -> ModuleOp:
    return parse_module(PROGRAM.replace(old, new))


def test_what_is_not_allowed():
    with pytest.raises(UndefinedBehaviorError, match="not mutable"):
        run(changed("(%c) <{global = @counter}>", "(%c) <{global = @constant}>"))
    with pytest.raises(MissingSemanticsError, match="there is no global @nowhere"):
        run(changed("global = @counter", "global = @nowhere"))


def test_what_ops_have_no_meaning():
    # A global is not run where it stands, but when it is loaded. Only `func.func` is run.
    assert without_semantics("ml_program") == {
        "ml_program.func",
        "ml_program.global",
        "ml_program.global_load_graph",
        "ml_program.global_store_graph",
        "ml_program.output",
        "ml_program.return",
        "ml_program.subgraph",
        "ml_program.token",
    }
