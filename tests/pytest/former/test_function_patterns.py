"""
Function boundaries as a dialect conversion: the examples of MLIR's documentation of 2020, in
today's spelling.

Source: "Preparation Phase" of https://mlir.llvm.org/docs/Bufferization/ in LLVM 11
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import cast

import pytest
from xdsl.builder import Builder
from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
    ModuleOp,
    TensorType,
    TupleType,
    UnitAttr,
    i32,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
)
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects.bufferization import ToTensorOp
from xdsl_bufferization.former.conversion import (
    BufferizeCallOpConverter,
    BufferizeFuncOpConverter,
    BufferizeReturnOpConverter,
    BufferizeTypeConverter,
    ResultConversionKind,
    apply_bufferization_patterns,
    populate_with_bufferize_op_conversion_patterns,
)
from xdsl_bufferization.host.releases import linalg_ops
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.reading import context_of_all_dialects

# The ops of the examples --------------------------------------------------------------


@irdl_op_definition
class MakeTupleOp(IRDLOperation):
    """Packs a list of values."""

    name = "test.make_tuple"

    inputs = var_operand_def()
    result = result_def(TupleType)


@irdl_op_definition
class GetTupleElementOp(IRDLOperation):
    """One of the values that a tuple consists of."""

    name = "test.get_tuple_element"

    source = operand_def(TupleType)
    result = result_def()
    index = prop_def(IntegerAttr)


def flattened(type: TupleType) -> list[Attribute]:
    """The types in the tuple, and in the tuples in it."""
    return [
        part
        for element in type.types
        for part in (
            flattened(element) if isinstance(element, TupleType) else [element]
        )
    ]


def make_tuple(
    builder: Builder, type: TupleType, inputs: Sequence[SSAValue]
) -> SSAValue | None:
    """Packs several values as a tuple."""
    if len(inputs) == 1:
        return None
    types = tuple(cast(TypeAttribute, value.type) for value in inputs)
    return builder.insert(
        MakeTupleOp(operands=[inputs], result_types=[TupleType(types)])
    ).result


def get_tuple_elements(
    builder: Builder, type: TupleType, value: SSAValue
) -> list[SSAValue]:
    """All elements of a tuple."""
    return [
        builder.insert(
            GetTupleElementOp(
                operands=[value],
                result_types=[element],
                properties={"index": IntegerAttr(index, i32)},
            )
        ).result
        for index, element in enumerate(type.types)
    ]


APPEND = ResultConversionKind.APPEND_TO_ARGUMENTS_LIST
KEEP = ResultConversionKind.KEEP_AS_FUNCTION_RESULT


def example_converter() -> BufferizeTypeConverter:
    """
    All tensors become memrefs, all such results arguments, and all tuples are flattened.
    """
    converter = BufferizeTypeConverter()
    converter.add_conversion(
        TensorType, lambda type: MemRefType(type.element_type, type.get_shape())
    )
    converter.set_result_conversion_kind(TensorType, MemRefType, APPEND)
    converter.add_decompose_type_conversion(TupleType, flattened)
    converter.add_argument_materialization(TupleType, make_tuple)
    converter.add_decompose_value_conversion(TupleType, get_tuple_elements)
    return converter


def linalg_copy(source: SSAValue, destination: SSAValue) -> Operation:
    """`linalg.copy`, as which the examples copy."""
    return linalg_ops.CopyOp([source], [destination], res=())


def parse(text: str) -> ModuleOp:
    """The module, which may have the ops of the examples."""
    context = context_of_all_dialects(allow_unregistered=True)
    context.load_registered_dialect("test")
    for op in (MakeTupleOp, GetTupleElementOp):
        context.load_op(op)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


Populate = Callable[[BufferizeTypeConverter, list[RewritePattern]], None]


def with_linalg_copy(
    converter: BufferizeTypeConverter, patterns: list[RewritePattern]
) -> None:
    """All three patterns."""
    populate_with_bufferize_op_conversion_patterns(
        converter, patterns, ReturnOp, ReturnOp, linalg_copy
    )


def convert(
    text: str,
    converter: BufferizeTypeConverter | None = None,
    populate: Populate = with_linalg_copy,
) -> str:
    """What becomes of the program."""
    module = parse(text)
    patterns: list[RewritePattern] = []
    populate(converter or example_converter(), patterns)
    apply_bufferization_patterns(module, patterns)
    module.verify()
    return plain(module)


def plain(module: ModuleOp) -> str:
    """The module with values, symbols' ops and indentation as they are in any program."""
    text = str(module)
    lines = [line.strip() for line in text.splitlines()]
    return "\n".join(line for line in lines[1:-1] if line)


