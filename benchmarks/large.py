"""
What programs of 25,000 and of 100,000 ops take: decode steps of a language model with many layers.

For each, the processor time of `xdsl-opt` as a whole and the peak of its memory: if it only parses,
verifies and prints the program; with `bufferize`, which frees what it allocates; and with the
report, as text.

    python -m benchmarks.large
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
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
            for task, arguments in TASKS.items():
                use = measure(program, arguments)
                print(
                    f"{ops:8,} {task:10} {use.seconds:8.1f} {use.megabytes:10.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
