"""What the report says of copies, with random programs: it is complete, and advice helps."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError

from tests.peer import MlirTools
from tests.peer.runner import parse_module
from tests.programs import FAMILIES
from tests.pytest.report.reports import copies_in, programs, report, report_of
from tests.slow import exhaustive, first_of, one_in
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.report import tensors
from xdsl_bufferization.report.model import MemoryFunction, TensorFunction
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.report.source import in_order
from xdsl_bufferization.transforms.bufferize import BufferizePass
from xdsl_bufferization.verification.copy_bound.bound import CopyBound, copy_bounds


@pytest.mark.parametrize("seeds", [range(1), *exhaustive([range(1, 2)])])
@pytest.mark.parametrize("family", one_in(18, FAMILIES))
def test_all_buffers_and_copies_are_reported(
    family: str, seeds: range, mlir_tools: MlirTools
):
    for text in programs(mlir_tools, family, seeds):
        reported = [
            function
            for function in report_of(text).functions
            if isinstance(function, TensorFunction)
        ]
        module = parse_module(text)
        BufferizePass().apply(Context(), module)
        ops = [*module.walk()]
        assert sum(len(f.allocations) for f in reported) == sum(
            len(allocated_by(op)) for op in ops
        )
        assert sum(len(f.copies) for f in reported) == sum(
            CopyOpInterface.of(op) is not None for op in ops
        )
        for function in reported:
            for made in (*function.copies, *function.allocations):
                assert re.fullmatch(r"%[\w#]+", made.value)
                assert made.place is not None
            assert function.forced <= function.copied
            for copy in function.copies:
                assert copy.verdict != "avoidable" or copy.advice or copy.verdict_reason
                assert copy.verdict != "forced" or not copy.advice


FORCED = """
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.exp ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = tensor.concat dim(0) %a, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  func.return %x, %c : tensor<8xf32>, tensor<16xf32>
}
"""


def test_of_each_copy_it_is_said_whether_it_is_forced():
    options = BufferizePass(eliminate_copies=False)
    (function,) = report_on(Context(), parse_module(FORCED), options).functions
    assert isinstance(function, TensorFunction)
    assert [(copy.value, copy.verdict, copy.times) for copy in function.copies[:2]] == [
        ("%a", "forced", 1),
        ("%x", "avoidable", 1),
    ]
    assert function.forced == 32
    assert not function.eliminated


def test_copies_that_are_eliminated_are_told_apart():
    (function,) = report(parse_module(FORCED)).functions
    assert isinstance(function, TensorFunction)
    assert [(copy.value, copy.verdict) for copy in function.copies] == [
        ("%a", "forced")
    ]
    (eliminated,) = function.eliminated
    assert (eliminated.value, eliminated.verdict) == ("%x", "avoidable")
    assert "can be computed where tensor.concat puts it" in eliminated.verdict_reason


def test_copies_in_loops_count_as_often_as_they_are_made():
    text = """
