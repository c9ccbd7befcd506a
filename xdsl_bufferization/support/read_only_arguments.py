"""
Functions that leave their arguments as they were, but for those that callers give away.

JAX and IREE keep the arguments of a call unless they are donated, where MLIR lets a function
write any argument without `bufferization.writable = false`. Here that attribute is given to the
arguments of entry points, so all that look at the program see the same contract.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DictionaryAttr
from xdsl.ir import Operation

from xdsl_bufferization.support.call_graph import CallGraph, is_private
from xdsl_bufferization.support.donation import is_given_away
from xdsl_bufferization.support.shaped_types import is_tensor_like

WRITABLE = "bufferization.writable"
"""Attribute of an argument: whether the function may write its buffer."""


def keep_arguments(module: Operation, without: Container[Operation] = ()) -> None:
    """
    Give `bufferization.writable = false` to the tensors among the arguments of entry points
    that do not have the attribute, and are not given away (`is_given_away`).

    An entry point is a function with a body that may be called from outside of the module:
    any that is not private, is not called by the module, or is referred to by other ops than
    calls. Other functions are called with operands that the analysis of their callers copies
    where they must not be written. Functions in the ops `without` stay as they are.
    """
    for function in _entry_points(CallGraph(module, without=without)):
        inputs = function.function_type.inputs.data
        former = function.arg_attrs or [DictionaryAttr({})] * len(inputs)
        attributes = [
            DictionaryAttr({**entry.data, WRITABLE: BoolAttr.from_bool(False)})
            if is_tensor_like(type)
            and WRITABLE not in entry.data
            and not is_given_away(entry)
            else entry
            for type, entry in zip(inputs, former, strict=True)
        ]
        if attributes != [*former]:
            function.arg_attrs = ArrayAttr(attributes)


def _entry_points(graph: CallGraph) -> Sequence[func.FuncOp]:
    return [
        function
        for function in graph.functions
        if function.body.blocks
        and not (
            is_private(function)
            and graph.may_change(function)
            and graph.calls[function]
        )
    ]
