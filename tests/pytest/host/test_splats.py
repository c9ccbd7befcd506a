"""A splat is one value, and otherwise like xDSL's."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any, cast

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    TensorType,
    f32,
    i8,
)
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

from tests.round_trips import rewrite
from xdsl_bufferization.host import repairs
from xdsl_bufferization.host.literals import RepeatedBytes
from xdsl_bufferization.support.locations import Text
from xdsl_bufferization.support.reading import (
    LocatingParser,
    context_of_all_dialects,
    parse_module,
)

repairs.apply(import_all=True)

_Dense = DenseIntOrFPElementsAttr[Any]


def _parse(text: str) -> _Dense:
    parser = LocatingParser(Context(), Text("splat", text))
    return cast(_Dense, parser.parse_attribute())


@pytest.mark.parametrize("count", [2, 100, 10_000])
def test_splats_are_equal_however_they_are_made(count: int):
    type = TensorType(i8, [count])
    parsed = _parse(f"dense<7> : tensor<{count}xi8>")
    made = [
        DenseIntOrFPElementsAttr.from_list(type, [7]),
        DenseIntOrFPElementsAttr.from_list(type, [7] * count),
        DenseIntOrFPElementsAttr(type, BytesAttr(b"\7" * count)),
        _parse(f'dense<"0x{"07" * count}"> : tensor<{count}xi8>'),
        pickle.loads(pickle.dumps(parsed)),
    ]

    assert all(attribute == parsed for attribute in made)
    assert len({parsed, *made}) == 1
    assert parsed.data.data == b"\7" * count
    assert [*parsed.iter_values()] == [*parsed.get_values()] == [7] * count
    assert len(parsed) == count
    assert parsed.is_splat()
    assert parsed != _parse(f"dense<8> : tensor<{count}xi8>")


_BEFORE_AND_AFTER = """
import pickle, sys
from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i8
from xdsl.parser import Parser

text = "dense<7> : tensor<4096xi8>"
before = Parser(Context(), text).parse_attribute()
table = {before: "found"}
pickled = pickle.dumps(before)

from xdsl_bufferization.host.literals import RepeatedBytes
from xdsl_bufferization.support.locations import Text
from xdsl_bufferization.support.reading import LocatingParser, context_of_all_dialects

after = LocatingParser(context_of_all_dialects(), Text("t", text)).parse_attribute()
assert isinstance(after.data, RepeatedBytes) and not isinstance(before.data, RepeatedBytes)
assert before == after == before and pickle.loads(pickled) == after
assert b"xdsl_bufferization" not in pickle.dumps(after)
print(table[after])
"""


def test_splats_made_before_the_package_is_called_are_equal():
    run = subprocess.run(
        [sys.executable, "-c", _BEFORE_AND_AFTER],
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.stdout == "found\n", run.stderr


def test_large_splats_take_no_memory_for_each_element():
    splat = _parse("dense<2.0> : tensor<1000000x1000000x1000000xf32>")

    assert isinstance(splat.data, RepeatedBytes)
    assert isinstance(splat.data, BytesAttr)
    assert len(splat) == 10**18
    assert str(splat) == ("dense<2.000000e+00> : tensor<1000000x1000000x1000000xf32>")


def test_others_have_all_elements():
    numbers = [0.0] * 9_999 + [-0.0]
    dense = DenseIntOrFPElementsAttr.from_list(TensorType(f32, [10_000]), numbers)

    assert not dense.is_splat()
    assert [*map(str, dense.get_values())] == [*map(str, numbers)]


def test_operations_print_large_splats():
    text = '"test.op"() {a = dense<true> : tensor<1000000000xi1>} : () -> ()'

    assert "dense<true> : tensor<1000000000xi1>" in rewrite(text, generic=False)


_CONSTANT = """
func.func @f(%x: f32, %i: index) -> tensor<1000000000000000xf32> {
  %c = arith.constant dense<2.0> : tensor<1000000000000000xf32>
  %a = arith.constant dense<2.0> : tensor<1000000000000000xf32>
  %t = tensor.insert %x into %c[%i] : tensor<1000000000000000xf32>
  %y = tensor.extract %c[%i] : tensor<1000000000000000xf32>
  %u = linalg.add ins(%t, %a : tensor<1000000000000000xf32>, tensor<1000000000000000xf32>)
      outs(%t : tensor<1000000000000000xf32>) -> tensor<1000000000000000xf32>
  func.return %u : tensor<1000000000000000xf32>
}
"""


@pytest.mark.parametrize(
    "pipeline",
    [
        "bufferize,canonicalize,cse",
        "one-shot-bufferize{bufferize-function-boundaries},buffer-hoisting,"
        "buffer-deallocation-pipeline",
        "tensor-copy-insertion",
        "tensor-constant-bufferize,linalg-bufferize,tensor-bufferize,func-bufferize,"
        "finalizing-bufferize",
        "bufferize,buffer-results-to-out-params,plan-static-memory",
    ],
)
def test_passes_keep_a_large_splat_as_one_value(pipeline: str):
    """All elements, four petabytes, would not be to be had."""
    universe = Universe.get_multiverse()
    context = context_of_all_dialects()
    module = parse_module(context, _CONSTANT, "splat.mlir")

    PassPipeline.parse_spec(universe.all_passes, pipeline).apply(context, module)

    assert "dense<2.000000e+00> :" in str(module)