def same(actual: str, expected: str) -> bool:
    """Whether the programs are the same but for the names of values."""
    return numbered(actual) == numbered(plain(parse(expected)))


def numbered(text: str) -> str:
    """The text with values numbered in order of appearance, in each function."""
    numbers: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        return numbers.setdefault(match[0], f"%{len(numbers)}")

    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("func.func"):
            numbers.clear()
        lines.append(re.sub(r"%\w+", number, line))
    return "\n".join(lines)


# The examples -------------------------------------------------------------------------


def test_type_conversion_of_a_signature():
    """ "Callbacks for Unpacking Types" """
    assert same(
        convert(
            """
            func.func private @f(tuple<i1, f32>)
              -> tuple<tensor<10xf32>, tensor<5xf32>>
            """
        ),
        """
        func.func private @f(i1, f32, memref<10xf32>, memref<5xf32>)
        """,
    )


SIGNATURE = """
    func.func private @f(tuple<i1, f32>) -> tuple<memref<10xf32>, tensor<5xf32>>
"""


def test_func_op_converter():
    """ "BufferizeFuncOpConverter": memrefs stay results, tensors become arguments."""
    assert same(
        convert(SIGNATURE),
        "func.func private @f(i1, f32, memref<5xf32>) -> memref<10xf32>",
    )


def test_func_op_converter_that_keeps_results():
    converter = example_converter()
    converter.set_result_conversion_kind(TensorType, MemRefType, KEEP)
    assert same(
        convert(SIGNATURE, converter),
        "func.func private @f(i1, f32) -> (memref<10xf32>, memref<5xf32>)",
    )


def test_results_are_kept_by_default():
    assert same(
        convert(
            "func.func private @f(tensor<4xf32>) -> tensor<4xf32>",
            BufferizeTypeConverter(),
        ),
        "func.func private @f(memref<4xf32>) -> memref<4xf32>",
    )


def test_return_op_converter():
    """ "BufferizeReturnOpConverter", without the pattern for calls."""

    def populate(
        converter: BufferizeTypeConverter, patterns: list[RewritePattern]
    ) -> None:
        patterns += [
            BufferizeFuncOpConverter(converter),
            BufferizeReturnOpConverter(converter, ReturnOp, ReturnOp, linalg_copy),
        ]

    assert same(
        convert(
            """
            func.func @f(%arg0: tensor<5xf32>, %arg1: i1) -> (tensor<5xf32>, i1) {
              func.return %arg0, %arg1 : tensor<5xf32>, i1
            }
            """,
            populate=populate,
        ),
        """
        func.func @f(%arg0: memref<5xf32>, %arg1: i1, %out: memref<5xf32>) -> i1 {
          linalg.copy ins(%arg0 : memref<5xf32>) outs(%out : memref<5xf32>)
          func.return %arg1 : i1
        }
        """,
    )


CALLS = """
    func.func @callee(%arg0: tensor<5xf32>) -> tensor<5xf32> {
      func.return %arg0 : tensor<5xf32>
    }
    func.func @caller(%arg0: tensor<5xf32>) -> tensor<5xf32> {
      %x = func.call @callee(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
      func.return %x : tensor<5xf32>
    }
"""


