"""`eliminate-empty-tensors`: fewer buffers, the same results, in almost linear time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, repeat
from pathlib import Path

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import (
    Float32Type,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    i32,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from tests.environments import PROJECT
from tests.executed_lines import executed_lines
from tests.peer import MlirTools, PeerError
from tests.peer.runner import (
    Array,
    Call,
    parse_module,
    print_generic,
    run_calls,
)
from tests.programs import generate_program
from tests.slow import one_in
from xdsl_bufferization import OneShotOptions, one_shot_bufferize
from xdsl_bufferization.tensors.empty_tensor_elimination import eliminate_empty_tensors

FILES = sorted(
    str(path.relative_to(PROJECT))
    for path in (
        PROJECT / "tests" / "filecheck" / "transforms" / "eliminate-empty-tensors"
    ).glob("*.mlir")
    if path.name != "errors.mlir"
)
OPTIONS = OneShotOptions(
    bufferize_function_boundaries=True,
    allow_unknown_ops=True,
    allow_return_allocs_from_loops=True,
)
ONE_SHOT = (
    "--one-shot-bufferize=bufferize-function-boundaries allow-unknown-ops "
    "allow-return-allocs-from-loops"
)
UNDEFINED = {
    ("insert_slice", "nothing_computed"),
    ("insert_slice", "read_afterwards"),
    # They insert into empty tensors.
    *(
        ("reshapes", name)
        for name in (
            "collapsed",
            "dynamic",
            "inner_dynamic",
            "loop",
            "merged",
            "several",
            "several_dynamic",
        )
    ),
}
"""File and function, where results are not all determined."""

ELIMINATE = "--eliminate-empty-tensors"

WRONG = defaultdict[str, set[str]](
    set,
    {
        "tests/filecheck/transforms/eliminate-empty-tensors/"
        "materialize_in_destination.mlir": {
            "before_loop",
            "read_afterwards",
            "read_in_between",
            "read_again",
        },
    },
)
"""By file: functions that compute something else after mlir-opt's pass."""

NOT_INSERTED = {
    "call_in_between",
    "insertion_that_may_not_happen",
    "step_that_may_be_zero",
    "stride_of_zero",
}
"""
Functions in which mlir-opt's pass takes a slice, where nothing is inserted, that may be out of
bounds, or has too few elements; or writes memory that a called function may read.
"""


def read(file: str, name: str | None = None) -> ModuleOp:
    """The file's program; of several public functions with a body only the one of that name."""
    module = parse_module((PROJECT / file).read_text())
    for function in list(module.ops):
        if (
            isinstance(function, FuncOp)
            and function.body.blocks
            and function.sym_name.data != name
            and name is not None
            and function.sym_visibility is None
        ):
            function.detach()
    return module


def functions() -> Iterator[tuple[str, FuncOp]]:
    """Each function with a body, after the file that has it."""
    for file in FILES:
        for function in read(file).ops:
            if isinstance(function, FuncOp) and function.body.blocks:
                yield file, function


def is_runnable(file: str, function: FuncOp) -> bool:
    """Whether all of its results are determined, by inputs that there are."""
    return (Path(file).stem, function.sym_name.data) not in UNDEFINED and not any(
        op.name in ("func.call", "builtin.unregistered", "test.op")
        or any(value.type == i32 for value in op.operands)
        for op in function.walk()
    )


FUNCTIONS = {(file, f.sym_name.data): is_runnable(file, f) for file, f in functions()}
"""File and name of each function, and whether it can be run."""


def bufferized(module: ModuleOp, *, eliminate: bool) -> ModuleOp:
    if eliminate:
        eliminate_empty_tensors(module)
        module.verify()
    one_shot_bufferize(Context(), module, OPTIONS)
    module.verify()
    return module


def costs(module: ModuleOp) -> tuple[int, int]:
    """How many allocations and copies there are."""
    names = Counter(op.name for op in module.walk())
    return names[memref.AllocOp.name], names[memref.CopyOp.name]


@pytest.mark.parametrize("function", one_in(18, FUNCTIONS), ids="-".join)
def test_no_more_allocations_and_copies_than_mlir_opt(
    mlir_tools: MlirTools, function: tuple[str, str]
):
    file, name = function
    before = costs(bufferized(read(file, name), eliminate=False))
    after = costs(bufferized(read(file, name), eliminate=True))
    assert after <= before
    text = print_generic(read(file, name))
    try:
        peer = mlir_tools.opt(text, "--allow-unregistered-dialect", ELIMINATE, ONE_SHOT)
    except PeerError:
        # Only where the pass made a program of it that cannot be bufferized.
        mlir_tools.opt(text, "--allow-unregistered-dialect", ONE_SHOT)
        return
    assert (after <= costs(parse_module(peer))) == (
        name not in WRONG[file] | NOT_INSERTED
    )


