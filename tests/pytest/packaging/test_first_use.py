"""The first use of the package imports what the program needs, and little else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.environments import PROJECT

# A process of its own: other tests import whatever they like.
IMPORTED = """
import sys
from pathlib import Path
from xdsl.xdsl_opt_main import xDSLOptMain

xDSLOptMain(args=["-p", sys.argv[1], sys.argv[2], "-o", sys.argv[3]]).run()
print(*sys.modules)
"""

UNUSED_DIALECTS = "affine", "cf", "dlti", "gpu", "ml_program", "pdl", "scf", "vector"
UNUSED_MODELS = "affine", "cf", "gpu", "ml_program", "scf", "shape", "vector"

NOT_IMPORTED = (
    *(f"xdsl.dialects.{name}" for name in UNUSED_DIALECTS),
    *(f"xdsl_bufferization.models.{name}" for name in UNUSED_MODELS),
    # The ops of dialects that the program does not have.
    *(
        f"xdsl_bufferization.dialects.{name}"
        for name in (
            "affine",
            "arith",
            "cf",
            "memref.extension",
            "ml_program",
            "scf",
            "tosa",
        )
    ),
    # What other passes and commands do.
    "xdsl_bufferization.former.conversion",
    "xdsl_bufferization.interactive",
    "xdsl_bufferization.planning",
    "xdsl_bufferization.report",
    "xdsl_bufferization.semantics",
    "xdsl_bufferization.verification",
    # Rewrites of ops that the program does not have.
    "xdsl_bufferization.memrefs.deallocation.lowering",
    "xdsl_bufferization.one_shot.facts.tiles",
    "xdsl_bufferization.transforms.expand_realloc",
    # Libraries of which a small program needs nothing.
    "difflib",
    "fractions",
    "jinja2",
    "logging",
    "networkx",
    "numpy",
    "tqdm",
)


BRANCHES = """
func.func @f(%c: i1, %t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  cf.cond_br %c, ^new, ^join(%t : tensor<4xf32>)
^new:
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^join(%f : tensor<4xf32>)
^join(%u: tensor<4xf32>):
  %r = tensor.insert %x into %u[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """The modules that `-p bufferize` imports for a small program on tensors."""
    program = PROJECT / "examples" / "filter.mlir"
    return imported_for(program, tmp_path_factory.mktemp("first-use"))


def imported_for(
    program: Path, directory: Path, passes: str = "bufferize"
) -> frozenset[str]:
    """The modules that the passes import for a program."""
    output = directory / "on_buffers.mlir"
    run = subprocess.run(
        [sys.executable, "-c", IMPORTED, passes, program, output],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert "memref.alloc" in output.read_text()
    return frozenset(run.stdout.split())


@pytest.mark.parametrize("module", NOT_IMPORTED)
def test_a_small_program_waits_only_for_what_it_needs(
    module: str, imported: frozenset[str]
):
    assert module not in imported


def test_the_number_of_modules_is_bounded(imported: frozenset[str]):
    ours = {name for name in imported if name.split(".")[0] == "xdsl_bufferization"}
    assert "xdsl_bufferization.one_shot.bufferization" in ours
    assert len(ours) <= 263


def test_blocks_that_only_branch_forward_do_not_wait_for_graphs(tmp_path: Path):
    program = tmp_path / "branches.mlir"
    program.write_text(BRANCHES)
    assert "networkx" not in imported_for(program, tmp_path)


CONSTANT = """
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %i = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert %x into %f[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
"""


def test_repairs_of_a_dialect_do_not_wait_for_those_of_passes(tmp_path: Path):
    program = tmp_path / "constant.mlir"
    program.write_text(CONSTANT)
    imported = imported_for(program, tmp_path, "one-shot-bufferize")
    assert "xdsl_bufferization.host.dialect_repairs" in imported
    assert "xdsl.transforms.common_subexpression_elimination" not in imported
