"""memref ops, compared with what MLIR compiles, and what is undefined of them."""

import tracemalloc

import numpy as np
import pytest

from tests.peer import MlirTools
from tests.peer.runner import parse_module
from tests.semantics import (
    GARBAGE,
    compare_with_mlir,
    memref,
    run,
    without_semantics,
)
from xdsl_bufferization.semantics.errors import (
    ExecutionError,
    MemoryFault,
    MissingSemanticsError,
    UndefinedBehaviorError,
)

M = np.arange(24, dtype=np.float32).reshape(4, 6) * 0.5 - 3
X = np.array(7.5, np.float32)
ONE, TWO = np.array(1, np.int64), np.array(2, np.int64)
N = np.arange(4, dtype=np.int32) * 3 - 4
D = "memref<?xf32, strided<[?], offset: ?>>"
DD = "memref<?x?xf32, strided<[?, ?], offset: ?>>"

VIEWS = {
    "subview": f"""%v = memref.subview %m[%i, 0] [%n, 3] [1, 2]
      : memref<4x6xf32> to memref<?x3xf32, strided<[6, 2], offset: ?>>
      %r = memref.cast %v : memref<?x3xf32, strided<[6, 2], offset: ?>> to {DD}""",
    "subview_of_subview": f"""%v = memref.subview %m[1, %n] [3, 4] [%i, 1]
      : memref<4x6xf32> to memref<3x4xf32, strided<[?, 1], offset: ?>>
      %r = memref.subview %v[%i, %i] [%n, %n] [1, %n]
      : memref<3x4xf32, strided<[?, 1], offset: ?>>
      to {DD}""",
    "row": f"""%v = memref.subview %m[%n, 1] [1, 5] [1, 1]
      : memref<4x6xf32> to memref<5xf32, strided<[1], offset: ?>>
      %r = memref.cast %v : memref<5xf32, strided<[1], offset: ?>> to {D}""",
    "column": f"""%v = memref.subview %m[1, %n] [3, 1] [1, 1]
      : memref<4x6xf32> to memref<3xf32, strided<[6], offset: ?>>
      %r = memref.cast %v : memref<3xf32, strided<[6], offset: ?>> to {D}""",
    "collapse": f"""%v = memref.collapse_shape %m [[0, 1]]
      : memref<4x6xf32> into memref<24xf32>
      %r = memref.cast %v : memref<24xf32> to {D}""",
    "collapse_of_columns": """%v = memref.subview %m[0, 1] [4, 1] [1, 1]
      : memref<4x6xf32> to memref<4x1xf32, strided<[6, 1], offset: 1>>
      %r = memref.collapse_shape %v [[0, 1]]
      : memref<4x1xf32, strided<[6, 1], offset: 1>> into
      memref<4xf32, strided<[6], offset: 1>>""",
    "expand": """%v = memref.expand_shape %m [[0], [1, 2]] output_shape [4, 2, 3]
      : memref<4x6xf32> into memref<4x2x3xf32>
      %r = memref.subview %v[1, 0, 1] [3, 2, 1] [1, 1, 1]
      : memref<4x2x3xf32> to memref<3x2xf32, strided<[6, 3], offset: 7>>""",
    "expand_column": """%v = memref.subview %m[0, %n] [4, 1] [1, 1]
      : memref<4x6xf32> to memref<4xf32, strided<[6], offset: ?>>
      %w = memref.cast %v : memref<4xf32, strided<[6], offset: ?>>
      to memref<?xf32, strided<[6], offset: ?>>
      %r = memref.expand_shape %w [[0, 1]] output_shape [2, %n]
      : memref<?xf32, strided<[6], offset: ?>> into
      memref<2x?xf32, strided<[?, 6], offset: ?>>""",
    "transpose": """%r = memref.transpose %m (a, b) -> (b, a)
      : memref<4x6xf32> to memref<6x4xf32, strided<[1, 6]>>""",
    "reinterpret": """%r = memref.reinterpret_cast %m to
      offset: [%n], sizes: [%n, 3], strides: [7, %i]
      : memref<4x6xf32> to memref<?x3xf32, strided<[7, ?], offset: ?>>""",
    "metadata": f"""%b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m
      : memref<4x6xf32> -> memref<f32>, index, index, index, index, index
      %r = memref.reinterpret_cast %b to offset: [%o], sizes: [%t#0, %s#0],
      strides: [%t#1, %t#0]
      : memref<f32> to {DD}""",
    "reshape": """%s = memref.alloc() : memref<2xindex>
      %c0 = arith.constant 0 : index
      %c12 = arith.constant 12 : index
      memref.store %n, %s[%c0] : memref<2xindex>
      memref.store %c12, %s[%i] : memref<2xindex>
      %r = memref.reshape %m(%s) : (memref<4x6xf32>, memref<2xindex>)
      -> memref<?x?xf32>""",
    "unranked": """%u = memref.cast %m : memref<4x6xf32> to memref<*xf32>
      %k = memref.rank %u : memref<*xf32>
      %d = memref.dim %u, %i : memref<*xf32>
      %r = memref.alloc(%k) : memref<?xindex>
      memref.store %d, %r[%i] : memref<?xindex>
      %c0 = arith.constant 0 : index
      memref.store %k, %r[%c0] : memref<?xindex>""",
    "view": """%bytes = memref.alloc() : memref<64xi8>
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %v = memref.view %bytes[%c8][%n] : memref<64xi8> to memref<?x2xf32>
      memref.store %x, %v[%c0, %c0] : memref<?x2xf32>
      memref.store %x, %v[%i, %c0] : memref<?x2xf32>
      memref.store %x, %v[%c0, %i] : memref<?x2xf32>
      memref.store %x, %v[%i, %i] : memref<?x2xf32>
      %r = memref.view %bytes[%c8][] : memref<64xi8> to memref<4xi32>""",
}
"""Each makes `%r` of `%m`, `%x`, `%i` = 1 and `%n` = 2."""


