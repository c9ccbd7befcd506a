"""A plugin of pytest: the tests that fail are written to the file `$FAILURES`, one a line."""

import os
from pathlib import Path

import pytest

_failed: dict[str, None] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _failed[report.nodeid] = None


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _failed[report.nodeid] = None


def pytest_sessionfinish() -> None:
    # Not in the processes that pytest-xdist starts.
    if "PYTEST_XDIST_WORKER" not in os.environ:
        Path(os.environ["FAILURES"]).write_text("\n".join(_failed))
