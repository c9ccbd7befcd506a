"""
Slices that have no element in common; tiles of a loop are compared with the elements of each.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from tests.peer.runner import parse_module
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.one_shot.facts.slices import When, may_overlap

ITERATIONS = 6
"""How many of a loop the elements are compared of."""


class Tile(NamedTuple):
    """A slice whose offset is a linear function of the induction variable, or of `%k`."""

    variable: str
    factor: int
    constant: int
    size: int
    stride: int

    def elements(self, i: int, k: int) -> set[int]:
        """The indices of its elements where the variables have these values."""
        offset = self.factor * (i if self.variable == "%i" else k) + self.constant
        return {offset + self.stride * number for number in range(self.size)}


VARIABLES = st.sampled_from(["%i", "%k"])
FACTORS = st.integers(-2, 2)
CONSTANTS = st.integers(-5, 5)
SIZES = st.integers(1, 3)
STRIDES = st.sampled_from([1, 2, -1])

TILES = st.builds(Tile, VARIABLES, FACTORS, CONSTANTS, SIZES, STRIDES)


def tiles_like(tile: Tile) -> st.SearchStrategy[Tile]:
    """Tiles that often have something in common with this one."""
    return st.builds(
        Tile,
        VARIABLES | st.just(tile.variable),
        FACTORS | st.just(tile.factor),
        CONSTANTS | st.just(tile.constant),
        SIZES | st.just(tile.size),
        STRIDES | st.just(tile.stride),
    )


LOOPS = {
    "scf.for": (
        "scf.for %i = %lb to %ub step %step iter_args(%a = %t) -> (tensor<99xf32>)",
        "scf.yield %a : tensor<99xf32>",
    ),
    "scf.forall": (
        "scf.forall (%i) = (%lb) to (%ub) step (%step) shared_outs(%a = %t)"
        " -> (tensor<99xf32>)",
        "scf.forall.in_parallel {}",
    ),
}


@cache
def loop_of(kind: str, step: int) -> Operation:
    """A loop, in a function whose third argument is `%k`."""
    head, end = LOOPS[kind]
    module = parse_module(f"""
