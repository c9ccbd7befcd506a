"""The target `bufferization-header`, in a C program that calls what it declares."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.environments import PROJECT
from tests.peer import NEEDED_CLANG, find_mlir_tools
from tests.peer.runner import LOWERING_TO_LLVM
from tests.peer.tools import call_tool
from tests.xdsl_opt import run_xdsl_opt

TOOLS = find_mlir_tools()
CLANG = TOOLS and TOOLS.clang

INTO_ARGUMENTS = (
    "bufferize{arguments=read-only arena=argument results=arguments "
    "function-boundary-type-conversion=identity-layout-map}"
)

ARENA = """
#include "program.h"
#include <stdio.h>
int main(void) {
  float x[32] = {0}, w1[128] = {0}, b1[16], w2[48], b2[3] = {1, 2, 3}, y[12];
  for (int i = 0; i < 16; i++) b1[i] = i;
  for (int i = 0; i < 48; i++) w2[i] = 1;
  _Alignas(MLP_ARENA_ALIGNMENT) int8_t memory[MLP_ARENA_BYTES];
  memref_2d_f32 mx = memref_4x8xf32(x), mw1 = memref_8x16xf32(w1), mw2 = memref_16x3xf32(w2);
  memref_2d_f32 my = memref_4x3xf32(y);
  memref_1d_f32 mb1 = memref_16xf32(b1), mb2 = memref_3xf32(b2);
  memref_1d_i8 arena = memref_256xi8(memory);
  _mlir_ciface_mlp(&mx, &mw1, &mb1, &mw2, &mb2, &my, &arena);
  printf("%g %g %g", y[0], y[4], y[11]);
}
"""

RESULTS = """
#include "program.h"
#include "program.h"
#include <stdio.h>
#include <stdlib.h>
int main() {
  float t[8] = {0, 10, 20};
  memref_1d_f32 argument = memref_8xf32(t);
  exchange_results results;
  _mlir_ciface_exchange(&results, &argument, 2, 5);
  printf("%g %g", results.result0.aligned[2], results.result1);
  free(results.result0.allocated);
}
"""


@pytest.mark.skipif(CLANG is None, reason=f"needs {NEEDED_CLANG}")
@pytest.mark.parametrize(
    "example, passes, program, language, printed",
    [
        ("mlp", INTO_ARGUMENTS, ARENA, "c", "121 122 123"),
        (
            "in_place",
            "bufferize{function-boundary-type-conversion=identity-layout-map}",
            RESULTS,
            "c++",
            "5 20",
        ),
    ],
    ids=["arena", "results"],
)
def test_functions_are_called_from_c(
    example: str, passes: str, program: str, language: str, printed: str, tmp_path: Path
):
    assert TOOLS
    assert CLANG
    path = str(PROJECT / "examples" / f"{example}.mlir")
    buffers = run_xdsl_opt(path, "-p", passes, "--print-op-generic")
    (tmp_path / "buffers.mlir").write_text(buffers)
    header = run_xdsl_opt(str(tmp_path / "buffers.mlir"), "-t", "bufferization-header")
    (tmp_path / "program.h").write_text(header)
    (tmp_path / "main.c").write_text(program)
    lowered = TOOLS.opt(buffers, "--llvm-request-c-wrappers", *LOWERING_TO_LLVM)
    translate = TOOLS.directory / "mlir-translate"
    llvm = call_tool([translate, "--mlir-to-llvmir"], input=lowered.encode()).stdout
    (tmp_path / "program.ll").write_bytes(llvm)
    strict = ["-Wall", "-Wextra", "-Werror", "-Wno-override-module"]
    command = [CLANG, *strict, "program.ll", "-x", language, "main.c", "-o", "main"]
    call_tool([*command], cwd=tmp_path)
    done = subprocess.run([tmp_path / "main"], capture_output=True, check=True)
    assert done.stdout.decode() == printed
