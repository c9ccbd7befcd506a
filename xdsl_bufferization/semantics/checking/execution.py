"""
Calling a function of a program, before or after passes, on given arguments.

Functions without a body: stand-ins that compute something from their arguments.

The programs before and after passes call the same functions, so results only depend on the
function's name and the contents of its arguments. After bufferization, a stand-in does the
worst to memory that its declaration allows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, ShapedType, StringAttr
from xdsl.interpreter import InterpreterFunctions, PythonValues
from xdsl.ir import Attribute, Block, Operation

from xdsl_bufferization.interfaces.bufferizable import declared_access
from xdsl_bufferization.semantics.checking.inputs import random_value
from xdsl_bufferization.semantics.checking.signatures import (
    Argument,
    Correspondence,
    ResultPosition,
    arena_size_function,
    arena_types,
    argument_in_memory,
    argument_types,
    initialised_argument,
    is_read_only,
    result_types,
)
from xdsl_bufferization.semantics.errors import (
    MemoryFault,
    MissingSemanticsError,
    diagnosed,
)
from xdsl_bufferization.semantics.interpreter import ReferenceInterpreter
from xdsl_bufferization.semantics.memory.buffers import Buffer, Kind, MemRef, layout_of
from xdsl_bufferization.semantics.memory.memory import Garbage, Memory, Statistics
from xdsl_bufferization.semantics.values import Array, Value
from xdsl_bufferization.support.attributes import known_attribute
from xdsl_bufferization.support.donation import donated_arguments
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import is_memref_type


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
        Raises `ExecutionError` if it fails.

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
            max_steps=max_steps or self.max_steps,
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
            raise diagnosed(error, function)  # noqa: B904 # it has its cause
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
        array = run.memory.contents(value, run.function)
    except MemoryFault as fault:
        raise MemoryFault(
            f"{name} is memory that is gone: {fault.message}",
            run.function,
            fault.related,
        ) from None
    return Output(name, array, memref)


_LIMIT = 4
"""The largest index that is returned, and the size of dimensions of unknown size."""


def name_of(function: Operation) -> str:
    """The function's symbol."""
    return known_attribute(function, "sym_name", StringAttr).data


@dataclass
class Externals:
    """The functions without a body, in one run of a program."""

    memory: Memory
    declarations: Mapping[str, Operation]
    """By name: the functions of the program before the passes."""

    def __call__(self, function: Operation, arguments: PythonValues) -> PythonValues:
        declaration = self.declarations.get(name_of(function))
        if declaration is None:
            raise MissingSemanticsError(
                "this function has no body, and the program before has none of that name",
                function,
            )
        arrays = self._read(declaration, function, arguments)
        random = np.random.default_rng(_seed(name_of(function), arrays))
        donated = {
            result: arguments[argument]
            for result, argument in donated_arguments(declaration).items()
        }
        values = [
            random_value(
                random,
                type,
                _shape(type, [donated[i]] if i in donated else arguments),
                _LIMIT,
                small=True,
            )
            for i, type in enumerate(result_types(declaration))
        ]
        results = [
            donated[i]
            if i in donated and is_memref_type(after)
            else self._returned(values[i], after, function)
            for i, after in enumerate(result_types(function))
        ]
        self._write(declaration, function, arguments, random)
        for i, memref in donated.items():
            if isinstance(memref, MemRef):
                self.memory.write(memref, values[i], function)
        return tuple(results)

    def _read(
        self, declaration: Operation, function: Operation, arguments: PythonValues
    ) -> list[Array | None]:
        """The contents of the arguments that the function reads."""
        return [
            np.asarray(self.memory.contents(argument, function))
            if "read" in declared_access(declaration, i)
            else None
            for i, argument in enumerate(arguments)
        ]

    def _returned(self, value: Value, type: Attribute, function: Operation) -> Value:
        if not is_memref_type(type):
            return value
        layout = layout_of(type, value.shape)
        return self.memory.initialised(value, function, Kind.HEAP, layout)

    def _write(
        self,
        declaration: Operation,
        function: Operation,
        arguments: PythonValues,
        random: np.random.Generator,
    ) -> None:
        types = argument_types(declaration)
        for i, (type, argument) in enumerate(zip(types, arguments, strict=True)):
            if not isinstance(argument, MemRef) or declared_access(declaration, i) in (
                "read",
                "none",
            ):
                continue
            if is_memref_type(type):
                written = random_value(random, type, argument.sizes, _LIMIT, small=True)
            else:
                # It was a tensor, so its contents are unspecified from now on.
                written = self.memory.uninitialised(
                    argument.sizes, argument.dtype, function
                )
            self.memory.write(argument, written, function)


def _seed(name: str, arrays: Sequence[Array | None]) -> int:
    digest = hashlib.blake2b(name.encode(), digest_size=8)
    for array in arrays:
        if array is not None:
            digest.update(repr((array.shape, array.dtype.str)).encode())
            # Zeros of both signs are equal, and have to give the same seed.
            plain = array if array.dtype.kind in "biu" else array + array.dtype.type(0)
            digest.update(plain.tobytes())
    return int.from_bytes(digest.digest(), "little")


def _shape(type: Attribute, arguments: Sequence[Value]) -> tuple[int, ...]:
    """The type's shape; dynamic sizes are taken from the first argument of that rank."""
    static = type.get_shape() if isinstance(type, ShapedType) else ()
    shapes = (getattr(argument, "shape", ()) for argument in arguments)
    like = next((s for s in shapes if len(s) == len(static)), (_LIMIT,) * len(static))
    return tuple(
        known if size == DYNAMIC_INDEX else size
        for size, known in zip(static, like, strict=True)
    )
