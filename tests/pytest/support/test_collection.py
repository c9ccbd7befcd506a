"""Garbage is collected rarely while programs are read, rewritten and reported on."""

from __future__ import annotations

import gc
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from xdsl.xdsl_opt_main import xDSLOptMain

from benchmarks.programs import chained_inserts
from tests.peer.runner import parse_module
from xdsl_bufferization.report.target import BufferizationReportTarget
from xdsl_bufferization.support.reading import context_of_all_dialects
from xdsl_bufferization.transforms.bufferize import BufferizePass


def bufferize(program: Path) -> Callable[[], object]:
    module = parse_module(program.read_text())
    return lambda: BufferizePass().apply(context_of_all_dialects(), module)


def report(program: Path) -> Callable[[], object]:
    module, target = parse_module(program.read_text()), BufferizationReportTarget()
    return lambda: target.emit(context_of_all_dialects(), module, StringIO())


def command(program: Path) -> Callable[[], object]:
    output = str(program.with_suffix(".out"))
    return xDSLOptMain(args=[str(program), "-p", "bufferize", "-o", output]).run


@pytest.mark.parametrize("prepare", [bufferize, report, command])
def test_few_collections(
    prepare: Callable[[Path], Callable[[], object]], tmp_path: Path
):
    program = tmp_path / "inserts.mlir"
    program.write_text(chained_inserts(300))
    action, before = prepare(program), gc.get_threshold()
    gc.collect()
    collections = gc.get_stats()[0]["collections"]
    action()
    assert gc.get_stats()[0]["collections"] - collections < 5
    assert gc.get_threshold() == before
