"""Packing and unpacking compute what NumPy, and mlir-opt's own lowering, compute."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest
from xdsl.context import Context

from tests.peer import MlirTools
from tests.peer.runner import parse_module, print_generic, run_with_mlir_runner
from tests.slow import one_in
from xdsl_bufferization import OneShotOptions, one_shot_bufferize
from xdsl_bufferization.support.diagnostics import BufferizationError

Ints = npt.NDArray[np.int32]

OPTIONS = OneShotOptions(bufferize_function_boundaries=True)


@dataclass(frozen=True)
class Packing:
    """A pack and an unpack with the same tiles."""

    shape: Sequence[int]
    tiles: Sequence[tuple[int, int]]
    """Positions of the tiled dimensions, and the sizes of the tiles."""
    order: Sequence[int]
    dynamic: frozenset[int] = frozenset()
    """The dimensions whose sizes the program does not know, the packed ones last."""

    @property
    def packed_shape(self) -> list[int]:
        counts = [*self.shape]
        for dim, tile in self.tiles:
            counts[dim] = -(-counts[dim] // tile)
        return [*(counts[dim] for dim in self.order), *(t for _, t in self.tiles)]

    @property
    def needs_padding(self) -> bool:
        return any(self.shape[dim] % tile for dim, tile in self.tiles)

    def pack(self, source: Ints, padding: int) -> Ints:
        missing = np.zeros((len(self.shape), 2), np.int64)
        split = [[size] for size in self.shape]
        for dim, tile in self.tiles:
            missing[dim, 1] = -self.shape[dim] % tile
            split[dim] = [-(-self.shape[dim] // tile), tile]
        padded = np.pad(source, missing, constant_values=padding)
        first = [sum(map(len, split[:dim])) for dim in range(len(split))]
        return padded.reshape([n for sizes in split for n in sizes]).transpose(
            [
                *(first[dim] for dim in self.order),
                *(first[d] + 1 for d, _ in self.tiles),
            ]
        )

    def program(self) -> str:
        """Packs %s into %d, and unpacks that into %u; %p is the padding."""
        unpacked = self._tensor(self.shape, 0)
        packed = self._tensor(self.packed_shape, len(self.shape))
        padding = "padding_value(%p : i32) " if self.needs_padding else ""
        tiles = (
            f"outer_dims_perm = [{', '.join(map(str, self.order))}] "
            f"inner_dims_pos = [{', '.join(str(dim) for dim, _ in self.tiles)}] "
            f"inner_tiles = [{', '.join(self._tile(i) for i in range(len(self.tiles)))}]"
        )
        sizes = "\n".join(
            f"%tile{i} = arith.constant {tile} : index"
            for i, (_, tile) in enumerate(self.tiles)
        )
        return f"""
            func.func @f(%s: {unpacked}, %d: {packed}, %u: {unpacked}, %p: i32)
                -> ({packed}, {unpacked}) {{
              {sizes}
              %0 = linalg.pack %s {padding}{tiles} into %d : {unpacked} -> {packed}
              %1 = linalg.unpack %0 {tiles} into %u : {packed} -> {unpacked}
              func.return %0, %1 : {packed}, {unpacked}
            }}"""

    def _tensor(self, shape: Sequence[int], first: int) -> str:
        sizes = [
            "?" if first + i in self.dynamic else str(n) for i, n in enumerate(shape)
        ]
        return f"tensor<{'x'.join([*sizes, 'i32'])}>"

    def _tile(self, index: int) -> str:
        if 2 * len(self.shape) + index in self.dynamic:
            return f"%tile{index}"
        return str(self.tiles[index][1])


def random_packing(seed: int) -> Packing:
    choose = random.Random(seed)
    rank = choose.randint(1, 3)
    dims = choose.sample(range(rank), choose.randint(1, rank))
    tiles = [(dim, choose.randint(1, 4)) for dim in dims]
    shape = [choose.randint(1, 9) for _ in range(rank)]
    if choose.random() < 0.4:
        for dim, tile in tiles:
            shape[dim] = tile * choose.randint(1, 3)
    dynamic = {i for i in range(2 * rank + len(tiles)) if choose.random() < 0.4}
    if choose.random() < 0.4:
        dynamic.clear()
    return Packing(shape, tiles, choose.sample(range(rank), rank), frozenset(dynamic))


@pytest.mark.parametrize("seed", one_in(5, range(20)))
def test_numbers(mlir_tools: MlirTools, seed: int):
    packing = random_packing(seed)
    module = parse_module(mlir_tools.opt(packing.program()))
    one_shot_bufferize(Context(), module, OPTIONS)
    source = np.arange(np.prod(packing.shape), dtype=np.int32).reshape(packing.shape)
    inputs = [
        source,
        np.full(packing.packed_shape, -1, np.int32),
        np.full_like(source, -2),
        np.array(-3, np.int32),
    ]
    packed, unpacked = run_with_mlir_runner(
        mlir_tools, print_generic(module), "f", inputs
    )
    assert np.array_equal(packed, packing.pack(source, -3))
    assert np.array_equal(unpacked, source)


SCHEDULE = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %p = transform.structured.match ops{["linalg.pack"]} in %m
      : (!transform.any_op) -> !transform.op<"linalg.pack">
    transform.structured.lower_pack %p : (!transform.op<"linalg.pack">)
      -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">,
          !transform.op<"linalg.transpose">)
    %u = transform.structured.match ops{["linalg.unpack"]} in %m
      : (!transform.any_op) -> !transform.op<"linalg.unpack">
    transform.structured.lower_unpack %u : (!transform.op<"linalg.unpack">)
      -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">,
          !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    transform.yield
  }
}
"""


