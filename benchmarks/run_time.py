"""
How long networks run, with and without `eliminate-copies`.

Each network is bufferized by `bufferize{eliminate-copies=false}` and by `bufferize`, compiled
by mlir-opt and mlir-runner (`-O3`, loops without vectors), and run with the same input. The
results have to be equal, bit by bit. Times are those of the clock, the least of several runs.

    python -m benchmarks.run_time [NAME or FILE ...]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from tests.networks import LARGE
from tests.networks.files import FILES
from tests.networks.weights import vary_weights
from tests.peer import MlirTools, find_mlir_tools
from tests.peer.numpy_types import Array
from tests.peer.runner import (
    LOWERING_TO_LLVM,
    parse_module,
    print_generic,
    run_with_mlir_runner,
)
from tests.peer.tools import ENTRY_POINT
from xdsl_bufferization.interfaces.copy import CopyOpInterface
from xdsl_bufferization.semantics.checking.check import parse_pipeline

IDENTITY = "function-boundary-type-conversion=identity-layout-map"
PASSES = {
    "without": f"bufferize{{eliminate-copies=false {IDENTITY}}}",
    "with": f"bufferize{{{IDENTITY}}}",
}
RUNS = 5


def read(name: str) -> ModuleOp:
    """The network, with weights that differ."""
    if name in LARGE:
        module = LARGE[name]()
    else:
        module = parse_module(FILES.get(name, Path(name)).read_text())
    vary_weights(module)
    return module


def bufferized(module: ModuleOp, passes: str) -> ModuleOp:
    """A clone on memrefs."""
    clone = module.clone()
    parse_pipeline(passes).apply(Context(), clone)
    return clone


def times(tools: MlirTools, module: ModuleOp, function: FuncOp) -> list[float]:
    """Of each of the runs, in seconds."""
    text = print_generic(module).rstrip()
    name, type = function.sym_name.data, function.function_type
    driver = "\n".join(_driver(name, type))
    # The driver goes in front of what closes the module.
    end = text.rindex("}) : () -> ()")
    lowered = tools.opt(text[:end] + driver + text[end:], *LOWERING_TO_LLVM)
    printed = tools.run(lowered, "-O3", timeout=1800)
    return [float(line) for line in printed.decode().split()]


def _driver(name: str, type: FunctionType) -> Iterator[str]:
    """Functions that call this one again and again, and print the seconds of each call."""
    yield "func.func private @rtclock() -> f64"
    yield "func.func private @printF64(f64)"
    yield "func.func private @printNewline()"
    yield f"func.func @{ENTRY_POINT}() {{"
    arguments: list[str] = []
    for index, argument in enumerate(type.inputs):
        yield f"%a{index} = memref.alloc() : {argument}"
        element = cast("MemRefType[Any]", argument).element_type
        yield f"%v{index} = arith.constant 1 : {element}".replace("1 : f", "1.0 : f")
        yield (f"linalg.fill ins(%v{index} : {element}) outs(%a{index} : {argument})")
        arguments.append(f"%a{index}")
    results = [f"%r{index}" for index in range(len(type.outputs))]
    for _ in range(RUNS):
        yield "scf.execute_region {"
        yield "%start = func.call @rtclock() : () -> f64"
        yield f"{', '.join(results)} = func.call @{name}({', '.join(arguments)}) : {type}"
        yield "%end = func.call @rtclock() : () -> f64"
        yield "%seconds = arith.subf %end, %start : f64"
        yield "func.call @printF64(%seconds) : (f64) -> ()"
        yield "func.call @printNewline() : () -> ()"
        for result, result_type in zip(results, type.outputs, strict=True):
            yield f"memref.dealloc {result} : {result_type}"
        yield "scf.yield"
        yield "}"
    yield "func.return"
    yield "}"


def inputs(types: Sequence[Attribute]) -> list[Array]:
    """Random images, or what else the function takes."""
    random = np.random.default_rng(0)
    return [
        random.random(cast("MemRefType[Any]", t).get_shape(), np.float32) for t in types
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", default=["fire", "residual"])
    tools = find_mlir_tools()
    assert tools is not None, "needs mlir-opt and mlir-runner of LLVM 22"
    print("| network | copies | seconds without | with eliminate-copies |")
    print("|---|--:|--:|--:|")
    for name in parser.parse_args().networks:
        network = read(name)
        seconds: list[str] = []
        copies: list[str] = []
        results: list[list[Array]] = []
        for passes in PASSES.values():
            module = bufferized(network, passes)
            (function,) = (op for op in module.ops if isinstance(op, FuncOp))
            arrays = inputs([*function.function_type.inputs])
            results.append(
                run_with_mlir_runner(
                    tools, print_generic(module), function.sym_name.data, arrays
                )
            )
            seconds.append(f"{min(times(tools, module, function)):.3f}")
            made = sum(CopyOpInterface.of(op) is not None for op in module.walk())
            copies.append(str(made))
        for before, after in zip(*results, strict=True):
            assert np.array_equal(before, after), name
        print(f"| {name} | {' -> '.join(copies)} | {' | '.join(seconds)} |", flush=True)


if __name__ == "__main__":
    main()