def _result_type(program: str) -> str:
    """The last type that is spelled out, which is that of `%r`."""
    return "memref<" + program.rsplit("memref<", 1)[1].strip()


def _views() -> str:
    functions: list[str] = []
    for name, body in VIEWS.items():
        type = _result_type(body) if name != "unranked" else "memref<?xindex>"
        functions.append(
            f"func.func @{name}(%m: memref<4x6xf32>, %x: f32, %i: index, %n: index) "
            f"-> {type} {{\n{body}\nreturn %r : {type}\n}}"
        )
    return "\n".join(functions)


def test_views(mlir_tools: MlirTools):
    inputs = {name: (M, X, ONE, TWO) for name in VIEWS}

    compare_with_mlir(mlir_tools, _views(), inputs, "--memref-expand")


ATOMICS = {
    "i32": "addi andi assign maxs maxu mins minu ori xori",
    "f32": "addf assign maximumf maxnumf minimumf minnumf",
}


@pytest.mark.parametrize("type", ATOMICS)
def test_atomics(mlir_tools: MlirTools, type: str):
    kinds = ATOMICS[type].split()
    program = "".join(
        f"""func.func @{kind}(%m: memref<4x{type}>, %x: {type}, %i: index)
          -> (memref<4x{type}>, {type}) {{
          %r = memref.atomic_rmw {kind} %x, %m[%i]
          : ({type}, memref<4x{type}>) -> {type}
          return %m, %r : memref<4x{type}>, {type}
        }}
        """
        for kind in kinds
    )
    array, number = (N, np.array(-9, np.int32))
    if type == "f32":
        array, number = array.astype(np.float32), X

    compare_with_mlir(
        mlir_tools,
        program,
        {kind: (array, number, TWO) for kind in kinds},
        "--memref-expand",
    )


def test_generic_atomic(mlir_tools: MlirTools):
    program = """
    func.func @f(%m: memref<4xi32>, %x: i32, %i: index) -> (memref<4xi32>, i32) {
      %r = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
      ^bb0(%old: i32):
        %new = arith.subi %x, %old : i32
        memref.atomic_yield %new : i32
      }
      return %m, %r : memref<4xi32>, i32
    }
    """

    compare_with_mlir(mlir_tools, program, {"f": (N, np.array(50, np.int32), TWO)})


def test_globals(mlir_tools: MlirTools):
    program = """
    memref.global "private" @counter : memref<1xi32> = dense<5>
    memref.global "private" constant @table : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
    func.func private @count() -> i32 {
      %i = arith.constant 0 : index
      %g = memref.get_global @counter : memref<1xi32>
      %a = memref.load %g[%i] : memref<1xi32>
      %b = arith.addi %a, %a : i32
      memref.store %b, %g[%i] : memref<1xi32>
      return %b : i32
    }
    func.func @f() -> (i32, i32, memref<2x2xi32>) {
      %a = call @count() : () -> i32
      %b = call @count() : () -> i32
      %g = memref.get_global @table : memref<2x2xi32>
      return %a, %b, %g : i32, i32, memref<2x2xi32>
    }
    """

    compare_with_mlir(mlir_tools, program, {"f": ()})


