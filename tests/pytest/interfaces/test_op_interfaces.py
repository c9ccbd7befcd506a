"""What ops answer for the interfaces that are not about bufferization itself."""

from __future__ import annotations

import pytest
from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp, TensorType, f32, i1
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.rewriter import InsertPoint
from xdsl.traits import MemoryEffectKind, get_effects, is_side_effect_free

from xdsl_bufferization.dialects.bufferization import CloneOp
from xdsl_bufferization.interfaces.allocation import AllocationOpInterface, allocated_by
from xdsl_bufferization.interfaces.buffer_effects import BufferEffect, effect_on
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.infer_type import InferTypeOpInterface
from xdsl_bufferization.interfaces.registry import OpInterface, register_model
from xdsl_bufferization.interfaces.reify import ReifyRankedShapedTypeOpInterface
from xdsl_bufferization.interfaces.subset import (
    WHOLE,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
    SubsetOpInterface,
)
from xdsl_bufferization.interfaces.view_like import viewed_by
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.reading import context_of_all_dialects


def parse(text: str) -> ModuleOp:
    context = context_of_all_dialects(allow_unregistered=True)
    return Parser(context, text).parse_module()


def ops(text: str, name: str) -> list[Operation]:
    """The ops of that name, in order."""
    found = [op for op in parse(text).walk() if op_name(op) == name]
    assert found
    return found


def only(text: str, name: str) -> Operation:
    (op,) = ops(text, name)
    return op


# Destinations --------------------------------------------------------------------------

TENSORS = (
    '%a, %b, %c = "test.op"() : () -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)\n'
)


@pytest.mark.parametrize(
    "name, text, inits",
    [
        (
            "linalg.add",
            "%r = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) "
            "outs(%c : tensor<4xf32>) -> tensor<4xf32>",
            [2],
        ),
        (
            # An op that no dialect defines.
            "linalg.not_yet",
            '%r:2 = "linalg.not_yet"(%a, %b, %c) '
            "<{operandSegmentSizes = array<i32: 1, 2>}> : "
            "(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) "
            "-> (tensor<4xf32>, tensor<4xf32>)",
            [1, 2],
        ),
        (
            "tensor.insert_slice",
            '%r = "tensor.insert_slice"(%a, %b) <{static_offsets = array<i64: 0>, '
            "static_sizes = array<i64: 4>, static_strides = array<i64: 1>, "
            "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> "
            ": (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
            [1],
        ),
        (
            "bufferization.materialize_in_destination",
            "%r = bufferization.materialize_in_destination %a in %b : "
            "(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
            [1],
        ),
    ],
)
def test_inits_are_tied_to_results(name: str, text: str, inits: list[int]):
    op = only(TENSORS + text, name)
    style = DestinationStyleOpInterface.of(op)
    assert style is not None
    assert list(style.inits(op)) == inits
    for operand in range(len(op.operands)):
        tied = style.tied_result(op, operand)
        assert style.is_init(op, operand) == (operand in inits)
        assert tied is (op.results[inits.index(operand)] if operand in inits else None)


def test_memref_init_has_no_result():
    op = only(
        '%a, %m = "test.op"() : () -> (tensor<4xf32>, memref<4xf32>)\n'
        "bufferization.materialize_in_destination %a in writable %m : "
        "(tensor<4xf32>, memref<4xf32>) -> ()",
        "bufferization.materialize_in_destination",
    )
    style = DestinationStyleOpInterface.of(op)
    assert style is not None
    assert style.is_init(op, 1)
    assert style.tied_result(op, 1) is None


# Subsets -------------------------------------------------------------------------------

SLICES = """
%t, %o, %n = "test.op"() : () -> (tensor<8x8xf32>, index, index)
%c2 = arith.constant 2 : index
%k2 = arith.constant 2 : index
%0 = tensor.extract_slice %t[2, %o] [1, 4] [1, 1] : tensor<8x8xf32> to tensor<1x4xf32>
%1 = tensor.extract_slice %t[%c2, %o] [1, 4] [1, 1] : tensor<8x8xf32> to tensor<1x4xf32>
%2 = tensor.extract_slice %t[%k2, %o] [1, 4] [1, 1] : tensor<8x8xf32> to tensor<4xf32>
%3 = tensor.extract_slice %t[2, %n] [1, 4] [1, 1] : tensor<8x8xf32> to tensor<1x4xf32>
%4 = tensor.extract_slice %t[2, %o] [1, 4] [1, 2] : tensor<8x8xf32> to tensor<1x4xf32>
%5 = tensor.insert_slice %2 into %t[2, %o] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x8xf32>
"""


