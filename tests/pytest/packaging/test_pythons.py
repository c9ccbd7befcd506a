"""The package on each Python that it says it runs on, as far as this machine has them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.environments import PROJECT, install, make_environment, requirements

# `make test` has the Python that runs it, in test_distributions.py.
pytestmark = pytest.mark.slow

VERSIONS = re.findall(
    r'"Programming Language :: Python :: (\d+\.\d+)"',
    (PROJECT / "pyproject.toml").read_text(),
)
EXAMPLES = [PROJECT / "examples" / f"{name}.mlir" for name in ("attention", "mlp")]
FILECHECK = PROJECT / "tests" / "filecheck"
TESTS = (
    *sorted(FILECHECK.glob("one_shot/*.mlir")),
    *(FILECHECK / "models" / "scf" / f"{name}.mlir" for name in ("for", "if", "while")),
    FILECHECK / "transforms" / "one-shot-bufferize" / "errors.mlir",
)
"""Those that are run on each Python: a few of each kind, as they take a second each."""


def candidates(version: str) -> Iterator[Path]:
    """Where the interpreter may be: in the path, or among pyenv's."""
    for directory in os.get_exec_path():
        yield Path(directory) / f"python{version}"
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for directory in sorted(pyenv.glob(f"versions/{version}*")):
        yield directory / "bin" / f"python{version}"


def find(version: str) -> Path | None:
    """An interpreter of that version that can make environments."""
    ask = "import sys, venv; print(*sys.version_info[:2], sep='.')"
    for candidate in candidates(version):
        # A shim of pyenv's may be there and not run.
        if candidate.exists():
            answer = subprocess.run(
                [candidate, "-c", ask], capture_output=True, text=True, check=False
            )
            if answer.returncode == 0 and answer.stdout.strip() == version:
                return candidate
    return None


@pytest.fixture(scope="module", params=VERSIONS)
def binaries(
    request: pytest.FixtureRequest,
    package_wheel: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Where an environment of each interpreter has its commands."""
    version: str = request.param
    interpreter = find(version)
    if interpreter is None:
        pytest.skip(f"needs Python {version} in PATH or among pyenv's versions")
    python = make_environment(
        tmp_path_factory.mktemp(f"python{version}"),
        *requirements(),
        "filecheck",
        "lit",
        interpreter=interpreter,
    )
    install(python, package_wheel)
    return python.parent


def run(*command: str | Path) -> str:
    """What the command prints, on both streams, if it succeeds."""
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def bufferized(binaries: Path) -> list[str]:
    """What the commands there make of the examples."""
    return [run(binaries / "xdsl-opt", file, "-p", "bufferize") for file in EXAMPLES]


@pytest.fixture(scope="module")
def expected() -> list[str]:
    """What the examples become on the Python that runs this."""
    return bufferized(Path(sys.executable).parent)


def test_examples_become_the_same(binaries: Path, expected: list[str]):
    assert all("memref<" in text for text in expected)
    assert bufferized(binaries) == expected


def test_filecheck_tests_pass(binaries: Path, tmp_path: Path):
    # A copy, as another run of the same tests may be under way.
    for file in (FILECHECK / "lit.cfg", *TESTS):
        copy = tmp_path / file.relative_to(PROJECT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
    shutil.copytree(PROJECT / "tests" / "peer", tmp_path / "tests" / "peer")
    lit = binaries / "lit", "--verbose", "--param=processes"
    printed = run(*lit, tmp_path / "tests" / "filecheck")
    assert re.search(rf"Passed\s*: {len(TESTS)} \(100", printed), printed
