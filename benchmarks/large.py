"""
What programs of 25,000 and of 100,000 ops take: decode steps of a language model with many layers;
and a program of 54 MB of constants, which are 108 MB of text.

For each, the processor time of `xdsl-opt` as a whole and the peak of its memory: if it only parses,
verifies and prints the program; with `bufferize`, which frees what it allocates; and with the
report, as text.

    python -m benchmarks.large
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.networks.decode import decode
from tests.peer.runner import print_generic

LAYERS = (132, 528)
TASKS: Mapping[str, Sequence[str]] = {
    "print": (),
    "bufferize": ("-p", "bufferize"),
    "report": ("-t", "bufferization-report"),
}


def weights(layers: int = 6, width: int = 1500) -> Iterator[str]:
    """The lines of a chain of products with constants, as the hex strings that MLIR prints."""
    row, matrix = f"tensor<4x{width}xf32>", f"tensor<{width}x{width}xf32>"
    yield f"func.func @weights(%0: {row}) -> {row} {{\n"
    yield f"  %empty = tensor.empty() : {row}\n"
    for i in range(layers):
        digits = Random(i).randbytes(4 * width * width).hex().upper()
        yield f'  %w{i} = arith.constant dense<"0x{digits}"> : {matrix}\n'
        operands = f"ins(%{i}, %w{i} : {row}, {matrix}) outs(%empty : {row})"
        yield f"  %{i + 1} = linalg.matmul {operands} -> {row}\n"
    yield f"  func.return %{layers} : {row}\n}}\n"


class Use(NamedTuple):
    """What a process takes."""

    seconds: float
    """Of processor time."""
    megabytes: float
    """The peak of its memory."""


def measure(program: Path, arguments: Sequence[str]) -> Use:
    """What `xdsl-opt` takes for the program."""
    command = ("xdsl-opt", str(program), "-o", os.devnull, *arguments)
    with subprocess.Popen(command) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed")
    # Linux counts in kibibytes.
    return Use(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6)


def main() -> None:
    print(f"{'ops':>8} {'task':10} {'seconds':>8} {'megabytes':>10}")
    with TemporaryDirectory() as directory:
        for layers in LAYERS:
            module = decode(layers=layers)
            ops = sum(1 for _ in module.walk())
            program = Path(directory) / f"{layers}.mlir"
            program.write_text(print_generic(module))
            for task in TASKS:
                _print_use(f"{ops:,}", task, program)
        program = Path(directory) / "weights.mlir"
        with program.open("w") as file:
            file.writelines(weights())
        _print_use("weights", "bufferize", program)


def _print_use(what: str, task: str, program: Path) -> None:
    use = measure(program, TASKS[task])
    print(f"{what:>8} {task:10} {use.seconds:8.1f} {use.megabytes:10.0f}", flush=True)


if __name__ == "__main__":
    main()
