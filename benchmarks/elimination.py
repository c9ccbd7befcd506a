"""
How the time of `eliminate-copies` grows with what causes copies.

For each family of programs and each size, in seconds of processor time: parsing the
program, and the pass; and the copies before and after.

    python -m benchmarks.elimination
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterator, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from tests.peer.runner import parse_module
from xdsl_bufferization import OneShotOptions
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.costs import Costs
from xdsl_bufferization.tensors.eliminate_copies.driver import eliminate_copies

SIZES = (500, 2000)
OPTIONS = OneShotOptions(bufferize_function_boundaries=True)


def fills(n: int) -> Iterator[str]:
    """One fill is the accumulator of n products."""
    yield "func.func @f(%a: tensor<8x8xf32>, %zero: f32) -> tensor<8x8xf32> {"
    yield "%e = tensor.empty() : tensor<8x8xf32>"
    yield "%z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>"
    yield from _products(n, "%z")


def _products(n: int, init: str) -> Iterator[str]:
    last = "%a"
    for i in range(n):
        yield (
            f"%m{i} = linalg.matmul ins({last}, %a : tensor<8x8xf32>, tensor<8x8xf32>) "
            f"outs({init} : tensor<8x8xf32>) -> tensor<8x8xf32>"
        )
        last = f"%m{i}"
    yield f"func.return {last} : tensor<8x8xf32>"
    yield "}"


def pads(n: int) -> Iterator[str]:
    """n times a computed tensor is padded, and the padded one read."""
    yield "func.func @f(%a: tensor<8x8xf32>, %zero: f32) -> tensor<8x8xf32> {"
    last = "%a"
    for i in range(n):
        yield f"%e{i} = tensor.empty() : tensor<8x8xf32>"
        yield (
            f"%x{i} = linalg.exp ins({last} : tensor<8x8xf32>) "
            f"outs(%e{i} : tensor<8x8xf32>) -> tensor<8x8xf32>"
        )
        yield f"%p{i} = tensor.pad %x{i} low[1, 1] high[1, 1] {{"
        yield "^bb0(%i: index, %j: index):"
        yield "tensor.yield %zero : f32"
        yield "} : tensor<8x8xf32> to tensor<10x10xf32>"
        yield (
            f"%s{i} = tensor.extract_slice %p{i}[0, 0] [8, 8] [1, 1] "
            ": tensor<10x10xf32> to tensor<8x8xf32>"
        )
        last = f"%s{i}"
    yield f"func.return {last} : tensor<8x8xf32>"
    yield "}"


def concats(n: int) -> Iterator[str]:
    """A tensor grows by a row that is computed from it, n times."""
    yield f"func.func @f(%a: tensor<1x8xf32>) -> tensor<{n + 1}x8xf32> {{"
    last = "%a"
    for i in range(1, n + 1):
        yield (
            f"%s{i} = tensor.extract_slice {last}[0, 0] [1, 8] [1, 1] "
            f": tensor<{i}x8xf32> to tensor<1x8xf32>"
        )
        yield f"%e{i} = tensor.empty() : tensor<1x8xf32>"
        yield (
            f"%x{i} = linalg.exp ins(%s{i} : tensor<1x8xf32>) "
            f"outs(%e{i} : tensor<1x8xf32>) -> tensor<1x8xf32>"
        )
        yield (
            f"%c{i} = tensor.concat dim(0) {last}, %x{i} "
            f": (tensor<{i}x8xf32>, tensor<1x8xf32>) -> tensor<{i + 1}x8xf32>"
        )
        last = f"%c{i}"
    yield f"func.return {last} : tensor<{n + 1}x8xf32>"
    yield "}"


def tiles(n: int) -> Iterator[str]:
    """n loops over tiles, each of which starts with a constant."""
    yield "func.func @f(%a: tensor<8x8xf32>, %i: index, %j: index, %k: index) -> tensor<8x8xf32> {"
    yield "%z = arith.constant dense<0.0> : tensor<8x8xf32>"
    last = "%a"
    for i in range(n):
        yield (
            f"%r{i} = scf.for %l = %i to %j step %k iter_args(%t = %z) "
            "-> (tensor<8x8xf32>) {"
        )
        for name, source in (("s", last), ("d", "%t")):
            yield (
                f"%{name} = tensor.extract_slice {source}[%l, 0] [2, 8] [1, 1] "
                ": tensor<8x8xf32> to tensor<2x8xf32>"
            )
        yield (
            "%x = linalg.exp ins(%s : tensor<2x8xf32>) outs(%d : tensor<2x8xf32>) "
            "-> tensor<2x8xf32>"
        )
        yield (
            "%n = tensor.insert_slice %x into %t[%l, 0] [2, 8] [1, 1] "
            ": tensor<2x8xf32> into tensor<8x8xf32>"
        )
        yield "scf.yield %n : tensor<8x8xf32>"
        yield "}"
        last = f"%r{i}"
    yield f"func.return {last} : tensor<8x8xf32>"
    yield "}"


FAMILIES: Mapping[str, Callable[[int], Iterator[str]]] = {
    "fills": fills,
    "pads": pads,
    "concats": concats,
    "tiles": tiles,
}


def program(family: str, n: int) -> str:
    """A program with `n` causes of copies."""
    return "\n".join(FAMILIES[family](n))


def copies(module: ModuleOp) -> int:
    """The copies that One-Shot Bufferize makes."""
    costs = Costs(AnalysedModule(module, OPTIONS))
    return sum(
        costs.of(op).copies.number for op in module.ops if isinstance(op, FuncOp)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", default=[*FAMILIES])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    arguments = parser.parse_args()
    eliminate_copies(parse_module(program("fills", 2)), OPTIONS)
    print("| family | size | parse | eliminate-copies | copies before | after |")
    print("|---|--:|--:|--:|--:|--:|")
    for family in arguments.families:
        for size in arguments.sizes:
            text = program(family, size)
            gc.collect()
            start = time.process_time()
            module = parse_module(text)
            parsed = time.process_time()
            before = copies(module)
            gc.collect()
            between = time.process_time()
            eliminate_copies(module, OPTIONS)
            end = time.process_time()
            print(
                f"| {family} | {size} | {parsed - start:.2f} | {end - between:.2f} "
                f"| {before} | {copies(module)} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
