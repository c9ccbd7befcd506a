"""
Functions: which a module has, where they return, and which call which.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, takewhile

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import (
    Attribute,
    BlockArgument,
    Operation,
    ParametrizedAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.traits import SymbolTable

from xdsl_bufferization.support.attributes import attribute, known_attribute
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import (
    ancestors,
    blocks_in_order,
    walk,
    walk_all,
)


def is_function(op: Operation) -> bool:
    """Whether the op is a function: a symbol with a function type."""
    return "sym_name" in op.properties and "function_type" in op.properties


def is_call(op: Operation) -> bool:
    """Whether the op calls a function, one that it names or one that is an operand."""
    return op_name(op) in ("func.call", "func.call_indirect")


def calls_among(ops: Iterable[Operation]) -> Iterator[func.CallOp]:
    """The ops that are a `func.call`."""
    # isinstance() is slow, as classes of ops have an abstract base class.
    return (
        op for op in ops if op.name == func.CallOp.name and isinstance(op, func.CallOp)
    )


def functions_in(module: Operation) -> Sequence[Operation]:
    """The functions of a module, and of modules within it."""
    return [op for op in walk([module]) if is_function(op)]


def qualified_name(function: Operation) -> str:
    """The function's name, after the names of the modules around it: `module::function`."""
    names = [attribute(around, "sym_name") for around in ancestors(function)]
    symbols = [name.data for name in names if isinstance(name, StringAttr)]
    return "::".join(reversed(symbols))


def is_private(function: func.FuncOp) -> bool:
    """Whether all calls of the function are in the module."""
    visibility = function.sym_visibility
    return visibility is not None and visibility.data == "private"


def is_return(op: Operation) -> bool:
    """Whether the op, of whatever dialect, returns from a `func.func`."""
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
    """The returns of the function, in blocks that can be reached."""
    for block in blocks_in_order(function.body):
        if (last := block.last_op) is not None and is_return(last):
            yield last


def all_returns(function: func.FuncOp) -> Sequence[Operation]:
    """The returns of the function, also in unreachable blocks."""
    return [
        block.last_op
        for block in function.body.blocks
        if block.last_op is not None and is_return(block.last_op)
    ]


def outermost_function(op: Operation) -> func.FuncOp | None:
    """The outermost function that is `op`, or encloses it; `None` outside of functions."""
    around = [*ancestors(op)]
    for outer in reversed(around):
        # isinstance() is slow, as classes of ops have an abstract base class.
        if outer.name == func.FuncOp.name and isinstance(outer, func.FuncOp):
            return outer
    return None


def within_function(op: Operation) -> Iterator[Operation]:
    """The op, and those around it within its innermost function, the innermost first."""
    return takewhile(lambda around: not is_function(around), ancestors(op))


def function_around(op: Operation) -> Operation | None:
    """The innermost function that is `op`, or encloses it; `None` outside of functions."""
    return next(filter(is_function, ancestors(op)), None)


def is_function_argument(value: SSAValue) -> bool:
    """Whether the value is an argument of a function, of any dialect."""
    if not isinstance(value, BlockArgument):
        return False
    function = value.block.parent_op()
    return (
        function is not None
        and is_function(function)
        and value.block is function.regions[0].first_block
    )


def symbol_table_around(
    op: Operation, unregistered: Container[Operation] = ()
) -> Operation | None:
    """
    The closest symbol table around the op: its symbols are looked up there, and nowhere else.

    xDSL takes any unregistered op for a symbol table; here these `unregistered` ones are.
    """
    _, *around = ancestors(op)
    for table in around:
        if table in unregistered or table.has_trait(
            SymbolTable, value_if_unregistered=False
        ):
            return table
    return None


