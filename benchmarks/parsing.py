"""
The time of the pass `bufferize`, beside that of parsing the same program.

For networks, as deep as they are in practice, and for each family of programs: processor time
of both in one process, the best of several runs, and the quotient. Beside it, the time of
mlir-opt's `one-shot-bufferize` and `buffer-deallocation-pipeline` as a whole process.

    python -m benchmarks.parsing [FILE ...]
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from benchmarks.peer_time import peer_seconds
from benchmarks.programs import FAMILIES
from tests.networks.decode import decode
from tests.networks.dense import dense
from tests.networks.fire import fire
from tests.networks.plain import plain
from tests.networks.residual import residual
from tests.peer.runner import parse_module, print_generic
from xdsl_bufferization.support.reading import context_of_all_dialects
from xdsl_bufferization.transforms.bufferize import BufferizePass

NETWORKS: Mapping[str, Callable[[], ModuleOp]] = {
    "DenseNet-121": partial(dense, image=64, layers=(6, 12, 24, 16)),
    "ResNet, 50 layers": partial(residual, image=64, blocks=(6, 8, 6, 4)),
    "fire modules": fire,
    "plain convolutions": plain,
    "decode step": partial(decode, layers=8),
}
TARGETS = {"network": 0.45, "family": 0.9}
SIZE = 2000
PEER_PASSES = (
    "--one-shot-bufferize=bufferize-function-boundaries",
    "--buffer-deallocation-pipeline",
)


def seconds(text: str, runs: int = 3) -> tuple[float, float]:
    """The processor time of parsing the program and of bufferizing it, each the least."""
    context = context_of_all_dialects()
    parsing, passes = [float("inf")], [float("inf")]
    for _ in range(runs):
        gc.collect()
        start = time.process_time()
        module = parse_module(text)
        parsing.append(time.process_time() - start)
        gc.collect()
        start = time.process_time()
        BufferizePass().apply(context, module)
        passes.append(time.process_time() - start)
    return min(parsing), min(passes)


def _network(name: str) -> str:
    return print_generic(NETWORKS[name]())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="measure these instead")
    parser.add_argument("--runs", type=int, default=3, help="of each (default 3)")
    arguments = parser.parse_args()
    programs = [("network", path.name, path.read_text) for path in arguments.files] or [
        *(("network", name, partial(_network, name)) for name in NETWORKS),
        *(
            ("family", f"{name}, {SIZE}", partial(family, SIZE))
            for name, family in FAMILIES.items()
        ),
    ]
    # What is imported on first use is not what is measured.
    seconds(print_generic(fire()), 1)
    print(f"seconds of processor time, the least of {arguments.runs} runs")
    print(
        f"{'program':34} {'parsing':>8} {'bufferize':>10} {'quotient':>9} {'aim':>5}"
        f" {'mlir-opt':>9}"
    )
    for kind, name, text_of in programs:
        text = text_of()
        parsing, passes = seconds(text, arguments.runs)
        peer = peer_seconds(text, *PEER_PASSES, limit=20)
        print(
            f"{name:34} {parsing:8.3f} {passes:10.3f} {passes / parsing:9.2f}"
            f" {TARGETS[kind]:5.2f} {peer:>9}",
            flush=True,
        )


if __name__ == "__main__":
    main()