func.func @f(%a: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %a) -> (tensor<8xf32>) {
    %n = tensor.insert %f into %t[%i] : tensor<8xf32>
    %s = linalg.add ins(%n, %t : tensor<8xf32>, tensor<8xf32>)
        outs(%t : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}
"""
    (function,) = report(parse_module(text)).functions
    assert isinstance(function, TensorFunction)
    (copy, *_) = function.copies
    assert (copy.verdict, copy.times, copy.is_times_known) == ("forced", 5, True)
    # All but the element that is inserted.
    assert function.forced == 5 * 28


MOVE = re.compile(
    r"Move \S+ \(line (\d+)\) before \S+ \(line (\d+)\)(?:, with what it needs: (.*))?:"
)


@pytest.mark.parametrize("seeds", first_of(1, range(8), 8), ids=str)
@pytest.mark.parametrize("family", one_in(2, ["tensors", "structured"]))
def test_moves_are_not_advised_that_are_in_the_program(
    family: str, seeds: range, mlir_tools: MlirTools
):
    for generic in programs(mlir_tools, family, seeds):
        text = str(parse_module(generic))
        try:
            copies = copies_in(report(parse_module(text)))
        except ParseError:
            continue
        for advice in (a for copy in copies for a in copy.advice):
            if (move := MOVE.match(advice)) is not None:
                assert int(move[1]) > int(move[2]), advice


SAME_NAMES = """
builtin.module @outer {
  builtin.module @inner {
    func.func private @f(%t: tensor<4xf32>, %x: f32, %i: index) -> f32 {
      %s = tensor.insert %x into %t[%i] : tensor<4xf32>
      %o = tensor.extract %t[%i] : tensor<4xf32>
      %n = tensor.extract %s[%o_index] : tensor<4xf32>
      %r = arith.addf %o, %n : f32
      func.return %r : f32
    }
  }
  func.func @f(%m: memref<4xf32>) {
    %a = memref.alloca() : memref<100xf32>
    func.return
  }
}
""".replace("%o_index", "%i")


def test_functions_of_nested_modules_and_those_without_tensors():
    tensors, memrefs = report(parse_module(SAME_NAMES)).functions
    assert isinstance(tensors, TensorFunction)
    assert tensors.name == "outer::inner::f"
    # Modules within the module stay on tensors, so there is nothing to decide.
    assert tensors.copies == []
    assert isinstance(memrefs, MemoryFunction)
    assert memrefs.name == "outer::f"
    assert [buffer.size for buffer in memrefs.buffers] == [400]


@pytest.mark.parametrize(
    "body, reason, advice",
    [
        (
            """
  %z = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = tensor.insert %x into %z[%i] : tensor<2xf32>
  %n = tensor.extract %s[%i] : tensor<2xf32>
  func.return %n : f32""",
            "must not be written",
            "tensor.empty can take its place",
        ),
        (
            """
  %s = tensor.insert %x into %t[%i] : tensor<4xf32>
  %u = tensor.insert %x into %t[%j] : tensor<4xf32>
  %n = tensor.extract %s[%j] : tensor<4xf32>
  %o = tensor.extract %u[%i] : tensor<4xf32>
  %r = arith.addf %n, %o : f32
  func.return %r : f32""",
            "still reads it",
            "one of them needs a copy",
        ),
        (
            """
  cf.br ^again
^again:
  %s = tensor.insert %x into %t[%i] : tensor<4xf32>
  %n = tensor.extract %s[%j] : tensor<4xf32>
  cf.cond_br %c, ^again, ^end
^end:
  func.return %n : f32""",
            "reads it again when control comes back to its block",
            "as an argument",
        ),
        (
            """
  %r = scf.for %k = %i to %j step %j iter_args(%a = %x) -> (f32) {
    %o = tensor.extract %t[%i] : tensor<4xf32>
    %s = tensor.insert %x into %t[%k] : tensor<4xf32>
    %n = tensor.extract %s[%j] : tensor<4xf32>
    %b = arith.addf %o, %n : f32
    scf.yield %b : f32
  }
  func.return %r : f32""",
            "in the next run of scf.for",
            "make %t an init of the loop",
        ),
        (
            """
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.copy ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %n = tensor.extract %f[%j] : tensor<4xf32>
  func.return %n : f32""",
            "linalg.copy puts it into another buffer",
            "",
        ),
    ],
)
def test_reasons_and_advice(body: str, reason: str, advice: str):
    head = "func.func @f(%t: tensor<4xf32>, %x: f32, %i: index, %j: index, %c: i1) -> f32 {"
    (copy,) = copies_in(report(parse_module(f"{head}{body}\n}}")))
    assert reason in copy.reason
    assert advice in " ".join([*copy.advice, copy.verdict_reason])


def test_a_constant_without_elements_is_not_copied():
    program = """
    func.func @f(%x: f32, %i: index) -> f32 {
      %z = arith.constant dense<> : tensor<0xf32>
      %s = tensor.insert %x into %z[%i] : tensor<0xf32>
      %n = tensor.extract %s[%i] : tensor<0xf32>
      func.return %n : f32
    }
    """

    assert not copies_in(report(parse_module(program)))


READS_IN_A_LOOP = """
func.func private @seen(%t: tensor<4xf32>) -> f32
func.func @f(%t: tensor<4xf32> {{bufferize.aliasing_result = 0 : i64}}, %n: index, %x: f32)
    -> (tensor<4xf32>, f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %s = %x)
      -> (tensor<4xf32>, f32) {{
    %set = tensor.insert %x into %a[%i] : tensor<4xf32>
    %old = {read}
    %b = arith.addf %s, %old : f32
    scf.yield %set, %b : tensor<4xf32>, f32
  }}
  func.return %r#0, %r#1 : tensor<4xf32>, f32
}}
"""


@pytest.mark.parametrize(
    "read, moves",
    [
        ("tensor.extract %t[%c0] : tensor<4xf32>", True),
        ("tensor.extract %t[%i] : tensor<4xf32>", False),
        # It may do something besides, each time.
        ("func.call @seen(%t) : (tensor<4xf32>) -> f32", False),
    ],
)
def test_what_is_the_same_in_each_run_goes_in_front_of_the_loop(read: str, moves: bool):
    copy, *_ = copies_in(report(parse_module(READS_IN_A_LOOP.format(read=read))))
    assert any("before scf.for" in advice for advice in copy.advice) == moves


NAMED = """
func.func @f(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, f32) {
  %e = tensor.empty() : tensor<8xf32>
  %sum = linalg.add ins(%t, %t : tensor<8xf32>, tensor<8xf32>)
                    outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %set = tensor.insert %x into %sum[%i] : tensor<8xf32>
  %old = tensor.extract %sum[%i] : tensor<8xf32>
  func.return %set, %old : tensor<8xf32>, f32
}
func.func @g(%t: tensor<8xf32>) -> tensor<8xf32> {
  func.return %t : tensor<8xf32>
}
"""


def test_buffers_have_the_names_that_they_have_afterwards():
    options = BufferizePass(eliminate_copies=False)
    module = parse_module(NAMED)
    functions = report_on(Context(), module, options).functions
    options.apply(Context(), module)
    assert re.findall(r"(%\S+) = memref.alloc", str(module)) == [
        made.output_name
        for function in functions
        if isinstance(function, TensorFunction)
        for made in function.allocations
    ]


def test_what_is_forced_is_found_out_once(monkeypatch: pytest.MonkeyPatch):
    seen: list[ModuleOp] = []

    def counted(module: ModuleOp) -> Mapping[Operation, CopyBound]:
        seen.append(module)
        return copy_bounds(module)

    monkeypatch.setattr(tensors, "copy_bounds", counted)
    module = parse_module(FORCED)
    assert report(module).functions
    assert seen == [module]


MOVED = """
func.func @f(%t: tensor<8xf32>, %x: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<8xf32>
  %s = linalg.add ins(%t, %t : tensor<8xf32>, tensor<8xf32>)
                  outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %set = tensor.insert %x into %s[%i] : tensor<8xf32>
  %old = tensor.extract %s[%i] : tensor<8xf32>
  %new = tensor.extract %set[%i] : tensor<8xf32>
  %r = arith.addf %old, %new : f32
  func.return %r : f32
}
"""


def test_memory_of_tensors_is_in_lines_of_the_program():
    (function,) = report(parse_module(MOVED)).functions
    assert isinstance(function, TensorFunction)
    memory = function.memory
    assert memory is not None
    assert memory.heap.peak is not None
    assert memory.heap.peak.live_bytes == 32
    (buffer,) = memory.buffers
    assert (buffer.name, buffer.ending) == ("%s", "freed")
    assert buffer.place is not None
    assert buffer.place.text.strip().startswith("%s = linalg.add ")
    lines = [line for line in memory.lines if line is not None]
    assert lines == sorted(lines)
    assert lines[-1] == 9


@pytest.mark.parametrize(
    "lines, ordered",
    [
        ([], []),
        ([None], [None]),
        ([3, None, 4, 4, 6], [3, None, 4, 4, 6]),
        # One is moved up, one frees what was made further above.
        ([9, 1, 2, 7, 3, None, 1, 5], [1, 1, 2, 2, 3, None, 3, 5]),
        ([5, 4, 3], [3, 3, 3]),
    ],
)
def test_what_is_moved_is_in_the_line_of_its_neighbours(
    lines: list[int | None], ordered: list[int | None]
):
    assert in_order(lines) == ordered