def test_call_op_converter():
    """ "BufferizeCallOpConverter" """
    assert same(
        convert(CALLS),
        """
        func.func @callee(%arg0: memref<5xf32>, %out: memref<5xf32>) {
          linalg.copy ins(%arg0 : memref<5xf32>) outs(%out : memref<5xf32>)
          func.return
        }
        func.func @caller(%arg0: memref<5xf32>, %out: memref<5xf32>) {
          %0 = memref.alloc() : memref<5xf32>
          func.call @callee(%arg0, %0) : (memref<5xf32>, memref<5xf32>) -> ()
          linalg.copy ins(%0 : memref<5xf32>) outs(%out : memref<5xf32>)
          func.return
        }
        """,
    )


def test_summarizing_example():
    assert same(
        convert(
            """
            func.func @callee(%arg0: tuple<tensor<5xf32>, i1>)
                -> tuple<tensor<5xf32>, i1> {
              func.return %arg0 : tuple<tensor<5xf32>, i1>
            }
            func.func @caller(%arg0: tuple<tensor<5xf32>, i1>)
                -> tuple<tensor<5xf32>, i1> {
              %x = func.call @callee(%arg0)
                : (tuple<tensor<5xf32>, i1>) -> tuple<tensor<5xf32>, i1>
              func.return %x : tuple<tensor<5xf32>, i1>
            }
            """
        ),
        """
        func.func @callee(%arg0: memref<5xf32>, %arg1: i1, %arg2: memref<5xf32>) -> i1 {
          %0 = "test.make_tuple"(%arg0, %arg1)
            : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
          %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}>
            : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
          %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}>
            : (tuple<memref<5xf32>, i1>) -> i1
          linalg.copy ins(%1 : memref<5xf32>) outs(%arg2 : memref<5xf32>)
          func.return %2 : i1
        }
        func.func @caller(%arg0: memref<5xf32>, %arg1: i1, %arg2: memref<5xf32>) -> i1 {
          %0 = "test.make_tuple"(%arg0, %arg1)
            : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
          %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}>
            : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
          %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}>
            : (tuple<memref<5xf32>, i1>) -> i1
          %3 = memref.alloc() : memref<5xf32>
          %4 = func.call @callee(%1, %2, %3)
            : (memref<5xf32>, i1, memref<5xf32>) -> i1
          %5 = "test.make_tuple"(%3, %4)
            : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
          %6 = "test.get_tuple_element"(%5) <{index = 0 : i32}>
            : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
          %7 = "test.get_tuple_element"(%5) <{index = 1 : i32}>
            : (tuple<memref<5xf32>, i1>) -> i1
          linalg.copy ins(%6 : memref<5xf32>) outs(%arg2 : memref<5xf32>)
          func.return %7 : i1
        }
        """,
    )


# Beyond them --------------------------------------------------------------------------


def test_a_tuple_in_a_tuple_is_flattened():
    assert same(
        convert(
            """
            func.func private @g() -> tuple<tuple<f32, i1>, tensor<2xf32>>
            func.func @f(%a: tuple<tuple<tensor<5xf32>, i1>, f32>)
                -> tuple<tuple<f32, i1>, tensor<2xf32>> {
              %x = "test.op"() : () -> tuple<tuple<f32, i1>, tensor<2xf32>>
              func.return %x : tuple<tuple<f32, i1>, tensor<2xf32>>
            }
            """
        ),
        """
        func.func private @g(memref<2xf32>) -> (f32, i1)
        func.func @f(%a: memref<5xf32>, %b: i1, %c: f32, %out: memref<2xf32>) -> (f32, i1) {
          %p = "test.make_tuple"(%a, %b, %c)
            : (memref<5xf32>, i1, f32) -> tuple<memref<5xf32>, i1, f32>
          %x = "test.op"() : () -> tuple<tuple<f32, i1>, tensor<2xf32>>
          %0 = "test.get_tuple_element"(%x) <{index = 0 : i32}>
            : (tuple<tuple<f32, i1>, tensor<2xf32>>) -> tuple<f32, i1>
          %1 = "test.get_tuple_element"(%x) <{index = 1 : i32}>
            : (tuple<tuple<f32, i1>, tensor<2xf32>>) -> tensor<2xf32>
          %2 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<f32, i1>) -> f32
          %3 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<f32, i1>) -> i1
          %4 = bufferization.to_buffer %1 : tensor<2xf32> to memref<2xf32>
          linalg.copy ins(%4 : memref<2xf32>) outs(%out : memref<2xf32>)
          func.return %2, %3 : f32, i1
        }
        """,
    )


