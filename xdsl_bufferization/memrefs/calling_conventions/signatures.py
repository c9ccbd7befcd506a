"""
Rewriting the signatures of functions, their returns, and their calls.

Donated arguments of functions on memrefs: checked, and used instead of the results that they
are, so that these are not taken for new memory.

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

from collections.abc import Callable, Container, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.memrefs.buffers.allocation_uses import MemrefFlows
from xdsl_bufferization.memrefs.buffers.returned_buffers import (
    Returned,
    ReturnedKind,
    returned_as_agreed,
)
from xdsl_bufferization.support.call_graph import CallGraph, all_returns, is_private
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import (
    ALIASING_RESULT,
    check_donations,
    donated_arguments,
    renumber_donations,
)
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.memref_types import cast_to
from xdsl_bufferization.support.names import free_name
from xdsl_bufferization.support.regions import walk, walk_all
from xdsl_bufferization.support.shaped_types import is_memref_type, is_tensor_like

_RESULTS, _ARGUMENTS = "res_attrs", "arg_attrs"


def drop_results(function: func.FuncOp, kept: Sequence[int]) -> None:
    """
    Remove all results of the function but those with the indices `kept`. Arguments that are
    donated for others are donated no more.
    """
    type = function.function_type
    for op in all_returns(function):
        op.operands = [op.operands[i] for i in kept]
    outputs = [type.outputs.data[i] for i in kept]
    function.function_type = FunctionType.from_lists(type.inputs.data, outputs)
    _keep(function, _RESULTS, kept)
    renumber_donations(function, kept)


def add_arguments(
    function: func.FuncOp,
    types: Sequence[Attribute],
    attributes: Sequence[DictionaryAttr],
) -> Sequence[SSAValue]:
    """Append arguments to the function's; return them."""
    block = function.body.blocks[0]
    type = function.function_type
    _append(function, _ARGUMENTS, attributes, len(type.inputs))
    function.function_type = FunctionType.from_lists(
        [*type.inputs, *types], type.outputs.data
    )
    return [block.insert_arg(t, len(block.args)) for t in types]


def add_results(function: func.FuncOp, types: Sequence[Attribute]) -> None:
    """Append results to the function's signature; its returns are not changed."""
    type = function.function_type
    _append(function, _RESULTS, [DictionaryAttr({}) for _ in types], len(type.outputs))
    function.function_type = FunctionType.from_lists(
        type.inputs.data, [*type.outputs, *types]
    )


def rebuild_call(
    call: func.CallOp,
    arguments: Sequence[SSAValue] = (),
    kept: Sequence[int] | None = None,
    types: Sequence[Attribute] = (),
) -> func.CallOp:
    """
    Insert a copy of the call before it, with further arguments, only the results `kept`, unless
    that is `None`, and further results of some types. The call itself is not changed.
    """
    results = call.results if kept is None else [call.results[i] for i in kept]
    new = type(call).create(
        operands=[*call.operands, *arguments],
        result_types=[*(result.type for result in results), *types],
        properties=call.properties.copy(),
        attributes=call.attributes.copy(),
        location=call.location,
    )
    nothing = DictionaryAttr({})
    _append(new, _ARGUMENTS, [nothing for _ in arguments], len(call.operands))
    if kept is not None:
        _keep(new, _RESULTS, kept)
    _append(new, _RESULTS, [nothing for _ in types], len(results))
    for old, result in zip(results, new.results, strict=False):
        result.name_hint = old.name_hint
    Rewriter.insert_op(new, InsertPoint.before(call))
    return new


def change_call(
    call: func.CallOp,
    returned: Sequence[Returned],
    kept: Sequence[int],
    given: Mapping[int, SSAValue],
) -> None:
    """
    Call a function that only returns the results `kept`, and writes others to memory that it is
    `given`. The others are arguments or earlier results, as is known of what is `returned`.
    """
    builder = builder_for(call)
    new = rebuild_call(call, [*given.values()], kept)
    values = {**given, **dict(zip(kept, new.results, strict=True))}
    results: list[SSAValue] = []
    for index, (old, is_) in enumerate(zip(call.results, returned, strict=True)):
        match is_.kind:
            case ReturnedKind.ARGUMENT:
                value = call.operands[is_.index]
            case ReturnedKind.AGAIN if index not in kept:
                value = results[is_.index]
            case _:
                value = values[index]
        results.append(cast_to(builder, value, old.type))
    replace_call(call, results)


