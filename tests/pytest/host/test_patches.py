"""The patches in docs/upstream apply to the xDSL that is installed, and their tests pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import xdsl

from tests.environments import PROJECT
from tests.xdsl_suite.sources import PATCHES, apply_patches


@pytest.mark.usefixtures("patch_command")
@pytest.mark.slow
def test_patches_apply_and_their_tests_pass(tmp_path: Path):
    shutil.copytree(
        Path(xdsl.__file__).parent,
        tmp_path / "xdsl",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    apply_patches(tmp_path, to_filecheck=False)
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "XDSL_BUFFERIZATION_NO_REPAIRS": "1",
    }
    run = subprocess.run(
        tests,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stdout


def test_all_repairs_and_patches_are_listed():
    text = (PROJECT / "docs" / "upstream" / "README.md").read_text()

    from xdsl_bufferization.host.repairs import REPAIRS

    assert all(f"({patch.name})" in text for patch in PATCHES)
    assert all(f"`{repair.name}`" in text for repair in REPAIRS)
