"""Running tests of xDSL's, and the names of those that fail."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from tests.environments import PROJECT
from tests.xdsl_suite.environments import environment, plugin
from tests.xdsl_suite.sources import sources

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class _Runs:
    sources: Path
    bin: Path
    """The folder of the environment with the commands."""
    plugin: Path | None
    """A folder with this package, for the runs that discover it."""

    def without_the_package(self) -> _Runs:
        return replace(self, plugin=None)

    def lit(self, tests: Iterable[str] = ("",)) -> list[str]:
        """The tests of the IR that fail; all are run, or those that are named."""
        with tempfile.NamedTemporaryFile() as report:
            options = "--quiet", "--output", report.name
            self._run("lit", *options, *(str(_HERE / test) for test in tests))
            results = json.load(report)["tests"]
        return [
            result["name"].split(" :: ")[1]
            for result in results
            if result["code"] not in ("PASS", "UNSUPPORTED", "XFAIL")
        ]

    def pytest(self, tests: Iterable[str] = ("tests",)) -> list[str]:
        """The tests of the Python code that fail."""
        with tempfile.NamedTemporaryFile("r") as failures:
            addopts = "-o", "addopts=--import-mode=importlib"
            processes = "-q", "--no-header", "-n", "auto", "-p", "failures"
            os.environ["FAILURES"] = failures.name
            self._run("pytest", *processes, *addopts, *tests)
            return failures.read().splitlines()

    def _run(self, command: str, *arguments: str) -> None:
        paths = [str(self.plugin)] if self.plugin else []
        subprocess.run(
            (self.bin / command, *arguments),
            cwd=self.sources,
            env={
                **os.environ,
                "PATH": os.pathsep.join((str(self.bin), os.environ["PATH"])),
                "PYTHONPATH": os.pathsep.join((*paths, str(_HERE / "plugins"))),
                "XDSL_SOURCES": str(self.sources),
                "XDSL_PLUGIN": os.pathsep.join(paths),
                "PROJECT": str(PROJECT),
            },
            check=False,
        )


def Runs(release: str, directory: Path) -> _Runs:
    """Runs with this package; `directory` is for files that they need."""
    return _Runs(
        sources(release, directory / "sources"),
        environment(release) / "bin",
        plugin(directory / "plugin"),
    )
