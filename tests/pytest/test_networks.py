"""Whole networks, with smaller dimensions, mean the same after bufferization."""

import re
from dataclasses import replace
from functools import partial
from typing import NamedTuple, cast

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.dialects.memref import CopyOp
from xdsl.rewriter import Rewriter

from benchmarks.memory import arenas_of
from tests.networks import NETWORKS
from tests.networks.dimensions import Scale, ScalingError
from tests.networks.files import FILES
from tests.networks.parameters import file_parameters
from tests.networks.scale import scale_down, scaled_network
from tests.networks.weights import vary_weights
from tests.peer import MlirTools
from tests.peer.runner import parse_module, print_generic
from tests.programs.comparison import OPTIONS, PEER_OPTIONS, decisions
from tests.slow import one_in
from xdsl_bufferization import one_shot_bufferize
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.annotations import IN_PLACE_ATTRIBUTE
from xdsl_bufferization.planning import Buffer, lower_bound
from xdsl_bufferization.semantics.checking.check import CheckOptions, check
from xdsl_bufferization.semantics.checking.report import ProblemKind
from xdsl_bufferization.transforms.buffer_deallocation_pipeline import (
    BufferDeallocationPipeline,
)
from xdsl_bufferization.transforms.plan_static_memory import PlanStaticMemoryPass
from xdsl_bufferization.verification.functions import check_decisions

SCALES = {
    # Heads of 16 elements: what is loaded as one vector.
    "deepseek_decode": Scale(256, least=2),
    # Images of 32 by 32 pixels become a single one in the last layers.
    "resnet50": Scale(7),
    "squeezenet": Scale(7),
    "vgg19": Scale(7),
}
"""Of the networks that are files."""

FEWEST_BUFFERS = {name: 40 if name in FILES else 8 for name in (*NETWORKS, *FILES)}
"""Without which there is nothing to plan."""


class Network(NamedTuple):
    """A network on tensors, so small that it runs in seconds."""

    name: str
    module: ModuleOp


@pytest.fixture(scope="module", params=[*one_in(4, NETWORKS), *file_parameters()])
def network(request: pytest.FixtureRequest) -> Network:
    return read(request.param)


def read(name: str) -> Network:
    if name in FILES:
        return Network(name, scaled_network(FILES[name], SCALES[name]))
    module = NETWORKS[name]()
    vary_weights(module)
    return Network(name, module)


def test_a_network_computes_the_same_and_frees_all(network: Network):
    after = network.module.clone()
    one_shot_bufferize(Context(), after, OPTIONS)
    runs = CheckOptions(runs=1)
    if network.name != "deepseek_decode":
        # Its loops take the interpreter long, so they are run at the end only.
        report = check(network.module, after, runs)
        assert report.ok, report
    BufferDeallocationPipeline().apply(Context(), after)
    after.verify()
    report = check(network.module, after, replace(runs, leaks=True))
    assert report.ok, report