def test_buffers_are_saved():
    before, after = (
        sum(costs(bufferized(read(file), eliminate=eliminate))[0] for file in FILES)
        for eliminate in (False, True)
    )
    assert after < 0.6 * before


# What programs compute -----------------------------------------------------------------


def inputs_for(types: list[Attribute]) -> list[Array]:
    """
    Arrays of distinct numbers, of size 4 where that is dynamic; for indices 1, then 2, so
    that loops have an iteration; `true`.
    """
    inputs: list[Array] = []
    indices = chain((1, 2), repeat(1))
    for number, type in enumerate(types):
        match type:
            case MemRefType():
                shape = [4 if size < 0 else size for size in type.get_shape()]
                count = int(np.prod(shape, dtype=np.int64))
                values = 100 * number + np.arange(count, dtype=np.float32)
                inputs.append(values.reshape(shape))
            case Float32Type():
                inputs.append(np.array(-number, np.float32))
            case IndexType():
                inputs.append(np.array(next(indices), np.int64))
            case IntegerType():
                inputs.append(np.array(1, np.bool_))
            case _:
                raise ValueError(f"no input of type {type}")
    return inputs


def run(
    tools: MlirTools, modules: Iterable[ModuleOp], name: str
) -> Iterator[list[Array]]:
    """The results of the function in each of the modules, which are run together."""
    calls: list[Call] = []
    for module in modules:
        (function,) = (
            op
            for op in module.ops
            if isinstance(op, FuncOp) and op.sym_name.data == name
        )
        inputs = inputs_for(list(function.function_type.inputs.data))
        calls.append(Call(print_generic(module), name, inputs))
    for results in run_calls(tools, calls):
        if isinstance(results, PeerError):
            raise results
        yield results


@pytest.mark.parametrize(
    "function",
    one_in(6, [function for function, runs in FUNCTIONS.items() if runs]),
    ids="-".join,
)
def test_functions_compute_the_same(mlir_tools: MlirTools, function: tuple[str, str]):
    file, name = function
    modules = (
        bufferized(read(file, name), eliminate=eliminate) for eliminate in (False, True)
    )
    before, after = run(mlir_tools, modules, name)
    for expected, result in zip(before, after, strict=True):
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    "file, name", [(file, name) for file in WRONG for name in sorted(WRONG[file])]
)
def test_mlir_opt_overwrites_memory_that_is_still_read(
    mlir_tools: MlirTools, file: str, name: str
):
    text = print_generic(read(file, name))
    modules = (
        parse_module(mlir_tools.opt(text, *passes, ONE_SHOT))
        for passes in ((), (ELIMINATE,))
    )
    before, after = run(mlir_tools, modules, name)
    assert before != after


@pytest.mark.parametrize("seed", one_in(12, range(12)))
def test_random_programs_compute_the_same(mlir_tools: MlirTools, seed: int):
    program = generate_program(seed)
    text = mlir_tools.opt(program.text)
    name = program.functions[-1].name
    modules = (
        bufferized(parse_module(text), eliminate=eliminate)
        for eliminate in (False, True)
    )
    expected, results = run(mlir_tools, modules, name)
    for a, b in zip(expected, results, strict=True):
        np.testing.assert_array_equal(a, b)


# Work ----------------------------------------------------------------------------------


def tiles(count: int, *, reverse: bool) -> str:
    """
    `count` tiles that are filled, then inserted, in the same or in the opposite order.
    """
    large = f"tensor<{4 * count}xf32>"
    lines = [f"func.func @tiles(%t0: {large}, %x: f32) -> {large} {{"]
    for tile in range(count):
        lines += [
            f"%e{tile} = tensor.empty() : tensor<4xf32>",
            f"%f{tile} = linalg.fill ins(%x : f32) outs(%e{tile} : tensor<4xf32>) "
            "-> tensor<4xf32>",
        ]
    order = reversed(range(count)) if reverse else range(count)
    for step, tile in enumerate(order):
        lines.append(
            f"%t{step + 1} = tensor.insert_slice %f{tile} into %t{step}[{4 * tile}] "
            f"[4] [1] : tensor<4xf32> into {large}"
        )
    return "\n".join((*lines, f"func.return %t{count} : {large}", "}"))


@pytest.mark.slow
@pytest.mark.parametrize("reverse", [False, True])
def test_work_grows_with_the_number_of_tiles(reverse: bool):
    lines: list[int] = []
    for count in (1, 150, 600):
        module = parse_module(tiles(count, reverse=reverse))
        lines.append(executed_lines(partial(eliminate_empty_tensors, module)))
        assert not any(isinstance(op, tensor.EmptyOp) for op in module.walk())
    # Four times as many; sixteen times as much if it were quadratic.
    assert lines[2] < 4.1 * lines[1]
