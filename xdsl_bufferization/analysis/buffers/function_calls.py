"""
Which functions of a module call which, and in which order to look at them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, TypeAttribute

from xdsl_bufferization.analysis.functions import (
    CallGraph,
    is_return,
    strongly_connected_components,
)


class FunctionCalls:
    """The functions of a module and of modules within it, and all `func.call` of them."""

    def __init__(self, module: Operation):
        graph = CallGraph(module)
        self.calls: dict[func.FuncOp, list[func.CallOp]] = {}
        """The calls of each function."""
        self.callees: dict[func.CallOp, func.FuncOp] = {}
        self.constants: set[str] = set()
        """The names of all `memref.global` whose contents never change."""
        variables: set[str] = set()
        callers: list[tuple[func.CallOp, func.FuncOp | None]] = []
        self._named: set[str] = set()
        for op, function in _ops_with_function(module):
            if isinstance(op, func.FuncOp):
                self.calls[op] = []
            elif isinstance(op, func.CallOp):
                callers.append((op, function))
            elif isinstance(op, memref.GlobalOp):
                names = variables if op.constant is None else self.constants
                names.add(op.sym_name.data)
            if not isinstance(op, func.CallOp):
                for attributes in (op.properties, op.attributes):
                    for attribute in attributes.values():
                        self._named.update(_symbols_in(attribute))
        self.constants -= variables
        self._called_by: dict[func.FuncOp, dict[func.FuncOp, None]] = {
            function: {} for function in self.calls
        }
        for call, caller in callers:
            callee = graph.callee(call)
            if callee is None:
                continue
            self.callees[call] = callee
            self.calls[callee].append(call)
            if caller is not None:
                self._called_by[caller][callee] = None

    def may_change(self, function: func.FuncOp) -> bool:
        """
        Whether all that the module does with the function is to call it, by `func.call`,
        so that its signature may change; and it has a body to change.
        """
        return bool(function.body.blocks) and function.sym_name.data not in self._named

    def callees_first(self) -> Sequence[Sequence[func.FuncOp]]:
        """
        The functions, each after those that it calls; those that call each other in a
        circle together.
        """
        return strongly_connected_components(self._called_by)


def is_private(function: func.FuncOp) -> bool:
    """Whether all calls of the function are in the module."""
    visibility = function.sym_visibility
    return visibility is not None and visibility.data == "private"


def all_returns(function: func.FuncOp) -> Sequence[Operation]:
    """The ops that end the function, also at the end of blocks that cannot be reached."""
    return [
        block.last_op
        for block in function.body.blocks
        if block.last_op is not None and is_return(block.last_op)
    ]


def _ops_with_function(
    module: Operation,
) -> Iterator[tuple[Operation, func.FuncOp | None]]:
    """All ops, also in blocks that cannot be reached, and the function that each is in."""
    pending: list[tuple[Operation, func.FuncOp | None]] = [(module, None)]
    while pending:
        op, function = pending.pop()
        yield op, function
        if isinstance(op, func.FuncOp):
            function = op
        pending.extend(
            (nested, function)
            for region in reversed(op.regions)
            for block in reversed(region.blocks)
            for nested in reversed(block.ops)
        )


def _symbols_in(attribute: Attribute) -> Iterator[str]:
    """The names that the attribute refers to."""
    pending: list[Attribute] = [attribute]
    while pending:
        match pending.pop():
            case SymbolRefAttr() as symbol:
                yield symbol.root_reference.data
                yield from (nested.data for nested in symbol.nested_references)
            case ArrayAttr(data=elements):
                pending.extend(elements)
            case DictionaryAttr(data=entries):
                pending.extend(entries.values())
            case TypeAttribute():
                pass
            case ParametrizedAttribute() as parametrized:
                pending.extend(parametrized.parameters)
            case _:
                pass
