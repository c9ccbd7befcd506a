"""The report on a program: one on each of its functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.report.memory import memory_functions
from xdsl_bufferization.report.model import (
    Donation,
    MemoryFunction,
    Report,
    TensorFunction,
)
from xdsl_bufferization.report.source import Assumed, Source, find_source
from xdsl_bufferization.report.tensors import tensor_functions
from xdsl_bufferization.support.call_graph import functions_in, qualified_name
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.failures import checked, explained
from xdsl_bufferization.support.names import no_such_function
from xdsl_bufferization.support.shaped_types import has_tensor_semantics
from xdsl_bufferization.transforms.bufferize import BufferizePass


@reduced_gc()
def report_on(
    ctx: Context,
    module: ModuleOp,
    options: BufferizePass | None = None,
    function: str = "",
    *,
    in_files: bool = False,
    assumed: Mapping[str, int] | None = None,
) -> Report:
    """
    The effects of `bufferize` with these options on functions on tensors, and the memory of the
    other functions; with `function`, for the functions of that name only. With
    `in_files`, reasons speak of the lines of files, also of a program that passes have
    changed. `assumed` has numbers for sizes that are known at run time only, by name, such as
    `%x.0` for the first size of `%x`.

    The module is not changed. Raises `BufferizationError` if it cannot be bufferized, if there is
    no function of the name, or no size depends on an assumed one; and `TypeError` for an argument
    of another kind.
    """
    name = "report_on"
    checked(name, ctx, Context)
    checked(name, module, ModuleOp)
    if options is not None:
        checked(name, options, BufferizePass)
    with explained(name, module):
        return _report_on(ctx, module, options, function, in_files, assumed)


def _report_on(
    ctx: Context,
    module: ModuleOp,
    options: BufferizePass | None,
    function: str,
    in_files: bool,
    assumed: Mapping[str, int] | None,
) -> Report:
    bodies = [op for op in functions_in(module) if any(r.blocks for r in op.regions)]
    reported: list[Operation] = [*bodies, module]
    if function:
        names = [*map(qualified_name, bodies)]
        reported = [
            op
            for op, name in zip(bodies, names, strict=True)
            if function in (name, name.rpartition("::")[2])
        ]
        if not reported:
            why = no_such_function(function, names)
            raise BufferizationError(None, f"bufferization-report: {why}")
    options = options or BufferizePass()
    source = find_source(module, ctx, Assumed(assumed))
    source.in_files = in_files
    found: Mapping[Operation, TensorFunction] = {}
    if any(map(has_tensor_semantics, module.walk())):
        found = tensor_functions(ctx, module, options, source)
    without_tensors = [
        op for op in bodies if not any(map(has_tensor_semantics, op.walk()))
    ]
    known = {f: it.memory for f, it in found.items() if it.memory is not None}
    memories = memory_functions(module, source, without_tensors, known)
    source.sizes.assumed.verify()
    functions: list[TensorFunction | MemoryFunction] = []
    with options.arguments_kept(module):
        for op in reported:
            name = "" if op is module else qualified_name(op)
            donations = _donations(op, source)
            if (memory := memories.get(op)) is not None:
                functions.append(replace(memory, name=name, donations=donations))
            elif op is not module or op in found:
                report = found.get(op, TensorFunction())
                place = source.place(op)
                functions.append(
                    replace(report, name=name, place=place, donations=donations)
                )
        return Report(source.name, functions, source.printed(reported))


def _donations(function: Operation, source: Source) -> Sequence[Donation]:
    return [
        Donation(
            result, source.value_name(function.regions[0].blocks[0].args[argument])
        )
        for result, argument in sorted(donated_arguments(function).items())
    ]
