"""
The memory of a network whose batch or width is known at run time only.

    python -m benchmarks.models.sizes NETWORK.mlir 1,3,8

compiles the first function twice, with buffers on the heap and with an arena, and runs both with
each of the numbers as its dynamic sizes, with an allocator that records what is live. Prints the
bytes that are live at most: on the heap; with the arena, the results included; and the arena alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType

from tests.deallocation.recording import (
    RecordedCall,
    Recording,
    function_type,
    run_recorded,
)
from tests.peer import MlirTools, find_mlir_tools
from tests.peer.numpy_types import Array, dtype_of
from tests.peer.runner import parse_module, print_generic
from xdsl_bufferization.semantics.checking.check import parse_pipeline
from xdsl_bufferization.support.reading import context_of_all_dialects

PIPELINES = "bufferize", "bufferize{arena}"


def compare(text: str, sizes: Sequence[int], tools: MlirTools) -> Iterator[str]:
    """A line for each of the sizes. Raises `PeerError` if the function cannot be run."""
    programs = [_bufferized(text, passes) for passes in PIPELINES]
    name = next(
        op.sym_name.data
        for op in parse_module(text).ops
        if isinstance(op, func.FuncOp) and op.body.blocks
    )
    for size in sizes:
        found: list[Recording] = []
        for program in programs:
            call = RecordedCall(program, name, _inputs(program, name, size))
            (recording,) = run_recorded(tools, [call])
            if not isinstance(recording, Recording):
                raise recording
            found.append(recording)
        heap, arena = found
        for a, b in zip(heap.results, arena.results, strict=True):
            np.testing.assert_array_equal(a, b)
        peaks = heap.counts.peak_bytes, arena.counts.peak_bytes
        alone = peaks[1] - sum(result.nbytes for result in arena.results)
        yield f"{size}: {peaks[0]:,} {peaks[1]:,} {alone:,}"


def _bufferized(text: str, passes: str) -> str:
    module = parse_module(text)
    with redirect_stderr(StringIO()):  # remarks
        context = context_of_all_dialects(allow_unregistered=True)
        parse_pipeline(passes).apply(context, module)
    return print_generic(module)


def _inputs(program: str, function: str, size: int) -> list[Array]:
    random = np.random.default_rng(0)
    inputs: list[Array] = []
    for type in function_type(program, function).inputs:
        assert isinstance(type, MemRefType)
        shape = [size if n == DYNAMIC_INDEX else n for n in type.get_shape()]
        numbers = random.standard_normal(shape) * 0.05
        inputs.append(numbers.astype(dtype_of(type.element_type)))
    return inputs


def main() -> None:
    path, sizes = sys.argv[1:]
    tools = find_mlir_tools()
    assert tools is not None, "needs mlir-opt"
    numbers = [int(size) for size in sizes.split(",")]
    for line in compare(Path(path).read_text(), numbers, tools):
        print(line, flush=True)


if __name__ == "__main__":
    main()
