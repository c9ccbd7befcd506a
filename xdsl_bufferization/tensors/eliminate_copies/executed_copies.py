"""
The bytes that a function copies each time it runs.

A copy counts as often as the loops around it run, where their bounds and steps are constants; any
other loop counts as `UNKNOWN_TRIP_COUNT` iterations. So a copy after a loop is cheaper than one
within it.

Takes time linear in the operands of the program, and for each copy in proportion to the loops
around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from xdsl.dialects import func
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.loop_like import trip_count
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.tensors.analysed_module import AnalysedModule
from xdsl_bufferization.tensors.costs.buffer_bytes import bytes_in
from xdsl_bufferization.tensors.eliminate_copies.culprits import copied_operands

UNKNOWN_TRIP_COUNT = 16
"""The iterations that are assumed of a loop whose bounds are no constants."""


def executed_bytes(
    program: AnalysedModule, functions: AbstractSet[func.FuncOp]
) -> Mapping[func.FuncOp, int]:
    """The bytes that each of the functions copies, as decided, as far as known or assumed."""
    found: Counter[func.FuncOp] = Counter(dict.fromkeys(functions, 0))
    sizes = {function: bytes_in(function) for function in functions}
    for op, index in copied_operands(program):
        function = outermost_function(op)
        if function is not None and function in functions:
            size = sizes[function].of(op.operands[index])
            if size is not None:
                found[function] += size.number * _executions(op)
    return found


def _executions(op: Operation) -> int:
    """How often the op runs each time its function does."""
    number, nested = 1, op
    while (parent := nested.parent_op()) is not None:
        number *= _trip_count(parent, nested)
        nested = parent
    return number


def _trip_count(op: Operation, nested: Operation) -> int:
    """How often the region of the op with the nested op runs each time the op does."""
    if (known := trip_count(op)) is not None:
        return known
    model, region = RegionBranchOpInterface.of(op), nested.parent_region()
    if (
        model is None
        or region is None
        or not model.is_repetitive(op, op.get_region_index(region))
    ):
        return 1
    return UNKNOWN_TRIP_COUNT
