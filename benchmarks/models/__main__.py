"""
Makes the table of docs/models.md: `python -m benchmarks.models [NETWORK ...]`.

With names, the rows of these networks are printed, and the page stays as it is.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from datetime import date
from importlib.metadata import version

from benchmarks.models.measure import measure
from benchmarks.models.networks import NETWORKS
from benchmarks.models.page import PAGE, Row, table, with_table
from benchmarks.models.steps import (
    FOLDER,
    TO_LIBRARY,
    by_mlir_opt,
    run,
)
from tests.peer import NEEDED_CLANG, MlirTools, find_mlir_tools, why_no_mlir_tools

PACKAGES = ("iree-base-compiler", "onnx", "onnxruntime", "onnxsim")


def versions(tools: MlirTools) -> str:
    """What the numbers were made with, and when."""
    llvm = re.search(
        r"version ([\d.]+)",
        subprocess.run(
            [tools.mlir_opt, "--version"], capture_output=True, text=True, check=True
        ).stdout,
    )
    names = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    return f"Made on {date.today()} with LLVM {llvm and llvm[1]}, {names}."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", metavar="NETWORK")
    names = parser.parse_args().networks
    for name in {*names} - {*NETWORKS}:
        parser.error(f"no network {name}; there are: {', '.join(NETWORKS)}")
    tools = find_mlir_tools()
    if tools is None:
        parser.exit(1, f"{why_no_mlir_tools()}\n")
    if tools.clang is None:
        parser.exit(1, f"needs {NEEDED_CLANG}\n")
    rows: dict[str, Row] = {}
    for name in names or NETWORKS:
        for step in (*TO_LIBRARY, by_mlir_opt):
            run(step(name), FOLDER, tools)
        rows[name] = measure(name, FOLDER, tools)
        print(f"{name}: {rows[name]}", file=sys.stderr)
    made = "\n".join((*table(rows), "", versions(tools)))
    print(made)
    if not names:
        PAGE.write_text(with_table(PAGE.read_text(), made))


if __name__ == "__main__":
    main()