def test_equal_subsets():
    module = SLICES
    parsed = parse(module)
    *slices, insertion = [op for op in parsed.walk() if "slice" in op_name(op)]
    subsets = [SubsetOpInterface.of(op).subset(op) for op in (*slices, insertion)]  # pyright: ignore[reportOptionalMemberAccess] # a failure here fails the test
    first = subsets[0]
    # Constants count as numbers, and the result's rank does not matter.
    assert [subset == first for subset in subsets] == [
        True,
        True,
        True,
        False,  # another value
        False,  # another stride
        True,
    ]
    assert len({hash(subset) for subset in subsets if subset == first}) == 1


def test_extraction_and_insertion():
    parsed = parse(SLICES)
    extraction, *_, insertion = [op for op in parsed.walk() if "slice" in op_name(op)]
    extract = SubsetExtractionOpInterface.of(extraction)
    assert extract is not None
    assert extract.container(extraction) is extraction.operands[0]
    assert SubsetInsertionOpInterface.of(extraction) is None
    insert = SubsetInsertionOpInterface.of(insertion)
    assert insert is not None
    assert insert.container(insertion) is insertion.operands[1]
    assert insert.source_operand(insertion) == 0
    assert insert.destination_operand(insertion) == 1
    assert SubsetExtractionOpInterface.of(insertion) is None


def test_insertion_without_a_result():
    op = only(
        '%s, %d, %o = "test.op"() : () -> (tensor<4xf32>, tensor<8xf32>, index)\n'
        '"tensor.parallel_insert_slice"(%s, %d, %o) <{'
        "static_offsets = array<i64: -9223372036854775808>, "
        "static_sizes = array<i64: 4>, static_strides = array<i64: 1>, "
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> "
        ": (tensor<4xf32>, tensor<8xf32>, index) -> ()",
        "tensor.parallel_insert_slice",
    )
    insert = SubsetInsertionOpInterface.of(op)
    assert insert is not None
    assert insert.subset(op) == ((op.operands[2],), (4,), (1,))


def test_materialize_in_destination_overwrites_everything():
    op = only(
        TENSORS + "%r = bufferization.materialize_in_destination %a in %b : "
        "(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "bufferization.materialize_in_destination",
    )
    insert = SubsetInsertionOpInterface.of(op)
    assert insert is not None
    assert insert.subset(op) == WHOLE
    assert insert.container(op) is op.operands[1]


# Memory --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, text",
    [
        ("memref.alloc", "%x = memref.alloc() : memref<4xf32>"),
        (
            "bufferization.clone",
            '%m = "test.op"() : () -> memref<4xf32>\n'
            "%x = bufferization.clone %m : memref<4xf32> to memref<4xf32>",
        ),
    ],
)
def test_what_is_allocated_is_freed_and_cloned(name: str, text: str):
    op = only(text, name)
    allocation = AllocationOpInterface.of(op)
    assert allocation is not None
    builder = Builder(InsertPoint.after(op))
    clone = allocation.build_clone(op, builder, op.results[0])
    dealloc = allocation.build_dealloc(op, builder, op.results[0])
    assert clone is not None
    assert isinstance(clone.owner, CloneOp)
    assert clone.owner.input is op.results[0]
    assert isinstance(dealloc, memref.DeallocOp)
    assert dealloc.memref is op.results[0]
    assert dealloc.parent is op.parent


def test_stack_memory_is_not_freed():
    op = only("%x = memref.alloca() : memref<4xf32>", "memref.alloca")
    allocation = AllocationOpInterface.of(op)
    assert allocation is not None
    builder = Builder(InsertPoint.after(op))
    assert allocation.build_dealloc(op, builder, op.results[0]) is None
    assert op.next_op is None


@pytest.mark.parametrize(
    "name, text, target_is_result",
    [
        (
            "memref.copy",
            '"memref.copy"(%m, %n) : (memref<4xf32>, memref<4xf32>) -> ()',
            0,
        ),
        (
            "linalg.copy",
            "linalg.copy ins(%m : memref<4xf32>) outs(%n : memref<4xf32>)",
            0,
        ),
        (
            "bufferization.clone",
            "%x = bufferization.clone %m : memref<4xf32> to memref<4xf32>",
            1,
        ),
    ],
)
def test_copies(name: str, text: str, target_is_result: bool):
    op = only(
        f'%m, %n = "test.op"() : () -> (memref<4xf32>, memref<4xf32>)\n{text}', name
    )
    copy = CopyOpInterface.of(op)
    assert copy is not None
    assert copy.source(op) is op.operands[0]
    assert copy.target(op) is (op.results[0] if target_is_result else op.operands[1])


