"""Comparing a program before and after: what is compared, and what is said."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import InterpreterFunctions, PythonValues, register_impls
from xdsl.ir import Operation

from xdsl_bufferization.semantics.checking.check import (
    CheckOptions,
    NothingToCheckError,
    check,
    check_pipeline,
)
from xdsl_bufferization.semantics.checking.inputs import InputOptions
from xdsl_bufferization.semantics.checking.report import ProblemKind, Report
from xdsl_bufferization.semantics.interpreter import (
    Functions,
    ReferenceInterpreter,
    impl_named,
)
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module

BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries=true}"
FREE = f"{BUFFERIZE},buffer-deallocation-pipeline"


def module_of(text: str) -> ModuleOp:
    context = context_of_all_dialects(allow_unregistered=True)
    module = parse_module(context, text, "program.mlir")
    module.verify()
    return module


def check_texts(before: str, after: str, **options: Any) -> Report:
    return check(module_of(before), module_of(after), CheckOptions(**options))


def check_passes(text: str, pipeline: str = FREE, **options: Any) -> Report:
    context = context_of_all_dialects(allow_unregistered=True)
    return check_pipeline(context, module_of(text), pipeline, CheckOptions(**options))


def assert_ok(report: Report) -> None:
    assert report.ok, report


LOOP = """
func.func @f(%t: tensor<?xf32>, %x: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %t, %zero : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%u = %t) -> (tensor<?xf32>) {
    %a = tensor.extract %u[%i] : tensor<?xf32>
    %b = tensor.extract %f[%i] : tensor<?xf32>
    %c = arith.addf %a, %b : f32
    %v = tensor.insert %c into %u[%i] : tensor<?xf32>
    scf.yield %v : tensor<?xf32>
  }
  func.return %r, %t : tensor<?xf32>, tensor<?xf32>
}
"""


@pytest.mark.parametrize(
    "pipeline",
    [BUFFERIZE, FREE, f"{BUFFERIZE},convert-linalg-to-loops", "one-shot-bufferize"],
)
def test_right_programs(pipeline: str):
    assert_ok(check_passes(LOOP, pipeline))


def test_statistics():
    report = check_passes(LOOP, inputs=InputOptions(size=100))

    (function,) = report.functions
    assert function.runs == 4
    assert function.before.allocations == 0
    # One for the result of the loop, one for what is returned as it came, one is freed.
    assert function.after.allocations - function.after.frees == 2
    assert function.after.peak_bytes >= 800
    assert "peak bytes" in str(report)


def test_the_same_inputs_for_the_same_seed():
    before = (
        "func.func @f(%x: tensor<?x?xf32>, %i: i32) -> i32 { func.return %i : i32 }"
    )
    after = before.replace(
        "func.return %i", "%j = arith.addi %i, %i : i32 func.return %j"
    )

    first, again, other = (
        check_texts(before, after, seed=seed).problem for seed in (1, 1, 2)
    )

    assert str(first) == str(again) != str(other)


def test_sizes_and_scalars():
    text = """
    func.func @f(%t: tensor<?x?xf32>, %u: tensor<?xi8>, %i: index, %b: i1) -> f32 {
      "cf.assert"(%b) <{msg = "b"}> : (i1) -> ()
      %r = tensor.extract %t[%i, %i] : tensor<?x?xf32>
      func.return %r : f32
    }"""
    after = text.replace("func.return %r", "%x = arith.negf %r : f32 func.return %x")
    inputs = InputOptions(size=3, sizes={(0, 1): 7}, scalars={2: 2, 3: 1})

    problem = check_texts(text, after, inputs=inputs).problem

    assert problem is not None
    matrix, vector, index, condition = problem.inputs
    assert matrix.shape == (3, 7)
    assert vector.shape == (3,)
    assert (index, condition) == (2, True)


def test_undefined_elements_are_not_compared():
    assert_ok(
        check_passes("""
        func.func @f(%x: f32) -> tensor<4xf32> {
          %i = arith.constant 2 : index
          %e = tensor.empty() : tensor<4xf32>
          %r = tensor.insert %x into %e[%i] : tensor<4xf32>
          func.return %r : tensor<4xf32>
        }""")
    )


def test_source_of_uninitialised_contents():
    """Of several allocations, it is the one that matters which is named."""
    before = """
    func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
      %r = arith.addf %t, %t : tensor<4xf32>
      func.return %r : tensor<4xf32>
    }"""
    copies = "\n".join(
        f"%a{i} = memref.alloc() : memref<4xf32>\n"
        + (
            f'"memref.copy"(%t, %a{i}) : (memref<4xf32>, memref<4xf32>) -> ()\n'
            if i != 3
            else ""
        )
        for i in range(6)
    )
    after = f"""
    func.func @f(%t: memref<4xf32>) -> memref<4xf32> {{
      {copies}
      %r = memref.alloc() : memref<4xf32>
      linalg.add ins(%a2, %a3 : memref<4xf32>, memref<4xf32>)
        outs(%r : memref<4xf32>)
      func.return %r : memref<4xf32>
    }}"""

    problem = check_texts(before, after).problem

    assert problem is not None
    assert problem.kind is ProblemKind.UNINITIALISED
    assert problem.op is not None
    assert "%a3 = " in str(problem.op)


def test_zeros_and_nans_are_equal():
    before = """
    func.func @f(%x: f32) -> (f32, f32) {
      %nan = arith.constant 0x7FC00000 : f32
      %zero = arith.constant 0.0 : f32
      func.return %nan, %zero : f32, f32
    }"""
    after = before.replace("0x7FC00000", "0x7FC00001").replace("0.0", "-0.0")

    assert_ok(check_texts(before, after))


def test_memrefs_before():
    """Their contents are a result, unless the program allows that they are overwritten."""
    text = """
    func.func @f(%m: memref<4xf32>, %x: f32) -> f32 {
      %i = arith.constant 1 : index
      %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
      %u = tensor.insert %x into %t[%i] : tensor<4xf32>
      %r = tensor.extract %u[%i] : tensor<4xf32>
      WRITE
      func.return %r : f32
    }"""
    write = """bufferization.materialize_in_destination %u in restrict writable %m
      : (tensor<4xf32>, memref<4xf32>) -> ()"""
    assert_ok(check_passes(text.replace("WRITE", ""), BUFFERIZE))
    assert_ok(check_passes(text.replace("WRITE", write), BUFFERIZE))

    problem = check_texts(
        text.replace("WRITE", write), text.replace("WRITE", "")
    ).problem

    assert problem is not None
    assert problem.kind is ProblemKind.DIFFERENCE
    assert problem.output == "memref argument 0"
    assert problem.index == (1,)


EXTERNAL = """
func.func private @g(tensor<?xf32> {bufferization.access = "ACCESS"}) -> tensor<?xf32>
func.func @f(%t: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = func.call @g(%t) : (tensor<?xf32>) -> tensor<?xf32>
  %s = func.call @g(%r) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %t, %s : tensor<?xf32>, tensor<?xf32>
}
"""


@pytest.mark.parametrize("access", ["read", "write", "read-write", "none"])
def test_functions_without_body(access: str):
    assert_ok(check_passes(EXTERNAL.replace("ACCESS", access), BUFFERIZE))


def test_other_function_is_called():
    before = EXTERNAL.replace("ACCESS", "read")
    after = before.replace("@g(%r)", "@h(%r)").replace(
        "func.func @f",
        "func.func private @h(tensor<?xf32>) -> tensor<?xf32>\nfunc.func @f",
    )

    problem = check_texts(before, after).problem

    assert problem is not None
    assert problem.kind is ProblemKind.MISSING
    assert "this function has no body" in problem.message


def test_inputs_on_which_the_program_fails_are_drawn_again():
    text = """
    func.func @f(%t: tensor<?xf32>, %i: index) -> f32 {
      %r = tensor.extract %t[%i] : tensor<?xf32>
      func.return %r : f32
    }"""

    report = check_passes(text, BUFFERIZE)

    assert_ok(report)
    assert report.functions[0].rejected > 0
    assert "more rejected" in str(report)


@pytest.mark.parametrize(
    "op, types",
    [
        ("arith.addf %t, %u", "tensor<?xf32>"),
        ("math.powf %t, %u", "tensor<?xf32>"),
        ("arith.select %c, %t, %u", "tensor<?xi1>, tensor<?xf32>"),
    ],
)
def test_elementwise_ops_on_tensors_of_other_sizes_are_undefined(op: str, types: str):
    text = f"""
    func.func @f(%t: tensor<?xf32>, %u: tensor<?xf32>, %c: tensor<?xi1>)
        -> tensor<?xf32> {{
      %r = {op} : {types}
      func.return %r : tensor<?xf32>
    }}"""

    report = check_passes(text, f"convert-elementwise-to-linalg,{BUFFERIZE}")

    assert_ok(report)
    assert report.functions[0].rejected > 0


@pytest.mark.parametrize(
    "op",
    [
        "tensor.empty(%zero, %huge) : tensor<?x?xf32>",
        "memref.alloc(%huge, %huge) : memref<?x?xf32>",
        "memref.alloc(%huge, %zero) : memref<?x?xvector<4xf32>>",
        """tensor.pad %t low[%huge, 0] high[0, 0] {
        ^bb0(%i: index, %j: index):
          tensor.yield %x : f32
        } : tensor<?x?xf32> to tensor<?x?xf32>""",
        "tensor.splat %x[%huge, %zero] : tensor<?x?xf32>",
    ],
)
def test_arrays_that_numpy_cannot_count(op: str):
    text = f"""
    func.func @f(%t: tensor<?x?xf32>, %x: f32) {{
      %zero = arith.constant 0 : index
      %huge = arith.constant 4611686018427387904 : index
      %r = {op}
      func.return
    }}"""

    report = check_passes(text, "cse")

    assert report.ok or "more memory than there is" in str(report)


def test_any_exception_of_semantics_is_a_diagnosis():
    @register_impls
    class Wrong(Functions):
        @impl_named("test.op")
        def run(
            self, interpreter: ReferenceInterpreter, op: Operation, args: PythonValues
        ) -> PythonValues:
            raise KeyError("unknown")

    text = """
    func.func @f() {
      "test.op"() : () -> ()
      func.return
    }"""

    problem = check_passes(text, "cse", semantics=[Wrong]).problem

    assert problem is not None
    assert problem.op is not None
    assert "cannot be run: KeyError: 'unknown', at " in problem.message


@pytest.mark.parametrize("element", ["vector<2xf32>", "memref<4xf32>"])
def test_structured_ops_on_elements_that_are_not_numbers(element: str):
    text = """
    func.func @f(%a: memref<3xT>, %b: memref<3xT>) {
      linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2 - i)>],
                      iterator_types = ["parallel"]}
          ins(%a : memref<3xT>) outs(%b : memref<3xT>) {
      ^bb0(%x: T, %y: T):
        linalg.yield %x : T
      }
      func.return
    }
    func.func @g() -> T {
      %i = arith.constant 1 : index
      %a = memref.alloc() : memref<3xT>
      %b = memref.alloc() : memref<3xT>
      func.call @f(%a, %b) : (memref<3xT>, memref<3xT>) -> ()
      %r = memref.load %b[%i] : memref<3xT>
      func.return %r : T
    }""".replace("T", element)

    report = check_passes(text, "cse", functions=["g"])

    assert report.ok or "'linalg.generic': works on elements that are memrefs" in str(
        report
    )


def test_programs_that_always_fail():
    text = """
    func.func @f(%t: tensor<4xf32>) -> f32 {
      %i = arith.constant 4 : index
      %r = tensor.extract %t[%i] : tensor<4xf32>
      func.return %r : f32
    }"""

    problem = check_passes(text, BUFFERIZE).problem

    assert problem is not None
    assert problem.kind is ProblemKind.NO_INPUT
    assert "fails on each of 20 inputs" in problem.message


def test_programs_that_do_not_end():
    before = "func.func @f() { func.return }"
    after = """
    func.func @f() {
      cf.br ^loop
    ^loop:
      cf.br ^loop
    }"""

    problem = check_texts(before, after, max_steps=1000).problem

    assert problem is not None
    assert problem.kind is ProblemKind.FAILURE
    assert "for more than 1000 ops" in problem.message


def test_missing_semantics():
    text = """
    func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
      %r = "mine.double"(%t) : (tensor<4xf32>) -> tensor<4xf32>
      func.return %r : tensor<4xf32>
    }"""

    problem = check_texts(text, text).problem

    assert problem is not None
    assert problem.kind is ProblemKind.MISSING
    assert "has no semantics here" in problem.message

    @register_impls
    class Mine(Functions):
        @impl_named("mine.double")
        def double(
            self,
            interpreter: ReferenceInterpreter,
            op: Operation,
            operands: PythonValues,
        ) -> PythonValues:
            return (operands[0] * np.float32(2),)

    assert issubclass(Mine, InterpreterFunctions)
    assert_ok(check_texts(text, text, semantics=[Mine]))


def test_which_functions_are_checked():
    text = """
    func.func private @a() { func.return }
    func.func @b() { func.return }
    func.func @c(%x: !test.type) { func.return }
    func.func private @d()
    """
    text = text.replace("!test.type", '!test.type<"x">')

    assert [f.name for f in check_texts(text, text).functions] == ["b"]
    private = text.replace("@b", "private @b")
    assert [f.name for f in check_texts(private, private).functions] == ["a", "b"]
    named = check_texts(text, text, functions=["a"])
    assert [f.name for f in named.functions] == ["a"]
    for options in ({"functions": ["d"]}, {"functions": ["e"]}):
        with pytest.raises(NothingToCheckError, match="there is no function @"):
            check_texts(text, text, **options)
    with pytest.raises(NothingToCheckError, match="no function with a body"):
        check_texts("func.func private @d()", text)


@pytest.mark.parametrize(
    "after, message",
    [
        ("func.func @g() { func.return }", "no such function"),
        ("func.func @f() { func.return }", "1 arguments before, 0 after"),
        (
            "func.func @f(%m: memref<3xf32>) { func.return }",
            "argument 0 is tensor<4xf32> before, memref<3xf32> after",
        ),
        (
            "func.func @f(%m: memref<4xf64>) { func.return }",
            "argument 0 is tensor<4xf32> before, memref<4xf64> after",
        ),
        (
            "func.func @f(%m: memref<4xf32>, %x: f32) { func.return }",
            "1 arguments before, 2 after",
        ),
        (
            "func.func @f(%m: memref<4xf32>, %n: memref<4xf32>) { func.return }",
            "1 arguments before, 2 after",
        ),
    ],
)
def test_signatures_that_do_not_correspond(after: str, message: str):
    before = "func.func @f(%t: tensor<4xf32>) { func.return }"

    problem = check_texts(before, after).problem

    assert problem is not None
    assert problem.kind is ProblemKind.SIGNATURE
    assert message in problem.message


CHANGED_RESULTS = """
func.func @f(%t: tensor<?xf32>, %u: tensor<?xf32>, %x: f32)
    -> (tensor<?xf32>, f32, tensor<?xf32>) {
  %i = arith.constant 0 : index
  %r = tensor.insert %x into %u[%i] : tensor<?xf32>
  %y = tensor.extract %t[%i] : tensor<?xf32>
  func.return %r, %y, %t : tensor<?xf32>, f32, tensor<?xf32>
}
"""


@pytest.mark.parametrize(
    "added, returned, copied",
    [
        ("%a: memref<?xf32>, %b: memref<?xf32>", "%y : f32", "ua tb"),
        ("%a: memref<?xf32>", "%y : f32", "ta"),
        ("%a: memref<?xf32>", "%y, %t : f32, memref<?xf32>", "ua"),
        ("%a: memref<?xf32>", "%u, %y : memref<?xf32>, f32", "ta"),
        ("", "%y : f32", ""),
        ("", "%u, %y : memref<?xf32>, f32", ""),
        ("%a: memref<?xf32, strided<[?], offset: ?>>", "%y : f32", "ta"),
    ],
)
def test_results_that_became_arguments(added: str, returned: str, copied: str):
    arguments = "%t: memref<?xf32>, %u: memref<?xf32>, %x: f32"
    types = returned.partition(" : ")[2]
    layout = added.partition(": ")[2].partition(", %")[0]
    copies = "\n".join(
        f'"memref.copy"(%{source}, %{target}) : (memref<?xf32>, {layout}) -> ()'
        for source, target in copied.split()
    )
    after = f"""
    func.func @f({", ".join(filter(None, [arguments, added]))}) -> ({types}) {{
      %i = arith.constant 0 : index
      memref.store %x, %u[%i] : memref<?xf32>
      %y = memref.load %t[%i] : memref<?xf32>
      {copies}
      func.return {returned}
    }}"""

    assert_ok(check_texts(CHANGED_RESULTS, after))
    wrong = after.replace("store %x, %u", "store %x, %t")
    assert check_texts(CHANGED_RESULTS, wrong).problem is not None


def test_signatures_that_may_correspond_in_too_many_ways():
    names = [f"%m{i}" for i in range(12)]
    arguments = ", ".join(f"{name}: memref<4xf32>" for name in names)

    def returning(number: int) -> str:
        types = ", ".join(["memref<4xf32>"] * number)
        return f"""func.func @f({arguments}) -> ({types}) {{
          func.return {", ".join(names[:number])} : {types}
        }}"""

    problem = check_texts(returning(12), returning(6)).problem

    assert problem is not None
    assert problem.kind is ProblemKind.SIGNATURE
    assert "too many ways" in problem.message


def test_element_types():
    types = "i1 i4 i8 i32 i64 index f16 bf16 f32 f64 f8E4M3FN f8E5M2 complex<f32>"
    for type in types.split():
        text = f"""
        func.func @f(%t: tensor<?x{type}>, %x: {type}) -> tensor<?x{type}> {{
          %i = arith.constant 0 : index
          %r = tensor.insert %x into %t[%i] : tensor<?x{type}>
          func.return %r : tensor<?x{type}>
        }}"""
        report = check_passes(text, runs=2)
        assert_ok(report)
        wrong = check_texts(text, text.replace("return %r", "return %t"), runs=20)
        assert wrong.problem is not None
        assert json.loads(json.dumps(wrong.to_json()))["ok"] is False


def test_ownership_is_checked_where_memory_is_freed():
    assert_ok(check_passes(LOOP, BUFFERIZE))

    problem = check_passes(LOOP, BUFFERIZE, leaks=True).problem

    assert problem is not None
    assert problem.kind is ProblemKind.OWNERSHIP
    assert "result 1 is argument memory" in problem.message


@pytest.mark.parametrize("options", [{"runs": 0}, {"runs": -1}, {"seed": -1}])
def test_options_with_which_nothing_is_checked(options: Any):
    with pytest.raises(ValueError, match="at least one run"):
        CheckOptions(**options)