def test_one_element_needs_no_packing():
    """What the callback for packing returns `None` for is taken as it is."""
    assert same(
        convert(
            """
            func.func @f(%a: tuple<tensor<5xf32>>) -> tuple<tensor<5xf32>> {
              %x = func.call @f(%a) : (tuple<tensor<5xf32>>) -> tuple<tensor<5xf32>>
              func.return %x : tuple<tensor<5xf32>>
            }
            """
        ),
        """
        func.func @f(%a: memref<5xf32>, %out: memref<5xf32>) {
          %x = memref.alloc() : memref<5xf32>
          func.call @f(%a, %x) : (memref<5xf32>, memref<5xf32>) -> ()
          linalg.copy ins(%x : memref<5xf32>) outs(%out : memref<5xf32>)
          func.return
        }
        """,
    )


def test_ops_on_tensors_keep_them():
    assert same(
        convert(
            """
            func.func @f(%a: tensor<5xf32>) -> tensor<5xf32> {
              %x = "test.op"(%a) : (tensor<5xf32>) -> tensor<5xf32>
              func.return %x : tensor<5xf32>
            }
            """,
            BufferizeTypeConverter(),
        ),
        """
        func.func @f(%a: memref<5xf32>) -> memref<5xf32> {
          %0 = bufferization.to_tensor %a : memref<5xf32> to tensor<5xf32>
          %x = "test.op"(%0) : (tensor<5xf32>) -> tensor<5xf32>
          %1 = bufferization.to_buffer %x : tensor<5xf32> to memref<5xf32>
          func.return %1 : memref<5xf32>
        }
        """,
    )


def test_returns_of_another_dialect():
    def populate(
        converter: BufferizeTypeConverter, patterns: list[RewritePattern]
    ) -> None:
        populate_with_bufferize_op_conversion_patterns(
            converter, patterns, "other.return", ReturnOp, linalg_copy
        )

    assert same(
        convert(
            """
            func.func @f(%a: tensor<5xf32>, %b: i1) -> (tensor<5xf32>, i1) {
              "other.return"(%a, %b) : (tensor<5xf32>, i1) -> ()
            }
            func.func @g(%b: i1) -> i1 {
              "other.return"(%b) : (i1) -> ()
            }
            """,
            populate=populate,
        ),
        """
        func.func @f(%a: memref<5xf32>, %b: i1, %out: memref<5xf32>) -> i1 {
          linalg.copy ins(%a : memref<5xf32>) outs(%out : memref<5xf32>)
          func.return %b : i1
        }
        func.func @g(%b: i1) -> i1 {
          func.return %b : i1
        }
        """,
    )


def test_every_return_copies():
    """Functions may have several, in blocks that are reached by branches."""
    result = convert(
        """
        func.func @f(%c: i1, %a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
          cf.cond_br %c, ^bb1, ^bb2
        ^bb1:
          func.return %a : tensor<5xf32>
        ^bb2:
          func.return %b : tensor<5xf32>
        }
        """
    )
    assert result.count("linalg.copy") == 2
    assert "tensor" not in result