EFFECTS = """
%t, %m, %n, %c = "test.op"() : () -> (tensor<?xf32>, memref<?xf32>, index, i1)
%0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
%1 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
%2 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
%3 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
%4 = bufferization.to_memref %t : tensor<?xf32> to memref<?xf32>
%5 = bufferization.materialize_in_destination %t in %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
bufferization.dealloc (%m : memref<?xf32>) if (%c)
bufferization.dealloc_tensor %t : tensor<?xf32>
"""  # noqa: E501 # one op a line


@pytest.mark.parametrize(
    "name", ["to_tensor", "to_buffer", "to_memref", "materialize_in_destination"]
)
def test_tensors_are_values(name: str):
    assert is_side_effect_free(only(EFFECTS, f"bufferization.{name}"))


@pytest.mark.parametrize("name", ["dealloc", "dealloc_tensor"])
def test_unknown_effects(name: str):
    assert get_effects(only(EFFECTS, f"bufferization.{name}")) is None


def test_effects_on_values():
    alloc_tensor = only(EFFECTS, "bufferization.alloc_tensor")
    effects = get_effects(alloc_tensor) or ()
    assert {(e.kind, e.value) for e in effects} == {
        (MemoryEffectKind.ALLOC, alloc_tensor.results[0])
    }
    clone = only(EFFECTS, "bufferization.clone")
    effects = get_effects(clone) or ()
    assert {(e.kind, e.value) for e in effects} == {
        (MemoryEffectKind.READ, clone.operands[0]),
        (MemoryEffectKind.ALLOC, clone.results[0]),
        (MemoryEffectKind.WRITE, clone.results[0]),
    }


def test_materialize_in_memref_writes_it():
    op = only(
        '%a, %m = "test.op"() : () -> (tensor<4xf32>, memref<4xf32>)\n'
        "bufferization.materialize_in_destination %a in writable %m : "
        "(tensor<4xf32>, memref<4xf32>) -> ()",
        "bufferization.materialize_in_destination",
    )
    effects = get_effects(op) or ()
    assert {(e.kind, e.value) for e in effects} == {
        (MemoryEffectKind.WRITE, op.operands[1])
    }


# Types and sizes -----------------------------------------------------------------------


def test_inferred_types():
    dealloc = only(
        '%m, %c = "test.op"() : () -> (memref<4xf32>, i1)\n'
        "%0, %1 = bufferization.dealloc (%m : memref<4xf32>) if (%c) "
        "retain (%m, %m : memref<4xf32>, memref<4xf32>)",
        "bufferization.dealloc",
    )
    infer = InferTypeOpInterface.of(dealloc)
    assert infer is not None
    assert list(infer.infer_result_types(dealloc)) == [i1, i1]
    to_tensor = only(
        '%m = "test.op"() : () -> memref<4xf32, strided<[?], offset: ?>, 1 : i64>\n'
        "%0 = bufferization.to_tensor %m : memref<4xf32, strided<[?], offset: ?>, 1 : i64>",
        "bufferization.to_tensor",
    )
    infer = InferTypeOpInterface.of(to_tensor)
    assert infer is not None
    assert list(infer.infer_result_types(to_tensor)) == [TensorType(f32, [4])]


@pytest.mark.parametrize(
    "name, text",
    [
        (
            "bufferization.alloc_tensor",
            "%r = bufferization.alloc_tensor(%n) : tensor<4x?xf32>",
        ),
        ("tensor.empty", "%r = tensor.empty(%n) : tensor<4x?xf32>"),
    ],
)
def test_sizes_that_are_operands(name: str, text: str):
    op = only(f'%n = "test.op"() : () -> index\n{text}', name)
    reify = ReifyRankedShapedTypeOpInterface.of(op)
    assert reify is not None
    assert [list(s) for s in reify.reify(op, Builder(InsertPoint.before(op)))] == [
        [4, op.operands[0]]
    ]


@pytest.mark.parametrize(
    "name, text, source",
    [
        (
            "bufferization.alloc_tensor",
            "%r = bufferization.alloc_tensor() copy(%a) : tensor<4x?xf32>",
            0,
        ),
        (
            "bufferization.materialize_in_destination",
            "%r = bufferization.materialize_in_destination %a in %b : "
            "(tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>",
            1,
        ),
        (
            "linalg.add",
            "%r = linalg.add ins(%a, %a : tensor<4x?xf32>, tensor<4x?xf32>) "
            "outs(%b : tensor<4x?xf32>) -> tensor<4x?xf32>",
            2,
        ),
    ],
)
def test_sizes_of_an_operand(name: str, text: str, source: int):
    op = only(
        f'%a, %b = "test.op"() : () -> (tensor<4x?xf32>, tensor<4x?xf32>)\n{text}', name
    )
    reify = ReifyRankedShapedTypeOpInterface.of(op)
    assert reify is not None
    ((static, dynamic),) = reify.reify(op, Builder(InsertPoint.before(op)))
    assert static == 4
    assert not isinstance(dynamic, int)
    dim = dynamic.owner
    assert isinstance(dim, Operation)
    assert dim.name == "tensor.dim"
    assert dim.operands[0] is op.operands[source]
    op.parent_op().verify()  # pyright: ignore[reportOptionalMemberAccess] # it has one


