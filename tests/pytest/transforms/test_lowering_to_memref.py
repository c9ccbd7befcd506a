"""
`expand-realloc`, `bufferization-lower-deallocations`, `convert-bufferization-to-memref`: what
mlir-opt's passes of these names make of the same programs, and the same numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import numpy as np
import pytest
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import (
    BoolAttr,
    Float32Type,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    i1,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tests.environments import PROJECT
from tests.peer import MlirTools, PeerError
from tests.peer.runner import (
    Call,
    parse_module,
    print_generic,
    run_calls,
    run_with_mlir_runner,
)
from xdsl_bufferization.dialects.bufferization import CloneOp, DeallocOp
from xdsl_bufferization.dialects.memref import ReallocOp
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.transforms.bufferization_lower_deallocations import (
    LowerDeallocationsPass,
)
from xdsl_bufferization.transforms.convert_bufferization_to_memref import (
    ConvertBufferizationToMemRefPass,
)
from xdsl_bufferization.transforms.expand_realloc import ExpandReallocPass

FOLDER = PROJECT / "tests" / "filecheck" / "transforms"
EXPAND = ExpandReallocPass(), "--expand-realloc"
EXPAND_ONLY = (
    ExpandReallocPass(emit_deallocs=False),
    "--expand-realloc=emit-deallocs=false",
)
LOWER = LowerDeallocationsPass(), "--bufferization-lower-deallocations"
CONVERT = ConvertBufferizationToMemRefPass(), "--convert-bufferization-to-memref"

PASSES = {
    "expand-realloc/sizes": EXPAND,
    "expand-realloc/no-deallocs": EXPAND_ONLY,
    "bufferization-lower-deallocations/one-memref": LOWER,
    "bufferization-lower-deallocations/unranked": LOWER,
    "convert-bufferization-to-memref/clone": CONVERT,
    "convert-bufferization-to-memref/half-unranked": CONVERT,
    "convert-bufferization-to-memref/layouts": CONVERT,
    "convert-bufferization-to-memref/unranked": CONVERT,
}
"""By file: our pass and mlir-opt's."""

WITH_HELPERS = {
    "bufferization-lower-deallocations/several-memrefs": LOWER,
    "bufferization-lower-deallocations/helper": LOWER,
    "convert-bufferization-to-memref/dealloc": CONVERT,
}
"""Files with `bufferization.dealloc` of several memrefs."""

DIFFERENT = {
    # That it does not grow is decided here; mlir-opt's result does not verify.
    "static_shrinks",
    "to_nothing",
    # xDSL's `memref.copy` wants one shape, and a rank: what is copied is cast to it.
    "claim_size",
    "forget_and_claim_sizes",
    "layout_and_size",
    "to_ranked",
    "to_layout",
    # The rank is known, so there is no loop over the dimensions.
    "to_unranked",
    "layout_to_unranked",
    # What may be a view of a part is freed as the whole that it is a part of.
    "two_retained",
    "always_the_whole",
}
"""Functions that become something else than with mlir-opt."""

WRONG_MEMORY_SPACE = ("convert-bufferization-to-memref/unranked", "memory_space")
"""File and function of which mlir-opt allocates the clone in the default space."""


def read(file: str) -> ModuleOp:
    return parse_module((FOLDER / f"{file}.mlir").read_text())


def functions(file: str) -> dict[str, str]:
    """By name: each function of the file as a program of its own, in generic form."""
    return {
        op.sym_name.data: print_generic(ModuleOp([op.clone()]))
        for op in read(file).ops
        if isinstance(op, FuncOp) and op.body.blocks
    }


def lowered(text: str, lowering: ModulePass) -> str:
    """The program after our pass, in generic form."""
    module = parse_module(text)
    lowering.apply(Context(), module)
    module.verify()
    return print_generic(module)


# What mlir-opt makes of it -------------------------------------------------------------


