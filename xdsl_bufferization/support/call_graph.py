"""
Functions: which a module has, where they end, and which call which.
"""

from __future__ import annotations

from collections.abc import (
    Hashable,
    Iterator,
    Mapping,
    Sequence,
)
from typing import TypeVar, cast

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, SymbolRefAttr
from xdsl.ir import (
    Attribute,
    Operation,
    ParametrizedAttribute,
    TypeAttribute,
)
from xdsl.traits import SymbolTable

from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.shaped_types import has_tensor_semantics
from xdsl_bufferization.support.walk import blocks_in_order, walk


def is_function(op: Operation) -> bool:
    """Whether the op is a function: a symbol with a function type."""
    return "sym_name" in op.properties and "function_type" in op.properties


def functions_in(module: Operation) -> Sequence[Operation]:
    """The functions of a module, and of modules within it."""
    return [op for op in walk([module]) if is_function(op)]


_Node = TypeVar("_Node", bound=Hashable)


def is_return(op: Operation) -> bool:
    """
    Whether the op, of whatever dialect, ends a function and gives the function's results.
    """
    function = op.parent_op()
    return (
        isinstance(function, func.FuncOp)
        and op.next_op is None
        and not op.successors
        and not op.results
        and (
            isinstance(op, func.ReturnOp)
            or [*op.operand_types] == [*function.function_type.outputs]
        )
    )


def returns_of(function: func.FuncOp) -> Iterator[Operation]:
    """The ops that end the function, at the end of blocks that can be reached."""
    for block in blocks_in_order(function.body):
        if (last := block.last_op) is not None and is_return(last):
            yield last


class CallGraph:
    """The functions of a module and of modules nested in it, and who calls whom."""

    def __init__(self, module: Operation):
        self._functions: dict[tuple[Operation | None, str], func.FuncOp] = {}
        self._tables: dict[func.FuncOp, Operation | None] = {}
        self.recursive: set[func.FuncOp] = set()
        """Functions that may call themselves; known once `callees_first` is."""
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
                elif op.has_trait(
                    SymbolTable, value_if_unregistered=_holds_functions(op)
                ):
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

    def callees_first(self) -> Sequence[Sequence[func.FuncOp]]:
        """
        The functions, each after those that it passes tensors to or gets tensors from;
        those that call each other in a circle together.

        Raises `BufferizationError` if a function that is called is not in the module.
        """
        callees: dict[func.FuncOp, dict[func.FuncOp, None]] = {}
        for function in self._tables:
            called = callees[function] = dict[func.FuncOp, None]()
            for op in walk([function]):
                if isinstance(op, func.CallOp) and has_tensor_semantics(op):
                    callee = self.callee(op)
                    if callee is None:
                        raise BufferizationError(
                            op, "calls a function that is not in the module"
                        )
                    called[callee] = None
        position = {function: index for index, function in enumerate(callees)}
        components = [
            sorted(functions, key=position.__getitem__)
            for functions in strongly_connected_components(callees)
        ]
        for functions in components:
            if len(functions) > 1 or functions[0] in callees[functions[0]]:
                self.recursive.update(functions)
        return components


def _holds_functions(op: Operation) -> bool:
    return any(
        isinstance(nested, func.FuncOp)
        for region in op.regions
        for block in region.blocks
        for nested in block.ops
    )


def strongly_connected_components(
    graph: Mapping[_Node, Mapping[_Node, None]],
) -> Sequence[Sequence[_Node]]:
    """
    The nodes that can be reached from each other, each set after those that it leads to.

    Source: Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972
    """
    number: dict[_Node, int] = {}
    lowest: dict[_Node, int] = {}
    open_: dict[_Node, None] = {}
    components: list[list[_Node]] = []
    for root in graph:
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        open_[root] = None
        path = [(root, iter(graph[root]))]
        while path:
            node, successors = path[-1]
            successor = next(successors, None)
            if successor is None:
                path.pop()
                if path:
                    parent = path[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[node])
                if lowest[node] == number[node]:
                    component: list[_Node] = []
                    while node in open_:
                        component.append(open_.popitem()[0])
                    components.append(component[::-1])
            elif successor not in number:
                number[successor] = lowest[successor] = len(number)
                open_[successor] = None
                path.append((successor, iter(graph[successor])))
            elif successor in open_:
                lowest[node] = min(lowest[node], number[successor])
    return components


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