@pytest.mark.parametrize(
    "packing",
    [
        Packing((12, 16), [(1, 8), (0, 4)], (1, 0)),
        Packing((11, 13), [(1, 8), (0, 4)], (0, 1)),
        Packing((5, 6, 7), [(2, 2)], (2, 0, 1)),
    ],
)
def test_lowered_by_mlir_opt_first(mlir_tools: MlirTools, packing: Packing):
    source = np.arange(np.prod(packing.shape), dtype=np.int32).reshape(packing.shape)
    inputs = [
        source,
        np.zeros(packing.packed_shape, np.int32),
        np.zeros_like(source),
        np.array(-3, np.int32),
    ]
    ours = parse_module(mlir_tools.opt(packing.program()))
    one_shot_bufferize(Context(), ours, OPTIONS)
    theirs = mlir_tools.opt(
        packing.program() + SCHEDULE,
        "--transform-interpreter",
        "--test-transform-dialect-erase-schedule",
        "--one-shot-bufferize=bufferize-function-boundaries",
    )
    for have, want in zip(
        run_with_mlir_runner(mlir_tools, print_generic(ours), "f", inputs),
        run_with_mlir_runner(mlir_tools, theirs, "f", inputs),
        strict=True,
    ):
        assert np.array_equal(have, want)


@pytest.mark.parametrize(
    "tiles",
    [
        "inner_dims_pos = array<i64: 2>",
        "inner_dims_pos = array<i64: 0, 1>",
        "inner_dims_pos = array<i64: 0>, outer_dims_perm = array<i64: 0, 0>",
    ],
)
def test_nonsense(tiles: str):
    module = parse_module(f"""
        func.func @f(%s: tensor<4x4xf32>, %d: tensor<2x4x2xf32>) {{
          %r = "linalg.pack"(%s, %d) <{{
            operandSegmentSizes = array<i32: 1, 1, 0, 0>, {tiles},
            static_inner_tiles = array<i64: 2>
          }}> : (tensor<4x4xf32>, tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
          func.return
        }}""")
    with pytest.raises(BufferizationError, match="has tiles that do not fit its types"):
        one_shot_bufferize(Context(), module, OPTIONS)
