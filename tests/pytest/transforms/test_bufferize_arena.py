"""`bufferize{arena}`: what programs allocate when they run, and that they compute the same."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr
from xdsl.traits import SymbolTable

from tests.fuzzing.trials import apply, read
from tests.peer import find_mlir_tools
from tests.peer.runner import parse_module
from tests.programs import generate_program
from tests.semantics import interpreter_of
from tests.slow import in_turn
from xdsl_bufferization.interfaces.allocation import allocated_by
from xdsl_bufferization.memrefs.placement.arenas import ARENA_ATTRIBUTE
from xdsl_bufferization.memrefs.placement.hoisting_targets import allocations_in_loops
from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.semantics.checking.report import ProblemKind
from xdsl_bufferization.semantics.memory import Statistics
from xdsl_bufferization.semantics.values import Kind
from xdsl_bufferization.support.call_graph import CallGraph, is_private
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import is_memref_type

IDENTITY = "function-boundary-type-conversion=identity-layout-map"

LAYER = """
func.func {visibility} @layer(%x: tensor<1x16xf32>,
      %w: tensor<16x16xf32> {{bufferization.writable = false}}) -> tensor<1x16xf32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>
  %m = linalg.matmul ins(%x, %w : tensor<1x16xf32>, tensor<16x16xf32>)
      outs(%f : tensor<1x16xf32>) -> tensor<1x16xf32>
  %t = linalg.exp ins(%m : tensor<1x16xf32>) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>
  %n = linalg.matmul ins(%t, %w : tensor<1x16xf32>, tensor<16x16xf32>)
      outs(%f : tensor<1x16xf32>) -> tensor<1x16xf32>
  func.return %n : tensor<1x16xf32>
}}
"""
DECODE = """
func.func @decode(%x: tensor<1x16xf32> {bufferization.writable = false},
      %w: tensor<16x16xf32> {bufferization.writable = false},
                  %cache: tensor<8x16xf32> {bufferize.aliasing_result = 0 : i64}, %n: index)
      -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x, %k = %cache)
      -> (tensor<1x16xf32>, tensor<8x16xf32>) {
    %a = func.call @layer(%h, %w) : (tensor<1x16xf32>, tensor<16x16xf32>) -> tensor<1x16xf32>
    %b = func.call @layer(%a, %w) : (tensor<1x16xf32>, tensor<16x16xf32>) -> tensor<1x16xf32>
    %k2 = tensor.insert_slice %b into %k[%i, 0] [1, 16] [1, 1] : tensor<1x16xf32>
      into tensor<8x16xf32>
    scf.yield %b, %k2 : tensor<1x16xf32>, tensor<8x16xf32>
  }
  func.return %r#1 : tensor<8x16xf32>
}
"""
"""A decode loop with a donated cache, in whose iterations one layer is called twice."""

PRIVATE_LAYER = LAYER.format(visibility="private")


def after(program: str, passes: str) -> ModuleOp:
    module = parse_module(program)
    apply(passes, module)
    module.verify()
    return module


def statistics(
    module: ModuleOp, name: str, arguments: Sequence[np.ndarray]
) -> Statistics:
    """What a run of the function with these arguments, and an arena if it takes one, does."""
    interpreter = interpreter_of(module)
    function = SymbolTable.lookup_symbol(module, name)
    assert isinstance(function, func.FuncOp)
    types = [argument.type for argument in function.args]
    arenas = [
        np.zeros(type.get_shape(), np.int8)
        for type in types[len(arguments) :]
        if isinstance(type, MemRefType)
    ]
    memory = interpreter.memory
    values = tuple(
        memory.initialised(argument.copy(), None, Kind.ARGUMENT)
        if is_memref_type(type)
        else argument[()]
        for argument, type in zip([*arguments, *arenas], types, strict=True)
    )
    interpreter.call(function, values)
    return memory.statistics()


def decode_inputs(iterations: int) -> Sequence[np.ndarray]:
    random = np.random.default_rng(0)
    return [
        random.standard_normal(shape).astype(np.float32) / 4
        for shape in [(1, 16), (16, 16), (8, 16)]
    ] + [np.array(iterations, np.int64)]


@pytest.mark.parametrize("visibility", ["private", ""])
@pytest.mark.parametrize("iterations", [0, 1, 8])
def test_a_decode_loop_allocates_one_arena_a_call(iterations: int, visibility: str):
    program = LAYER.format(visibility=visibility) + DECODE
    module = after(program, f"bufferize{{arena=static {IDENTITY}}}")
    found = statistics(module, "decode", decode_inputs(iterations))
    assert found.allocations == 1
    assert found.leaked_bytes == 0


@pytest.mark.parametrize("iterations", [0, 8])
def test_the_arena_is_the_callers(iterations: int):
    module = after(PRIVATE_LAYER + DECODE, f"bufferize{{arena=argument {IDENTITY}}}")
    found = statistics(module, "decode", decode_inputs(iterations))
    assert found.allocations == 0
    assert found.leaked_bytes == 0


def test_without_an_arena_iterations_allocate():
    module = after(PRIVATE_LAYER + DECODE, f"bufferize{{{IDENTITY}}}")
    assert statistics(module, "decode", decode_inputs(8)).allocations > 8


@pytest.mark.parametrize("arena", ["allocated", "static"])
def test_the_program_computes_the_same(arena: str):
    program = PRIVATE_LAYER + DECODE
    report = check(
        parse_module(program),
        after(program, f"bufferize{{arena={arena} {IDENTITY}}}"),
        CheckOptions(runs=3),
    )
    assert report.problem is None


ROWS = (
    "func.func private @rows(%x: tensor<?x16xf32>) -> tensor<?x16xf32>"
    + """ {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %z = arith.constant 1.0 : f32
  %s = tensor.empty() : tensor<16x16xf32>
  %w = linalg.fill ins(%z : f32) outs(%s : tensor<16x16xf32>) -> tensor<16x16xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %a = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x16xf32>)
      outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = linalg.matmul ins(%a, %w : tensor<?x16xf32>, tensor<16x16xf32>)
      outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %b : tensor<?x16xf32>
}
func.func @net(%x: tensor<?x16xf32>, %y: tensor<?x16xf32>)
      -> (tensor<?x16xf32>, tensor<?x16xf32>) {
  %a = func.call @rows(%x) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = func.call @rows(%a) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %c = func.call @rows(%y) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %b, %c : tensor<?x16xf32>, tensor<?x16xf32>
}
"""
)


@pytest.mark.parametrize("visibility", ["private", ""])
@pytest.mark.parametrize("program", [PRIVATE_LAYER + DECODE, ROWS])
def test_callers_give_all_memory(program: str, visibility: str):
    """The check gives each arena the size that its function computes, and no byte more."""
    program = program.replace("private", visibility)
    passes = "bufferize{arena=argument results=arguments arguments=read-only}"
    report = check(parse_module(program), after(program, passes), CheckOptions(runs=5))
    assert report.problem is None
    assert not any(function.after.allocations for function in report.functions)


FAMILIES = [
    ("calls",),
    ("calls", "loops"),
    ("calls", "switches", "loops"),
    ("calls", "blocks", "unknown sizes"),
    ("calls", "bodies", "structured"),
]


@pytest.mark.parametrize("families, seed", in_turn(FAMILIES, range(20), 10))
def test_random_programs(families: tuple[str, ...], seed: int):
    """
    They compute the same. Arenas are allocated once in a call, and what `static` accepts has
    no other allocations, but for results.
    """
    program = generate_program(Random(seed), families, functions=3, ops=8)
    module = read(program.text, find_mlir_tools())
    make_private(module, 2)
    before, static = module.clone(), module.clone()
    try:
        apply("bufferize", module.clone())
    except BufferizationError:
        return
    apply("bufferize{arena}", module)
    module.verify()
    problem = check(before, module, CheckOptions(runs=2)).problem
    # Some fail on all inputs, also before.
    assert problem is None or problem.kind is ProblemKind.NO_INPUT
    try:
        apply("bufferize{arena=static}", static)
    except BufferizationError:
        assert str(static) == str(before)
        return
    for function in CallGraph(static).functions:
        if is_private(function):
            assert not any(map(allocated_by, walk([function])))
        assert not any(map(allocated_by, allocations_in_loops(function)))


def make_private(module: ModuleOp, number: int) -> None:
    """Make the first functions private."""
    for op in CallGraph(module).functions[:number]:
        op.properties["sym_visibility"] = StringAttr("private")


def test_the_arena_is_marked():
    module = after(PRIVATE_LAYER + DECODE, f"bufferize{{arena {IDENTITY}}}")
    layer = SymbolTable.lookup_symbol(module, "layer")
    assert isinstance(layer, func.FuncOp)
    assert layer.arg_attrs is not None
    assert ARENA_ATTRIBUTE in layer.arg_attrs.data[-1].data
