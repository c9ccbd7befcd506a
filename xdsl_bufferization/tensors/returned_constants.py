"""
Constants that functions return, copied in the function.

    %w = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>       // read-only memory
    %c = bufferization.alloc_tensor() copy(%w) : tensor<2xf32>
    func.return %c : tensor<2xf32>                              // was %w

Callers own what a function returns, so deallocation copies `%w` in any case. A caller that knows
writes the copy; one that does not makes another copy.

Takes time linear in the operands of returns, and in the program if one of them is a constant.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ModuleOp, NoneAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import AllocTensorOp
from xdsl_bufferization.interfaces.rematerialization import (
    RematerializationOpInterface,
)
from xdsl_bufferization.one_shot.participation import left_modules
from xdsl_bufferization.support.call_graph import CallGraph, all_returns, calls_among
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import defining_op
from xdsl_bufferization.support.walk import walk


def copy_returned_constants(module: ModuleOp, options: OneShotOptions) -> None:
    """
    Let each function that is called in the module return copies of constants, not the constants
    themselves, if the options bufferize functions.
    """
    if not options.bufferize_function_boundaries or not all(
        map(options.lets_take_part, ("func.func", "bufferization.alloc_tensor"))
    ):
        return
    graph = CallGraph(module, without=left_modules(module, options))
    returned = {f: found for f in graph.functions if (found := _constants(f))}
    if not returned:
        return
    calls = calls_among(walk(graph.functions))
    for function in {graph.callee(call): None for call in calls}:
        for op, index in () if function is None else returned.get(function, ()):
            op.operands[index] = _copy(op.operands[index], op)


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


def _copy(constant: SSAValue, before: Operation) -> SSAValue:
    builder = builder_for(before, InsertPoint.before(before))
    op = defining_op(constant)
    model = RematerializationOpInterface.of(op)
    if model is not None and model.bytes_read(op) == 0:
        return model.rematerialize(op, builder)
    return builder.insert(AllocTensorOp(constant.type, copy=constant)).tensor
