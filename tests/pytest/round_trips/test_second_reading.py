"""A second reading finds what xDSL gets wrong while it reads or prints a program."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from tests.round_trips import program_files, programs
from tests.round_trips.second_reading.second import misprinted, misreadings
from tests.slow import one_in
from xdsl_bufferization.host.printing import is_printed_in_generic_form
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module

_MINUS_INFINITY = """
func.func @f(%i: index) -> f32 {
  %c = arith.constant dense<0xFF800000> : tensor<4xf32>
  %x = tensor.extract %c[%i] : tensor<4xf32>
  func.return %x : f32
}
"""
_ARGUMENT_ATTRIBUTE = """
func.func private @g(tensor<4xf32> {bufferization.access = "read"})
func.func @f(%t: tensor<4xf32>) {
  func.call @g(%t) : (tensor<4xf32>) -> ()
  func.return
}
"""
_ATTRIBUTE_IN_FRONT = """
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {my_attr = "a", indexing_maps = [affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]} outs(%t : tensor<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
"""
_ATTRIBUTE_OF_TRANSPOSE = """
func.func @f(%s: tensor<2x3xf32>, %t: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = "linalg.transpose"(%s, %t) <{permutation = array<i64: 1, 0>}> ({
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }) {my_attr = "a"} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %0 : tensor<3x2xf32>
}
"""


def _read_by_xdsl(text: str) -> ModuleOp:
    """The module as xDSL alone reads it."""
    context = Context()
    for name, factory in get_all_dialects().items():
        context.register_dialect(name, factory)
    return Parser(context, text).parse_module()


@pytest.mark.parametrize(
    "program, place, message",
    [
        (
            _MINUS_INFINITY,
            (3, 23),
            "dense<0xFF800000> : tensor<4xf32> is read as something else",
        ),
        (
            _ARGUMENT_ATTRIBUTE,
            (2, 37),
            "the attribute bufferization.access is lost",
        ),
        (_ATTRIBUTE_IN_FRONT, (3, 24), "the attribute my_attr is lost"),
    ],
    ids=["dense", "argument", "generic"],
)
def test_faults_of_xdsl_are_found(program: str, place: tuple[int, int], message: str):
    read_right = parse_module(context_of_all_dialects(), program, "p.mlir")
    assert [*misreadings(program, read_right)] == []

    found = [*misreadings(program, _read_by_xdsl(program))]

    assert [(m.line, m.column, m.message) for m in found] == [(*place, message)]


def test_what_xdsl_does_not_print_is_found():
    context = context_of_all_dialects()
    program = _ATTRIBUTE_OF_TRANSPOSE
    assert misprinted(parse_module(context, program, "p.mlir"), context) is None

    found = misprinted(_read_by_xdsl(program), context)

    assert found is not None
    assert found.name == "linalg.transpose"


def test_a_map_that_is_lost_is_found():
    """As by xDSL's printer, of `linalg.matmul`."""
    text = """
    func.func @f(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %c: memref<4x4xf32>) {
      linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                     affine_map<(m, n, k) -> (n, k)>,
                                     affine_map<(m, n, k) -> (m, n)>]
          ins(%a, %b : memref<4x8xf32>, memref<4x8xf32>) outs(%c : memref<4x4xf32>)
      func.return
    }
    """
    context = context_of_all_dialects()
    module = parse_module(context, text, "p.mlir")

    assert [*misreadings(text, module)] == []
    matmul = next(op for op in module.walk() if op.name == "linalg.matmul")
    del matmul.properties["indexing_maps"]
    found = [*misreadings(text, module)]
    assert [(m.line, m.message[:10]) for m in found] == [
        (line, "affine_map") for line in (3, 4, 5)
    ]


@pytest.mark.parametrize("unregistered", [False, True])
@pytest.mark.parametrize("name", ["mine", "return", "func.return"])
def test_a_name_that_is_lost_is_found(name: str, unregistered: bool):
    context = context_of_all_dialects(allow_unregistered=unregistered)
    text = f"func.func @f() attributes {{{name} = 1 : i8, other}} {{ return }}"
    module = parse_module(context, text, "p.mlir")
    (function,) = module.ops
    del function.attributes[name]

    (found,) = misreadings(text, module)

    assert (found.column, found.message) == (28, f"the attribute {name} is lost")


def test_the_name_of_a_lost_attribute_is_shown_as_mlir_prints_it():
    context = context_of_all_dialects(allow_unregistered=True)
    text = r'"test.op"() {"x\1b[31m\n" = 1 : i8, "x\1B[31m"} : () -> ()'
    module = parse_module(context, text, "p.mlir")
    (op,) = module.ops
    del op.attributes["x\x1b[31m\n"]

    (found,) = misreadings(text, module)

    assert (found.column, found.message) == (
        14,
        r'the attribute "x\1B[31m\0A" is lost',
    )


@pytest.mark.parametrize(
    "text",
    [
        "func.func @f(%x: i8, %y: f32) -> (i8, f32) { func.return %x, %y : i8, f32 }",
        "#unused = dense<1> : tensor<2xi8>\nfunc.func @f() { func.return }",
        "#used = dense<1> : tensor<2xi8>\nfunc.func @f() attributes {a = #used} "
        "{ func.return }",
        '// dense<1> : tensor<2xi8>\n"test.op"() {a = "dense<1> : i8, b = 2"} : () -> ()',
        '"test.op"() {a = dense<[]> : tensor<0xf32>, b = dense<[-1, 7]> : vector<2xi4>} '
        ": () -> ()",
        "func.func @f() { return }",
        "func.func @f() attributes {a, b} {\n  // nothing\n  return\n}",
        "func.func @f(%c: i1) { scf.if %c { yield } return {return} }",
        '"test.op"() {return = 1 : i8, scf.yield} : () -> ()',
        r'"test.op"() {"x\1B[31mred" = 1 : i8, "\0A\22\\ \n\t\\"} : () -> ()',
        r'"test.op"() {a = {"x, b = 2", "\7D {", "\5Cn"}, " "} : () -> ()',
        '"test.op"() {a = affine_map<(i)[n] -> (-(i - 2) ceildiv 3 + n, i mod (n * 2))>} '
        ": () -> ()",
        '"test.op"() {a = #nvvm.target<chip = "x", flags = {fast}>} : () -> ()',
        '"test.op"() {a = #unknown.attr<{b = 1, c = affine_map<(i) -> (i + 7)>, '
        "d = dense<[1, 2]> : tensor<2xi32>}>} : () -> ()",
    ],
)
def test_what_is_right_is_no_misreading(text: str):
    context = context_of_all_dialects(allow_unregistered=True)

    assert [*misreadings(text, parse_module(context, text, "p"))] == []


@pytest.mark.parametrize(
    "file", one_in(12, program_files()), ids=lambda f: str(f.parent)
)
def test_programs_that_mlir_opt_reads_alike_are_no_misreadings(file: Path):
    for text in programs(file):
        context = context_of_all_dialects(allow_unregistered=True)
        module = parse_module(context, text, file.name)
        assert [*misreadings(text, module)] == []
        op = misprinted(module, context)
        # What the custom form of an op loses, commands print in generic form.
        assert op is None or is_printed_in_generic_form(op)


def test_maps_that_follow_from_the_op_are_not_printed():
    context = context_of_all_dialects(allow_unregistered=True)
    text = """
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = linalg.matmul {linalg.memoized_indexing_maps = [affine_map<(i, j, k) -> (i, k)>]}
    ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}
"""
    module = parse_module(context, text, "p")
    assert "linalg.memoized_indexing_maps" not in str(module)

    assert misprinted(module, context) is None


@irdl_op_definition
class ForgetfulOp(IRDLOperation):
    """An op whose printer forgets a property."""

    name = "forgetful.op"
    kept = prop_def()
    lost = opt_prop_def()

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.kept)

    @classmethod
    def parse(cls, parser: Parser) -> ForgetfulOp:
        return cls(properties={"kept": parser.parse_attribute()})


@pytest.mark.parametrize("lost", [None, StringAttr("b")], ids=["kept", "lost"])
def test_a_property_that_is_not_printed_is_found(lost: Attribute | None):
    context = context_of_all_dialects()
    context.load_dialect(Dialect("forgetful", [ForgetfulOp]))
    op = ForgetfulOp(properties={"kept": StringAttr("a"), "lost": lost})

    assert misprinted(ModuleOp([op]), context) is (None if lost is None else op)
