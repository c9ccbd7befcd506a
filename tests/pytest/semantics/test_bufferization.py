"""bufferization ops: what they compute, what they do to memory, and what is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from tests.peer.runner import parse_module
from tests.semantics import (
    GARBAGE,
    interpreter_of,
    memref,
    run,
    without_semantics,
)
from xdsl_bufferization.semantics.errors import MemoryFault, UndefinedBehaviorError

T = np.array([1, 2, 3], np.float32)
X = np.float32(7)


def test_alloc_tensor():
    empty, copy = run(
        """
        func.func @f(%n: index, %t: tensor<3xf32>)
            -> (tensor<?xf32>, tensor<3xf32>) {
          %e = bufferization.alloc_tensor(%n) size_hint=%n : tensor<?xf32>
          %c = bufferization.alloc_tensor() copy(%t) : tensor<3xf32>
          bufferization.dealloc_tensor %e : tensor<?xf32>
          func.return %e, %c : tensor<?xf32>, tensor<3xf32>
        }""",
        np.int64(2),
        T,
    )

    assert empty.tolist() == [GARBAGE, GARBAGE]
    assert copy.tolist() == [1, 2, 3]


def test_tensor_of_memref_is_a_snapshot():
    (tensor,) = run(
        """
        func.func @f(%m: memref<3xf32>, %x: f32) -> tensor<3xf32> {
          %i = arith.constant 1 : index
          %t = bufferization.to_tensor %m restrict : memref<3xf32> to tensor<3xf32>
          memref.store %x, %m[%i] : memref<3xf32>
          func.return %t : tensor<3xf32>
        }""",
        memref(T),
        X,
    )

    assert tensor.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "flags, expected", [("", [1, 2, 3]), ("restrict writable", [1, 7, 3])]
)
def test_memref_of_tensor_is_where_it_came_from_if_that_is_writable(
    flags: str, expected: list[float]
):
    argument = memref(T)
    run(
        f"""
        func.func @f(%m: memref<3xf32>, %x: f32) {{
          %i = arith.constant 1 : index
          %t = bufferization.to_tensor %m {flags} : memref<3xf32> to tensor<3xf32>
          %n = bufferization.to_buffer %t : tensor<3xf32> to memref<3xf32>
          memref.store %x, %n[%i] : memref<3xf32>
          func.return
        }}""",
        argument,
        X,
    )

    assert argument.view().tolist() == expected


def test_overwritten_since_tensor_was_taken():
    program = """
    func.func @f(%m: memref<3xf32>, %x: f32) {
      %i = arith.constant 1 : index
      %t = bufferization.to_tensor %m : memref<3xf32> to tensor<3xf32>
      memref.store %x, %m[%i] : memref<3xf32>
      %n = bufferization.to_buffer %t : tensor<3xf32> to memref<3xf32>
      func.return
    }"""

    with pytest.raises(MemoryFault, match="overwritten since the tensor was taken"):
        run(program, memref(T), X)


def test_memory_of_tensor():
    """One for all that only read it, another one for a copy, and nobody's to free."""
    program = """
    func.func @f(%t: tensor<3xf32>) -> (index, index, index) {
      %c = bufferization.alloc_tensor() copy(%t) : tensor<3xf32>
      %a = bufferization.to_buffer %t read_only : tensor<3xf32> to memref<3xf32>
      %b = bufferization.to_buffer %t read_only : tensor<3xf32>
        to memref<3xf32, strided<[?], offset: ?>>
      %d = bufferization.to_buffer %c : tensor<3xf32> to memref<3xf32>
      %p = "memref.extract_aligned_pointer_as_index"(%a) : (memref<3xf32>) -> index
      %q = "memref.extract_aligned_pointer_as_index"(%b)
        : (memref<3xf32, strided<[?], offset: ?>>) -> index
      %r = "memref.extract_aligned_pointer_as_index"(%d) : (memref<3xf32>) -> index
      DEALLOC
      func.return %p, %q, %r : index, index, index
    }"""

    a, b, copy = run(program.replace("DEALLOC", ""), T)

    assert a == b != copy
    with pytest.raises(MemoryFault, match="free of tensor memory"):
        run(program.replace("DEALLOC", "memref.dealloc %a : memref<3xf32>"), T)


def test_memrefs_that_are_written_are_independent():
    program = """
    func.func @f(%t: tensor<3xf32>, %x: f32) -> (f32, f32, f32) {
      %i = arith.constant 1 : index
      %a = bufferization.to_buffer %t read_only : tensor<3xf32> to memref<3xf32>
      %b = bufferization.to_buffer %t : tensor<3xf32> to memref<3xf32>
      memref.store %x, %b[%i] : memref<3xf32>
      %c = bufferization.to_buffer %t : tensor<3xf32> to memref<3xf32>
      %p = memref.load %a[%i] : memref<3xf32>
      %q = memref.load %b[%i] : memref<3xf32>
      %r = memref.load %c[%i] : memref<3xf32>
      func.return %p, %q, %r : f32, f32, f32
    }"""

    assert run(program, T, X) == [2, 7, 2]


def test_read_only_memory_of_tensor():
    program = """
    func.func @f(%t: tensor<3xf32>, %x: f32) {
      %i = arith.constant 1 : index
      %m = bufferization.to_buffer %t read_only : tensor<3xf32> to memref<3xf32>
      memref.store %x, %m[%i] : memref<3xf32>
      func.return
    }"""

    with pytest.raises(MemoryFault, match="read-only: this op promises it"):
        run(program, T, X)