@pytest.mark.parametrize("file", PASSES)
def test_programs_are_those_of_mlir_opt(mlir_tools: MlirTools, file: str):
    ours, theirs = PASSES[file]
    programs = functions(file)
    cleanup = ("--allow-unregistered-dialect", "--canonicalize", "--cse")
    results = mlir_tools.opt_each(
        [lowered(text, ours) for text in programs.values()], *cleanup
    )
    expected = mlir_tools.opt_each([*programs.values()], theirs, *cleanup)
    for name, a, b in zip(programs, results, expected, strict=True):
        assert isinstance(a, str), name
        is_same = name not in DIFFERENT and (file, name) != WRONG_MEMORY_SPACE
        assert (isinstance(b, str) and normal(a) == normal(b)) == is_same, name


def normal(text: str) -> str:
    """Without an attribute that says the default, which xDSL adds."""
    return text.replace("<{nontemporal = false}> ", "").strip()


def is_helper(op: Operation) -> bool:
    """Whether the op is a function that compares pointers, not one of the program."""
    return (
        isinstance(op, FuncOp)
        and op.sym_name.data.startswith("dealloc_helper")
        and [*op.function_type.inputs]
        == [MemRefType(IndexType(), [-(2**63)])] * 2 + [MemRefType(i1, [-(2**63)])] * 3
    )


@pytest.mark.parametrize("file", WITH_HELPERS)
def test_calls_of_helpers_are_those_of_mlir_opt(mlir_tools: MlirTools, file: str):
    """Up to their order the same ops, and functions of the same names."""
    ours, theirs = WITH_HELPERS[file]
    text = print_generic(read(file))
    modules = [
        parse_module(mlir_tools.opt(program, *passes, "--canonicalize", "--cse"))
        for program, passes in ((lowered(text, ours), ()), (text, (theirs,)))
    ]
    names, expected_names = (
        [op.sym_name.data for op in module.walk() if isinstance(op, FuncOp)]
        for module in modules
    )
    assert names == expected_names
    for helper in [op for module in modules for op in module.walk() if is_helper(op)]:
        helper.detach()
    ops, expected_ops = (Counter(map(describe, module.walk())) for module in modules)
    assert ops == expected_ops


def describe(op: Operation) -> str:
    callee = op.callee if isinstance(op, func.CallOp) else ""
    return f"{op.name} {callee} {op.operand_types} {op.result_types}"


# Numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize("lowering", [EXPAND, EXPAND_ONLY], ids=["free", "keep"])
@pytest.mark.parametrize("old, new", [(4, 9), (4, 4), (6, 2), (0, 3), (3, 0)])
def test_realloc_keeps_the_contents(
    mlir_tools: MlirTools, lowering: tuple[ModulePass, str], old: int, new: int
):
    data = np.arange(old, dtype=np.float32)
    kinds = product((f"{old}", "?"), (f"{new}", "?"))
    calls = [
        Call(
            lowered(
                f"""
func.func @f(%m: memref<{a}xf32>, %size: index) -> memref<{b}xf32> {{
  %r = memref.realloc %m{"(%size)" if b == "?" else ""} : memref<{a}xf32> to memref<{b}xf32>
  func.return %r : memref<{b}xf32>
}}
""",
                lowering[0],
            ),
            "f",
            [data, np.array(new, np.int64)],
        )
        for a, b in kinds
    ]
    for result in run_calls(mlir_tools, calls):
        assert not isinstance(result, PeerError)
        (buffer,) = result
        assert buffer.shape == (new,)
        kept = min(old, new)
        np.testing.assert_array_equal(buffer[:kept], data[:kept])


