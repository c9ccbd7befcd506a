"""
Calling a function of a program, before or after passes, on given arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import InterpreterFunctions
from xdsl.ir import Block, Operation

from xdsl_bufferization.semantics.checking.boundary import (
    Argument,
    arena_size_function,
    arena_types,
    argument_in_memory,
    argument_types,
    contents,
    initialised_argument,
    is_read_only,
)
from xdsl_bufferization.semantics.checking.externals import Externals, name_of
from xdsl_bufferization.semantics.checking.signatures import (
    Correspondence,
    ResultPosition,
)
from xdsl_bufferization.semantics.errors import ExecutionError, MemoryFault, diagnosed
from xdsl_bufferization.semantics.interpreter import ReferenceInterpreter
from xdsl_bufferization.semantics.memory.buffers import Buffer, MemRef
from xdsl_bufferization.semantics.memory.garbage import Garbage
from xdsl_bufferization.semantics.memory.memory import Memory, Statistics
from xdsl_bufferization.semantics.values import Array, Value
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import is_memref_type


class StepLimitError(ExecutionError):
    """A call runs for more ops than are allowed."""


@dataclass
class Program:
    """A module whose functions are run, with more semantics and a limit on ops."""

    module: ModuleOp
    semantics: Sequence[Callable[[], InterpreterFunctions]]
    max_steps: int
    original: Program | None = None
    """The program before the passes, if this is the one after."""
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
        correspondence: Correspondence | None = None,
        expected: Sequence[Value] = (),
    ) -> Run:
        """
        Call the function, which may run `max_steps` ops, by default as many as the program.
        Errors while it runs are in the `fault` of the returned run.

        `correspondence` says where the results of the function before, which were
        `expected`, are, if the signature may have changed.
        """
        memory = Memory(garbage, trace)
        original = self.original or self
        function, before = self.functions[name], original.functions[name]
        run = Run(memory, garbage, function)
        run.again = partial(
            self.run,
            name,
            inputs,
            max_steps=max_steps,
            correspondence=correspondence,
            expected=expected,
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
                run.arguments.append(
                    initialised_argument(memory, type, value, read_only)
                )
            added = correspondence.out_params if correspondence is not None else ()
            for type, result in zip(types[len(inputs) :], added, strict=True):
                sizes = np.shape(expected[result])
                run.arguments.append(argument_in_memory(memory, type, sizes))
            values = [argument.value for argument in run.arguments]
            given = tuple(values)
            for i, type in arena_types(function).items():
                sizes = type.get_shape()
                if size := arena_size_function(function, i):
                    sizes = interpreter.call(self.functions[size], given)
                arena = argument_in_memory(memory, type, sizes)
                values.insert(i, arena.value)
            run.returned = list(interpreter.call(function, tuple(values)))
            run.statistics = memory.statistics(run.returned_buffers)
            run.outputs = _outputs(run, before, correspondence)
        except Exception as error:
            run.fault = diagnosed(error, function)
        run.started = frozenset(interpreter.started)
        return run


@dataclass
class Run:
    """A call and its results."""

    memory: Memory
    garbage: Garbage
    function: Operation
    arguments: list[Argument] = field(default_factory=list[Argument])
    returned: list[Value] = field(default_factory=list[Value])
    outputs: list[Output] = field(default_factory=list["Output"])
    statistics: Statistics = field(default_factory=Statistics)
    fault: ExecutionError | None = None
    started: AbstractSet[Block] = frozenset()
    """The blocks that were started."""
    again: Callable[..., Run] = field(init=False)
    """Repeats the call, with other garbage, and options of `Program.run`."""

    @property
    def returned_buffers(self) -> list[Buffer]:
        """The buffers that results are in."""
        return [buffer for _, buffer in self.returned_memory]

    @property
    def returned_memory(self) -> list[tuple[int, Buffer]]:
        """The indices of results that are memrefs, with their buffers."""
        return [
            (i, value.buffer)
            for i, value in enumerate(self.returned)
            if isinstance(value, MemRef)
        ]


@dataclass(frozen=True)
class Output:
    """A result of a call, or the contents of a memref argument after it."""

    name: str
    contents: Value
    """An array or a scalar."""
    memref: MemRef | None = None
    """The memref that holds the array, if one does."""

    @property
    def unspecified(self) -> Array | None:
        """Which elements are unspecified; `None` if none are."""
        memref = self.memref
        if memref is None or memref.buffer.unspecified is None:
            return None
        return memref.per_element(memref.buffer.unspecified)


def output_at(run: Run, position: ResultPosition, result: int) -> Output:
    """The result of the function before that the function that was run has there."""
    values = (
        [argument.value for argument in run.arguments]
        if position.is_argument
        else run.returned
    )
    return _output(run, position.name(result), values[position.index])


def _outputs(
    run: Run, before: Operation, correspondence: Correspondence | None
) -> list[Output]:
    """The results, and the contents of arguments that are memrefs in both programs."""
    positions = (
        [ResultPosition(False, i) for i in range(len(run.returned))]
        if correspondence is None
        else [positions[0] for positions in correspondence.positions]
    )
    outputs = [output_at(run, position, i) for i, position in enumerate(positions)]
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
    """Counts ops, and raises `StepLimitError` at a limit."""

    def __init__(self, limit: int):
        self._left = limit
        self._limit = limit

    def __call__(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise StepLimitError(f"the program runs for more than {self._limit} ops")