# Others' ops ---------------------------------------------------------------------------


@pytest.mark.parametrize("interface", [CopyOpInterface, DestinationStyleOpInterface])
def test_no_answer_for_an_unknown_op(interface: type[OpInterface]):
    assert interface.of(only('"unknown.op"() : () -> ()', "unknown.op")) is None


def test_model_for_someone_elses_op():
    class Backwards(CopyOpInterface):
        def source(self, op: Operation):
            return op.operands[1]

    register_model("backwards.copy", Backwards())
    op = only(
        '%m, %n = "test.op"() : () -> (memref<4xf32>, memref<4xf32>)\n'
        '"backwards.copy"(%m, %n) : (memref<4xf32>, memref<4xf32>) -> ()',
        "backwards.copy",
    )
    copy = CopyOpInterface.of(op)
    assert copy is not None
    assert copy.source(op) is op.operands[1]


BUFFERS = (
    '%m, %n, %p, %c, %i = "test.op"() : () -> '
    "(memref<4xf32>, memref<4xf32>, memref<4xmemref<4xf32>>, i1, index)"
)


def test_an_allocation_may_be_moved_to_the_stack():
    op = only("%x = memref.alloc() : memref<4xf32>", "memref.alloc")
    allocation = AllocationOpInterface.of(op)
    assert allocation is not None
    promoted = allocation.build_promoted(op, Builder(InsertPoint.after(op)))
    assert promoted is not None
    assert isinstance(promoted.owner, memref.AllocaOp)
    assert promoted.type == op.results[0].type


@pytest.mark.parametrize(
    "name, text, allocated",
    [
        ("memref.alloc", "%x = memref.alloc() : memref<4xf32>", 1),
        ("memref.alloca", "%x = memref.alloca() : memref<4xf32>", 0),
        ("test.op", '%x = "test.op"() : () -> memref<4xf32>', 0),
        ("memref.get_global", "%x = memref.get_global @g : memref<4xf32>", 0),
    ],
)
def test_what_has_to_be_freed(name: str, text: str, allocated: int):
    op = only(text, name)
    assert len(allocated_by(op)) == allocated


@pytest.mark.parametrize(
    "name, text, viewed",
    [
        (
            "memref.subview",
            "%x = memref.subview %m[0] [2] [1] : "
            "memref<4xf32> to memref<2xf32, strided<[1]>>",
            (0,),
        ),
        ("arith.select", "%x = arith.select %c, %m, %n : memref<4xf32>", (1, 2)),
        (
            "memref.load",
            '%x = "memref.load"(%p, %i) : (memref<4xmemref<4xf32>>, index) -> '
            "memref<4xf32>",
            (),
        ),
    ],
)
def test_what_is_viewed(name: str, text: str, viewed: tuple[int, ...]):
    op = only(f"{BUFFERS}\n{text}", name)
    assert tuple(viewed_by(op.results[0])) == viewed


@pytest.mark.parametrize(
    "name, text, effects",
    [
        (
            "memref.copy",
            '"memref.copy"(%m, %n) : (memref<4xf32>, memref<4xf32>) -> ()',
            (BufferEffect.READ, BufferEffect.WRITE),
        ),
        ("memref.dealloc", "memref.dealloc %m : memref<4xf32>", (BufferEffect.FREE,)),
        (
            "bufferization.dealloc",
            "bufferization.dealloc (%m : memref<4xf32>) if (%c) "
            "retain (%n : memref<4xf32>)",
            (BufferEffect.FREE, BufferEffect.NONE, BufferEffect.NONE),
        ),
        (
            "linalg.copy",
            "linalg.copy ins(%m : memref<4xf32>) outs(%n : memref<4xf32>)",
            (BufferEffect.READ, BufferEffect.TOUCH),
        ),
        ("test.op", '"test.op"(%m) : (memref<4xf32>) -> ()', (None,)),
        (
            "test.op",
            '"test.op"(%m) {bufferization.touches_only} : (memref<4xf32>) -> ()',
            (BufferEffect.TOUCH,),
        ),
        (
            "test.pureop",
            '"test.pureop"(%m) : (memref<4xf32>) -> ()',
            (BufferEffect.NONE,),
        ),
    ],
)
def test_what_is_done_to_memory(
    name: str, text: str, effects: tuple[BufferEffect | None, ...]
):
    op = ops(f"{BUFFERS}\n{text}", name)[-1]
    assert tuple(effect_on(op, i) for i in range(len(op.operands))) == effects
