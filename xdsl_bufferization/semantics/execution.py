"""
Running one function of a program, before or after bufferization, on given arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import InterpreterFunctions
from xdsl.ir import Operation

from xdsl_bufferization.semantics.boundary import (
    Argument,
    arena_types,
    argument_types,
    contents,
    given,
    is_read_only,
    passed,
)
from xdsl_bufferization.semantics.buffers import Buffer, MemRef
from xdsl_bufferization.semantics.errors import ExecutionError, MemoryFault
from xdsl_bufferization.semantics.externals import Externals, name_of
from xdsl_bufferization.semantics.garbage import Garbage
from xdsl_bufferization.semantics.interpreter import ReferenceInterpreter
from xdsl_bufferization.semantics.memory import Memory, Statistics
from xdsl_bufferization.semantics.signatures import Correspondence, Place
from xdsl_bufferization.semantics.values import Array, Value
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import is_memref_type


class StepLimitError(ExecutionError):
    """A program that runs for longer than was allowed."""


@dataclass
class Program:
    """What is run: a module, and what else is known of it."""

    module: ModuleOp
    semantics: Sequence[Callable[[], InterpreterFunctions]]
    max_steps: int
    original: Program | None = None
    """The program before bufferization, if this is the one after it."""
    functions: Mapping[str, Operation] = field(init=False)
    """By name."""

    def __post_init__(self) -> None:
        self.functions = {
            name_of(op): op for op in self.module.ops if op_name(op) == "func.func"
        }

    def run(
        self,
        name: str,
        inputs: Sequence[Value],
        garbage: Garbage,
        *,
        trace: bool = False,
        max_steps: int | None = None,
        way: Correspondence | None = None,
        expected: Sequence[Value] = (),
    ) -> Run:
        """
        Call the function, which may run so many ops, or as many as the program may. What
        is wrong with the program while it runs is in the `fault` of what is returned.

        `way` is where its results are, if it may have other ones than the function before,
        whose results were those `expected`.
        """
        memory = Memory(garbage, trace)
        original = self.original or self
        function, before = self.functions[name], original.functions[name]
        run = Run(memory, garbage, function)
        run.again = partial(
            self.run, name, inputs, max_steps=max_steps, way=way, expected=expected
        )
        interpreter = ReferenceInterpreter(
            self.module,
            memory=memory,
            step=_Steps(max_steps or self.max_steps),
            external=Externals(memory, original.functions),
        )
        for semantics in self.semantics:
            interpreter.register_implementations(semantics(), override=True)
        try:
            types = argument_types(function)
            for i, (type, value) in enumerate(
                zip(types[: len(inputs)], inputs, strict=True)
            ):
                why = "the argument's buffer is not writable"
                read_only = why if is_read_only(before, i) else ""
                run.arguments.append(passed(memory, type, value, read_only))
            added = way.out_params if way is not None else ()
            for type, result in zip(types[len(inputs) :], added, strict=True):
                sizes = np.shape(expected[result])
                run.arguments.append(given(memory, type, sizes))
            values = [argument.value for argument in run.arguments]
            for type in arena_types(function):
                values.append(given(memory, type, type.get_shape()).value)
            run.returned = list(interpreter.call(function, tuple(values)))
            run.statistics = memory.statistics(run.returned_buffers)
            run.outputs = _outputs(run, before, way)
        except ExecutionError as error:
            if error.op is None:
                error.op = function
            run.fault = error
        return run


@dataclass
class Run:
    """What became of a call."""

    memory: Memory
    garbage: Garbage
    function: Operation
    arguments: list[Argument] = field(default_factory=list[Argument])
    returned: list[Value] = field(default_factory=list[Value])
    outputs: list[Output] = field(default_factory=list["Output"])
    statistics: Statistics = field(default_factory=Statistics)
    fault: ExecutionError | None = None
    again: Callable[..., Run] = field(init=False)
    """Makes the same call, with this garbage, and options of `Program.run`."""

    @property
    def returned_buffers(self) -> list[Buffer]:
        """The memory that results are in."""
        return [buffer for _, buffer in self.returned_memory]

    @property
    def returned_memory(self) -> list[tuple[int, Buffer]]:
        """The results that are memrefs, by their numbers, and their memory."""
        return [
            (i, value.buffer)
            for i, value in enumerate(self.returned)
            if isinstance(value, MemRef)
        ]


@dataclass(frozen=True)
class Output:
    """Something that a call gives its caller: a result, or what is in an argument."""

    name: str
    contents: Value
    """An array or a scalar."""
    memref: MemRef | None = None
    """Where the array is, if in memory."""

    @property
    def unspecified(self) -> Array | None:
        """Which elements may be anything, if any may."""
        memref = self.memref
        if memref is None or memref.buffer.unspecified is None:
            return None
        return memref.per_element(memref.buffer.unspecified)


def output_at(run: Run, place: Place, result: int) -> Output:
    """That result of the function before, which the function that was run has there."""
    values = (
        [argument.value for argument in run.arguments]
        if place.is_argument
        else run.returned
    )
    return _output(run, place.name(result), values[place.number])


def _outputs(run: Run, before: Operation, way: Correspondence | None) -> list[Output]:
    """The results, and the contents of arguments that are memrefs in both programs."""
    places = (
        [Place(False, i) for i in range(len(run.returned))]
        if way is None
        else [places[0] for places in way.places]
    )
    outputs = [output_at(run, place, i) for i, place in enumerate(places)]
    outputs += [
        _output(run, f"memref argument {i}", run.arguments[i].value)
        for i, type in enumerate(argument_types(before))
        if is_memref_type(type)
    ]
    return outputs


def _output(run: Run, name: str, value: Value) -> Output:
    memref = value if isinstance(value, MemRef) else None
    try:
        array = contents(run.memory, value, run.function)
    except MemoryFault as fault:
        raise MemoryFault(
            f"{name} is memory that is gone: {fault.message}",
            run.function,
            fault.related,
        ) from None
    return Output(name, array, memref)


class _Steps:
    """Counts ops, up to a limit."""

    def __init__(self, limit: int):
        self._left = limit
        self._limit = limit

    def __call__(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise StepLimitError(f"the program runs for more than {self._limit} ops")
