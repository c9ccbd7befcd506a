"""What all tests may ask for."""

import gc
import os
import shutil
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.environments import build_wheel, copy_sources
from tests.peer import MlirTools, find_mlir_tools, why_no_mlir_tools
from tests.sharing import shared
from tests.slow import leave_out_slow

# How fast a machine is, and what else it does, is nothing that tests are about.
settings.register_profile(
    "any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "make test", settings.get_profile("any-machine"), max_examples=15
)


def pytest_configure(config: pytest.Config) -> None:
    """`make test` tries fewer examples than `make test-all`."""
    is_sample = config.getoption("markexpr") == "not slow"
    if is_sample:
        leave_out_slow()
    settings.load_profile("make test" if is_sample else "any-machine")


def pytest_collection_finish() -> None:
    """The garbage collector leaves alone what is imported: it is there until the end."""
    gc.freeze()


def pytest_unconfigure() -> None:
    """
    pytest collects garbage several times at its end, which would take seconds: long enough for
    pytest-xdist to interrupt it.
    """
    gc.freeze()


@pytest.fixture(scope="session")
def shared_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that all processes share that run these tests at once."""
    directory = tmp_path_factory.getbasetemp()
    return directory.parent if "PYTEST_XDIST_WORKER" in os.environ else directory


@pytest.fixture(scope="session")
def package_wheel(
    tmp_path_factory: pytest.TempPathFactory, shared_directory: Path
) -> Path:
    """The package as it is installed, built of a copy of the checkout."""

    def build() -> str:
        directory = tmp_path_factory.mktemp("package")
        return str(build_wheel(copy_sources(directory / "sources"), directory))

    return Path(shared(shared_directory / "package-wheel", build))


@pytest.fixture(scope="session")
def mlir_tools() -> MlirTools:
    """MLIR's tools of LLVM 22. A test that asks for them is skipped where there are none."""
    tools = find_mlir_tools()
    if tools is None:
        pytest.skip(why_no_mlir_tools())
    return tools


@pytest.fixture(scope="session")
def c_compiler(mlir_tools: MlirTools) -> str:
    """
    The C compiler for the allocator that records calls. A test that asks for it is skipped
    where there is none, or no mlir-opt to compile the rest.
    """
    return _command("cc", "a C compiler (apt-get install gcc libc6-dev)")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser. A test that asks for it is skipped where there is none."""
    return _command("chromium", "chromium (apt-get install chromium)")


@pytest.fixture(scope="session")
def patch_command() -> str:
    """The command that applies patches. Without it, a test that asks for it is skipped."""
    return _command("patch", "the command patch (apt-get install patch)")


def _command(name: str, description: str) -> str:
    """The path of a command; skips the test where it is not in `PATH`."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs {description}")
    return found


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line what was skipped and what to install for it."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", ())
    )
    if reasons:
        each = ", ".join(
            f"{count} {reason if count == 1 else reason.replace('needs', 'need', 1)}"
            for reason, count in reasons.most_common()
        )
        terminalreporter.write_line(f"{reasons.total()} tests skipped: {each}")
