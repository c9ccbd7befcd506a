"""The report on a program: one on each of its functions."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from xdsl_bufferization.analysis.buffers.buffer_flow import functions_in, is_function
from xdsl_bufferization.diagnostics import BufferizationError
from xdsl_bufferization.interfaces.bufferizable import has_tensor_semantics
from xdsl_bufferization.report.memory import memory_function
from xdsl_bufferization.report.model import Report, TensorFunction
from xdsl_bufferization.report.source import Source, find_source
from xdsl_bufferization.report.tensors import TensorUse, tensor_uses
from xdsl_bufferization.transforms.bufferize import BufferizePass


def report_on(
    ctx: Context,
    module: ModuleOp,
    options: BufferizePass | None = None,
    function: str = "",
) -> Report:
    """
    What `bufferize` with these options does to the functions that have tensors, and what
    memory the others take; of one function only if it is named.

    The module stays as it is. Raises `BufferizationError` if it can not be bufferized, or
    there is no such function.
    """
    functions = {_name(op): op for op in functions_in(module) if _has_body(op)}
    if function and function not in functions:
        there = ", ".join(f"@{name}" for name in functions) or "none"
        raise BufferizationError(
            None,
            f"bufferization-report: there is no function @{function}; those with a body "
            f"are: {there}",
        )
    source = find_source(module, ctx)
    uses: Mapping[Operation, TensorUse] = {}
    if any(has_tensor_semantics(op) for op in module.walk()):
        uses = tensor_uses(ctx, module, options or BufferizePass(), source)
    reported: list[Operation] = (
        [functions[function]] if function else [*functions.values(), module]
    )
    return Report(
        source.name,
        [
            _on_tensors(op, uses[op], source)
            if op in uses
            else memory_function(op, source)
            for op in reported
            if op is not module or _has_something(uses.get(module))
        ],
    )


def _has_something(use: TensorUse | None) -> bool:
    return use is not None and use != TensorUse()


def _on_tensors(op: Operation, use: TensorUse, source: Source) -> TensorFunction:
    return TensorFunction(
        _name(op),
        source.place(op),
        use.in_place,
        use.out_of_place,
        use.allocations,
        use.copies,
    )


def _name(op: Operation) -> str:
    """The function's name; empty for a module, which stands for what is in no function."""
    name = op.properties.get("sym_name")
    return name.data if isinstance(name, StringAttr) and is_function(op) else ""


def _has_body(op: Operation) -> bool:
    return any(region.blocks for region in op.regions)
