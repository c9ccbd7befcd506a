"""Where ops are in a program's text."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tests.environments import PROJECT
from xdsl_bufferization.report.source import Source, SourceRange, find_source
from xdsl_bufferization.support.locations import Text
from xdsl_bufferization.support.reading import (
    LocatingParser,
    context_of_all_dialects,
    parse_module,
)

TEXT = """// A comment moves all lines.
func.func @f(%t: tensor<8xf32>,
             %i: index) -> (f32, f32) {
  %a, %b = "test.op"(%t, %i, %t) : (tensor<8xf32>, index, tensor<8xf32>)
      -> (f32, f32)
  %c:2 = "test.op"() : () -> (f32, f32)
  %0 = arith.addf %c#1, %c#0 : f32
  func.return %0, %a : f32, f32
}
"""


def context() -> Context:
    return context_of_all_dialects(allow_unregistered=True)


def source_of(text: str, first_line: int = 1) -> tuple[ModuleOp, Source]:
    """The program, read so that ops know their places, and where it is."""
    ctx = context()
    module = LocatingParser(ctx, Text("f.mlir", text, first_line)).parse_module()
    return module, find_source(module, ctx)


def marked(place: SourceRange | None) -> tuple[int, str]:
    assert place is not None
    start = place.column - 1
    return place.line, place.text[start : start + place.length]


def test_ops_operands_and_values_of_a_file():
    module, source = source_of(TEXT)
    (function,) = module.ops
    several, pair, add, end = function.regions[0].block.ops

    assert source.name == "f.mlir"
    assert not source.is_printed
    assert marked(source.place(function)) == (2, "func.func")
    assert marked(source.place(several)) == (4, "test.op")
    assert marked(source.place(pair)) == (6, "test.op")
    assert marked(source.operand_place(several, 1)) == (4, "%i")
    first, second = (source.operand_place(several, i) for i in (0, 2))
    assert first is not None
    assert second is not None
    assert marked(first) == marked(second) == (4, "%t")
    assert first.column < second.column
    assert marked(source.operand_place(add, 0)) == (7, "%c#1")
    assert marked(source.operand_place(end, 1)) == (8, "%a")
    assert [source.value_name(v) for v in several.results] == ["%a", "%b"]
    assert [source.value_name(v) for v in pair.results] == ["%c#0", "%c#1"]
    assert source.value_name(add.results[0]) == "%0"
    _, index = function.regions[0].block.args
    assert marked(source.argument_place(index)) == (3, "%i")


def test_a_program_that_is_not_the_text_any_more():
    module, _ = source_of(TEXT)
    (function,) = module.ops
    *_, add, end = function.regions[0].block.ops
    end.operands[0] = end.operands[1]
    add.detach()
    add.erase()

    source = find_source(module, context())

    assert source.is_printed
    line, text = marked(source.place(end))
    assert text == "func.return"
    assert str(module).split("\n")[line - 1].strip().startswith("func.return")
    assert marked(source.operand_place(end, 1)) == (line, "%a")


def test_a_program_without_places_is_printed():
    ctx = context()
    module = Parser(ctx, TEXT, "f.mlir").parse_module()

    assert find_source(module, ctx).is_printed


def test_a_part_of_a_file_has_the_lines_of_the_file():
    module, source = source_of(TEXT, first_line=100)
    (function,) = module.ops

    assert marked(source.place(function)) == (101, "func.func")
    assert marked(source.argument_place(function.regions[0].block.args[1])) == (
        102,
        "%i",
    )


def test_where_a_location_says_the_op_comes_from():
    text = 'func.func @f() {\n  func.return loc("model.py":3:7)\n}\n'
    module, source = source_of(text)
    (function,) = module.ops
    place = source.place(function.regions[0].block.first_op or function)

    assert place is not None
    assert place.origin == "model.py:3:7"


def test_large_constants_are_not_printed():
    text = "%c = arith.constant dense<[" + ", ".join(map(str, range(500))) + "]>"
    module = Parser(context(), text + " : tensor<500xi32>").parse_module()
    (constant,) = module.ops

    place = find_source(module, context()).place(constant)

    assert place is not None
    assert place.text == "  %c = arith.constant dense<...> : tensor<500xi32>"


@pytest.mark.parametrize(
    "path", sorted((PROJECT / "examples").glob("*.mlir")), ids=lambda path: path.name
)
def test_all_ops_of_the_examples(path: Path):
    ctx = context()
    module = parse_module(ctx, path.read_text(), str(path))
    source = find_source(module, ctx)

    assert source.name == str(path)
    for op in module.walk():
        place = source.place(op)
        if place is None:
            # Bodies of named structured ops are not written.
            parent = op.parent_op()
            assert parent is None or parent.name.startswith("linalg.")
            continue
        _, text = marked(place)
        assert op.name.endswith(text)
        for index, operand in enumerate(op.operands):
            _, text = marked(source.operand_place(op, index))
            assert text == source.value_name(operand)