CLONES = [
    ("memref<2x3xf32>", "memref<2x3xf32>"),
    ("memref<?x3xf32>", "memref<?x3xf32>"),
    ("memref<2x3xf32>", "memref<?x?xf32>"),
    ("memref<?x?xf32>", "memref<2x3xf32>"),
    ("memref<?x3xf32>", "memref<2x?xf32>"),
    ("memref<2x3xf32>", "memref<?x?xf32, strided<[3, 1], offset: ?>>"),
    ("memref<?x3xf32, strided<[?, ?], offset: ?>>", "memref<2x3xf32>"),
    (
        "memref<?x?xf32, strided<[?, ?], offset: ?>>",
        "memref<?x?xf32, strided<[?, ?], offset: ?>>",
    ),
    ("memref<*xf32>", "memref<*xf32>"),
    ("memref<*xf32>", "memref<?x3xf32>"),
    ("memref<*xf32>", "memref<2x3xf32, strided<[?, 1], offset: ?>>"),
    ("memref<2x?xf32>", "memref<*xf32>"),
    ("memref<?x?xf32, strided<[?, ?], offset: ?>>", "memref<*xf32>"),
]


def clone_program(source: str, target: str) -> str:
    """Clones a transposed part of a matrix, overwrites that, and returns the clone."""
    part = "memref<2x3xf32, strided<[1, 5], offset: 5>>"
    if "strided" in source or "*" in source:
        given = f'%given = "memref.cast"(%part) : ({part}) -> {source}'
    else:
        # Without a layout it has to be contiguous.
        given = f"""
  %buffer = memref.alloc() : memref<2x3xf32>
  "memref.copy"(%part, %buffer) : ({part}, memref<2x3xf32>) -> ()
  %given = "memref.cast"(%buffer) : (memref<2x3xf32>) -> {source}"""
    result = "memref<2x3xf32, strided<[?, ?], offset: ?>>"
    return f"""
func.func @f(%m: memref<4x5xf32>) -> {result} {{
  %part = "memref.reinterpret_cast"(%m) <{{operandSegmentSizes = array<i32: 1, 0, 0, 0>,
    static_offsets = array<i64: 5>, static_sizes = array<i64: 2, 3>,
    static_strides = array<i64: 1, 5>}}> : (memref<4x5xf32>) -> {part}
  {given}
  %clone = bufferization.clone %given : {source} to {target}
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %known = "memref.cast"(%given) : ({source}) -> {result}
  memref.store %zero, %known[%c0, %c0] : {result}
  %r = "memref.cast"(%clone) : ({target}) -> {result}
  func.return %r : {result}
}}
"""


def test_clones_are_copies(mlir_tools: MlirTools):
    data = np.arange(20, dtype=np.float32).reshape(4, 5)
    programs = [
        # A cast to the same type is nothing to mlir-opt, but not to xDSL.
        mlir_tools.opt(clone_program(source, target), "--canonicalize")
        for source, target in CLONES
    ]
    assert all("bufferization.clone" in program for program in programs)
    ours, theirs = CONVERT
    calls = [Call(lowered(program, ours), "f", [data]) for program in programs]
    calls += [Call(mlir_tools.opt(p, theirs), "f", [data]) for p in programs]
    for result, types in zip(run_calls(mlir_tools, calls), CLONES * 2, strict=True):
        assert not isinstance(result, PeerError), types
        np.testing.assert_array_equal(result[0], data[1:, :2].T, str(types))


