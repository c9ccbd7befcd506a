"""Processes that do not call this package keep the xDSL that they have."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from xdsl_bufferization.support.extensions import EXTENDED

FINGERPRINT = Path(__file__).with_name("fingerprint.py")

DOCUMENTED = {f"XDSL_UNIVERSE.all_dialects[{name}]" for name in EXTENDED} | {
    f"xdsl.xdsl_opt_main.xDSLOptMain.{method}{part}"
    for method in ("run", "setup_pipeline")
    for part in ("", ".__code__", ".__wrapped__")
}
"""The changes that docs/architecture.md names."""


def changed(*variant: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, str(FINGERPRINT), *variant],
        capture_output=True,
        text=True,
        check=True,
    )
    return {*run.stdout.splitlines()}


def test_xdsl_alone_changes_nothing():
    assert changed("without", "discovered", "forwards") == set()


@pytest.mark.parametrize("imported", ["first", "discovered"])
@pytest.mark.parametrize("order", ["forwards", "backwards"])
def test_only_what_is_documented_changes(imported: str, order: str):
    assert changed("with", imported, order) == DOCUMENTED
