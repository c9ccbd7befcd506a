"""The package as it is published: source distribution, wheel, and what they install."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest
from packaging.metadata import Metadata

from tests.environments import (
    PROJECT,
    build_wheel,
    copy_sources,
    install,
    make_environment,
    pip,
    requirements,
)
from tests.xdsl_opt import BUFFERIZE

BUILD_SDIST = "from setuptools import build_meta; build_meta.build_sdist('.')"


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sources = copy_sources(tmp_path_factory.mktemp("sdist") / "sources")
    subprocess.run(
        [sys.executable, "-c", BUILD_SDIST],
        cwd=sources,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    (sdist,) = sources.glob("*.tar.gz")
    return sdist


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built from nothing but the source distribution."""
    return build_wheel(sdist, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the package and what it may need, no more."""
    python = make_environment(tmp_path_factory.mktemp("plain"), *requirements())
    install(python, wheel)
    return python


def package_files() -> set[str]:
    """The files of the package: modules, and what they read."""
    return {
        path.relative_to(PROJECT).as_posix()
        for path in (PROJECT / "xdsl_bufferization").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def read_from_wheel(wheel: Path, name: str) -> bytes:
    """The file of that name among those that describe the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (path,) = (n for n in archive.namelist() if n.endswith(f".dist-info/{name}"))
        return archive.read(path)


def commands(wheel: Path) -> list[str]:
    """What it installs, besides modules."""
    entry_points = ConfigParser()
    entry_points.read_string(read_from_wheel(wheel, "entry_points.txt").decode())
    return [*entry_points["console_scripts"]]


# What is in them


def test_wheel_holds_the_package_its_types_and_its_license(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert package_files() - names == set()
    assert "xdsl_bufferization/py.typed" in names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {
        "xdsl_bufferization"
    }


def test_sdist_holds_the_package_and_what_describes_it(sdist: Path):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert package_files() - names == set()
    assert {
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "pyproject.toml",
        "xdsl_bufferization/py.typed",
    } <= names


def test_metadata_is_valid_and_complete(wheel: Path):
    text = read_from_wheel(wheel, "METADATA")
    # Raises what is wrong with it, all at once.
    metadata = Metadata.from_email(text, validate=True)
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    assert metadata.name == project["name"]
    assert str(metadata.version) == project["version"]
    assert metadata.summary == project["description"]
    assert metadata.license_expression == project["license"]
    assert metadata.license_files == ["LICENSE"]
    assert metadata.requires_python == project["requires-python"]
    assert metadata.classifiers == project["classifiers"]
    assert metadata.provides_extra is not None
    assert {*metadata.provides_extra} == {*project["optional-dependencies"]}
    assert metadata.description == (PROJECT / "README.md").read_text()
    assert metadata.description_content_type == "text/markdown"


# What they install


@pytest.mark.slow
def test_nothing_that_it_needs_is_missing(python: Path):
    pip("--python", python, "check")


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
    # Not in the checkout, where the package could be found without being installed.
    printed = run(python, tmp_path, "xdsl-opt", program, "-p", BUFFERIZE)
    assert "memref.alloc" in printed
    assert "tensor" not in printed


def test_commands_help_without_extras(python: Path, wheel: Path, tmp_path: Path):
    names = commands(wheel)
    assert "bufferization-check" in names
    for name in names:
        assert f"usage: {name}" in run(python, tmp_path, name, "--help")


CHECK = ("bufferization-check", PROJECT / "examples" / "in_place.mlir", "-p", BUFFERIZE)


def test_check_says_which_extra_is_missing(python: Path, tmp_path: Path):
    said = run(python, tmp_path, *CHECK, status=2)
    assert "pip install 'xdsl-bufferization[check]'" in said
    assert "Traceback" not in said


@pytest.mark.slow  # `make test` runs it where its extra is missing
def test_check_runs_with_its_extra(wheel: Path, tmp_path: Path):
    python = make_environment(tmp_path / "environment", *requirements("check"))
    install(python, wheel)
    assert "compute the same" in run(python, tmp_path, *CHECK)


def run(
    python: Path, directory: Path, command: str, *arguments: str | Path, status: int = 0
) -> str:
    """What the command of the environment prints, on both streams."""
    done = subprocess.run(
        [python.with_name(command), *arguments],
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout
    return done.stdout