def test_kinds_are_per_pair_of_types():
    """The last mapping that fits counts."""
    converter = BufferizeTypeConverter()
    converter.set_result_conversion_kind(MemRefType, MemRefType, APPEND)
    assert same(
        convert(
            """
            func.func private @f() -> (memref<2xf32>, tensor<3xf32>)
            func.func @g() -> memref<2xf32> {
              %0, %1 = func.call @f() : () -> (memref<2xf32>, tensor<3xf32>)
              func.return %0 : memref<2xf32>
            }
            """,
            converter,
        ),
        """
        func.func private @f(memref<2xf32>) -> memref<3xf32>
        func.func @g(%out: memref<2xf32>) {
          %0 = memref.alloc() : memref<2xf32>
          %1 = func.call @f(%0) : (memref<2xf32>) -> memref<3xf32>
          linalg.copy ins(%0 : memref<2xf32>) outs(%out : memref<2xf32>)
          func.return
        }
        """,
    )


def test_attributes_of_arguments_stay_with_them():
    result = convert(
        """
        func.func @f(
          %t: tuple<i1, f32> {a.tuple}, %a: tensor<5xf32> {a.tensor}, %i: i32 {a.number}
        ) -> (tensor<5xf32>, i32) attributes {a.function} {
          func.return %a, %i : tensor<5xf32>, i32
        }
        """
    )
    (function,) = parse(result).ops
    assert isinstance(function, FuncOp)
    assert function.arg_attrs is not None
    assert [[*attributes.data] for attributes in function.arg_attrs] == [
        [],
        [],
        ["a.tensor"],
        ["a.number"],
        [],
    ]
    assert function.attributes == {"a.function": UnitAttr()}


def test_patterns_may_be_applied_by_xdsl():
    module = parse(CALLS)
    patterns: list[RewritePattern] = []
    with_linalg_copy(example_converter(), patterns)
    PatternRewriteWalker(GreedyRewritePatternApplier(patterns)).rewrite_module(module)
    module.verify()
    # Other than here, what is not used any more stays.
    unused = [op for op in module.walk() if isinstance(op, ToTensorOp)]
    for op in unused:
        Rewriter.erase_op(op)
    assert same(plain(module), convert(CALLS))


# Errors -------------------------------------------------------------------------------


def refused(text: str, converter: BufferizeTypeConverter) -> str:
    """Why the program is refused; it stays as it was."""
    module = parse(text)
    before = str(module)
    patterns: list[RewritePattern] = []
    with_linalg_copy(converter, patterns)
    with pytest.raises(BufferizationError) as error:
        apply_bufferization_patterns(module, patterns)
    assert str(module) == before
    module.verify()
    return str(error.value)


def test_memory_of_unknown_size():
    message = refused(
        """
        func.func private @f() -> tensor<?xf32>
        func.func @g() {
          %0 = func.call @f() : () -> tensor<?xf32>
          func.return
        }
        """,
        example_converter(),
    )
    assert message.startswith(
        "'func.call' would need memory for a result of type memref<?xf32>"
    )
    assert "KEEP_AS_FUNCTION_RESULT" in message


def test_nothing_takes_a_tuple_apart():
    converter = BufferizeTypeConverter()
    converter.add_decompose_type_conversion(TupleType, flattened)
    message = refused(
        """
        func.func @f() -> tuple<i1, tensor<2xf32>> {
          %0 = "test.op"() : () -> tuple<i1, tensor<2xf32>>
          func.return %0 : tuple<i1, tensor<2xf32>>
        }
        """,
        converter,
    )
    assert message.startswith(
        "'test.op' defines a tuple<i1, tensor<2xf32>>, which nothing takes apart"
    )
    assert "add_decompose_value_conversion" in message


def test_patterns_change_only_what_they_are_for():
    module = parse(CALLS)
    before = str(module)
    patterns: list[RewritePattern] = [
        BufferizeReturnOpConverter(example_converter()),
    ]
    apply_bufferization_patterns(module, patterns)
    assert str(module) == before


def test_a_call_alone():
    call = [*parse(CALLS).walk()][-2]
    rewriter = PatternRewriter(call)
    BufferizeCallOpConverter(BufferizeTypeConverter()).match_and_rewrite(call, rewriter)
    assert rewriter.has_done_action
