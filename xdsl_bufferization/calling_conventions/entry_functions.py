"""
Entry functions: public functions for callers outside of the module, apart from those within it.

    func.func @layer(%x) { ... }                   func.func @layer(%x) {
    func.func @net(%x) {                             %r = call @layer_private(%x)
      %a = call @layer(%x)                   ->      return %r }
      ... }                                        func.func private @layer_private(%x) { ... }
                                                   func.func @net(%x) {
                                                     %a = call @layer_private(%x)
                                                     ... }

The signature of a private function may change, so that it gets its memory from its callers. That of
a public one is agreed on with callers that are not known.

Functions that neither have tensors or memrefs, nor call a function that has any, need no memory and
stay as they are; so do recursive ones, whose calls need memory of their own. Takes time linear in
the program.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from copy import copy

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.support.call_graph import CallGraph, is_private
from xdsl_bufferization.support.names import free_name
from xdsl_bufferization.support.regions import walk, walk_all
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor_like


def add_entry_functions(module: ModuleOp, without: Container[Operation] = ()) -> None:
    """
    Give each public function that the module calls, and that may need memory, an entry function;
    the function itself becomes private. The ops `without` stay as they are.
    """
    graph = CallGraph(module, without=without)
    with_memory: set[func.FuncOp] = set()
    for functions in graph.callees_first():
        for function in functions:
            if any(_has_memory(op, graph, with_memory) for op in walk([function])):
                with_memory.add(function)
    changing = [
        function
        for function in graph.functions
        if function in with_memory
        and function.body.blocks
        and function not in graph.recursive
        and not (is_private(function) and graph.may_change(function))
    ]
    names: set[str] | None = None
    for function in changing:
        if calls := graph.calls[function]:
            names = names or symbols_in(module)
            name = free_name(f"{function.sym_name.data}_private", names)
            names.add(name)
            _add_entry(function, calls, name)


def _has_memory(
    op: Operation, graph: CallGraph, with_memory: Container[func.FuncOp]
) -> bool:
    callee = graph.callee(op) if isinstance(op, func.CallOp) else None
    if callee is not None and callee in with_memory:
        return True
    return any(is_tensor_like(v.type) or is_memref_type(v.type) for v in op.results)


def symbols_in(module: ModuleOp) -> set[str]:
    """The symbols of the module, and of all symbol tables in it."""
    names = (op.properties.get("sym_name") for op in walk_all([module]))
    return {name.data for name in names if isinstance(name, StringAttr)}


def _add_entry(
    function: func.FuncOp, calls: Sequence[func.CallOp], private_name: str
) -> None:
    """
    Insert the entry function before the function, which becomes private. It has the attributes of
    the function: what is agreed with callers holds for calls from within, too.
    """
    type = function.function_type
    block = Block(arg_types=type.inputs.data)
    for argument, named in zip(block.args, function.args, strict=True):
        argument.name_hint = named.name_hint
    call = func.CallOp(private_name, block.args, type.outputs.data)
    block.add_ops([call, func.ReturnOp(*call.results)])
    entry = func.FuncOp.create(
        properties=function.properties,
        attributes=function.attributes,
        regions=[Region(block)],
    )
    for op in (entry, call, block.last_op):
        # Location objects of its own: ops of passes are traced back by those of the function.
        if op is not None:
            op.location = copy(function.location)
    Rewriter.insert_op(entry, InsertPoint.before(function))
    function.properties |= {
        "sym_name": StringAttr(private_name),
        "sym_visibility": StringAttr("private"),
    }
    for call in calls:
        call.properties["callee"] = SymbolRefAttr(private_name)
