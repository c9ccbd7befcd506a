"""Results that are reshaped and inserted compute the same where they are inserted."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.fuzzing.elimination import eliminate
from tests.peer.runner import parse_module
from tests.slow import one_in


def _tensor(shape: Sequence[int]) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"


class _Program:
    """The ops of a function, made at random, and the tensor that they compute last."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self._ops: list[str] = []
        self._shape = [self._random.randint(1, 3) for _ in range(4)]
        self._value = self._add(
            f"tensor.empty() : {_tensor(self._shape)}", "linalg.fill ins(%x : f32)"
        )

    def text(self) -> str:
        for _ in range(self._random.randint(1, 5)):
            self._random.choice((self._collapse, self._expand, self._compute))()
        destination = self._random.choice(("%d", "%empty"))
        offsets = [self._random.randint(0, 1) for _ in self._shape]
        outer = [size + 1 for size in self._shape]
        result = f"%r{len(self._ops)}"
        ones = [1] * len(self._shape)
        return f"""
        func.func @f(%x: f32, %d: {_tensor(outer)}) -> {_tensor(outer)} {{
          %e = tensor.empty() : {_tensor(outer)}
          %empty = linalg.fill ins(%x : f32) outs(%e : {_tensor(outer)}) -> {_tensor(outer)}
          {chr(10).join(self._ops)}
          {result} = tensor.insert_slice {self._value} into {destination}{offsets}
            {self._shape} {ones} : {_tensor(self._shape)} into {_tensor(outer)}
          func.return {result} : {_tensor(outer)}
        }}"""

    def _add(self, init: str, op: str) -> str:
        number, type = len(self._ops), _tensor(self._shape)
        self._ops += [
            f"%e{number} = {init}",
            f"%v{number} = {op} outs(%e{number} : {type}) -> {type}",
        ]
        return f"%v{number}"

    def _compute(self) -> None:
        type = _tensor(self._shape)
        self._value = self._add(
            f"tensor.empty() : {type}", f"linalg.exp ins({self._value} : {type})"
        )

    def _collapse(self) -> None:
        if len(self._shape) < 2:
            return
        first = self._random.randrange(len(self._shape) - 1)
        groups = [[d] for d in range(len(self._shape))]
        groups[first : first + 2] = [[first, first + 1]]
        sizes = self._shape
        merged = sizes[first] * sizes[first + 1]
        self._reshape("collapse", groups, [*sizes[:first], merged, *sizes[first + 2 :]])

    def _expand(self) -> None:
        first = self._random.randrange(len(self._shape))
        size = self._shape[first]
        factor = self._random.choice([f for f in range(1, size + 1) if size % f == 0])
        groups = [[d] for d in range(first)] + [[first, first + 1]]
        groups += [[d + 1] for d in range(first + 1, len(self._shape))]
        split = [factor, size // factor]
        self._reshape(
            "expand", groups, [*self._shape[:first], *split, *self._shape[first + 1 :]]
        )

    def _reshape(
        self, kind: str, groups: Sequence[Sequence[int]], shape: list[int]
    ) -> None:
        number = len(self._ops)
        output = f" output_shape {shape}" if kind == "expand" else ""
        self._ops.append(
            f"%v{number} = tensor.{kind}_shape {self._value} {groups}{output}"
            f" : {_tensor(self._shape)} into {_tensor(shape)}"
        )
        self._value, self._shape = f"%v{number}", shape


@pytest.mark.parametrize("seed", one_in(8, range(40)))
def test_reshaped_results_compute_the_same_where_they_are_inserted(seed: int):
    eliminate(parse_module(_Program(seed).text()), runs=1)
