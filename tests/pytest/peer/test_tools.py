"""Which mlir-opt is asked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.peer import find_mlir_tools


@pytest.fixture(autouse=True)
def forget_what_was_found() -> Iterator[None]:
    find_mlir_tools.cache_clear()
    yield
    find_mlir_tools.cache_clear()


def make_mlir_opt(directory: Path, version: str) -> Path:
    directory.mkdir()
    tool = directory / "mlir-opt"
    tool.write_text(f"#!/bin/sh\necho 'Some vendor LLVM version {version}'\n")
    tool.chmod(0o755)
    return tool


def test_only_llvm_22_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    older = make_mlir_opt(tmp_path / "older", "21.1.8")
    right = make_mlir_opt(tmp_path / "right", "22.1.0")
    monkeypatch.setenv("XDSL_MLIR_OPT", str(older))
    monkeypatch.setenv("PATH", str(right.parent))
    tools = find_mlir_tools()
    assert tools is not None
    assert tools.mlir_opt == right


def test_a_link_leads_to_the_tools_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    right = make_mlir_opt(tmp_path / "right", "22.1.0")
    link = tmp_path / "mlir-opt-22"
    link.symlink_to(right)
    monkeypatch.delenv("XDSL_MLIR_OPT", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    tools = find_mlir_tools()
    assert tools is not None
    assert tools.directory == right.parent
