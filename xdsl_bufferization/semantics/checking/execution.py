"""
Calling a function of a program, before or after passes, on given arguments.

Functions without a body: stand-ins that compute something from their arguments.

The programs before and after passes call the same functions, so results only depend on the
function's name and the contents of its arguments. After bufferization, a stand-in does the
worst to memory that its declaration allows.

Comparison of what a program computes before and after passes, why it computes something else, and
whether a call returns memory as its callers expect: what they have to free, or donated.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, ShapedType, StringAttr
from xdsl.interpreter import InterpreterFunctions, PythonValues
from xdsl.ir import Attribute, Block, Operation

from xdsl_bufferization.interfaces.bufferizable import declared_access
from xdsl_bufferization.semantics.checking.inputs import random_value
from xdsl_bufferization.semantics.checking.report import ProblemKind
from xdsl_bufferization.semantics.checking.signatures import (
    Correspondence,
    arena_size_function,
    arena_types,
    argument_in_memory,
    argument_types,
    bytes_around,
    result_types,
)
from xdsl_bufferization.semantics.errors import (
    ExecutionError,
    MemoryFault,
    MissingSemanticsError,
    diagnosed,
)
from xdsl_bufferization.semantics.interpreter import ReferenceInterpreter
from xdsl_bufferization.semantics.memory import ALL, Garbage, Memory, Statistics
from xdsl_bufferization.semantics.values import (
    Array,
    Buffer,
    Kind,
    MemRef,
    Value,
    layout_of,
)
from xdsl_bufferization.support.attributes import known_attribute
from xdsl_bufferization.support.donation import donated_arguments, is_read_only
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
        again = partial(
            self.run,
            name,
            inputs,
            max_steps=max_steps,
            correspondence=correspondence,
            expected=expected,
        )
        run = Run(memory, garbage, function, again)
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
                if is_memref_type(type):
                    why = "the argument's buffer is not writable"
                    read_only = why if is_read_only(before, i) else ""
                    value = argument_in_memory(
                        memory, type, value.shape, value, read_only
                    )
                run.arguments.append(value)
            added = correspondence.out_params if correspondence is not None else ()
            for type, result in zip(types[len(inputs) :], added, strict=True):
                sizes = np.shape(expected[result])
                run.arguments.append(argument_in_memory(memory, type, sizes))
            around = [*map(bytes_around, run.arguments)]
            values = [*run.arguments]
            for i, type in arena_types(function).items():
                sizes = type.get_shape()
                if size := arena_size_function(function, i):
                    sizes = interpreter.call(self.functions[size], tuple(run.arguments))
                values.insert(i, argument_in_memory(memory, type, sizes))
            run.returned = list(interpreter.call(function, tuple(values)))
            run.statistics = memory.statistics(run.returned_buffers.values())
            run.outputs = _outputs(run, before, correspondence)
            run.overflowed = [
                i
                for i, value in enumerate(run.arguments)
                if not np.array_equal(bytes_around(value), around[i])
            ]
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
    again: Callable[..., Run]
    """Repeats the call, with other garbage, and options of `Program.run`."""

    def __post_init__(self) -> None:
        self.arguments: list[Value] = []
        self.returned: list[Value] = []
        self.outputs: list[Output] = []
        self.overflowed: Sequence[int] = ()
        """The arguments with memory around their elements that was overwritten."""
        self.statistics = Statistics()
        self.started: AbstractSet[Block] = frozenset()
        """The blocks that were started."""

    @property
    def returned_buffers(self) -> Mapping[int, Buffer]:
        """By index of a result that is a memref: its buffer."""
        return {
            i: value.buffer
            for i, value in enumerate(self.returned)
            if isinstance(value, MemRef)
        }


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


def output_at(run: Run, position: int, result: int) -> Output:
    """The result of the function before that the function that was run has there."""
    values = [*run.arguments, *run.returned]
    where = f", in argument {position}," if position < len(run.arguments) else ""
    return _output(run, f"result {result}{where}", values[position])


def _outputs(
    run: Run, before: Operation, correspondence: Correspondence | None
) -> list[Output]:
    """The results, and the contents of arguments that are memrefs in both programs."""
    positions = (
        [len(run.arguments) + i for i in range(len(run.returned))]
        if correspondence is None
        else [positions[0] for positions in correspondence.positions]
    )
    outputs = [output_at(run, position, i) for i, position in enumerate(positions)]
    outputs += [
        _output(run, f"memref argument {i}", run.arguments[i])
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
        arrays = [
            np.asarray(self.memory.contents(argument, function))
            if "read" in declared_access(declaration, i)
            else None
            for i, argument in enumerate(arguments)
        ]
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


class WrongResultError(ExecutionError):
    """The program after gives other results, or leaves memory otherwise, than it should."""

    def __init__(
        self,
        kind: ProblemKind,
        message: str,
        op: Operation | None,
        related: Sequence[tuple[str, Operation | None]] = (),
        difference: Sequence[Any] = (),
    ):
        super().__init__(message, op, related)
        self.kind = kind
        self.difference = difference
        """Output, index, expected and actual element of the `Problem`, as far as there are any."""


@dataclass(frozen=True)
class Reference:
    """The results of the program before the passes."""

    inputs: Sequence[Value]
    outputs: Sequence[Value]
    defined: Sequence[Array | None]
    """For each output, which elements are defined; `None` if all are."""
    same_memref: Sequence[Container[int] | None] = ()
    """For each result that is a memref, the indices of the equivalent arguments."""

    @staticmethod
    def of(inputs: Sequence[Value], first: Run, second: Run) -> Reference:
        pairs = list(zip(first.outputs, second.outputs, strict=True))
        outputs = [output.contents for output, _ in pairs]
        defined = [_defined(a, b) for a, b in pairs]
        same_memref = [_same_memref(value, first) for value in first.returned]
        return Reference(inputs, outputs, defined, same_memref)

    def difference(self, number: int, output: Output) -> tuple[int, ...] | None:
        """The first index at which the output differs; `()` if its shape does."""
        expected = np.asarray(self.outputs[number])
        actual = np.asarray(output.contents)
        if expected.shape != actual.shape:
            return ()
        different = differ(expected, actual)
        defined = self.defined[number]
        if defined is not None:
            different &= defined
        if not different.any():
            return None
        first = np.unravel_index(different.argmax(), different.shape)
        return tuple(int(i) for i in first)


def narrowed(
    correspondence: Correspondence, run: Run, reference: Reference
) -> Correspondence:
    """
    The correspondence, without the arguments that do not hold a dropped result after the
    run; the run's outputs become those at the first positions that are left.
    """
    for result in correspondence.dropped:
        positions = [
            position
            for position in correspondence.positions[result]
            if reference.difference(result, output_at(run, position, result)) is None
        ]
        correspondence = correspondence.narrowed(
            result, positions or correspondence.positions[result][:1]
        )
        run.outputs[result] = output_at(
            run, correspondence.positions[result][0], result
        )
    return correspondence


def _same_memref(value: Value, run: Run) -> Container[int] | None:
    if not isinstance(value, MemRef):
        return None
    return {
        i
        for i, argument in enumerate(run.arguments)
        if isinstance(argument, MemRef) and argument.is_same_view(value)
    }


def _defined(a: Output, b: Output) -> Array | None:
    """Which elements of the output are equal in both runs; `None` if all are."""
    if np.shape(a.contents) != np.shape(b.contents):
        return np.zeros(np.shape(a.contents), np.bool_)
    defined: Array | None = None
    if a.contents is not b.contents:
        defined = ~differ(a.contents, b.contents)
    if a.unspecified is not None:
        defined = ~a.unspecified if defined is None else defined & ~a.unspecified
    return None if defined is None or defined.all() else defined


def differ(a: Value, b: Value) -> Array:
    """Where two arrays of one shape differ; NaNs are equal, and so are all zeros."""
    a, b = np.asarray(a), np.asarray(b)
    different = np.asarray(a != b)
    if a.dtype.kind not in "biu" and different.any():
        # In all types, only NaNs are unequal to themselves.
        different &= ~(np.asarray(a != a) & np.asarray(b != b))
    return different


def same(a: Value, b: Value) -> bool:
    """Whether two scalars are equal; `None` only equals itself."""
    if a is None or b is None:
        return a is b
    return not differ(a, b).any()


def explained_difference(
    run: Run, reference: Reference, number: int, index: tuple[int, ...]
) -> WrongResultError:
    """
    The error for output `number` of a run of the program after, which differs at the index, or,
    if that is `()`, in its shape.
    """
    output, expected = run.outputs[number], reference.outputs[number]
    if np.shape(output.contents) != np.shape(expected):
        return WrongResultError(
            ProblemKind.DIFFERENCE,
            f"{output.name} has shape {list(np.shape(expected))} before, "
            f"{list(np.shape(output.contents))} after",
            run.function,
            difference=[output.name],
        )
    want, have = np.asarray(expected)[index], np.asarray(output.contents)[index]
    where = f" at {list(index)}" if index else ""
    sources = _uninitialised_sources(run, number, index)
    kind, after = ProblemKind.DIFFERENCE, f"{have!s} after"
    if sources:
        kind = ProblemKind.UNINITIALISED
        after = "and after it depends on memory that is not initialised"
    return WrongResultError(
        kind,
        f"{output.name}{where} is {want!s} before, {after}",
        next(iter(sources), None) or run.function,
        _history(run, number, index),
        [output.name, index, want, have],
    )


def _history(
    run: Run, number: int, index: tuple[int, ...]
) -> Sequence[tuple[str, Operation | None]]:
    """The op that wrote the element last, and the op that allocated its memory."""
    try:
        run = run.again(Garbage(), trace=True)
    except ExecutionError:
        return ()
    memref = run.outputs[number].memref
    if memref is None:
        return ()
    return (
        ("written last by", run.memory.last_writer(memref, index)),
        ("in memory allocated by", memref.buffer.allocated_by),
    )


def _uninitialised_sources(
    run: Run, number: int, index: tuple[int, ...]
) -> Sequence[Operation | None]:
    """
    The op whose uninitialised memory the element of the output depends on; none if there is
    none. It is found by binary search for the first op whose other garbage changes the element.
    """

    def element(garbage: Garbage) -> Value:
        try:
            return np.asarray(run.again(garbage).outputs[number].contents)[index]
        except (ExecutionError, IndexError):
            return None

    first = Garbage()
    start = element(first)
    sources = list(first.sources)
    if same(start, element(Garbage(ALL))):
        return ()
    low, high = 0, len(sources)
    while high - low > 1:
        middle = (low + high) // 2
        if same(start, element(Garbage(middle))):
            low = middle
        else:
            high = middle
    return sources[low : low + 1]


def check_donations(run: Run) -> None:
    """Raises `WrongResultError` if a result is not the argument that is donated for it."""
    for result, argument in donated_arguments(run.function).items():
        returned, donated = run.returned[result], run.arguments[argument]
        if isinstance(returned, MemRef) and not returned.is_same_view(donated):
            raise WrongResultError(
                ProblemKind.OWNERSHIP,
                f"result {result} is not argument {argument}, which is donated for it",
                run.function,
                returned.buffer.origin,
            )


def check_ownership(run: Run) -> None:
    """
    Raises `WrongResultError` if callers cannot free the memory that they own, or if memory leaks.
    """
    donated = donated_arguments(run.function)
    for i, buffer in run.returned_buffers.items():
        if buffer.kind is not Kind.HEAP and i not in donated:
            raise WrongResultError(
                ProblemKind.OWNERSHIP,
                f"result {i} is {buffer.kind.value} memory, which the caller cannot free",
                run.function,
                buffer.origin,
            )
    if leaked := list(run.memory.leaks(run.returned_buffers.values())):
        nbytes = sum(buffer.data.size for buffer in leaked)
        first, *others = dict.fromkeys(buffer.allocated_by for buffer in leaked)
        raise WrongResultError(
            ProblemKind.LEAK,
            f"1 buffer of {nbytes} bytes is never freed"
            if len(leaked) == 1
            else f"{len(leaked)} buffers of together {nbytes} bytes are never freed",
            first,
            [("allocated by", op) for op in others[:5]],
        )
