"""
Random programs of elementwise ops and reductions, fused.

    python -m tests.fuzzing.fusion [--programs N] [--first SEED]

Each program is fused by `linalg-fuse-elementwise-ops`, and bufferized with `fuse-for-memory` and
without. Ends with an error at a program that computes something else, or that copies or moves more
or has a higher peak with it. Prints how many programs were fused, and how many need less memory.
"""

from __future__ import annotations

import argparse
from random import Random
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from tests.fuzzing.elimination import assert_same, functions_of
from xdsl_bufferization.support.reading import context_of_all_dialects, parse_module
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.fusion.group import fuse_elementwise_ops
from xdsl_bufferization.transforms.bufferize import BufferizePass

SHAPES = ((4, 6), (6, 4), (4,), (6,))
PARALLEL, REDUCTION = '"parallel"', '"reduction"'
UNARY = ("math.tanh", "arith.negf", "math.absf")
BINARY = ("arith.addf", "arith.mulf", "arith.maximumf")


class Fused(NamedTuple):
    """What has become of a program."""

    is_fused: bool
    """Whether `linalg-fuse-elementwise-ops` has changed it."""
    needs_less: bool
    """Whether its peak is lower with `fuse-for-memory`."""


class _Program:
    """The text of a function, op by op."""

    def __init__(self, random: Random):
        self._random = random
        self._lines: list[str] = []
        self._number = 0
        self._values: dict[tuple[int, ...], list[str]] = {
            shape: [f"%arg{index}"] for index, shape in enumerate(SHAPES)
        }

    def text(self) -> str:
        """A function of random ops, which returns some of their results."""
        for _ in range(self._random.randint(4, 14)):
            self._random.choice((self._elementwise, self._elementwise, self._reduce))()
        returned = [
            (self._random.choice(values[1:]), shape)
            for shape, values in self._values.items()
            if values[1:]
        ]
        returned = self._random.sample(returned, min(len(returned), 2))
        names = ", ".join(name for name, _ in returned)
        types = ", ".join(_tensor(shape) for _, shape in returned)
        arguments = ", ".join(
            f"%arg{i}: {_tensor(shape)} {{bufferization.writable = {_flag(self._random)}}}"
            for i, shape in enumerate(SHAPES)
        )
        body = "\n".join(self._lines)
        return (
            f"func.func @f({arguments}) -> ({types}) {{\n{body}\n"
            f"func.return {names} : {types}\n}}"
        )

    def _new(self, prefix: str = "v") -> str:
        self._number += 1
        return f"%{prefix}{self._number}"

    def _pick(self, shape: tuple[int, ...]) -> str:
        values = self._values[shape]
        # The last ones are often needed by one op only.
        return self._random.choice(
            values[-3:] if _flag(self._random) == "true" else values
        )

    def _init(self, shape: tuple[int, ...]) -> str:
        if self._random.random() < 0.25:
            return self._pick(shape)
        empty = self._new("e")
        self._lines.append(f"{empty} = tensor.empty() : {_tensor(shape)}")
        return empty

    def _input(self, loops: tuple[int, ...]) -> tuple[str, str, str]:
        """A tensor that is read in loops of these sizes, its type and the map."""
        fitting = [
            (shape, dimensions)
            for shape in SHAPES
            for dimensions in ((0, 1), (1, 0), (0,), (1,))
            if len(dimensions) == len(shape)
            and all(d < len(loops) for d in dimensions)
            and tuple(loops[d] for d in dimensions) == shape
        ]
        shape, dimensions = self._random.choice(fitting)
        return self._pick(shape), _tensor(shape), _map(loops, dimensions)

    def _elementwise(self) -> None:
        shape = self._random.choice(SHAPES)
        init = self._init(shape)
        inputs = [self._input(shape) for _ in range(self._random.randint(1, 2))]
        reads_init = not init.startswith("%e") and self._random.random() < 0.5
        self._generic(shape, inputs, init, shape, [PARALLEL] * len(shape), reads_init)

    def _reduce(self) -> None:
        loops = self._random.choice(SHAPES[:2])
        kept = self._random.choice((0, 1))
        shape = (loops[kept],)
        filled, empty, zero = self._new(), self._new("e"), self._new("c")
        self._lines += [
            f"{zero} = arith.constant 1.5 : f32",
            f"{empty} = tensor.empty() : {_tensor(shape)}",
            f"{filled} = linalg.fill ins({zero} : f32) outs({empty} : {_tensor(shape)}) "
            f"-> {_tensor(shape)}",
        ]
        inputs = [
            self._input(loops),
            (self._pick(loops), _tensor(loops), _map(loops, (0, 1))),
        ]
        kinds = [REDUCTION, REDUCTION]
        kinds[kept] = PARALLEL
        self._generic(loops, inputs, filled, shape, kinds, True, (kept,))

    def _generic(
        self,
        loops: tuple[int, ...],
        inputs: list[tuple[str, str, str]],
        init: str,
        shape: tuple[int, ...],
        kinds: list[str],
        reads_init: bool,
        written: tuple[int, ...] = (0, 1),
    ) -> None:
        result, type = self._new(), _tensor(shape)
        maps = [m for _, _, m in inputs]
        maps.append(_map(loops, tuple(d for d in written if d < len(loops))))
        names = ", ".join(name for name, _, _ in inputs)
        types = ", ".join(t for _, t, _ in inputs)
        arguments = [f"%a{self._number}_{i}" for i in range(len(inputs))]
        out = f"%o{self._number}"
        self._lines += [
            f"{result} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{', '.join(kinds)}]}} ins({names} : {types}) "
            f"outs({init} : {type}) {{",
            f"^bb0({', '.join(f'{a}: f32' for a in (*arguments, out))}):",
            *self._body([*arguments, out] if reads_init else arguments),
            f"}} -> {type}",
        ]
        self._values[shape].append(result)

    def _body(self, elements: list[str]) -> list[str]:
        lines: list[str] = []

        def add(text: str) -> str:
            name = self._new("b")
            lines.append(f"{name} = {text}")
            return name

        value = elements[0]
        for other in elements[1:]:
            value = add(f"{self._random.choice(BINARY)} {value}, {other} : f32")
        if self._random.random() < 0.6:
            value = add(f"{self._random.choice(UNARY)} {value} : f32")
        if self._random.random() < 0.2:
            index = add("linalg.index 0 : index")
            integer = add(f"arith.index_cast {index} : index to i32")
            number = add(f"arith.sitofp {integer} : i32 to f32")
            value = add(f"arith.addf {value}, {number} : f32")
        return [*lines, f"linalg.yield {value} : f32"]


