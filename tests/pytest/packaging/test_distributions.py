"""The package as it is published: source distribution, wheel, and what they install."""

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.environments import PROJECT, copy_sources, install, make_environment, pip
from tests.xdsl_opt import BUFFERIZE

BUILD_SDIST = "from setuptools import build_meta; build_meta.build_sdist('.')"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built from nothing but the source distribution."""
    directory = tmp_path_factory.mktemp("build")
    sources = copy_sources(directory / "sources")
    subprocess.run(
        [sys.executable, "-c", BUILD_SDIST],
        cwd=sources,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    (sdist,) = sources.glob("*.tar.gz")
    pip("wheel", "--no-deps", "--no-build-isolation", "-w", directory, sdist)
    (wheel,) = directory.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the package and what it may need, no more."""
    directory = tmp_path_factory.mktemp("environment")
    python = make_environment(directory, "xdsl", "sortedcontainers")
    install(python, wheel)
    return python


def python_files(directory: Path) -> Iterator[str]:
    for path in directory.rglob("*.py"):
        yield path.relative_to(PROJECT).as_posix()


def test_wheel_holds_the_package_its_types_and_its_license(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {*python_files(PROJECT / "xdsl_bufferization")} <= names
    assert "xdsl_bufferization/py.typed" in names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {
        "xdsl_bufferization"
    }


def test_xdsl_opt_knows_dialect_and_pass_once_installed(python: Path, tmp_path: Path):
    program = tmp_path / "program.mlir"
    program.write_text(
        """
func.func @f(%size: index, %x: f32, %i: index) -> tensor<?xf32> {
  %t = bufferization.alloc_tensor(%size) {memory_space = 1 : i64} : tensor<?xf32>
  %r = tensor.insert %x into %t[%i] : tensor<?xf32>
  func.return %r : tensor<?xf32>
}
"""
    )
    run = subprocess.run(
        [python, "-m", "xdsl.tools.xdsl_opt", program, "-p", BUFFERIZE],
        # Not in the checkout, where the package could be found without being installed.
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "memref.alloc" in run.stdout
    assert "tensor" not in run.stdout