def test_memrefs_of_memrefs():
    """Memrefs are stored, copied and loaded; they are the same memory behind that."""
    (result,) = run("""
    memref.global "private" @box : memref<1xmemref<?xf32>> = uninitialized
    func.func private @fill_box(%x: f32) {
      %c0 = arith.constant 0 : index
      %g = memref.get_global @box : memref<1xmemref<?xf32>>
      %m = memref.load %g[%c0] : memref<1xmemref<?xf32>>
      memref.store %x, %m[%c0] : memref<?xf32>
      func.return
    }
    func.func @f(%x: f32) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = memref.alloc(%c1) : memref<?xf32>
      %a = memref.alloc() : memref<2xmemref<?xf32>>
      memref.store %m, %a[%c1] : memref<2xmemref<?xf32>>
      %s = memref.subview %a[1] [1] [1]
        : memref<2xmemref<?xf32>> to memref<1xmemref<?xf32>, strided<[1], offset: 1>>
      %g = memref.get_global @box : memref<1xmemref<?xf32>>
      memref.copy %s, %g
        : memref<1xmemref<?xf32>, strided<[1], offset: 1>> to memref<1xmemref<?xf32>>
      func.call @fill_box(%x) : (f32) -> ()
      %y = memref.load %m[%c0] : memref<?xf32>
      func.return %y : f32
    }""", X[()])  # fmt: skip

    assert result == 7.5


def test_a_memref_that_nothing_stored():
    program = """
    func.func @f() -> memref<4xf32> {
      %c0 = arith.constant 0 : index
      %a = memref.alloca() : memref<2xmemref<4xf32>>
      %m = memref.load %a[%c0] : memref<2xmemref<4xf32>>
      func.return %m : memref<4xf32>
    }"""

    with pytest.raises(MemoryFault, match="from where nothing has stored one"):
        run(program)


def test_realloc():
    """What is there is kept, and the rest is not initialised."""
    results = run("""
    func.func @f(%n: index, %x: f32) -> (memref<?xf32>, memref<1xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = memref.alloc() : memref<2xf32>
      memref.store %x, %a[%c0] : memref<2xf32>
      memref.store %x, %a[%c1] : memref<2xf32>
      %b = memref.realloc %a(%n) : memref<2xf32> to memref<?xf32>
      %c = memref.alloc() : memref<2xf32>
      memref.store %x, %c[%c0] : memref<2xf32>
      %d = memref.realloc %c : memref<2xf32> to memref<1xf32>
      func.return %b, %d : memref<?xf32>, memref<1xf32>
    }""", np.int64(3), X[()])  # fmt: skip

    assert results[0].tolist() == [7.5, 7.5, GARBAGE]
    assert results[1].tolist() == [7.5]


def test_layout_of_allocation():
    """The symbols of a layout are given to the allocation."""
    (result,) = run("""
    func.func @f(%n: index, %x: f32) -> index {
      %a = "memref.alloc"(%n, %n) <{operandSegmentSizes = array<i32: 0, 2>}>
        : (index, index) -> memref<2x3xf32, strided<[?, 1], offset: ?>>
      %b, %o, %s:2, %t:2 = "memref.extract_strided_metadata"(%a)
        : (memref<2x3xf32, strided<[?, 1], offset: ?>>)
        -> (memref<f32>, index, index, index, index, index)
      %r = arith.addi %o, %t#0 : index
      "memref.dealloc"(%a) : (memref<2x3xf32, strided<[?, 1], offset: ?>>) -> ()
      func.return %r : index
    }""", np.int64(4), X[()])  # fmt: skip

    assert result == 8


def test_scope_of_stack_memory():
    program = """
    func.func @f(%x: f32) -> f32 {
      %c0 = arith.constant 0 : index
      %outer = memref.alloca() : memref<1xf32>
      %m = "memref.alloca_scope"() ({
        %a = memref.alloca() : memref<1xf32>
        memref.store %x, %a[%c0] : memref<1xf32>
        memref.store %x, %outer[%c0] : memref<1xf32>
        "memref.alloca_scope.return"(%a) : (memref<1xf32>) -> ()
      }) : () -> memref<1xf32>
      %r = memref.load %MEMREF[%c0] : memref<1xf32>
      func.return %r : f32
    }"""

    assert run(program.replace("MEMREF", "outer"), X[()]) == [7.5]
    with pytest.raises(MemoryFault, match="no longer there"):
        run(program.replace("MEMREF", "m"), X[()])