def dealloc_program(memrefs: int, retained: int) -> str:
    """
    Deallocates memrefs that are either of two buffers, as `picks` tells, if `conditions`
    hold; returns the results of that, and an array for `with_log`.
    """
    names = [*(f"%m{i}" for i in range(memrefs)), *(f"%r{i}" for i in range(retained))]
    lines = [
        f"func.func @f(%picks: memref<?xi1>, %conditions: memref<{memrefs}xi1>) "
        f"-> (memref<{memrefs}xi1>, memref<{retained}xi1>) {{",
        "%a = memref.alloc() : memref<4xf32>",
        "%b = memref.alloc() : memref<4xf32>",
        *(f"%i{i} = arith.constant {i} : index" for i in range(len(names))),
        "%false = arith.constant false",
        f"%freed = memref.alloc() : memref<{memrefs}xi1>",
        f"%owned = memref.alloc() : memref<{retained}xi1>",
    ]
    for i, name in enumerate(names):
        lines += [
            f"%pick{i} = memref.load %picks[%i{i}] : memref<?xi1>",
            f"{name} = arith.select %pick{i}, %a, %b : memref<4xf32>",
        ]
    for i in range(memrefs):
        lines += [
            f"memref.store %false, %freed[%i{i}] : memref<{memrefs}xi1>",
            f"%c{i} = memref.load %conditions[%i{i}] : memref<{memrefs}xi1>",
        ]
    conditions = ", ".join(f"%c{i}" for i in range(memrefs))
    results = ", ".join(f"%o{i}" for i in range(retained))
    lines.append(
        f"{results} = bufferization.dealloc ({typed(names[:memrefs])}) "
        f"if ({conditions}) retain ({typed(names[memrefs:])})"
    )
    for i in range(retained):
        lines.append(f"memref.store %o{i}, %owned[%i{i}] : memref<{retained}xi1>")
    lines += [
        f"func.return %freed, %owned : memref<{memrefs}xi1>, memref<{retained}xi1>",
        "}",
    ]
    return "\n".join(lines)


def typed(names: list[str]) -> str:
    return f"{', '.join(names)} : {', '.join(['memref<4xf32>'] * len(names))}"


def with_log(text: str) -> str:
    """A lowered `dealloc_program` that notes in `freed` what it would free."""
    module = parse_module(text)
    ops = [*module.walk()]
    (returned,) = (
        op for op in ops if isinstance(op, func.ReturnOp) and len(op.operands) == 2
    )
    selected: list[SSAValue] = [
        op.result for op in ops if isinstance(op, arith.SelectOp)
    ]
    for op in ops:
        if isinstance(op, memref.DeallocOp) and op.memref in selected:
            builder = Builder(InsertPoint.before(op))
            position = IntegerAttr(selected.index(op.memref), IndexType())
            index = builder.insert(arith.ConstantOp(position))
            true = builder.insert(arith.ConstantOp(BoolAttr.from_bool(True)))
            builder.insert(memref.StoreOp.get(true, returned.operands[0], [index]))
            op.detach()
    return print_generic(module)


def frees(
    picks: tuple[bool, ...], conditions: tuple[bool, ...], *, as_mlir_opt: bool = False
) -> tuple[list[bool], list[bool]]:
    """
    Which memrefs are freed, and which of those retained are owned afterwards. mlir-opt
    passes over a memref that equals an earlier one, even if that is not freed.
    """
    count = len(conditions)
    memrefs, retained = picks[:count], picks[count:]
    freed = [
        conditions[i]
        and memrefs[i] not in retained
        and not any(
            memrefs[j] == memrefs[i] and (as_mlir_opt or conditions[j])
            for j in range(i)
        )
        for i in range(count)
    ]
    owned = [
        any(c and m == r for c, m in zip(conditions, memrefs, strict=True))
        for r in retained
    ]
    return freed, owned


LARGER = [pytest.param(*case, marks=pytest.mark.slow) for case in ((3, 1), (2, 2))]


@pytest.mark.parametrize("memrefs, retained", [(1, 1), (1, 2), (2, 1), *LARGER])
def test_deallocs_free_what_is_owned(
    mlir_tools: MlirTools, memrefs: int, retained: int
):
    program = dealloc_program(memrefs, retained)
    text = print_generic(parse_module(program))
    cases = [
        (bits[:-memrefs], bits[-memrefs:])
        for bits in product((False, True), repeat=2 * memrefs + retained)
    ]
    inputs = [[np.array(bits) for bits in case] for case in cases]
    ours, theirs = LOWER
    for module, as_mlir_opt in (
        (lowered(text, ours), False),
        (lowered(text, CONVERT[0]), False),
        (mlir_tools.opt(text, theirs), True),
    ):
        logged = with_log(module)
        results = run_calls(mlir_tools, [Call(logged, "f", each) for each in inputs])
        for case, result in zip(cases, results, strict=True):
            assert not isinstance(result, PeerError)
            expected = frees(*case, as_mlir_opt=as_mlir_opt)
            assert [array.tolist() for array in result] == [*expected], case


