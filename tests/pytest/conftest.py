"""What all tests may ask for."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.environments import build_wheel, copy_sources
from tests.peer import MlirTools, find_mlir_tools, why_no_mlir_tools

# How fast a machine is, and what else it does, is nothing that tests are about.
settings.register_profile(
    "any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any-machine")


@pytest.fixture(scope="session")
def shared_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that all processes share that run these tests at once."""
    directory = tmp_path_factory.getbasetemp()
    return directory.parent if "PYTEST_XDIST_WORKER" in os.environ else directory


@pytest.fixture(scope="session")
def package_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it is installed, built of a copy of the checkout."""
    directory = tmp_path_factory.mktemp("package")
    return build_wheel(copy_sources(directory / "sources"), directory)


@pytest.fixture(scope="session")
def mlir_tools() -> MlirTools:
    """MLIR's tools of LLVM 22. A test that asks for them is skipped where there are none."""
    tools = find_mlir_tools()
    if tools is None:
        pytest.skip(why_no_mlir_tools())
    return tools
