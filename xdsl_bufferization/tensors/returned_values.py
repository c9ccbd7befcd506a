"""
Values that functions return copies of, copied in the function: constants, and arguments that are
donated for another result.

    %w = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>       // read-only memory
    %c = bufferization.alloc_tensor() copy(%w) : tensor<2xf32>
    func.return %c : tensor<2xf32>                              // was %w

Callers own what a function returns, so deallocation copies `%w` in any case. A caller that knows
writes the copy; one that does not makes another copy.

    %old = bufferization.alloc_tensor() copy(%state)   // %state is donated for the first result
    %new = tensor.insert %x into %state[%i]            // in place; without the copy it is not
    func.return %new, %old                             // was %state

Takes time linear in the operands of returns, in the uses of what is donated, and in the program if
a constant is returned.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import NoneAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import AllocTensorOp
from xdsl_bufferization.interfaces.contents import (
    RematerializationOpInterface,
)
from xdsl_bufferization.support.call_graph import CallGraph, all_returns, calls_among
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import ancestor_in, walk


def copy_returned_values(graph: CallGraph, options: OneShotOptions) -> None:
    """
    Let functions return copies of what is donated for other results; and each that is called in
    the module return copies of constants, not the constants themselves. Does nothing unless the
    options bufferize functions.
    """
    if not options.bufferize_function_boundaries or not all(
        map(options.lets_take_part, ("func.func", "bufferization.alloc_tensor"))
    ):
        return
    for function in graph.functions:
        _copy_donated(function)
    returned = {f: found for f in graph.functions if (found := _constants(f))}
    if not returned:
        return
    calls = calls_among(walk(graph.functions))
    for function in {graph.callee(call): None for call in calls}:
        for op, index in () if function is None else returned.get(function, ()):
            op.operands[index] = _copy(op.operands[index], op, op)


def _copy_donated(function: func.FuncOp) -> None:
    """Copy the donated arguments that are returned as another result, before they are used."""
    donated = donated_arguments(function)
    block = function.body.first_block
    if not donated or block is None or block is not function.body.last_block:
        return
    for end in all_returns(function):
        for result, number in donated.items():
            argument = block.args[number]
            others = [i for i, v in enumerate(end.operands) if v is argument]
            if (
                not others
                or result in others
                or not isinstance(argument.type, TensorType)
            ):
                continue
            users = {ancestor_in(function.body, use.operation) for use in argument.uses}
            copy = _copy(argument, end, next(op for op in block.ops if op in users))
            for index in others:
                end.operands[index] = copy


def _constants(function: func.FuncOp) -> Sequence[tuple[Operation, int]]:
    """The returns and the operands that are constants; without those of donated arguments."""
    found = [
        (op, index)
        for op in all_returns(function)
        for index, value in enumerate(op.operands)
        if isinstance(value.owner, arith.ConstantOp)
        and isinstance(type := value.type, TensorType)
        and isinstance(type.encoding, NoneAttr)
    ]
    donated = donated_arguments(function) if found else ()
    return [(op, index) for op, index in found if index not in donated]


def _copy(value: SSAValue, end: Operation, before: Operation) -> SSAValue:
    """A copy of the value, for a return."""
    builder = builder_for(end, InsertPoint.before(before))
    if isinstance(op := value.owner, Operation):
        model = RematerializationOpInterface.of(op)
        if model is not None and model.bytes_read(op) == 0:
            return model.rematerialize(op, builder)
    return builder.insert(AllocTensorOp(value.type, copy=value)).tensor