class CallGraph:
    """
    The functions of a module and of modules nested in it, and which `func.call` calls which.

    `is_call` chooses the calls that are edges of the graph: all of them, unless it is given.
    What is in the ops `without` is not in the graph.
    What the graph says is computed when it is first asked for, and kept when the module
    changes.
    """

    def __init__(
        self,
        module: Operation,
        is_call: Callable[[func.CallOp], bool] = lambda call: True,
        without: Container[Operation] = (),
    ):
        self._is_call = is_call
        self._without = without
        self.module = module
        self.functions: list[func.FuncOp] = []
        """In the order of the text."""
        self._by_name: dict[tuple[Operation | None, str], Operation] = {}
        """By symbol table and name: the functions, and the symbol tables."""
        self._tables = {module}
        for op, table in _outermost_ops(module, without):
            if table not in self._tables:
                self._tables.add(table)
                if isinstance(name := table.get_attr_or_prop("sym_name"), StringAttr):
                    self._by_name[table.parent_op(), name.data] = table
            if isinstance(op, func.FuncOp):
                self.functions.append(op)
                self._by_name[table, op.sym_name.data] = op

    @cached_property
    def has_calls(self) -> bool:
        """Whether the module calls any function by `func.call`."""
        return any(True for _ in calls_among(walk_all([self.module])))

    @property
    def others(self) -> Sequence[Operation]:
        """The outermost ops, as they are now, that are neither functions nor symbol tables."""
        return [
            op
            for op, _ in _outermost_ops(self.module, self._without)
            if not isinstance(op, func.FuncOp)
        ]

    def callee(self, call: Operation) -> func.FuncOp | None:
        """The function that a `func.call` calls, if its symbol can be resolved."""
        symbol = known_attribute(call, "callee", SymbolRefAttr)
        return self._find(symbol, symbol_table_around(call, self._tables))

    def _find(
        self, symbol: SymbolRefAttr, found: Operation | None
    ) -> func.FuncOp | None:
        """The function that the symbol names in the symbol table `found`."""
        for name in (symbol.root_reference, *symbol.nested_references):
            found = self._by_name.get((found, name.data))
        return found if isinstance(found, func.FuncOp) else None

    def functions_named_by(self, op: Operation) -> Iterator[func.FuncOp]:
        """The functions that the attributes of the op refer to."""
        for symbol in _symbols_named_by(op):
            # A symbol table may name what is in it.
            for table in (op, symbol_table_around(op, self._tables)):
                if (function := self._find(symbol, table)) is not None:
                    yield function

    @cached_property
    def calls(self) -> Mapping[func.FuncOp, Sequence[func.CallOp]]:
        """
        The functions, with all calls of each, also in unreachable blocks.
        """
        calls: dict[func.FuncOp, list[func.CallOp]] = {
            function: [] for function in self.functions
        }
        if self.has_calls:
            for call in calls_among(walk_all([self.module])):
                if (callee := self.callee(call)) is not None:
                    calls[callee].append(call)
        return calls

    def check_callees(self) -> None:
        """Raises `BufferizationError` if a function that is called is not in the module."""
        for calls in self._edges.values():
            for call, callee in calls:
                if callee is None:
                    raise BufferizationError(
                        call, "calls a function that is not in the module"
                    )

    @cached_property
    def callees(self) -> Mapping[func.CallOp, func.FuncOp]:
        """The callee of each call, if it is in the module."""
        return {call: f for f, calls in self.calls.items() for call in calls}

    def all_callees_first(self) -> Sequence[Operation]:
        """All functions in the module: those of the graph, callees first, and then others."""
        order: dict[Operation, None] = dict.fromkeys(chain(*self._components))
        return [*(order | dict.fromkeys(functions_in(self.module)))]

    def callees_first(self) -> Sequence[Sequence[func.FuncOp]]:
        """
        The functions, each after those that it calls; recursive ones that call each other
        together, in the order of the text.
        """
        return self._components

    @cached_property
    def recursive(self) -> set[func.FuncOp]:
        """The functions that may call themselves, directly or not."""
        return {
            function
            for component in self._components
            for function in component
            if len(component) > 1
            or any(callee is function for _, callee in self._edges[function])
        }

    def may_change(self, function: func.FuncOp) -> bool:
        """
        Whether the function has a body and the module only ever calls it, by `func.call`, so
        that its signature may change.
        """
        return bool(function.body.blocks) and function not in self._named

    @cached_property
    def _components(self) -> Sequence[Sequence[func.FuncOp]]:
        edges = [
            (function, callee)
            for function, calls in self._edges.items()
            for _, callee in calls
            if callee is not None
        ]
        if not edges:
            return [[function] for function in self._edges]
        # Loading networkx takes longer than many a pass.
        import networkx as nx

        graph: nx.DiGraph[func.FuncOp] = nx.DiGraph()
        graph.add_nodes_from(self._edges)
        graph.add_edges_from(edges)
        order = {function: index for index, function in enumerate(self._edges)}
        # Components come in a reverse topological order.
        return [
            sorted(component, key=order.__getitem__)
            for component in nx.strongly_connected_components(graph)
        ]

    @cached_property
    def _edges(
        self,
    ) -> Mapping[func.FuncOp, Sequence[tuple[func.CallOp, func.FuncOp | None]]]:
        """By function: the calls that may run, and their callees."""
        if not self.has_calls:
            return {function: () for function in self.functions}
        return {
            function: [
                (call, self.callee(call))
                for call in calls_among(walk([function]))
                if self._is_call(call)
            ]
            for function in self.functions
        }

    @cached_property
    def _named(self) -> set[func.FuncOp]:
        """The functions to which ops other than calls refer."""
        return {
            function
            for op in walk_all([self.module])
            if not isinstance(op, func.CallOp)
            for function in self.functions_named_by(op)
        }


def _outermost_ops(
    module: Operation, without: Container[Operation]
) -> Iterator[tuple[Operation, Operation]]:
    """
    The ops of the module, and of symbol tables within it in place of these, each with the
    symbol table that it is in; `without` some.
    """
    stack = [(op, module) for op in _ops_in(module)]
    while stack:
        op, table = stack.pop()
        if op in without:
            continue
        if not isinstance(op, func.FuncOp) and op.has_trait(
            SymbolTable,
            value_if_unregistered=any(
                isinstance(nested, func.FuncOp) for nested in _ops_in(op)
            ),
        ):
            stack.extend((nested, op) for nested in _ops_in(op))
        else:
            yield op, table


def _ops_in(op: Operation) -> Sequence[Operation]:
    """The ops in the regions of the op, but not in theirs, the last one first."""
    return [
        nested
        for region in reversed(op.regions)
        for block in reversed(region.blocks)
        for nested in reversed(block.ops)
    ]


def _symbols_named_by(op: Operation) -> Iterator[SymbolRefAttr]:
    """The symbols in the attributes of the op."""
    pending: list[Attribute] = [*op.properties.values(), *op.attributes.values()]
    while pending:
        match pending.pop():
            case SymbolRefAttr() as symbol:
                yield symbol
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
