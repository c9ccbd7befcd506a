"""
Donated arguments: memory of the caller's that the function returns a result in.

The attribute `bufferize.aliasing_result = i` on an argument is an agreement of a function
with all its callers: result `i` is the very memref that the argument is, which the function
may overwrite, and the caller owns it before and after the call.

Arguments of entry points that the caller does not give away are read-only, as for JAX and
IREE, which keep the arguments of a call unless they are donated: MLIR lets a function write any
argument without `bufferization.writable = false`, so `keep_arguments` adds that attribute.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
)
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.support.attributes import (
    argument_attribute,
    argument_attributes,
    attribute,
    known_attribute,
)
from xdsl_bufferization.support.call_graph import CallGraph, is_private
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.shaped_types import (
    are_cast_compatible,
    is_memref_type,
    is_tensor_like,
    is_tensor_type,
)

ALIASING_RESULT = "bufferize.aliasing_result"
"""On a donated argument: the index of the result that is in its memory."""

_OUTPUT_STORAGE = "tf.aliasing_output", "iree.abi.output"
"""On an argument, in programs of JAX and IREE: a result that may be in its memory."""

_DONOR = "jax.buffer_donor"
"""On an argument, in programs of JAX: whether some result may be in its memory."""

_ARGUMENTS = "arg_attrs"


def donated_arguments(function: Operation) -> Mapping[int, int]:
    """
    By index of a result: the index of the argument in whose memory it is, without what
    `check_donations` has an objection to.
    """
    if attribute(function, _ARGUMENTS) is None:
        return {}
    return {
        index.value.data: argument
        for argument, index in _donations(function)
        if isinstance(index, IntegerAttr)
        and _objection(function, argument, index) is None
    }


def check_donations(function: Operation) -> None:
    """
    Raises `BufferizationError` if an argument cannot be donated for the result that its
    attribute names, whatever the function does.
    """
    donated: dict[int, int] = {}
    for argument, index in _donations(function):
        why = _objection(function, argument, index)
        if why is None and isinstance(index, IntegerAttr):
            result = index.value.data
            if result not in donated:
                donated[result] = argument
                continue
            why = f"result #{result} is in the memory of argument #{donated[result]}"
        raise BufferizationError(
            function,
            f"cannot have {ALIASING_RESULT} = {index} on argument #{argument}: {why}",
            hint="donate a tensor or a memref for a result of the same type, and one "
            "argument for each result",
        )


def possible_donors(function: Operation) -> Sequence[int]:
    """The arguments that may be donated besides those that are, whatever the results are."""
    inputs = known_attribute(function, "function_type", FunctionType).inputs
    taken = {*donated_arguments(function).values()}
    return [
        argument
        for argument, input in enumerate(inputs)
        if argument not in taken
        and _is_memory(input)
        and not is_read_only(function, argument)
    ]


def possible_donations(function: Operation) -> Iterator[tuple[int, int]]:
    """
    The arguments that may be donated besides those that are, each with a result: possibly all
    arguments for all results.
    """
    type = known_attribute(function, "function_type", FunctionType)
    donated, donors = donated_arguments(function), possible_donors(function)
    for result, output in enumerate(type.outputs):
        for argument in donors if result not in donated else ():
            if _may_be_in(type.inputs.data[argument], output):
                yield argument, result


def donate(function: Operation, argument: int, result: int) -> None:
    """Give a function the attribute that says that the result is in the argument's memory."""
    type = known_attribute(function, "function_type", FunctionType)
    entries = [*argument_attributes(function)] or [{} for _ in type.inputs]
    entries[argument] = {**entries[argument], ALIASING_RESULT: IntegerAttr(result, 64)}
    function.properties[_ARGUMENTS] = ArrayAttr(map(DictionaryAttr, entries))


def adopt_donations(function: Operation) -> None:
    """
    Let results be in the arguments that JAX and IREE donate for them, if they name the result:

        %t: tensor<8xf32> {tf.aliasing_output = 0 : i32}    // and bufferize.aliasing_result = 0
    """
    donated = {**donated_arguments(function)}
    for argument, entry in enumerate(argument_attributes(function)):
        for index in map(entry.get, _OUTPUT_STORAGE):
            if (
                isinstance(index, IntegerAttr)
                and (result := index.value.data) not in donated
                and argument not in donated.values()
                and _objection(function, argument, index) is None
            ):
                donated[result] = argument
                donate(function, argument, result)


def is_given_away(attributes: DictionaryAttr) -> bool:
    """
    Whether the attributes of an argument say that callers do not need it as it was: it is
    donated, in the words of this package, JAX or IREE.
    """
    entries = attributes.data
    return any(
        name in entries for name in (ALIASING_RESULT, *_OUTPUT_STORAGE)
    ) or entries.get(_DONOR) == BoolAttr.from_bool(True)


def renumber_donations(function: Operation, kept: Sequence[int]) -> None:
    """
    Adapt the attributes to a function that keeps only the results with the indices `kept`.
    """
    for attributes in (function.properties, function.attributes):
        found = attributes.get(_ARGUMENTS)
        if isinstance(found, ArrayAttr):
            attributes[_ARGUMENTS] = ArrayAttr(_renumbered(e, kept) for e in found)


def _renumbered(attributes: Attribute, kept: Sequence[int]) -> Attribute:
    if not isinstance(attributes, DictionaryAttr):
        return attributes
    data = {**attributes.data}
    index = data.pop(ALIASING_RESULT, None)
    if isinstance(index, IntegerAttr) and (result := index.value.data) in kept:
        data[ALIASING_RESULT] = IntegerAttr(kept.index(result), index.type)
    return DictionaryAttr(data)


def _donations(function: Operation) -> Iterator[tuple[int, Attribute]]:
    """The arguments with the attribute, and its value."""
    for argument, entry in enumerate(argument_attributes(function)):
        if (index := entry.get(ALIASING_RESULT)) is not None:
            yield argument, index


def _objection(function: Operation, argument: int, index: Attribute) -> str | None:
    """Why the attribute cannot have this value; `None` if it can."""
    type = known_attribute(function, "function_type", FunctionType)
    input, outputs = type.inputs.data[argument], type.outputs.data
    if not isinstance(index, IntegerAttr):
        return "it is not the index of a result"
    if not _is_memory(input):
        return f"{input} is no memory"
    if not 0 <= index.value.data < len(outputs):
        return f"the number of results is {len(outputs)}"
    output = outputs[index.value.data]
    if not _may_be_in(input, output):
        return f"the argument is {input}, the result {output}"
    if is_read_only(function, argument):
        return "bufferization.writable = false says that it must not be written"
    return None


def _is_memory(type: Attribute) -> bool:
    return is_tensor_type(type) or is_memref_type(type)


def _may_be_in(input: Attribute, output: Attribute) -> bool:
    """Whether a result of one type may be in an argument of another."""
    return input == output or are_cast_compatible(input, output)


WRITABLE = "bufferization.writable"
"""Attribute of an argument: whether the function may write its buffer."""


def is_read_only(function: Operation, argument: int) -> bool:
    """Whether the function must not write the argument's buffer."""
    writable = argument_attribute(function, argument, WRITABLE)
    return writable == BoolAttr.from_bool(False)


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
