"""Reports on programs, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.networks import NETWORKS
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
        if text := _program(tools, family, seed):
            yield text


@cache
def _program(tools: MlirTools, family: str, seed: int) -> str:
    """The program of the seed; empty if it cannot be bufferized."""
    text = tools.opt(
        generate_program(seed, [family]).text,
        "--mlir-print-op-generic",
        "--mlir-print-local-scope",
    )
    try:
        BufferizePass().apply(Context(), parse_module(text))
    except BufferizationError:
        return ""
    return text


@cache
def report_of(text: str) -> Report:
    """The report on a program that several tests look at; the program is not changed."""
    return report(parse_module(text))


@cache
def report_of_network(name: str) -> Report:
    """The report on a network that several tests look at; it is not changed."""
    return report(NETWORKS[name]())


def report(module: ModuleOp, options: BufferizePass | None = None) -> Report:
    before = str(module)
    made = report_on(Context(allow_unregistered=True), module, options)
    assert str(module) == before
    return made


def copies_in(report: Report) -> list[Copy]:
    return [
        copy
        for function in report.functions
        if isinstance(function, TensorFunction)
        for copy in function.copies
    ]
