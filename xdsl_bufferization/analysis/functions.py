"""
Functions and calls: the order in which functions are analysed, and what a call does.

A function is analysed before its callers, which then know from its *summary* which of its
arguments it reads, writes and returns.

Source: https://mlir.llvm.org/docs/Bufferization/#function-boundaries
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.traits import SymbolTable

from xdsl_bufferization.analysis.alias_sets import AliasSet
from xdsl_bufferization.analysis.one_shot import OneShotAnalysis
from xdsl_bufferization.diagnostics import BufferizationError
from xdsl_bufferization.interfaces.bufferizable import (
    FunctionSummary,
    has_tensor_semantics,
)
from xdsl_bufferization.shaped_types import is_tensor_type
from xdsl_bufferization.walk import walk


def returns_of(function: func.FuncOp) -> Iterator[func.ReturnOp]:
    """The returns of the function, at the end of its blocks."""
    for block in function.body.blocks:
        if isinstance(block.last_op, func.ReturnOp):
            yield block.last_op


def summarize(function: func.FuncOp, analysis: OneShotAnalysis) -> FunctionSummary:
    """What the analysed function does to its arguments."""
    values = analysis.program.values
    find = analysis.alias_sets.find
    outputs = len(function.function_type.outputs)
    writable = [True] * outputs
    returned: dict[AliasSet, list[tuple[int, SSAValue]]] = {}
    for return_op in returns_of(function):
        for index, value in enumerate(return_op.operands):
            if (info := values.get(value)) is not None:
                alias_set = find(info)
                returned.setdefault(alias_set, []).append((index, value))
                writable[index] &= alias_set.read_only is None
    reads: list[bool] = []
    writes: list[bool] = []
    returns: list[list[int]] = []
    equivalent: list[int | None] = [None] * outputs
    for argument in function.args:
        info = values.get(argument)
        aliasing = [] if info is None else returned.get(find(info), [])
        reads.append(info is not None and info.is_read)
        writes.append(info is not None and analysis.is_written(info))
        returns.append([index for index, _ in aliasing])
        for index, value in aliasing:
            if analysis.is_equivalent(argument, value):
                equivalent[index] = argument.index
    return FunctionSummary(reads, writes, returns, equivalent, writable)


def assume(function: func.FuncOp) -> FunctionSummary:
    """
    What a function without a body may do: anything, but for what the attribute
    `bufferization.access` of an argument tells.
    """
    inputs, outputs = function.function_type.inputs, function.function_type.outputs
    access = [_declared_access(function, i) for i in range(len(inputs))]
    results = [i for i, type in enumerate(outputs) if is_tensor_type(type)]
    return FunctionSummary(
        ["read" in declared for declared in access],
        ["write" in declared for declared in access],
        [results if is_tensor_type(type) else [] for type in inputs],
        [None] * len(outputs),
        [True] * len(outputs),
    )


def _declared_access(function: func.FuncOp, argument: int) -> Sequence[str]:
    attributes = function.arg_attrs
    if attributes is not None and argument < len(attributes):
        declared = attributes.data[argument].data.get("bufferization.access")
        if isinstance(declared, StringAttr):
            return declared.data.split("-")
    return ("read", "write")


class CallGraph:
    """The functions of a module and of modules nested in it, and who calls whom."""

    def __init__(self, module: Operation):
        self._functions: dict[tuple[Operation | None, str], func.FuncOp] = {}
        self._tables: dict[func.FuncOp, Operation | None] = {}
        self.others: list[Operation] = []
        """The outermost ops that are not within a function."""
        pending = [module]
        while pending:
            table = pending.pop()
            for op in [
                op for region in table.regions for b in region.blocks for op in b.ops
            ]:
                if isinstance(op, func.FuncOp):
                    self._functions[table, op.sym_name.data] = op
                    self._tables[op] = table
                elif op.has_trait(SymbolTable):
                    pending.append(op)
                else:
                    self.others.append(op)

    def callee(self, call: Operation) -> func.FuncOp | None:
        """The function that a `func.call` calls, if its symbol can be resolved."""
        name = cast(func.CallOp, call).callee.string_value()
        table = call.parent_op()
        while table is not None:
            if (function := self._functions.get((table, name))) is not None:
                return function
            table = table.parent_op()
        return None

    def callees_first(self) -> Sequence[func.FuncOp]:
        """
        The functions, each after those that it passes tensors to or gets tensors from.

        Raises `BufferizationError` if functions call each other in a circle.
        """
        calls: dict[tuple[func.FuncOp, func.FuncOp], Operation] = {}
        graph = TopologicalSorter[func.FuncOp]()
        for function in self._tables:
            graph.add(function)
            for op in walk([function]):
                if isinstance(op, func.CallOp) and has_tensor_semantics(op):
                    callee = self.callee(op)
                    if callee is None:
                        raise BufferizationError(
                            op, "calls a function that is not in the module"
                        )
                    graph.add(function, callee)
                    calls[function, callee] = op
        try:
            return [*graph.static_order()]
        except CycleError as error:
            # The cycle lists each function after one that calls it, or the other way
            # round; either way two neighbours are linked by a call.
            callee, caller = cast(Sequence[func.FuncOp], error.args[1])[:2]
            call = calls.get((caller, callee)) or calls[callee, caller]
            raise BufferizationError(
                call,
                "is a recursive call, which is not supported across function boundaries",
                hint="bufferize without bufferize-function-boundaries, or break the "
                "recursion",
            ) from None