UNDEFINED = {
    "subview": (
        """%v = memref.subview %m[%i] [3] [1]
        : memref<?xf32> to memref<3xf32, strided<[1], offset: ?>>""",
        "out of the bounds of dimension 0 of size 4",
    ),
    "negative_size": (
        "%a = memref.alloc(%negative) : memref<?xf32>",
        "negative size",
    ),
    "cast_of_size": (
        '%v = "memref.cast"(%m) : (memref<?xf32>) -> memref<5xf32>',
        r"sizes \[4\] is no",
    ),
    "cast_of_rank": (
        """%u = "memref.cast"(%m) : (memref<?xf32>) -> memref<*xf32>
        %v = "memref.cast"(%u) : (memref<*xf32>) -> memref<2x2xf32>""",
        r"sizes \[4\] is no",
    ),
    "cast_of_stride": (
        """%v = memref.subview %m[0] [2] [%i]
        : memref<?xf32> to memref<2xf32, strided<[?]>>
        %w = "memref.cast"(%v)
        : (memref<2xf32, strided<[?]>>) -> memref<2xf32>""",
        r"strides \[2\] is no",
    ),
    "dimension": (
        "%d = memref.dim %m, %i : memref<?xf32>",
        "dimension 2 of a memref of rank 1",
    ),
    "load": (
        "%e = memref.load %m[%negative] : memref<?xf32>",
        "out of the bounds",
    ),
    "expand": (
        """%v = memref.expand_shape %m [[0, 1]] output_shape [3, %i]
        : memref<?xf32> into memref<3x?xf32>""",
        "size 4 is not split into",
    ),
    "collapse": (
        """%a = memref.alloc() : memref<4x4xf32>
        %v = memref.subview %a[0, 0] [%i, %i] [1, 1]
        : memref<4x4xf32> to memref<?x?xf32, strided<[4, 1]>>
        %w = "memref.collapse_shape"(%v) <{reassociation = [[0, 1]]}>
        : (memref<?x?xf32, strided<[4, 1]>>) -> memref<?xf32, strided<[1]>>""",
        "are not contiguous",
    ),
    "copy": (
        """%a = memref.alloc(%i) : memref<?xf32>
        "memref.copy"(%m, %a) : (memref<?xf32>, memref<?xf32>) -> ()""",
        "copy of shape",
    ),
    "reinterpreted_beyond_its_end": (
        """%v = memref.reinterpret_cast %m to offset: [0], sizes: [5], strides: [2]
        : memref<?xf32> to memref<5xf32, strided<[2]>>
        %e = memref.load %v[%i] : memref<5xf32, strided<[2]>>""",
        "out of its bounds",
    ),
    "alignment": (
        """%a = memref.alloc() : memref<4xf32>
        %v = memref.subview %a[%i] [2] [1]
        : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
        %w = "memref.assume_alignment"(%v) <{alignment = 16 : i32}>
        : (memref<2xf32, strided<[1], offset: ?>>)
        -> memref<2xf32, strided<[1], offset: ?>>""",
        "not aligned to 16",
    ),
    "distinct": (
        """%a, %b = "memref.distinct_objects"(%m, %m)
        : (memref<?xf32>, memref<?xf32>) -> (memref<?xf32>, memref<?xf32>)""",
        "in the same memory",
    ),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_undefined(name: str):
    body, message = UNDEFINED[name]
    program = f"""
    func.func @f(%m: memref<?xf32>, %i: index) {{
      %negative = arith.constant -1 : index
      {body}
      func.return
    }}"""

    with pytest.raises((MemoryFault, UndefinedBehaviorError), match=message):
        run(program, memref(np.zeros(4, np.float32)), np.int64(2))


@pytest.mark.parametrize(
    "body, message",
    [
        (
            "%g = memref.get_global @g : memref<4xf32>",
            "a global of another module",
        ),
        ("%g = memref.get_global @h : memref<4xf32>", "there is no global"),
    ],
)
def test_missing(body: str, message: str):
    program = f"""
    "memref.global"() <{{sym_name = "g", sym_visibility = "private",
      type = memref<4xf32>}}> : () -> ()
    func.func @f() {{
      {body}
      func.return
    }}"""

    with pytest.raises(MissingSemanticsError, match=message):
        run(parse_module(program))


def test_views_of_earlier_iterations_are_not_kept():
    text = """
    func.func @f(%n: index) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = arith.constant 1.0 : f32
      %m = memref.alloc() : memref<4096xf32>
      scf.for %i = %c0 to %n step %c1 {
        %v = memref.subview %m[%i] [2] [1]
          : memref<4096xf32> to memref<2xf32, strided<[1], offset: ?>>
        memref.store %x, %v[%c1] : memref<2xf32, strided<[1], offset: ?>>
      }
      func.return %x : f32
    }
    """

    def peak(iterations: int) -> int:
        tracemalloc.start()
        run(text, np.array(iterations, np.int64))
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(10)
    assert peak(2000) < peak(1000) + 250_000


def test_other_memory_is_not_freed():
    program = """
    func.func @f(%m: memref<4xf32>) {
      memref.dealloc %m : memref<4xf32>
      func.return
    }"""

    with pytest.raises(ExecutionError, match="free of argument memory"):
        run(program, memref(np.zeros(4, np.float32)))


def test_which_ops_have_no_semantics():
    assert without_semantics("memref") == {"memref.dma_start", "memref.dma_wait"}
