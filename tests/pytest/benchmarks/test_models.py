"""
The table of trained networks, and the page that shows how it is made.

The page's commands are those of the benchmark. They run where the packages are installed.
"""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from benchmarks.models.call import ALIGNMENT, arena, arena_bytes, descriptor
from benchmarks.models.networks import NETWORKS
from benchmarks.models.page import Row, table, with_table
from benchmarks.models.steps import by_mlir_opt, planned_by_iree
from tests.documents import COMMANDS_OF_MODELS, Document, File, run
from tests.environments import PROJECT
from tests.peer import NEEDED_CLANG, find_mlir_tools

PAGE = Document(PROJECT / "docs" / "models.md")
TOOLS = find_mlir_tools()
PACKAGES = ("iree.compiler", "onnx", "onnxruntime", "onnxsim")


def lacks() -> str:
    """What the page needs, and is not installed."""
    lacking = [name for name in PACKAGES if find_spec(name.split(".")[0]) is None]
    if not (TOOLS and TOOLS.clang):
        lacking.append(NEEDED_CLANG)
    return ", ".join(lacking)


@pytest.mark.skipif(bool(lacks()), reason=f"needs {lacks()}")
def test_the_walk_of_the_page(tmp_path: Path):
    for step in PAGE.steps:
        if isinstance(step, File):
            step.write(tmp_path)
        elif step.text != "make models":
            done = run(step.text, tmp_path, Path(sys.executable))
            assert done.returncode == 0, done.stdout
            if step.printed is not None:
                assert done.stdout == step.printed


def test_the_page_has_all_commands_in_order_and_all_networks():
    commands = [command.text for command in PAGE.commands]
    assert commands == ["make models", *COMMANDS_OF_MODELS]
    for name, network in NETWORKS.items():
        assert re.search(rf"^\| `{name}` \| [\d,]+ \|", PAGE.text, re.M)
        assert f"`{network.package}` {network.release} | {network.licence}" in PAGE.text


def test_the_table_of_the_page_is_replaced():
    row = Row(1000, 2000, 3000, None, {"bufferize": 0.001}, 1e-6)
    made = "\n".join((*table({"f": row}), "", "Made on Monday."))
    page = with_table(PAGE.text, made)
    assert (
        "\n| `f` | 1,000 | 2,000 | 3,000 | none | 1 | 1e-06 |\n\nMade on Monday.\n"
        in page
    )
    assert page.count("Made on") == 1
    assert with_table(page, made) == page


def test_commands_of_the_others_name_the_network():
    (first, *_) = by_mlir_opt("silero")
    assert first.count("writable = false") == len(NETWORKS["silero"].inputs)
    assert all("peer-silero" in command for command in by_mlir_opt("silero"))
    assert all("silero.torch.mlir" in command for command in planned_by_iree("silero"))


def test_arguments_are_what_c_takes(tmp_path: Path):
    array = np.zeros((2, 3), np.float32)
    fields = [*descriptor(array)]
    assert fields == [array.ctypes.data, array.ctypes.data, 0, 2, 3, 3, 1]
    memory = arena(100)
    assert memory.ctypes.data % ALIGNMENT == 0
    assert memory.nbytes == 100
    header = tmp_path / "f.h"
    header.write_text("#define F_ARENA_BYTES 100\n#define F_ARENA_ALIGNMENT 64\n")
    assert arena_bytes(header) == 100
