"""
How the time of the deallocation pipeline grows with the buffers of one function.

For each family of programs and each number of buffers: the time of our pipeline, and of a
whole call of mlir-opt with its own, where that is installed, in seconds of processor time.

    python -m benchmarks.deallocation
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Mapping

from xdsl.context import Context
from xdsl.dialects.arith import Arith

from tests.peer import MlirTools, PeerError, find_mlir_tools, why_no_mlir_tools
from tests.peer.runner import parse_module
from xdsl_bufferization.transforms.buffer_deallocation_pipeline import (
    BufferDeallocationPipeline,
)

SIZES = (625, 2500)
TYPE = "memref<64xf32>"


def block(n: int) -> Iterator[str]:
    """All buffers are alive at once in one block."""
    for i in range(n):
        yield f"%m{i} = memref.alloc() : {TYPE}"
    for i in range(n):
        j = (i + 1) % n
        yield f'"memref.copy"(%m{i}, %m{j}) : ({TYPE}, {TYPE}) -> ()'
    yield "func.return"


def conditionals(n: int) -> Iterator[str]:
    """Each buffer is allocated by one side of a conditional only."""
    for i in range(n):
        yield f"%m{i} = scf.if %c -> ({TYPE}) {{"
        yield f"  %a = memref.alloc() : {TYPE}"
        yield f"  scf.yield %a : {TYPE}"
        yield "} else {"
        yield f"  scf.yield %o : {TYPE}"
        yield "}"
        yield f'"memref.copy"(%m{i}, %o) : ({TYPE}, {TYPE}) -> ()'
    yield "func.return"


def loops(n: int) -> Iterator[str]:
    """Each loop replaces the buffer that it is given."""
    yield f"%m0 = memref.alloc() : {TYPE}"
    for i in range(1, n):
        yield f"%m{i} = scf.for %k = %i to %j step %j iter_args(%b = %m{i - 1}) -> ({TYPE}) {{"
        yield f"  %a = memref.alloc() : {TYPE}"
        yield f'  "memref.copy"(%b, %a) : ({TYPE}, {TYPE}) -> ()'
        yield f"  scf.yield %a : {TYPE}"
        yield "}"
    yield "func.return"


def selects(n: int) -> Iterator[str]:
    """What is read may be any of the buffers."""
    yield f"%m0 = memref.alloc() : {TYPE}"
    chosen = "%m0"
    for i in range(1, n):
        yield f"%m{i} = memref.alloc() : {TYPE}"
        yield f"%s{i} = arith.select %c, {chosen}, %m{i} : {TYPE}"
        chosen = f"%s{i}"
    yield f'"memref.copy"({chosen}, %o) : ({TYPE}, {TYPE}) -> ()'
    yield "func.return"


FAMILIES: Mapping[str, Callable[[int], Iterator[str]]] = {
    "block": block,
    "conditionals": conditionals,
    "loops": loops,
    "selects": selects,
}


def program(family: str, n: int) -> str:
    """A program with `n` buffers."""
    body = "\n".join(FAMILIES[family](n))
    return f"func.func @f(%o: {TYPE}, %c: i1, %i: index, %j: index) {{\n{body}\n}}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="of each (default 3)")
    runs = parser.parse_args().runs
    tools = find_mlir_tools()
    if tools is None:
        print(why_no_mlir_tools())
    print(f"{'family':14} {'buffers':>7} {'ours':>8} {'mlir-opt':>8}")
    for family in FAMILIES:
        seconds: list[float] = []
        for n in SIZES:
            text = program(family, n)
            ours = statistics.median(measure_ours(text) for _ in range(runs))
            peer = "" if tools is None else measure_peer(tools, text)
            seconds.append(ours)
            print(f"{family:14} {n:7} {ours:8.2f} {peer:>8}")
        factor = seconds[-1] / seconds[0]
        print(f"{'':14} ours takes {factor:.1f} times as long for 4 times the buffers")


def measure_ours(text: str) -> float:
    """Seconds that the pipeline takes."""
    module = parse_module(text)
    context = Context()
    context.load_dialect(Arith)
    start = time.process_time()
    BufferDeallocationPipeline().apply(context, module)
    return time.process_time() - start


def measure_peer(tools: MlirTools, text: str) -> str:
    """Seconds that a call of mlir-opt takes, or why it does not end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        tools.opt(text, "--buffer-deallocation-pipeline")
    except PeerError as error:
        return str(error).splitlines()[-1]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return f"{after.ru_utime - before.ru_utime:.2f}"


if __name__ == "__main__":
    main()