def _tensor(shape: tuple[int, ...]) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def _map(loops: tuple[int, ...], dimensions: tuple[int, ...]) -> str:
    names = ", ".join(f"d{d}" for d in range(len(loops)))
    return f"affine_map<({names}) -> ({', '.join(f'd{d}' for d in dimensions)})>"


def _flag(random: Random) -> str:
    return random.choice(("true", "false"))


def random_module(seed: int) -> ModuleOp:
    """A program of elementwise ops and reductions."""
    text = _Program(Random(seed)).text()
    return parse_module(context_of_all_dialects(), text, f"{seed}.mlir")


def fuse(module: ModuleOp, max_added_work: int, runs: int = 1) -> Fused:
    """
    Fuse clones of the program both ways, and run them, each time with so many inputs.

    Raises `AssertionError` if that is not right.
    """
    fused = module.clone()
    is_fused = fuse_elementwise_ops(fused)
    fused.verify()
    assert_same(module, fused, runs)
    without, after = module.clone(), module.clone()
    former = BufferizePass(fuse=False).run_before(without).remember(Costs)
    program = BufferizePass(max_added_work=max_added_work).run_before(after)
    after.verify()
    costs = program.remember(Costs)
    needs_less = False
    for old, new in zip(functions_of(without), functions_of(after), strict=True):
        assert costs.of(new).is_no_more_than(former.of(old))
        assert program.order_bounds.get(new, 0) <= costs.peak(new)
        needs_less |= costs.peak(new) < former.peak(old)
    if needs_less:
        assert_same(module, after, runs)
        program.bufferize()
        after.verify()
        assert_same(module, after, runs)
    return Fused(is_fused, needs_less)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.programs)
    found: list[Fused] = []
    for seed in seeds:
        try:
            found.append(fuse(random_module(seed), Random(seed).choice((0, 20, 100))))
        except AssertionError as error:
            raise AssertionError(f"program {seed}") from error
    print(
        f"{len(found)} programs: {sum(f.is_fused for f in found)} fused, "
        f"{sum(f.needs_less for f in found)} need less memory"
    )


if __name__ == "__main__":
    main()
