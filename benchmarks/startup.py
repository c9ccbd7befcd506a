"""
What the installed package costs those who do not use it, and what its first use costs.

Every `xdsl-opt` call that runs a pass imports the universes that it finds. Two
environments are made, with xDSL alone and with this package beside it, and the same calls
are timed in both, in turn. What counts is processor time, which unlike the clock leaves
out what else the machine does, and the growth is the median of the ratios of neighbouring
calls, so that how fast the machine happens to run falls on both alike.

The first use is `-p bufferize` on a small program, which mostly imports modules. It is timed
in turn with `-p canonicalize`, which reads and prints the same program.

    python -m benchmarks.startup
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.environments import PROJECT, copy_sources, install, make_environment

TARGET = 5.0
"""By how many percent a call may become slower."""

FIRST_USE_TARGET = 0.2
"""Seconds that the first `-p bufferize` may take more than `-p canonicalize`."""

FIRST_USE = PROJECT / "examples" / "filter.mlir"

_PRINT_MODULES = """
import sys
from xdsl.xdsl_opt_main import xDSLOptMain
xDSLOptMain(args=["-p", "bufferize"]).run()
print(*sys.modules, file=sys.stderr)
"""

ARITH = """
func.func @square(%x: i32) -> i32 {
  %a = arith.muli %x, %x : i32
  %b = arith.muli %x, %x : i32
  %c = arith.addi %a, %b : i32
  func.return %c : i32
}
"""

MEMREF = """
func.func @swap(%m: memref<2xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.load %m[%0] : memref<2xf32>
  %b = memref.load %m[%1] : memref<2xf32>
  memref.store %b, %m[%0] : memref<2xf32>
  memref.store %a, %m[%1] : memref<2xf32>
  func.return
}
"""

TENSOR = """
func.func @first(%t: tensor<2xf32>) -> f32 {
  %0 = arith.constant 0 : index
  %a = tensor.extract %t[%0] : tensor<2xf32>
  func.return %a : f32
}
"""

LINALG = """
func.func @double(%t: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tensor.empty() : tensor<2xf32>
  %1 = linalg.add ins(%t, %t : tensor<2xf32>, tensor<2xf32>) outs(%0 : tensor<2xf32>)
       -> tensor<2xf32>
  func.return %1 : tensor<2xf32>
}
"""

CALLS: tuple[tuple[str, Sequence[str], str], ...] = (
    ("xdsl-opt --version", ("--version",), ""),
    ("xdsl-opt -p cse, arith", ("-p", "cse"), ARITH),
    ("xdsl-opt -p cse, memref", ("-p", "cse"), MEMREF),
    ("xdsl-opt -p cse, tensor", ("-p", "cse"), TENSOR),
    ("xdsl-opt -p cse, linalg", ("-p", "cse"), LINALG),
)
"""What is timed: a name, `xdsl-opt`'s options, the program on its standard input."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--runs", type=int, default=40, help="of each call (default 40)"
    )
    runs: int = parser.parse_args().runs

    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary)
        without = make_environment(directory / "without", "xdsl", "sortedcontainers")
        with_package = make_environment(directory / "with", "xdsl", "sortedcontainers")
        install(with_package, copy_sources(directory / "sources"))

        print(
            f"Start-up of xdsl-opt, median of {runs} calls, at most {TARGET:.0f}% more"
        )
        print(f"{'call':26} {'xDSL alone':>11} {'with package':>13} {'growth':>15}")
        for name, options, program in CALLS:
            before, after = _times(
                [(python, options) for python in (without, with_package)], program, runs
            )
            ratios = [b / a for a, b in zip(before, after, strict=True)]
            growth = 100 * (statistics.median(ratios) - 1)
            # Standard error of a median, of normally distributed ratios.
            error = 125 * statistics.stdev(ratios) / len(ratios) ** 0.5
            print(
                f"{name:26} {1e3 * statistics.median(before):8.1f} ms"
                f" {1e3 * statistics.median(after):10.1f} ms"
                f" {growth:+7.1f} ± {error:.1f}%"
                f"  {'met' if growth <= TARGET else 'MISSED'}",
                flush=True,
            )
        _print_first_use(with_package, runs)


def _print_first_use(python: Path, runs: int) -> None:
    program = FIRST_USE.read_text()
    canonicalize, bufferize = _times(
        [(python, ("-p", name)) for name in ("canonicalize", "bufferize")],
        program,
        runs,
    )
    difference = statistics.median(
        b - c for b, c in zip(bufferize, canonicalize, strict=True)
    )
    print(
        f"\nFirst use on {FIRST_USE.name}, median of {runs} calls, "
        f"at most {1e3 * FIRST_USE_TARGET:.0f} ms more\n"
        f"xdsl-opt -p canonicalize {1e3 * statistics.median(canonicalize):9.1f} ms\n"
        f"xdsl-opt -p bufferize    {1e3 * statistics.median(bufferize):9.1f} ms\n"
        f"difference               {1e3 * difference:9.1f} ms"
        f"  {'met' if difference <= FIRST_USE_TARGET else 'MISSED'}\n"
        f"modules of this package  {_imported_modules(python, program):9}"
    )


def _imported_modules(python: Path, program: str) -> int:
    """The number of the package's modules that the first use imports."""
    run = subprocess.run(
        [python, "-I", "-c", _PRINT_MODULES],
        input=program,
        text=True,
        capture_output=True,
        check=True,
    )
    names = run.stderr.split()
    return sum(name.split(".")[0] == "xdsl_bufferization" for name in names)


def _times(
    calls: Sequence[tuple[Path, Sequence[str]]], program: str, runs: int
) -> list[list[float]]:
    """The seconds of processor time by call: an environment's Python, and options."""
    times: list[list[float]] = [[] for _ in calls]
    # One call of each that does not count: it compiles the modules and fills the caches.
    for run in range(runs + 1):
        # The order alternates, so that no call always comes second.
        order = list(zip(calls, times, strict=True))
        for (python, options), taken in order if run % 2 else reversed(order):
            seconds = _seconds(python, options, program)
            if run:
                taken.append(seconds)
    return times


def _seconds(python: Path, options: Sequence[str], program: str) -> float:
    # Isolated from the current directory, which may have the package's metadata.
    command = [python, "-I", "-m", "xdsl.tools.xdsl_opt", *options]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(
        command, input=program, text=True, capture_output=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{run.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    main()
