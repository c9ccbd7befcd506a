"""Two packages that extend the same dialects of xDSL's, whichever is discovered first."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.processes import XDSL_OPT, run_python
from tests.slow import in_turn, slow

OTHER = Path(__file__).with_name("other_plugin.py")

PROGRAM = """
func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>, %i: index, %x: f32) -> index {
  %r = tensor.reverse %t : tensor<4xf32> -> tensor<4xf32>
  bufferization.pin %m : memref<4xf32>
  %e = tensor.extract %r[%i] : tensor<4xf32>
  %s = tensor.insert %x into %r[%i] : tensor<4xf32>
  %k = tensor.rank %s : tensor<4xf32>
  %c = arith.constant true
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  func.return %k : index
}
"""

FIND = """
import sys
directory, place, *sys.argv[1:] = sys.argv[1:]
sys.path.insert(int(place) if int(place) == 0 else len(sys.path), directory)
"""


@pytest.mark.parametrize(
    "name, first", in_turn(["a_plugin", "z_plugin"], [True, False])
)
@pytest.mark.parametrize(
    "passes", ["one-shot-bufferize{allow-unknown-ops}", *slow(["", "canonicalize"])]
)
def test_ops_of_both_are_read(tmp_path: Path, name: str, first: bool, passes: str):
    shutil.copy(OTHER, tmp_path / f"{name}.py")
    metadata = tmp_path / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        f"[xdsl.universe]\n{name} = {name}:UNIVERSE\n"
    )

    place = "0" if first else "-1"
    run = run_python(FIND + XDSL_OPT, str(tmp_path), place, "-p", passes, text=PROGRAM)

    assert run.returncode == 0, run.stderr
    assert "tensor.reverse %" in run.stdout
    assert "bufferization.pin %m" in run.stdout
    assert "bufferization.dealloc (%m : memref<4xf32>) if (%c)" in run.stdout
    if passes == "":
        assert '"tensor.rank"(%s)' in run.stdout
