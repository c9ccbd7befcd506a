"""The loops of structured ops, against the maps by which programs are run."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import UnregisteredOp, f32
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tests.peer.runner import parse_module
from xdsl_bufferization.interfaces.loop_like import LoopNest, LoopNestOpInterface
from xdsl_bufferization.semantics.dialects.tensor import NAMES, indexing_maps

BY_LAYOUT = sorted(n for n in NAMES if "conv_" in n or n.startswith("pooling_"))


def named(name: str) -> Operation:
    """An op of the name, with as many operands as it has."""
    operands = test.TestOp(
        result_types=[f32] * (5 if name.endswith("_q") else 3)
    ).results
    return UnregisteredOp.with_name(f"linalg.{name}").create(operands=operands)


def nest_of(maps: Sequence[AffineMap]) -> LoopNest:
    """The loops that the maps tell."""
    indices = [
        [r.position if isinstance(r, AffineDimExpr) else None for r in map.results]
        for map in maps
    ]
    composite = {
        dimension
        for map in maps
        for result in map.results
        if not isinstance(result, AffineDimExpr)
        for dimension in result.used_dims()
    }
    loops = range(maps[0].num_dims)
    sums = [loop for loop in loops if loop not in indices[-1]]
    return LoopNest(indices, frozenset(loops) - composite, sums)


def as_chosen(nest: LoopNest) -> tuple[object, ...]:
    """The nest with loops for which their dimension in the init, or place in the sums, stands."""
    names: dict[int | None, object] = {None: None}
    names |= {loop: d for d, loop in enumerate(nest.operands[-1])}
    names |= {loop: f"sum {i}" for i, loop in enumerate(nest.reductions)}
    return (
        [[names[loop] for loop in indices] for indices in nest.operands],
        {names[loop] for loop in nest.tileable},
        len(nest.reductions),
    )


@pytest.mark.parametrize("name", BY_LAYOUT)
def test_the_name_of_a_convolution_tells_its_loops(name: str):
    op = named(name)
    model = LoopNestOpInterface.of(op)
    nest = model and model.loop_nest(op)
    assert nest is not None
    assert as_chosen(nest) == as_chosen(nest_of(indexing_maps(op)))


def nest_in(text: str) -> LoopNest | None:
    module = parse_module(text)
    (op,) = (o for o in module.walk() if LoopNestOpInterface.of(o) and o.results)
    model = LoopNestOpInterface.of(op)
    return model and model.loop_nest(op)


def test_a_matrix_product_sums_up_its_last_loop():
    nest = nest_in("""
      func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>, %c: tensor<2x5xf32>)
        -> tensor<2x5xf32> {
        %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x5xf32>)
          outs(%c : tensor<2x5xf32>) -> tensor<2x5xf32>
        func.return %r : tensor<2x5xf32>
      }
    """)
    assert nest is not None
    assert [[*indices] for indices in nest.operands] == [[0, 2], [2, 1], [0, 1]]
    assert [*nest.reductions] == [2]
    assert all(map(nest.can_be_split, range(3)))


def test_overlapping_windows_cannot_be_split():
    nest = nest_in("""
      #in = affine_map<(d0, d1) -> (d0 + d1)>
      #window = affine_map<(d0, d1) -> (d1)>
      #out = affine_map<(d0, d1) -> (d0)>
      func.func @f(%a: tensor<6xf32>, %w: tensor<3xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
        %r = linalg.generic {indexing_maps = [#in, #window, #out],
            iterator_types = ["parallel", "reduction"]}
          ins(%a, %w : tensor<6xf32>, tensor<3xf32>) outs(%c : tensor<4xf32>) {
        ^bb0(%x: f32, %y: f32, %z: f32):
          %p = arith.mulf %x, %y : f32
          %s = arith.addf %z, %p : f32
          linalg.yield %s : f32
        } -> tensor<4xf32>
        func.return %r : tensor<4xf32>
      }
    """)
    assert nest is not None
    assert [*nest.operands[0]] == [None]
    assert not nest.tileable
