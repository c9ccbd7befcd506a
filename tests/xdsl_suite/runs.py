"""Running tests of xDSL's, and what fails."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from tests.environments import PROJECT, make_environment
from tests.xdsl_suite.sources import sources

_HERE = Path(__file__).parent
_PLUGINS = str(_HERE / "plugins")
_TOOLS = "filecheck", "lit", "psutil", "pytest", "pytest-asyncio", "pytest-xdist"


class Runs:
    """Runs with this package, all tests; `directory` is for files that they need."""

    def __init__(self, directory: Path):
        self.sources = sources(directory / "patched", patched=True)
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(PROJECT), _PLUGINS)),
            "XDSL_SOURCES": str(self.sources),
        }

    def lit(self, tests: Iterable[str] = ("",)) -> list[str]:
        """Which of the tests of the IR fail, or those in a folder of them."""
        return self._lit(_HERE / test for test in tests)

    def _lit(self, paths: Iterable[Path]) -> list[str]:
        """The failures; raises `RuntimeError` if there is nothing to run."""
        with tempfile.NamedTemporaryFile() as report:
            options = "--quiet", "--output", report.name
            self._run("lit", *options, *map(str, paths))
            results = json.load(report)["tests"]
        return [
            result["name"].split(" :: ")[1]
            for result in results
            if result["code"] not in ("PASS", "UNSUPPORTED", "XFAIL")
        ]

    def pytest(self, tests: Iterable[str] = ("tests",)) -> list[str]:
        """Which of the tests of the Python code fail."""
        return self._pytest(tests, "-p", "all_dialects")

    def _pytest(self, tests: Iterable[str], *options: str) -> list[str]:
        with tempfile.NamedTemporaryFile("r") as failures:
            self.environment["FAILURES"] = failures.name
            addopts = "-o", "addopts=--import-mode=importlib"
            processes = "-q", "--no-header", "-n", "auto", "-p", "failures"
            self._run("pytest", *processes, *addopts, *options, *tests)
            return failures.read().splitlines()

    def _run(self, *command: str) -> None:
        subprocess.run(command, cwd=self.sources, env=self.environment, check=False)


class RunsWithout(Runs):
    """Runs without this package, in an environment that does not have it."""

    def __init__(self, directory: Path):
        self.sources = sources(directory / "unpatched", patched=False)
        xdsl = f"xdsl[gui,llvm]=={version('xdsl')}"
        python = make_environment(directory / "environment", xdsl, *_TOOLS)
        path = os.pathsep.join((str(python.parent), os.environ["PATH"]))
        self.environment = {**os.environ, "PATH": path, "PYTHONPATH": _PLUGINS}

    def lit(self, tests: Iterable[str] = ("",)) -> list[str]:
        return self._lit(self.sources / "tests" / "filecheck" / test for test in tests)

    def pytest(self, tests: Iterable[str] = ("tests",)) -> list[str]:
        return self._pytest(tests)
