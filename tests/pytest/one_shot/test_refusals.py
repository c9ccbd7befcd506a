"""What a program that is refused is afterwards."""

import pytest
from xdsl.context import Context

from tests.peer.runner import parse_module
from xdsl_bufferization import OneShotOptions, one_shot_bufferize
from xdsl_bufferization.former.conversion.partial_bufferization import (
    bufferize_partially,
)
from xdsl_bufferization.support.diagnostics import BufferizationError

LAYOUT = """
func.func @layout(%t: tensor<4xf32>) -> memref<4xf32, strided<[2], offset: ?>> {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, strided<[2], offset: ?>>
  func.return %m : memref<4xf32, strided<[2], offset: ?>>
}
"""


@pytest.mark.parametrize("boundaries", [True, False])
def test_a_program_without_a_valid_layout_is_as_it_was(boundaries: bool):
    module = parse_module(LAYOUT)
    before = str(module)
    options = OneShotOptions(bufferize_function_boundaries=boundaries)
    with pytest.raises(BufferizationError, match="nothing tells its layout"):
        one_shot_bufferize(Context(), module, options)
    assert str(module) == before


def test_so_it_is_if_some_dialects_are_bufferized():
    module = parse_module(LAYOUT)
    before = str(module)
    with pytest.raises(BufferizationError, match="nothing tells its layout"):
        bufferize_partially(module, ["func"])
    assert str(module) == before


def test_a_copy_without_a_memory_space_is_refused_before_anything_changes():
    module = parse_module(
        """
        func.func @f(%t: tensor<4xi32>) -> tensor<4xi32> {
          %r = linalg.add ins(%t, %t : tensor<4xi32>, tensor<4xi32>)
                          outs(%t : tensor<4xi32>) -> tensor<4xi32>
          func.return %r : tensor<4xi32>
        }
        """
    )
    text = str(module)
    options = OneShotOptions(
        bufferize_function_boundaries=True,
        must_infer_memory_space=True,
        copy_before_write=True,
    )

    with pytest.raises(BufferizationError, match="needs to know the memory space"):
        one_shot_bufferize(Context(), module, options)

    assert str(module) == text


@pytest.mark.parametrize(
    "program",
    [
        """
        func.func @of_a_memref(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>,
                               %u: tensor<2x2xf32>, %i: index) -> f32 {
          %t = bufferization.to_tensor %m restrict writable
            : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> to tensor<4x4xf32>
          %s = tensor.insert_slice %u into %t[0, 0] [2, 2] [1, 1]
            : tensor<2x2xf32> into tensor<4x4xf32>
          %x = tensor.extract %s[%i, %i] : tensor<4x4xf32>
          func.return %x : f32
        }
        """,
        """
        func.func @of_an_argument(
            %t: tensor<4x4xf32>
              {bufferization.buffer_layout = affine_map<(d0, d1) -> (d1, d0)>},
            %u: tensor<2x2xf32>, %i: index) -> f32 {
          %s = tensor.insert_slice %u into %t[0, 0] [2, 2] [1, 1]
            : tensor<2x2xf32> into tensor<4x4xf32>
          %x = tensor.extract %s[%i, %i] : tensor<4x4xf32>
          func.return %x : f32
        }
        """,
    ],
)
def test_a_slice_of_a_layout_that_has_no_slices_is_refused_before_anything_changes(
    program: str,
):
    module = parse_module(program)
    text = str(module)
    options = OneShotOptions(bufferize_function_boundaries="of_an_argument" in program)

    with pytest.raises(BufferizationError, match="cannot be a view"):
        one_shot_bufferize(Context(), module, options)

    assert str(module) == text
