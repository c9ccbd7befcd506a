"""Elementwise ops on tensors, as `linalg.generic`."""

from __future__ import annotations

from xdsl.context import Context

from tests.other_dialects import registered
from tests.peer.runner import parse_module
from xdsl_bufferization import OneShotOptions, one_shot_bufferize
from xdsl_bufferization.interfaces.contents import ElementwiseMappable
from xdsl_bufferization.semantics.checking.check import check
from xdsl_bufferization.transforms.convert_elementwise_to_linalg import (
    convert_elementwise_to_linalg,
)

OPTIONS = OneShotOptions(bufferize_function_boundaries=True)


def test_the_program_computes_the_same():
    module = parse_module(
        """
func.func @f(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>)
    -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %0 = "arith.addf"(%a, %b) <{fastmath = #arith.fastmath<none>}>
    : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = "arith.cmpf"(%0, %a) <{predicate = 4 : i64, fastmath = #arith.fastmath<none>}>
    : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
  %2 = "arith.select"(%1, %0, %b)
    : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %3 = "arith.subf"(%2, %a) <{fastmath = #arith.fastmath<none>}>
    : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %0, %3, %b : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}"""
    )
    after = module.clone()
    convert_elementwise_to_linalg(after)
    after.verify()
    converted = after.clone()
    one_shot_bufferize(Context(), after, OPTIONS)
    after.verify()
    report = check(converted, after)
    assert report.ok, report


def test_an_op_of_another_dialect():
    module = parse_module(
        """
func.func @f(%a: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %0 = "more.power"(%a, %x) {some = 1} : (tensor<?xf32>, f32) -> tensor<?xf32>
  func.return %0 : tensor<?xf32>
}"""
    )
    with registered([("more.*", ElementwiseMappable())]):
        convert_elementwise_to_linalg(module)
    module.verify()
    assert '"more.power"(%1, %2) {some = 1 : i64} : (f32, f32) -> f32' in str(module)
