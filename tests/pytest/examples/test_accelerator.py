"""The example compiler for an accelerator with 64 KiB of memory."""

from __future__ import annotations

import math
import runpy
import subprocess
import sys
from collections.abc import Callable
from typing import cast

import pytest
from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import IntegerAttr, IntegerType, MemRefType, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.rewriter import Rewriter

from tests.environments import PROJECT
from xdsl_bufferization import BufferizationError
from xdsl_bufferization.host.releases import linalg_ops
from xdsl_bufferization.semantics.checking.check import CheckOptions, check

EXAMPLE = PROJECT / "examples" / "accelerator"
PROGRAM = (EXAMPLE / "layers.mlir").read_text()
START, SIZE = 0x10000000, 65536


@pytest.fixture
def compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[str], tuple[ModuleOp, ModuleOp]]:
    monkeypatch.setattr(sys, "path", [str(EXAMPLE), *sys.path])
    compiler = runpy.run_path(str(EXAMPLE / "compiler.py"))
    context = cast("Callable[[], Context]", compiler["context"])()

    def compile(program: str) -> tuple[ModuleOp, ModuleOp]:
        before = Parser(context, program).parse_module()
        after = before.clone()
        cast(PassPipeline, compiler["PIPELINE"]).apply(context, after)
        after.verify()
        return before, after

    return compile


def _bytes(type: MemRefType[Attribute]) -> int:
    element = type.element_type
    assert isinstance(element, IntegerType)
    return math.prod(type.get_shape()) * element.bitwidth // 8


def _gemm_as_matmul(op: Operation) -> None:
    """Replace an op of the accelerator by one that can be run."""
    Rewriter.replace_op(op, linalg_ops.MatmulOp(op.operands[:2], op.operands[2:]))


def test_all_that_is_computed_is_in_the_memory_of_the_accelerator(
    compiled: Callable[[str], tuple[ModuleOp, ModuleOp]],
):
    before, after = compiled(PROGRAM)
    ops = [*after.walk()]
    placed = [
        (cast("IntegerAttr[IntegerType]", address).value.data, _bytes(op.memref.type))
        for op in ops
        if isinstance(op, memref.AllocOp)
        and (address := op.attributes.get("bufferize.address"))
    ]
    assert sum(size for _, size in placed) > SIZE
    assert all(START <= place <= START + SIZE - size for place, size in placed)
    # Three matrices are copied in, and one out.
    assert sum(isinstance(op, memref.CopyOp) for op in ops) == 4
    for op in ops:
        if op.name == "npu.gemm":
            _gemm_as_matmul(op)
    report = check(before, after, CheckOptions(runs=1))
    assert report.ok, report


def test_a_program_that_does_not_fit_is_refused(
    compiled: Callable[[str], tuple[ModuleOp, ModuleOp]],
):
    with pytest.raises(
        BufferizationError,
        match="needs an arena of 86016 bytes in memory space L1, more than "
        "max-sizes=L1:65536",
    ):
        compiled(PROGRAM.replace("128", "256"))


def test_it_is_a_program():
    run = subprocess.run(
        [sys.executable, EXAMPLE / "compiler.py", EXAMPLE / "layers.mlir"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "npu.gemm" in run.stdout
    assert run.stderr.startswith("@layers: 45,056 bytes in memory space L1")