func.func @f(%lb: index, %ub: index, %k: index, %t: tensor<99xf32>) -> tensor<99xf32> {{
  %step = arith.constant {step} : index
  %r = {head} {{
    {end}
  }}
  func.return %r : tensor<99xf32>
}}
""")
    (loop,) = (op for op in module.walk() if op.name == kind)
    return loop


def slice_in(loop: Operation, tile: Tile, size: SSAValue | None = None) -> Slice:
    """The tile as a slice in the loop, of this size if one is given."""
    block = loop.parent_block()
    assert block is not None
    variable = block.args[2] if tile.variable == "%k" else loop.regions[0].block.args[0]
    expression = AffineExpr.dimension(0) * tile.factor + tile.constant
    offset = affine.ApplyOp((variable,), AffineMapAttr(AffineMap(1, 0, (expression,))))
    return Slice((offset.result,), (size or tile.size,), (tile.stride,))


def move_on(kind: str, step: int, read: Tile, written: Tile) -> bool:
    """What is said of the tiles in a loop of this kind."""
    loop = loop_of(kind, step)
    return not may_overlap(slice_in(loop, read), slice_in(loop, written), loop)


def overlap(read: Tile, later: int, written: Tile, earlier: int) -> bool:
    """Whether one iteration may read what another one writes, whatever `%k` is."""
    return any(
        read.elements(later, k) & written.elements(earlier, k)
        for k in range(-ITERATIONS, ITERATIONS)
    )


@settings(max_examples=10 * settings().max_examples)
@example(step=1, tiles=(Tile("%i", 1, 0, 2, -1), Tile("%i", 1, 0, 1, 1)))
@given(
    step=st.integers(1, 3),
    tiles=TILES.flatmap(lambda tile: st.tuples(st.just(tile), tiles_like(tile))),
)
def test_no_later_iteration_reads_what_one_has_written(
    step: int, tiles: tuple[Tile, Tile]
):
    read, written = tiles
    iterations = range(0, step * ITERATIONS, step)
    if move_on("scf.for", step, read, written):
        for earlier, later in product(iterations, iterations):
            assert earlier >= later or not overlap(read, later, written, earlier)
    if move_on("scf.forall", step, read, written):
        for one, other in permutations(iterations, 2):
            assert not overlap(read, other, written, one)


def test_tiles_move_on():
    """As long as the distance, which is the factor times the step, and no longer."""
    for factor, step in product((1, 2), (1, 3)):
        distance = factor * step
        tile = Tile("%i", factor, 0, distance, 1)
        assert move_on("scf.for", step, tile, tile)
        assert move_on("scf.forall", step, tile, tile)
        longer = tile._replace(size=distance + 1)
        assert not move_on("scf.for", step, tile, longer)
        assert not move_on("scf.forall", step, tile, longer)
        # The loop may read ahead, other threads not.
        ahead = tile._replace(constant=1)
        assert move_on("scf.for", step, ahead, longer)
        assert not move_on("scf.forall", step, ahead, longer)
        assert move_on("scf.for", step, tile._replace(stride=2), tile)
        assert not move_on("scf.forall", step, tile._replace(stride=2), tile)


def test_the_least_upper_bound_of_a_size_counts():
    loop, unknown = loop_of("scf.for", 4), loop_of("scf.for", 1).operands[1]
    four, nine = (
        arith.ConstantOp(IntegerAttr(number, IndexType())).result for number in (4, 9)
    )
    tile = Tile("%i", 1, 0, 0, 1)
    minima = AffineMap(1, 0, tuple(map(AffineExpr.constant, (9, 4, 7))))
    for size in (
        affine.MinOp.create(
            operands=(unknown,),
            properties={"map": AffineMapAttr(minima)},
            result_types=(IndexType(),),
        ).results[0],
        arith.MinSIOp(nine, four).result,
        arith.MinSIOp(unknown, four).result,
    ):
        read = slice_in(loop, tile, size)
        assert not may_overlap(read, read, loop)
    for size in (unknown, nine, arith.MinSIOp(unknown, nine).result):
        read = slice_in(loop, tile, size)
        assert may_overlap(read, read, loop)


def test_a_tile_as_long_as_the_step_moves_on():
    module = parse_module("""
func.func @f(%n: index, %step: index, %t: tensor<99xf32>) -> tensor<99xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %step iter_args(%a = %t) -> (tensor<99xf32>) {
    scf.yield %a : tensor<99xf32>
  }
  func.return %r : tensor<99xf32>
}
""")
    (loop,) = (op for op in module.walk() if isinstance(op, scf.ForOp))
    tile = Tile("%i", 1, 0, 0, 1)
    written = slice_in(loop, tile, loop.step)
    for ahead in (0, 1):
        read = slice_in(loop, tile._replace(constant=ahead), loop.step)
        assert not may_overlap(read, written, loop)
    behind = slice_in(loop, tile._replace(constant=-1), loop.step)
    assert may_overlap(behind, written, loop)


def part(offset: int, size: int, stride: int = 1) -> Slice:
    return Slice((offset,), (size,), (stride,))


@pytest.mark.parametrize(
    "a, b, expected",
    [
        (part(0, 4), part(4, 4), True),
        (part(0, 5), part(4, 4), False),
        (part(4, 4), part(0, 4), True),
        # Elements 0, 2, 4, 6 and 1, 3, 5, 7.
        (part(0, 4, 2), part(1, 4, 2), True),
        (part(0, 4, 2), part(2, 4, 2), False),
        (part(0, 4, -1), part(4, 4), False),
    ],
)
def test_slices_at_constants(a: Slice, b: Slice, expected: bool):
    assert may_overlap(a, b, When.ANY_ITERATIONS) != expected
    assert may_overlap(b, a, When.ANY_ITERATIONS) != expected