def test_materialize_in_destination():
    argument = memref(np.zeros(3, np.float32))
    program = """
    func.func @f(%t: tensor<?xf32>, %m: memref<3xf32>, %d: tensor<3xf32>)
        -> tensor<3xf32> {
      bufferization.materialize_in_destination %t in restrict writable %m
        : (tensor<?xf32>, memref<3xf32>) -> ()
      %r = bufferization.materialize_in_destination %t in %d
        : (tensor<?xf32>, tensor<3xf32>) -> tensor<3xf32>
      func.return %r : tensor<3xf32>
    }"""

    (result,) = run(program, T, argument, np.zeros(3, np.float32))

    assert result.tolist() == argument.view().tolist() == [1, 2, 3]
    with pytest.raises(UndefinedBehaviorError, match=r"shape \[2\] for one of \[3\]"):
        run(program, T[:2], argument, T)


def test_clone_has_the_layout_of_its_type():
    (copy,) = run(
        """
        func.func @f(%m: memref<6xf32>) -> memref<3xf32, strided<[2], offset: 1>> {
          %p = memref.subview %m[1] [3] [2]
            : memref<6xf32> to memref<3xf32, strided<[2], offset: 1>>
          %c = bufferization.clone %p : memref<3xf32, strided<[2], offset: 1>>
            to memref<3xf32, strided<[2], offset: 1>>
          func.return %c : memref<3xf32, strided<[2], offset: 1>>
        }""",
        memref(np.arange(6, dtype=np.float32)),
    )

    assert copy.tolist() == [1, 3, 5]


def test_clone_of_another_rank():
    program = """
    func.func @f(%m: memref<*xf32>) -> memref<2x2xf32> {
      %c = bufferization.clone %m : memref<*xf32> to memref<2x2xf32>
      func.return %c : memref<2x2xf32>
    }"""

    with pytest.raises(UndefinedBehaviorError, match=r"\[3\] are no sizes of a"):
        run(program, memref(T))


DEALLOC = """
func.func @f(%c: i1, %d: i1) -> (i1, i1, memref<3xf32>, memref<3xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<3xf32>
  %b = memref.alloc() : memref<3xf32>
  %part = memref.subview %a[1] [2] [1]
    : memref<3xf32> to memref<2xf32, strided<[1], offset: 1>>
  %r:2 = DEALLOC
  func.return %r#0, %r#1, %a, %b : i1, i1, memref<3xf32>, memref<3xf32>
}
"""


@pytest.mark.parametrize("owns", [False, True])
def test_dealloc_of_what_is_retained(owns: bool):
    """Nothing is freed that is retained, and who owns it now is the result."""
    program = DEALLOC.replace(
        "DEALLOC",
        """bufferization.dealloc (%a, %b, %a : memref<3xf32>, memref<3xf32>, memref<3xf32>)
        if (%c, %false, %false)
        retain (%part, %b : memref<2xf32, strided<[1], offset: 1>>, memref<3xf32>)""",
    )

    owns_a, owns_b, *_ = run(program, np.bool_(owns), np.False_)

    assert (owns_a, owns_b) == (owns, False)


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("second", [False, True])
def test_dealloc_of_the_same_memory(first: bool, second: bool):
    """It is freed once if any of the conditions holds."""
    module = parse_module("""
    func.func @f(%c: i1, %d: i1) {
      %a = memref.alloc() : memref<f32>
      bufferization.dealloc (%a, %a : memref<f32>, memref<f32>) if (%c, %d)
      func.return
    }""")
    interpreter = interpreter_of(module)
    function = module.body.block.first_op
    assert function is not None

    interpreter.call(function, (np.bool_(first), np.bool_(second)))

    assert interpreter.memory.statistics().frees == (first or second)


PARTS = """
func.func @f(%c: i1) {
  %true = arith.constant true
  %i = arith.constant 1 : index
  %a = memref.alloc() : memref<3xf32>
  %b = memref.alloc() : memref<16xi8>
  %part = memref.subview %a[1] [2] [1]
    : memref<3xf32> to memref<2xf32, strided<[1], offset: 1>>
  %other = memref.subview %a[0] [1] [1] : memref<3xf32> to memref<1xf32, strided<[1]>>
  %shifted = memref.view %b[%i][] : memref<16xi8> to memref<2xi8>
  FREE
  func.return
}
"""
PART = "memref<2xf32, strided<[1], offset: 1>>"


def test_dealloc_of_a_part_frees_the_whole():
    """As after its lowering, once for all parts; `memref.dealloc` must have the whole."""
    dealloc = f"""bufferization.dealloc
        (%part, %other, %a : {PART}, memref<1xf32, strided<[1]>>, memref<3xf32>)
        if (%c, %true, %c)"""
    module = parse_module(PARTS.replace("FREE", dealloc))
    interpreter = interpreter_of(module)
    function = module.body.block.first_op
    assert function is not None

    interpreter.call(function, (np.False_,))

    assert interpreter.memory.statistics().frees == 1
    with pytest.raises(MemoryFault, match="free of a part"):
        run(PARTS.replace("FREE", f"memref.dealloc %part : {PART}"), np.True_)


@pytest.mark.parametrize(
    "free, message",
    [
        (
            f"memref.dealloc %a : memref<3xf32>\n"
            f"bufferization.dealloc (%part : {PART}) if (%true)",
            "double free",
        ),
        (
            "bufferization.dealloc (%shifted : memref<2xi8>) if (%true)",
            "free of a part",
        ),
        (
            "bufferization.dealloc (%b, %shifted : memref<16xi8>, memref<2xi8>) "
            "if (%true, %true)",
            "double free",
        ),
    ],
)
def test_dealloc_that_is_wrong(free: str, message: str):
    """What is a part is told by the pointer that offsets count from, as it is lowered."""
    with pytest.raises(MemoryFault, match=message):
        run(PARTS.replace("FREE", free), np.True_)


def test_all_ops_have_semantics():
    assert without_semantics("bufferization") == set()
