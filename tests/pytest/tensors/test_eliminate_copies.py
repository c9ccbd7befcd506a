"""`eliminate-copies`: fewer copies, no more memory, the same results, on any program."""

from __future__ import annotations

from dataclasses import replace

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, NoneAttr
from xdsl.ir import Operation

from tests.fuzzing.elimination import (
    OPTIONS,
    PIPELINE,
    all_copies,
    eliminate,
    functions_of,
    random_module,
)
from tests.fuzzing.strategy import NEEDS_TOOLS
from tests.networks import LARGE, NETWORKS
from tests.networks.files import FILES
from tests.networks.parameters import file_parameters
from tests.networks.weights import vary_weights
from tests.peer import MlirTools
from tests.peer.runner import parse_module, print_generic
from tests.programs import FAMILIES
from tests.slow import one_in, slow
from xdsl_bufferization.interfaces.contents import (
    RematerializationOpInterface,
)
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.models.shared.destinations import NewBufferModel
from xdsl_bufferization.semantics.checking.check import (
    CheckOptions,
    check,
    parse_pipeline,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.costs.profile import NO_MOVES, Bytes, Copies, Cost
from xdsl_bufferization.tensors.eliminate_copies.driver import eliminate_copies


def copies_of(module: ModuleOp) -> Copies:
    costs = Costs(AnalysedModule(module, OPTIONS))
    return all_copies(costs.of(f).copies for f in functions_of(module))


LEFT = {
    "dense": 1,
    "fire": 0,
    "inception": 1,
    "plain": 1,
    "residual": 1,
    "shuffle": 1,
    "u_shaped": 1,
}
"""The copies that are left of networks: that of the image."""


@pytest.mark.parametrize("name", one_in(12, NETWORKS))
def test_a_network_computes_the_same_with_fewer_copies(name: str):
    module = NETWORKS[name]()
    vary_weights(module)
    before, after = eliminate(module, runs=1)
    assert after.copies.number < before.copies.number
    assert after.copies.size < before.copies.size


def _cost(copies: int, copied: int, peak: int) -> Cost:
    """The number of copies, the bytes copied, and the peak of the default memory space."""
    return Cost(Copies(copies, Bytes(copied)), {NoneAttr(): Bytes(peak)})


FEWEST = {
    "fire": _cost(0, 0, 3_930_000),
    "plain": _cost(1, 602_112, 25_922_000),
    "residual": _cost(1, 602_112, 7_230_000),
    "decode": _cost(16, 22_528, 73_728),
    "dense": _cost(1, 37_632, 7_743_488),
    "inception": _cost(1, 150_528, 10_101_000),
    "shuffle": _cost(1, 602_112, 1_861_000),
    "u_shaped": _cost(1, 786_432, 76_550_656),
    # Files:
    "squeezenet": _cost(0, 0, 3_935_000),
    "resnet50": _cost(1, 602_112, 7_235_000),
    "vgg19": _cost(1, 602_112, 25_925_000),
    "deepseek_decode": _cost(56, 100_352, 615_000),
}
"""
Of networks as large as those of the papers. What is copied of an image is copied into its
padding; in a decode step, half of what is rotated.
"""


@pytest.mark.parametrize(
    "name", [*slow(sorted({*FEWEST} - {*FILES})), *file_parameters()]
)
def test_a_large_network_has_no_avoidable_copy(name: str):
    module = parse_module(FILES[name].read_text()) if name in FILES else LARGE[name]()
    eliminate_copies(module, OPTIONS)
    (function,) = functions_of(module)
    cost = Costs(AnalysedModule(module, OPTIONS)).of(function)
    assert cost._replace(moves=NO_MOVES).is_no_more_than(FEWEST[name])


MORE_IN_PLACE = "dense_anew", "shuffle"
"""Where it makes some copies that One-Shot Bufferize of this package does not."""


@pytest.mark.parametrize("name", one_in(8, sorted({*NETWORKS} - {*MORE_IN_PLACE})))
def test_mlir_opt_makes_as_few_copies(name: str, mlir_tools: MlirTools):
    module = NETWORKS[name]()
    eliminate_copies(module, OPTIONS)
    text = mlir_tools.opt(
        print_generic(module),
        "--one-shot-bufferize=bufferize-function-boundaries",
        # What is copied to itself is seen once its two subviews are one.
        "--cse",
        "--canonicalize",
    )
    assert text.count('"memref.copy"') <= copies_of(module).number


@pytest.mark.parametrize("name", one_in(2, LEFT))
def test_most_copies_in_networks_are_eliminated(name: str):
    module = NETWORKS[name]()
    eliminate_copies(module, OPTIONS)
    assert copies_of(module).number == LEFT[name]


STENCIL = """
func.func @f(%u: tensor<64xf32> {bufferize.aliasing_result = 0 : i64}) -> tensor<64xf32> {
  %l = tensor.extract_slice %u[0] [62] [1] : tensor<64xf32> to tensor<62xf32>
  %r = tensor.extract_slice %u[2] [62] [1] : tensor<64xf32> to tensor<62xf32>
  %e = tensor.empty() : tensor<62xf32>
  %s = linalg.add ins(%l, %r : tensor<62xf32>, tensor<62xf32>)
      outs(%e : tensor<62xf32>) -> tensor<62xf32>
  %n = tensor.insert_slice %s into %u[1] [62] [1] : tensor<62xf32> into tensor<64xf32>
  func.return %n : tensor<64xf32>
}
"""


def test_a_stencil_is_not_computed_in_its_source():
    module = parse_module(STENCIL)
    former = module.clone()
    eliminate_copies(module, OPTIONS)
    assert module.is_structurally_equivalent(former)


@pytest.mark.parametrize(("seed", "copies"), [(104, Copies(1, Bytes(16))), (150, None)])
def test_only_what_raises_the_peak_is_left_out(seed: int, copies: Copies | None):
    # The same programs whatever tools there are.
    _, module = random_module(seed, [f for f in FAMILIES if f != NEEDS_TOOLS])
    before, after = eliminate(module, runs=1)
    assert after.copies.number < before.copies.number
    assert copies is None or copies == after.copies


@pytest.mark.parametrize("seed", [23, 59, 84, 95])
def test_a_higher_peak_is_traded_for_copies(seed: int):
    _, module = random_module(seed)
    traded = module.clone()
    eliminate_copies(module, OPTIONS)
    eliminate_copies(traded, OPTIONS, max_peak_increase=100)
    assert copies_of(traded).number <= copies_of(module).number
    before, after = (Costs(AnalysedModule(m, OPTIONS)) for m in (module, traded))
    for function, changed in zip(
        functions_of(module), functions_of(traded), strict=True
    ):
        for space, peak in after.of(changed).peaks.items():
            assert peak <= 2 * before.of(function).peaks[space]


@pytest.mark.parametrize("seed", [*range(4), 5047, 10460, *slow(range(4, 60))])
def test_a_random_program_computes_the_same_with_no_more_copies(seed: int):
    _, module = random_module(seed)
    try:
        eliminate(module, runs=2)
    except BufferizationError:
        # Refused, and left as it was.
        with pytest.raises(BufferizationError):
            parse_pipeline(PIPELINE).apply(Context(), module.clone())


FORCED = """
func.func @f(%t: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r, %t : tensor<4xf32>, tensor<4xf32>
}
"""


def test_a_program_of_forced_copies_is_not_changed():
    module = parse_module(FORCED)
    function = module.body.block.first_op
    former = module.clone()
    eliminate_copies(module, OPTIONS)
    assert module.is_structurally_equivalent(former)
    assert module.body.block.first_op is function


CALLS = """
func.func private @add(%t: tensor<8xf32>, %u: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.add ins(%t, %u : tensor<8xf32>, tensor<8xf32>)
      outs(%u : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}
func.func @main(%t: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %r = func.call @add(%t, %zero) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %s = func.call @add(%r, %zero) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %r, %s : tensor<8xf32>, tensor<8xf32>
}
"""


def test_what_calls_overwrite_is_computed_again():
    before, after = eliminate(parse_module(CALLS), runs=2)
    assert (before.copies, after.copies) == (Copies(2, Bytes(64)), Copies())


def test_without_function_boundaries_arguments_stay_tensors():
    module = parse_module(CALLS)
    former = module.clone()
    options = replace(OPTIONS, bufferize_function_boundaries=False)
    eliminate_copies(module, options)
    assert check(former, module, CheckOptions(runs=1)).ok


REFUSED = """
func.func @f(%m: memref<4xf32>) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  func.return %t : tensor<4xf32>
}
"""


def test_what_can_not_be_bufferized_is_refused_as_it_is():
    module = parse_module(REFUSED)
    former = module.clone()
    with pytest.raises(BufferizationError):
        eliminate_copies(module, OPTIONS)
    assert module.is_structurally_equivalent(former)


IOTA = """
func.func @f(%a: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %z = "iota.numbers"() : () -> tensor<2x2xf32>
  %m = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>)
      outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
  %n = linalg.matmul ins(%m, %a : tensor<2x2xf32>, tensor<2x2xf32>)
      outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %m, %n : tensor<2x2xf32>, tensor<2x2xf32>
}
"""


class CheapNumbers(RematerializationOpInterface):
    """They are made of nothing."""

    def bytes_read(self, op: Operation) -> int:
        return 0


def test_ops_of_other_packages_take_part():
    register_model("iota.numbers", NewBufferModel())
    module = parse_module(IOTA)
    eliminate_copies(module, OPTIONS)
    assert copies_of(module) == Copies(1, Bytes(16))
    register_model("iota.numbers", CheapNumbers())
    eliminate_copies(module, OPTIONS)
    assert copies_of(module) == Copies()
