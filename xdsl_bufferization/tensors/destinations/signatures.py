"""
Empty tensors of functions that become arguments.

    %r = func.call @layer(%x) : ...            // before

    %e = tensor.empty() : tensor<4xf32>        // after
    %r = func.call @layer(%x, %e) : ...

The contents of an empty tensor are undefined, so the function computes the same whatever it gets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.calling_conventions.signatures import (
    add_arguments,
    rebuild_call,
    replace_call,
)
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.tensors.destinations.returned_empty_tensors import Returned


def take_destinations(
    found: Mapping[func.FuncOp, Returned],
    calls: Mapping[func.FuncOp, Sequence[func.CallOp]],
) -> None:
    """
    Let the functions take the empty tensors `found` as arguments, by result, and their `calls`
    give them: a call that returns what its own function takes passes that on.
    """
    passed_on: dict[tuple[Operation, int], SSAValue] = {}
    for function, returned in found.items():
        arguments = add_arguments(
            function,
            [r.type for r in returned.values()],
            [DictionaryAttr({}) for _ in returned],
        )
        for argument, one in zip(arguments, returned.values(), strict=True):
            for operand in one.operands:
                user, empty = operand.owner.op, operand.value.value
                argument.name_hint = argument.name_hint or empty.name_hint
                user.operands[operand.index] = argument
                if empty.first_use is None and isinstance(empty.owner, Operation):
                    empty.owner.detach()
                    empty.owner.erase()
            passed_on.update(((call, index), argument) for call, index in one.calls)
    for function, returned in found.items():
        for call in calls[function]:
            _give(call, returned, passed_on)


def _give(
    call: func.CallOp,
    returned: Returned,
    passed_on: Mapping[tuple[Operation, int], SSAValue],
) -> None:
    builder = builder_for(call, InsertPoint.before(call))
    given: list[SSAValue] = []
    for index, one in returned.items():
        value = passed_on.get((call, index))
        if value is None:
            value = builder.insert(tensor.EmptyOp((), one.type)).tensor
        given.append(value)
    replace_call(call, rebuild_call(call, given, range(len(call.results))).results)
