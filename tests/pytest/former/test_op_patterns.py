"""
The partial passes as patterns, combined with each other and with those of the user.

Source: "How to write a partial bufferization pass" of https://mlir.llvm.org/docs/Bufferization/
in LLVM 13
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StridedLayoutAttr,
    TensorType,
    i64,
)
from xdsl.dialects.memref import CastOp
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from tests.peer import MlirTools
from tests.peer.runner import parse_module, print_generic
from tests.programs import FAMILIES, generate_program
from tests.slow import one_in
from xdsl_bufferization.former.conversion import (
    BufferizeTypeConverter,
    apply_bufferization_patterns,
    populate_arith_bufferize_patterns,
    populate_bufferization_bufferize_patterns,
    populate_eliminate_bufferize_materializations_patterns,
    populate_func_bufferize_patterns,
    populate_linalg_bufferize_patterns,
    populate_scf_bufferize_patterns,
    populate_tensor_bufferize_patterns,
)
from xdsl_bufferization.former.conversion.finalization import finalize
from xdsl_bufferization.host.releases import replace_op
from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.reading import context_of_all_dialects
from xdsl_bufferization.support.shaped_types import is_memref_type

Populate = Callable[[BufferizeTypeConverter, list[RewritePattern]], None]

PARTIAL: tuple[Populate, ...] = (
    populate_arith_bufferize_patterns,
    populate_bufferization_bufferize_patterns,
    populate_func_bufferize_patterns,
    populate_linalg_bufferize_patterns,
    populate_scf_bufferize_patterns,
    populate_tensor_bufferize_patterns,
)


def parse(text: str) -> ModuleOp:
    """The module."""
    context = context_of_all_dialects(allow_unregistered=True)
    return Parser(context, text).parse_module()


def convert(module: ModuleOp, *populates: Populate) -> str:
    """What one conversion makes of the program."""
    patterns: list[RewritePattern] = []
    converter = BufferizeTypeConverter()
    for populate in populates:
        populate(converter, patterns)
    apply_bufferization_patterns(module, patterns)
    module.verify()
    return str(module)


PROGRAM = """
func.func @f(%t: tensor<8xf32>, %c: i1, %i: index, %f: f32) -> tensor<4xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  %1 = tensor.extract_slice %0[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
  %2 = scf.if %c -> (tensor<4xf32>) {
    scf.yield %1 : tensor<4xf32>
  } else {
    %3 = arith.constant dense<1.0> : tensor<4xf32>
    scf.yield %3 : tensor<4xf32>
  }
  %4 = linalg.fill ins(%f : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  func.return %4 : tensor<4xf32>
}
"""


def test_patterns_of_one_dialect():
    text = convert(parse(PROGRAM), populate_tensor_bufferize_patterns)
    assert "memref.store" in text
    assert "memref.subview" in text
    # What is on buffers is connected directly, other ops through tensors.
    assert text.count("bufferization.to_buffer") == 1
    assert text.count("bufferization.to_tensor") == 1
    for op in ("scf.yield", "arith.constant dense", "linalg.fill", "func.return"):
        assert any(op in line and "tensor" in line for line in text.splitlines()), op


def test_one_conversion_for_all_dialects():
    module = parse(PROGRAM)
    text = convert(module, *PARTIAL)
    # The branch was rewritten before the constant in it.
    assert text.count("bufferization.to_buffer") == 1
    text = convert(module, populate_eliminate_bufferize_materializations_patterns)
    assert "bufferization." not in text
    finalize(module)
    report = check(parse(PROGRAM), module)
    assert report.ok, report


@pytest.mark.parametrize("seed", one_in(4, range(8)))
def test_random_programs(mlir_tools: MlirTools, seed: int):
    """Together or one after the other, in any order."""
    random = Random(seed)
    families = [
        family
        for family in sorted({*FAMILIES} - {"unknown sizes", "external", "vectors"})
        if random.random() < 0.4
    ]
    program = generate_program(random, families, functions=2)
    module = parse_module(mlir_tools.opt(program.text))
    after = module.clone()
    order = [*PARTIAL]
    random.shuffle(order)
    if random.random() < 0.5:
        convert(after, *order)
    else:
        for populate in order:
            convert(after, populate)
    convert(after, populate_eliminate_bufferize_materializations_patterns)
    finalize(after)
    mlir_tools.opt(print_generic(after))
    report = check(module, after, CheckOptions(runs=2))
    assert report.ok, report


class CastToCast(RewritePattern):
    """A pattern of the user: `BufferizeCastOp` of MLIR's document."""

    def __init__(self, converter: BufferizeTypeConverter):
        self.converter = converter

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.CastOp, rewriter: PatternRewriter) -> None:
        type = self.converter.convert_type(op.dest.type)
        assert is_memref_type(type)
        source = self.converter.materialize_target(
            rewriter, self.converter.convert_type(op.source.type), op.source
        )
        new = rewriter.insert(CastOp.get(source, type)).dest
        result = self.converter.materialize_source(rewriter, op.dest.type, new)
        replace_op(rewriter, op, [], [result])


def test_patterns_of_the_user_come_first():
    module = parse(
        """
        func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
          %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
          %1 = tensor.extract %0[%i] : tensor<?xf32>
          func.return %1 : f32
        }
        """
    )
    converter = BufferizeTypeConverter()
    # In another memory space, so that it shows.
    converter.add_conversion(
        TensorType,
        lambda type: MemRefType(
            type.element_type, type.get_shape(), memory_space=IntegerAttr(3, i64)
        ),
    )
    patterns: list[RewritePattern] = [CastToCast(converter)]
    populate_tensor_bufferize_patterns(converter, patterns)
    populate_func_bufferize_patterns(converter, patterns)
    apply_bufferization_patterns(module, patterns)
    module.verify()
    assert "tensor" not in str(module)
    assert "memref<4xf32, 3 : i64>" in str(module)


def test_conversions_tell_the_types_of_materializations():
    module = parse(PROGRAM)
    converter = BufferizeTypeConverter()

    def dynamic(type: TensorType[Attribute]) -> Attribute | None:
        if type.get_shape() != (8,):
            return None
        return MemRefType(type.element_type, [8], StridedLayoutAttr([None], None))

    converter.add_conversion(TensorType, dynamic)
    patterns: list[RewritePattern] = []
    populate_tensor_bufferize_patterns(converter, patterns)
    apply_bufferization_patterns(module, patterns)
    assert "to memref<8xf32, strided<[?], offset: ?>>" in str(module)


def test_patterns_may_be_applied_by_xdsl():
    module = parse(PROGRAM)
    patterns: list[RewritePattern] = []
    for populate in PARTIAL:
        populate(BufferizeTypeConverter(), patterns)
    PatternRewriteWalker(GreedyRewritePatternApplier(patterns)).rewrite_module(module)
    finalize(module)
    report = check(parse(PROGRAM), module)
    assert report.ok, report


def test_branches_of_which_nothing_is_known():
    module = parse(
        """
        func.func @f(%t: tensor<4xf32>) {
          "my.branch"(%t) [^bb1] : (tensor<4xf32>) -> ()
        ^bb1(%0: tensor<4xf32>):
          func.return
        }
        """
    )
    before = str(module)
    with pytest.raises(BufferizationError, match="hands tensors to blocks"):
        convert(module, populate_func_bufferize_patterns)
    assert str(module) == before