def replace_call(call: func.CallOp, results: Sequence[SSAValue]) -> None:
    """Remove the call, and use the values instead of its results."""
    for old, new in zip(call.results, results, strict=True):
        old.replace_all_uses_with(new)
    Rewriter.erase_op(call)


def result_attributes(function: func.FuncOp, result: int) -> DictionaryAttr:
    """The attributes of one of the function's results."""
    attributes = function.res_attrs
    return DictionaryAttr({}) if attributes is None else attributes.data[result]


def _keep(op: Operation, name: str, kept: Sequence[int]) -> None:
    for attributes in (op.properties, op.attributes):
        found = attributes.get(name)
        if isinstance(found, ArrayAttr):
            if kept:
                data = found.data
                attributes[name] = ArrayAttr([data[i] for i in kept])
            else:
                del attributes[name]


def _append(
    op: Operation, name: str, more: Sequence[DictionaryAttr], before: int
) -> None:
    """Append attributes of arguments, or of results, to those of the `before` that there are."""
    holder = op.attributes if name in op.attributes else op.properties
    found = holder.get(name)
    if isinstance(found, ArrayAttr):
        data = found.data
        holder[name] = ArrayAttr([*data, *more])
    elif any(attributes.data for attributes in more):
        holder[name] = ArrayAttr([DictionaryAttr({})] * before + [*more])


def with_donated_arguments(
    module: Operation, change: Callable[[MemrefFlows, AbstractSet[SSAValue]], None]
) -> None:
    """
    Apply `change` to the module after all donated arguments are used instead of the results
    that they are; it gets the results of calls that are unused for that reason.

    Raises `BufferizationError` if a function does not return what it should, and what `change`
    raises.
    """
    flows = MemrefFlows(module)
    check_donated_arguments(flows)
    change(flows, _use_arguments(flows))


def check_donated_arguments(flows: MemrefFlows) -> None:
    """
    Raises `BufferizationError` if a result may be another memref than the argument that is
    donated for it, or if no argument can be donated for it.
    """
    for function in flows.calls.functions:
        check_donations(function)
    for function, returned in returned_as_agreed(flows).items():
        for result, argument in _donated(function).items():
            is_argument = Returned(ReturnedKind.ARGUMENT, argument)
            never = Returned(ReturnedKind.NEVER)
            if returned[result] not in (is_argument, never):
                raise BufferizationError(
                    function,
                    f"has {ALIASING_RESULT} = {result} on argument #{argument}, but may "
                    f"return other memory than that of the argument as result #{result}",
                    hint="copy the result to the argument, and return the argument; "
                    "one-shot-bufferize with bufferize-function-boundaries does that",
                )


def _use_arguments(flows: MemrefFlows) -> AbstractSet[SSAValue]:
    """
    Return donated arguments themselves, and use operands of calls instead of the results that
    are in them; returns these results.
    """
    unused: set[SSAValue] = set()
    for function, calls in flows.calls.calls.items():
        for result, argument in _donated(function).items():
            flows.will_change([function, *calls])
            for return_op in all_returns(function):
                value = return_op.operands[result]
                builder = builder_for(return_op)
                return_op.operands[result] = cast_to(
                    builder, function.args[argument], value.type
                )
            for call in calls:
                value = call.results[result]
                builder = builder_for(call)
                if value.first_use is not None:
                    operand = cast_to(builder, call.operands[argument], value.type)
                    value.replace_all_uses_with(operand)
                unused.add(value)
    return unused


def _donated(function: func.FuncOp) -> dict[int, int]:
    """The donated arguments that are memrefs, by the results that are in them."""
    inputs = function.function_type.inputs.data
    return {
        result: argument
        for result, argument in donated_arguments(function).items()
        if is_memref_type(inputs[argument])
    }


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
    block = block_with_arguments_of(function)
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


def block_with_arguments_of(function: func.FuncOp) -> Block:
    """An empty block with arguments like those of the function."""
    block = Block(arg_types=function.function_type.inputs.data)
    for argument, named in zip(block.args, function.args, strict=True):
        argument.name_hint = named.name_hint
    return block
