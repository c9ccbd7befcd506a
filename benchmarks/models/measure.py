"""What a network computes, how much memory it takes, and how long."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.memory_use import memory_use
from benchmarks.models.call import Function, arena, arena_bytes
from benchmarks.models.networks import NETWORKS
from benchmarks.models.onnx_runtime import Session
from benchmarks.models.page import Row
from benchmarks.models.steps import planned_by_iree, run
from tests.peer import MlirTools
from tests.peer.runner import parse_module

RUNS = 10


def measure(name: str, folder: Path, tools: MlirTools) -> Row:
    """Run the libraries that the steps have made."""
    network = NETWORKS[name]
    session = Session(folder / "packages" / network.file, network.inputs)
    inputs = [*session.inputs.values()]
    expected = session()
    size = arena_bytes(folder / f"{name}.h")
    results = [np.empty_like(result) for result in expected]
    peer_results = [np.empty_like(result) for result in expected]
    ours = Function(folder / f"lib{name}.so", name, [*inputs, *results, arena(size)])
    peer = Function(folder / f"libpeer-{name}.so", name, [*inputs, *peer_results])
    seconds = times({"bufferize": ours, "mlir-opt": peer, "ONNX Runtime": session})
    for result, peer_result in zip(results, peer_results, strict=True):
        # Fused computations may be rounded in another order.
        np.testing.assert_allclose(result, peer_result, rtol=1e-3, atol=1e-4)
    difference = max(
        float(np.max(np.abs(result - reference)) / max(1, np.max(np.abs(reference))))
        for result, reference in zip(results, expected, strict=True)
    )
    buffers = (folder / f"peer-{name}.buffers.mlir").read_text()
    return Row(
        size,
        _peak(tools, buffers),
        _peak(tools, buffers, "--optimize-allocation-liveness"),
        _iree(name, folder, tools, sum(result.nbytes for result in results)),
        seconds,
        difference,
    )


def times(functions: Mapping[str, Callable[[], object]]) -> Mapping[str, float]:
    """The seconds of each function, called in turn so that all meet the same disturbances."""
    least = dict.fromkeys(functions, float("inf"))
    for _ in range(RUNS + 1):
        for name, function in functions.items():
            start = perf_counter()
            function()
            least[name] = min(least[name], perf_counter() - start)
    return least


def _peak(tools: MlirTools, buffers: str, *passes: str) -> int:
    # The weights would take long to read.
    text = tools.opt(buffers, *passes, "--mlir-elide-elementsattrs-if-larger=16")
    return memory_use(parse_module(text)).peak_bytes


def _iree(name: str, folder: Path, tools: MlirTools, results: int) -> int | None:
    """The bytes that IREE allocates besides results; `None` if it does not compile the network."""
    try:
        run(planned_by_iree(name), folder, tools)
    except subprocess.CalledProcessError:
        return None
    lines = (folder / f"{name}.csv").read_text().splitlines()
    tables = (line for line in lines if line and not line.startswith(";"))
    statistics: Sequence[Mapping[str, str]] = [*csv.DictReader([*tables][:2])]
    return int(statistics[0]["Transient Size"]) - results
