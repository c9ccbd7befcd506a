"""
Bufferization in several passes: what is left between them, that nothing is left in the end,
and that the program computes what it did.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.environments import PROJECT
from tests.networks import LARGE, NETWORKS
from tests.networks.dimensions import Scale
from tests.networks.files import FILES
from tests.networks.parameters import file_parameters
from tests.networks.scale import scaled_network
from tests.networks.weights import vary_weights
from tests.peer import MlirTools
from tests.peer.runner import parse_module, print_generic
from tests.programs import FAMILIES, generate_program
from tests.slow import one_in
from tests.xdsl_opt import run_xdsl_opt
from xdsl_bufferization import one_shot_bufferize
from xdsl_bufferization.semantics.checking.check import (
    CheckOptions,
    check,
    check_pipeline,
    parse_pipeline,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import LayoutMapOption, OneShotOptions
from xdsl_bufferization.support.reading import context_of_all_dialects
from xdsl_bufferization.support.shaped_types import has_tensor_semantics

EXAMPLES = sorted((PROJECT / "examples").glob("*.mlir"))
FILECHECK = PROJECT / "tests" / "filecheck" / "former"

EIGHT_PASSES = (
    "tensor-constant-bufferize",
    "scf-bufferize",
    "linalg-bufferize",
    "arith-bufferize",
    "tensor-bufferize",
    "bufferization-bufferize",
    "func-bufferize",
    "finalizing-bufferize",
)
"""
The pipeline of MLIR's document, with today's passes in place of `std-bufferize`, and
without the one of a dialect that is not there.
"""
PARTIAL = EIGHT_PASSES[1:-1]


def context() -> Context:
    """All dialects."""
    return context_of_all_dialects(allow_unregistered=True)


def run(module: ModuleOp, *passes: str) -> None:
    """Apply the passes."""
    parse_pipeline(",".join(passes)).apply(context(), module)
    module.verify()


def one_dialect(name: str) -> str:
    """What there is no partial pass of its own for."""
    return (
        f"one-shot-bufferize{{dialect-filter={name},bufferization copy-before-write "
        "unknown-type-conversion=identity-layout-map}"
    )


def assert_no_tensors(module: ModuleOp) -> None:
    """Nothing is on tensors."""
    assert not [op for op in module.walk() if has_tensor_semantics(op)]


# Programs -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_compute_what_one_shot_makes_of_them(
    mlir_tools: MlirTools, path: Path
):
    module = parse_module(mlir_tools.opt(path.read_text()))
    partially, at_once = module.clone(), module.clone()
    run(partially, *EIGHT_PASSES)
    one_shot_bufferize(
        context(),
        at_once,
        OneShotOptions(
            bufferize_function_boundaries=True,
            function_boundary_type_conversion=LayoutMapOption.IDENTITY,
        ),
    )
    assert_no_tensors(partially)
    mlir_tools.opt(print_generic(partially))
    for after in (partially, at_once):
        report = check(module, after, CheckOptions(runs=2))
        assert report.ok, report


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fire", *file_parameters(["squeezenet"])])
def test_a_network_of_full_size(mlir_tools: MlirTools, name: str, tmp_path: Path):
    path = FILES.get(name, tmp_path / "network.mlir")
    if name in LARGE:
        path.write_text(print_generic(LARGE[name]()))
    text = run_xdsl_opt(path, "-p", ",".join(EIGHT_PASSES), "--print-op-generic")
    assert '"bufferization.' not in text
    # It has passed the verifier.
    assert mlir_tools.opt(text)


SOME_NETWORKS = "decode", "dense", "fire", "shuffle", "u_shaped"
"""
Others have the same ops, but for `decode_in_memory`: partial passes take it that nobody
writes to the result of `to_buffer`.
"""


@pytest.mark.parametrize("name", [*SOME_NETWORKS, *file_parameters(["squeezenet"])])
def test_a_small_network_computes_the_same(name: str):
    if name in FILES:
        module = scaled_network(FILES[name], Scale(7))
    else:
        module = NETWORKS[name]()
        vary_weights(module)
    after = module.clone()
    run(after, *EIGHT_PASSES)
    assert_no_tensors(after)
    report = check(module, after, CheckOptions(runs=1))
    assert report.ok, report


@pytest.mark.parametrize("seed", one_in(4, range(8)))
def test_order_does_not_matter(mlir_tools: MlirTools, seed: int):
    random = Random(seed)
    families = [
        family
        for family in FAMILIES
        if family != "unknown sizes" and random.random() < 0.4
    ]
    text = mlir_tools.opt(generate_program(random, families, functions=2).text)
    module = parse_module(text)
    passes = [*PARTIAL, one_dialect("vector"), one_dialect("affine")]
    random.shuffle(passes)
    pipeline = ",".join([*passes, "finalizing-bufferize"])
    report = check_pipeline(context(), module, pipeline, CheckOptions(runs=2))
    assert report.ok, report


MIXED = """
func.func @f(%t: tensor<8xf32>, %c: i1, %i: index, %f: f32) -> (tensor<8xf32>, f32) {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = scf.if %c -> (tensor<8xf32>) {
    %3 = tensor.insert %f into %0[%i] : tensor<8xf32>
    scf.yield %3 : tensor<8xf32>
  } else {
    scf.yield %1 : tensor<8xf32>
  }
  %4 = linalg.add ins(%0, %2 : tensor<8xf32>, tensor<8xf32>)
                  outs(%2 : tensor<8xf32>) -> tensor<8xf32>
  %5 = tensor.extract %2[%i] : tensor<8xf32>
  return %4, %5 : tensor<8xf32>, f32
}
"""


@pytest.mark.parametrize(
    "first", ["linalg", "tensor", "scf", "tensor,linalg", "tensor,scf,linalg"]
)
def test_one_shot_first(mlir_tools: MlirTools, first: str):
    """Some dialects with an analysis, then all others."""
    module = parse_module(mlir_tools.opt(MIXED))
    pipeline = ",".join(
        [
            f"one-shot-bufferize{{dialect-filter={first},bufferization}}",
            *PARTIAL,
            "finalizing-bufferize",
        ]
    )
    report = check_pipeline(context(), module, pipeline)
    assert report.ok, report


# What is left -------------------------------------------------------------------------

OPTIONS = (
    "copy-before-write unknown-type-conversion=identity-layout-map "
    "function-boundary-type-conversion=identity-layout-map "
)


@pytest.mark.parametrize("dialect", ["arith", "linalg", "scf", "tensor", "func"])
def test_the_same_ops_are_left_on_tensors_as_by_mlir_opt(
    mlir_tools: MlirTools, dialect: str
):
    boundaries = "bufferize-function-boundaries " if dialect == "func" else ""
    peer = parse_module(
        mlir_tools.opt(
            MIXED,
            f"--one-shot-bufferize=dialect-filter={dialect},bufferization "
            f"{boundaries}{OPTIONS}",
        )
    )
    ours = parse_module(mlir_tools.opt(MIXED))
    run(ours, f"{dialect}-bufferize")
    mlir_tools.opt(print_generic(ours))

    def on_tensors(module: ModuleOp) -> list[str]:
        return [
            op.name
            for op in module.walk()
            if has_tensor_semantics(op)
            and op.name.split(".")[0] != "bufferization"
            # A size of a new buffer is asked of the buffer here.
            and op.name != "tensor.dim"
        ]

    assert on_tensors(ours) == on_tensors(peer)
    assert any(op.name.startswith("bufferization.") for op in ours.walk()) == any(
        op.name.startswith("bufferization.") for op in peer.walk()
    )


NAMES = ["arith", "bufferization", "finalizing", "func", "linalg", "scf", "tensor"]


@pytest.mark.parametrize("name", NAMES)
def test_mlir_opt_accepts_it(mlir_tools: MlirTools, name: str):
    path = FILECHECK / f"{name}-bufferize.mlir"
    text = run_xdsl_opt(path, "-p", f"{name}-bufferize", "--print-op-generic")
    assert mlir_tools.opt(text, "--allow-unregistered-dialect")


def test_one_op_that_nothing_bufferizes(mlir_tools: MlirTools):
    """It is the only one that is left, and the error says where it is."""
    text = MIXED.replace(
        "  return",
        '  %6 = "my.op"(%4) : (tensor<8xf32>) -> tensor<8xf32> loc("model.py":12:3)\n'
        "  return",
    ).replace("return %4", "return %6")
    generic = mlir_tools.opt(
        text, "--allow-unregistered-dialect", "--mlir-print-debuginfo"
    )
    module = parse_module(generic)
    run(module, *EIGHT_PASSES[:-1])
    before = str(module)
    left = [op_name(op) for op in module.walk() if has_tensor_semantics(op)]
    assert left == ["bufferization.to_tensor", "my.op", "bufferization.to_buffer"]
    with pytest.raises(BufferizationError) as error:
        run(module, EIGHT_PASSES[-1])
    assert str(error.value).startswith(
        "'my.op' is still on tensors\n  at: model.py:12:3: in @f, "
    )
    assert str(module) == before
