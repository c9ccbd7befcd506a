"""Reports on programs, for tests."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.peer import MlirTools
from tests.peer.runner import parse_module
from tests.programs import generate_program
from xdsl_bufferization.report.model import Copy, Report, TensorFunction
from xdsl_bufferization.report.report import report_on
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.transforms.bufferize import BufferizePass


def programs(tools: MlirTools, family: str, seeds: range) -> Iterator[str]:
    """Programs that can be bufferized, in generic form."""
    for seed in seeds:
        text = tools.opt(
            generate_program(seed, [family]).text,
            "--mlir-print-op-generic",
            "--mlir-print-local-scope",
        )
        module = parse_module(text)
        try:
            BufferizePass().apply(Context(), module)
        except BufferizationError:
            continue
        yield text


def report(module: ModuleOp, options: BufferizePass | None = None) -> Report:
    return report_on(Context(allow_unregistered=True), module, options)


def copies_in(report: Report) -> list[Copy]:
    return [
        copy
        for function in report.functions
        if isinstance(function, TensorFunction)
        for copy in function.copies
    ]
