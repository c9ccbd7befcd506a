"""
Donated arguments of functions on memrefs: checked, and used instead of the results that they
are, so that these are not taken for new memory.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.buffers.returned_buffers import (
    Returned,
    ReturnedKind,
    returned_as_agreed,
)
from xdsl_bufferization.calling_conventions.signatures import cast_to
from xdsl_bufferization.support.call_graph import CallGraph, all_returns
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.donation import (
    ALIASING_RESULT,
    check_donations,
    donated_arguments,
)
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.shaped_types import is_memref_type


def with_donated_arguments(
    module: Operation, change: Callable[[CallGraph, AbstractSet[SSAValue]], None]
) -> None:
    """
    Apply `change` to the module after all donated arguments are used instead of the results
    that they are; it gets the results of calls that are unused for that reason.

    Raises `BufferizationError` if a function does not return what it should, and what `change`
    raises.
    """
    calls = CallGraph(module)
    check_donated_arguments(calls)
    change(calls, _use_arguments(calls))


def check_donated_arguments(calls: CallGraph) -> None:
    """
    Raises `BufferizationError` if a result may be another memref than the argument that is
    donated for it, or if no argument can be donated for it.
    """
    for function in calls.functions:
        check_donations(function)
    for function, returned in returned_as_agreed(calls).items():
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


def _use_arguments(calls: CallGraph) -> AbstractSet[SSAValue]:
    """
    Return donated arguments themselves, and use operands of calls instead of the results that
    are in them; returns these results.
    """
    unused: set[SSAValue] = set()
    for function in calls.functions:
        for result, argument in _donated(function).items():
            for return_op in all_returns(function):
                value = return_op.operands[result]
                builder = builder_for(return_op, InsertPoint.before(return_op))
                return_op.operands[result] = cast_to(
                    builder, function.args[argument], value.type
                )
            for call in calls.calls[function]:
                value = call.results[result]
                builder = builder_for(call, InsertPoint.before(call))
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
