"""What an older xDSL prints is compared as the installed one prints it, and nothing else is."""

from __future__ import annotations

import pytest

from tests.releases.checking import printed_again

# Blocks are numbered from 0 without the first one, and slices are in generic form.
OLDER = """builtin.module {
  func.func @f(%c: i1, %t: tensor<4xf32>) -> tensor<2xf32> {
    cf.cond_br %c, ^bb0, ^bb1
  ^bb0:
    cf.br ^bb1
  ^bb1:
    %s = "tensor.extract_slice"(%t) <{
      static_offsets = array<i64: 1>, static_sizes = array<i64: 2>,
      static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0>
    }> : (tensor<4xf32>) -> tensor<2xf32>
    func.return %s : tensor<2xf32>
  }
}
"""

NEWER = """
builtin.module {
  func.func @f(%c: i1, %t: tensor<4xf32>) -> tensor<2xf32> {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    cf.br ^bb2
  ^bb2:
    %s = tensor.extract_slice %t[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
    func.return %s : tensor<2xf32>
  }
}
"""


def test_programs_are_printed_as_the_installed_xdsl_does():
    assert printed_again(OLDER) == NEWER


def test_each_part_of_a_split_program_is_printed():
    assert printed_again(f"{OLDER}// -----\n{OLDER}") == f"{NEWER}// -----{NEWER}"


def test_generic_form_stays_generic():
    printed = printed_again('"builtin.module"() ({\n}) : () -> ()\n')

    assert printed.split() == ['"builtin.module"()', "({", "})", ":", "()", "->", "()"]


@pytest.mark.parametrize("text", ["", "\n", "@f, x.mlir:2:1\n  copies: 0\n"])
def test_what_is_no_program_stays_as_it_is(text: str):
    assert printed_again(text) == text