def test_freeing_does_not_crash(mlir_tools: MlirTools):
    """What a loop allocates, clones, enlarges and frees again."""
    module = parse_module(
        """
func.func @f(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %first = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<?xf32>) {
    %size = arith.addi %i, %c1 : index
    %larger = memref.realloc %old(%size) : memref<?xf32> to memref<?xf32>
    %copy = bufferization.clone %larger : memref<?xf32> to memref<?xf32>
    %again = bufferization.clone %larger : memref<?xf32> to memref<?xf32>
    %owned = bufferization.dealloc
        (%larger, %larger, %again, %copy
         : memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>)
        if (%true, %true, %true, %true) retain (%copy : memref<?xf32>)
    scf.yield %copy : memref<?xf32>
  }
  func.return %r : memref<?xf32>
}
"""
    )
    for lowering in (EXPAND[0], CONVERT[0]):
        lowering.apply(Context(), module)
        module.verify()
    data = np.arange(1, 3, dtype=np.float32)
    (result,) = run_with_mlir_runner(
        mlir_tools, print_generic(module), "f", [data, np.array(40, np.int64)]
    )
    assert result.shape == (40,)
    # When the first iteration goes on with one element, the other one is lost.
    assert result[0] == data[0]


# Refusals ------------------------------------------------------------------------------


ACCEPTED_BY_MLIR_OPT = {"length_of_rows"}
"""Programs that mlir-opt casts to a layout that nothing says they have."""


def test_refused_programs_stay_as_they_are(mlir_tools: MlirTools):
    text = (FOLDER / "convert-bufferization-to-memref" / "errors.mlir").read_text()
    ours, theirs = CONVERT
    for program in re.split(r"^// -----.*$", text, flags=re.M):
        # What comes in front of it could be lowered.
        module = parse_module(
            """
func.func @lowered(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %r = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  func.return %r : memref<4xf32>
}
"""
            + program
        )
        before = print_generic(module)
        with pytest.raises(BufferizationError):
            ours.apply(Context(), module)
        assert print_generic(module) == before
        (_, name) = re.findall(r"func\.func @(\w+)", str(module))
        (answer,) = mlir_tools.opt_each([before], theirs)
        assert isinstance(answer, PeerError) == (name not in ACCEPTED_BY_MLIR_OPT)


# Depth ---------------------------------------------------------------------------------


@pytest.mark.parametrize("lowering", [EXPAND[0], LOWER[0], CONVERT[0]])
def test_deep_nesting_needs_no_recursion(lowering: ModulePass):
    type: MemRefType[Attribute] = MemRefType(Float32Type(), [4])
    function = FuncOp("f", ((type, i1), ()))
    buffer, condition = function.args
    targets: tuple[Operation, ...] = (
        ReallocOp(buffer, MemRefType(Float32Type(), [8])),
        DeallocOp([buffer], [condition]),
        CloneOp(buffer),
    )
    if lowering is CONVERT[0]:
        targets = targets[1:]
    nested = scf.IfOp(condition, (), Region(Block((*targets, scf.YieldOp()))))
    block = nested.true_region.block
    for _ in range(2000):
        nested = scf.IfOp(condition, (), Region(Block((nested, scf.YieldOp()))))
    function.body.block.add_ops((nested, func.ReturnOp()))
    before = [op.name for op in block.ops]
    lowering.apply(Context(), ModuleOp([function]))
    assert [op.name for op in block.ops] != before