def test_the_buffers_of_a_network_fit_in_what_is_needed_at_once(network: Network):
    after = network.module.clone()
    one_shot_bufferize(Context(), after, OPTIONS)
    arenas = [
        arena
        for op in after.walk()
        if isinstance(op, FuncOp)
        for arena in arenas_of(op)
    ]
    buffers = sum(len(arena.buffers) for arena in arenas)
    assert buffers > FEWEST_BUFFERS[network.name]
    for arena in arenas:
        # Scaled down, many buffers are smaller than what they are aligned to.
        lives = [Buffer(b.lower, b.upper, b.size, b.alignment) for b in arena.buffers]
        padded = [
            replace(b, size=-(-b.size // b.alignment) * b.alignment) for b in lives
        ]
        assert 100 * arena.plan.height <= 102 * lower_bound(padded)
    PlanStaticMemoryPass().apply(Context(), after)
    after.verify()
    if network.name != "deepseek_decode":
        report = check(network.module, after, CheckOptions(runs=1))
        assert report.ok, report


def test_the_decisions_about_a_network_are_proved(
    network: Network, mlir_tools: MlirTools
):
    one_shot = OneShotBufferization(network.module.clone(), OPTIONS)
    one_shot.analyze()
    one_shot.annotate()
    module = one_shot.module
    prove = partial(
        check_decisions,
        module,
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
    )
    assert not prove()

    flags = f"--one-shot-bufferize={PEER_OPTIONS} test-analysis-only"
    peer = decisions(mlir_tools.opt(print_generic(network.module), flags))
    # An op's attributes are printed behind its regions.
    ops = module.walk(region_first=True)
    decided = [op for op in ops if IN_PLACE_ATTRIBUTE in op.attributes]
    # Reading what mlir-opt prints would take far longer than to write it down here.
    for op, text in zip(decided, peer, strict=True):
        words = [StringAttr(word.strip(' "')) for word in text.split(",")]
        op.attributes[IN_PLACE_ATTRIBUTE] = ArrayAttr(words)
    assert not prove()

    # One copy less is too few.
    copy = StringAttr("false")
    for op in decided:
        words = cast("ArrayAttr[StringAttr]", op.attributes[IN_PLACE_ATTRIBUTE])
        if copy in words:
            in_place = [StringAttr("true") if w == copy else w for w in words]
            op.attributes[IN_PLACE_ATTRIBUTE] = ArrayAttr(in_place)
            break
    assert prove()


@pytest.mark.parametrize(
    ("name", "step"),
    [("fire", 3), *file_parameters(["squeezenet"], 12)],
)
def test_each_copy_in_a_network_counts(name: str, step: int):
    _, module = read(name)
    bufferized = module.clone()
    one_shot_bufferize(Context(), bufferized, OPTIONS)
    copies = sum(isinstance(op, CopyOp) for op in bufferized.walk())
    assert copies
    for i in range(0, copies, step):
        after = bufferized.clone()
        copy = [op for op in after.walk() if isinstance(op, CopyOp)][i]
        Rewriter.erase_op(copy)
        report = check(module, after, CheckOptions(runs=1))
        assert report.problem is not None
        assert report.problem.kind in (
            ProblemKind.DIFFERENCE,
            ProblemKind.UNINITIALISED,
        )


CONVOLUTIONS = """
func.func @f(%image: tensor<1x3x32x32xf32>) -> tensor<1x896xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<32x3x3x3xf32>
  %padded = tensor.pad %image low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x3x32x32xf32> to tensor<1x3x34x34xf32>
  %empty = tensor.empty() : tensor<1x32x16x16xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>,
                                 dilations = dense<1> : vector<2xi64>}
      ins(%padded, %w : tensor<1x3x34x34xf32>, tensor<32x3x3x3xf32>)
      outs(%empty : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  %both = tensor.concat dim(1) %y, %y
      : (tensor<1x32x16x16xf32>, tensor<1x32x16x16xf32>) -> tensor<1x64x16x16xf32>
  %window = tensor.empty() : tensor<16x3xf32>
  %row = tensor.empty() : tensor<1x64x1x14xf32>
  %pool = linalg.pooling_nchw_max {strides = dense<1> : vector<2xi64>,
                                   dilations = dense<1> : vector<2xi64>}
      ins(%both, %window : tensor<1x64x16x16xf32>, tensor<16x3xf32>)
      outs(%row : tensor<1x64x1x14xf32>) -> tensor<1x64x1x14xf32>
  %flat = tensor.collapse_shape %pool [[0], [1, 2, 3]]
      : tensor<1x64x1x14xf32> into tensor<1x896xf32>
  func.return %flat : tensor<1x896xf32>
}
"""
"""The window of the pooling is as high as what it reads, but not as wide."""

LOOPS = """
func.func @f(%t: tensor<64x96xf32>, %m: memref<12x64xf32>) -> tensor<64x192xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %out = tensor.empty() : tensor<64x192xf32>
  %left = tensor.insert_slice %t into %out[0, 0] [64, 96] [1, 1]
      : tensor<64x96xf32> into tensor<64x192xf32>
  %all = tensor.insert_slice %t into %left[0, 96] [64, 96] [1, 1]
      : tensor<64x96xf32> into tensor<64x192xf32>
  %groups = memref.alloc() : memref<4x64xf32>
  affine.for %i = 0 to 12 {
    %group = arith.divsi %i, %c3 : index
    affine.for %j = 0 to 64 step 4 {
      %v = vector.load %m[%i, %j] : memref<12x64xf32>, vector<4xf32>
      vector.store %v, %groups[%group, %j] : memref<4x64xf32>, vector<4xf32>
    }
  }
  scf.for %j = %c0 to %c64 step %c1 {
    %x = tensor.extract %all[%j, %c0] : tensor<64x192xf32>
    memref.store %x, %groups[%c0, %j] : memref<4x64xf32>
  }
  func.return %all : tensor<64x192xf32>
}
"""


@pytest.mark.parametrize(
    "program, scale, expected",
    [
        (CONVOLUTIONS, Scale(1), "(tensor<1x3x32x32xf32>) -> tensor<1x896xf32>"),
        (CONVOLUTIONS, Scale(2), "(tensor<1x3x16x16xf32>) -> tensor<1x192xf32>"),
        (
            LOOPS,
            Scale(16, least=8),
            "(tensor<8x8xf32>, memref<12x8xf32>) -> tensor<8x16xf32>",
        ),
        (
            LOOPS,
            Scale(16, least=2),
            "(tensor<4x6xf32>, memref<4x4xf32>) -> tensor<4x12xf32>",
        ),
    ],
    ids=["as it is", "convolutions", "loops", "loops over groups"],
)
def test_what_belongs_together_becomes_smaller_together(
    mlir_tools: MlirTools, program: str, scale: Scale, expected: str
):
    module = parse_module(mlir_tools.opt(program))
    scale_down(module, scale)
    smaller = mlir_tools.opt(print_generic(module))
    assert f"function_type = {expected}" in smaller


@pytest.mark.parametrize(
    "program, reason",
    [
        (CONVOLUTIONS, "a size of 14 becomes -1"),
        (
            """
            func.func @f(%t: tensor<64xf32>, %s: tensor<1xindex>) -> tensor<64xf32> {
              %r = tensor.reshape %t(%s)
                  : (tensor<64xf32>, tensor<1xindex>) -> tensor<64xf32>
              func.return %r : tensor<64xf32>
            }
            """,
            "nothing is known of the dimensions of tensor.reshape",
        ),
        (
            "func.func @f(%t: tensor<?xf32>) { func.return }",
            "tensor<?xf32> has unknown sizes",
        ),
    ],
    ids=["no fit", "unknown op", "unknown size"],
)
def test_what_cannot_be_scaled_is_refused(
    mlir_tools: MlirTools, program: str, reason: str
):
    module = parse_module(mlir_tools.opt(program))
    with pytest.raises(ScalingError, match=re.escape(reason)):
        scale_down(module, Scale(16, least=2))
