"""
Running bufferized functions with an allocator that records each allocation and free.

As in `tests.peer.runner` the arrays travel as bytes, and all calls are compiled and run
together. A driver for each function stands for its caller: it makes the arguments, which
the function may not free, and frees each result once. What it does itself is not counted.

`python -m tests.deallocation.recording` prints a table of what our pipeline and that of
mlir-opt make of the programs in `tests.deallocation`.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from typing_extensions import TypeIs
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import FunctionType, MemRefType
from xdsl.ir import Attribute, Operation

from tests.deallocation import (
    Pipeline,
    Program,
    inputs_for,
    read_programs,
    with_mlir_opt,
    with_xdsl,
)
from tests.peer import MlirTools, PeerError, find_mlir_tools, why_no_mlir_tools
from tests.peer.numpy_types import Array, dtype_of
from tests.peer.runner import (
    _contents,  # pyright: ignore[reportPrivateUsage]
    _function_type,  # pyright: ignore[reportPrivateUsage]
    parse_module,
)
from tests.peer.tools import ENTRY_POINT, call_tool

LOWERING_TO_LLVM = (
    "--expand-realloc=emit-deallocs=false",
    "--convert-bufferization-to-memref",
    "--scf-forall-to-for",
    "--convert-linalg-to-loops",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--finalize-memref-to-llvm=use-generic-functions=true",
    "--convert-to-llvm",
    "--reconcile-unrealized-casts",
)
"""What mlir-opt does to a program, so that it calls the functions of allocator.c."""

LIBRARY = "liballocator.so"
"""The file of the compiled allocator."""

HELPER = "dealloc_helper"
"""The function that decides which of several buffers to free."""

TIME_LIMIT = 60
"""Seconds after which a program counts as one that does not end."""


@dataclass(frozen=True)
class RecordedCall:
    """A function to be called."""

    module: str
    """A module without tensors, in generic form as mlir-opt or xDSL print it."""
    function: str
    inputs: Sequence[Array]


class Counts(NamedTuple):
    """What the allocator recorded of one call; as in allocator.c, in this order."""

    allocs: int
    frees: int
    """Blocks freed, by the function or by its caller, to which results belong."""
    leaked: int
    """Blocks that nobody freed."""
    double_frees: int
    unknown_frees: int
    """Frees of what the function has not allocated, but for instance its caller."""
    late_writes: int
    """Freed blocks that have been written since."""
    peak_bytes: int
    """The most that was allocated at one time, without the arguments."""


@dataclass(frozen=True)
class Recording:
    """One call."""

    results: Sequence[Array]
    arguments: Sequence[Array]
    """The memrefs that it was given, as it left them."""
    counts: Counts

    @property
    def errors(self) -> str:
        """What is wrong with how memory was freed, or nothing."""
        errors = self.counts._asdict()
        for name in ("allocs", "frees", "peak_bytes"):
            del errors[name]
        return ", ".join(f"{name}: {n}" for name, n in errors.items() if n)


def run_recorded(
    tools: MlirTools, calls: Sequence[RecordedCall]
) -> list[Recording | PeerError]:
    """
    What was recorded of each call, or why it does not compile, crashes, or does not end.

    A memref that a function returns belongs to the caller and shares no memory with an
    argument; two results may share memory. Reading freed memory gives `0xA5` bytes.

    Raises `ValueError` if a module has no such function.
    """
    texts = list(dict.fromkeys(call.module for call in calls))
    lowered = tools.opt_each(texts, *LOWERING_TO_LLVM)
    refusals = {
        text: error
        for text, error in zip(texts, lowered, strict=True)
        if isinstance(error, PeerError)
    }
    accepted = [call for call in calls if call.module not in refusals]
    library = Path(_allocator().name) / LIBRARY
    recordings = iter(_run(tools, library, accepted))
    return [refusals.get(call.module) or next(recordings) for call in calls]


@cache
def _allocator() -> tempfile.TemporaryDirectory[str]:
    """A directory with the compiled allocator, which is there as long as this process."""
    directory = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    source = Path(__file__).with_name("allocator.c")
    flags = ("-O1", "-shared", "-fPIC")
    subprocess.run(
        ["cc", *flags, source, "-o", Path(directory.name) / LIBRARY], check=True
    )
    return directory


@dataclass(frozen=True)
class Outcome:
    """What came of one program with a pipeline."""

    text: str | Exception
    """The program with deallocations, or why there is none."""
    recordings: list[Recording | PeerError] = field(
        default_factory=list[Recording | PeerError]
    )
    """Of each call; as many with all pipelines."""

    def get_recordings(self) -> list[Recording]:
        """What was recorded. Raises why nothing was."""
        if isinstance(self.text, Exception):
            raise self.text
        recordings: list[Recording] = []
        for recording in self.recordings:
            if isinstance(recording, PeerError):
                raise recording
            recordings.append(recording)
        return recordings


def _generic(tools: MlirTools, programs: Sequence[Program]) -> list[str]:
    """The programs in generic form. Raises `PeerError` if one is not valid."""
    sources: list[str] = []
    for text in tools.opt_each([program.text for program in programs]):
        if isinstance(text, PeerError):
            raise text
        sources.append(text)
    return sources


def record_programs(
    tools: MlirTools, programs: Sequence[Program], pipeline: Pipeline
) -> dict[str, Outcome]:
    """What comes of each program, by its name; all are run together."""
    sources = _generic(tools, programs)
    outcomes: dict[str, Outcome] = {}
    calls: list[RecordedCall] = []
    for program, source, text in zip(
        programs, sources, pipeline(tools, sources), strict=True
    ):
        outcomes[program.name] = Outcome(text)
        if not isinstance(text, Exception):
            calls += [
                RecordedCall(text, program.name, inputs)
                for inputs in inputs_for(function_type(source, program.name))
            ]
    for call, recording in zip(calls, run_recorded(tools, calls), strict=True):
        outcomes[call.function].recordings.append(recording)
    return outcomes


def _run(
    tools: MlirTools,
    library: Path,
    calls: Sequence[RecordedCall],
) -> list[Recording | PeerError]:
    """Run all calls together, and if that fails each half by itself."""
    if not calls:
        return []
    try:
        return [*_run_together(tools, library, calls)]
    except PeerError as error:
        if len(calls) == 1:
            return [error]
    half = len(calls) // 2
    return [
        *_run(tools, library, calls[:half]),
        *_run(tools, library, calls[half:]),
    ]


def _run_together(
    tools: MlirTools,
    library: Path,
    calls: Sequence[RecordedCall],
) -> list[Recording]:
    """What was recorded of each call. Raises `PeerError` if any of them fails."""
    prefixes: dict[str, str] = {}
    drivers: dict[tuple[str, tuple[tuple[int, ...], ...]], str] = {}
    types: list[FunctionType] = []
    lines: list[str] = []
    main: list[str] = []
    for call in calls:
        if call.module not in prefixes:
            prefixes[call.module] = f"module{len(prefixes)}_"
            lines.append(_contents(call.module, prefixes[call.module]))
        type = function_type(call.module, call.function)
        types.append(type)
        function = prefixes[call.module] + call.function
        key = (function, tuple(array.shape for array in call.inputs))
        if key not in drivers:
            drivers[key] = f"driver{len(drivers)}"
            lines += _driver(drivers[key], function, type, call.inputs)
        main.append(f"func.call @{drivers[key]}() : () -> ()")
    lines += _declarations(types)
    lines += [f"func.func @{ENTRY_POINT}() {{", *main, "func.return", "}"]
    lowered = tools.opt("\n".join(lines), *LOWERING_TO_LLVM)

    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout:
        for call in calls:
            for array in call.inputs:
                stdin.write(np.ascontiguousarray(array).tobytes())
        stdin.seek(0)
        _call_entry_point(tools, library, lowered, stdin, stdout)
        stdout.seek(0)
        return [_read_recording(stdout, type) for type in types]


def _call_entry_point(
    tools: MlirTools, library: Path, lowered: str, stdin: IO[bytes], stdout: IO[bytes]
) -> None:
    """Like `MlirTools.run`, with one library more, and a time limit."""
    runner_utils = (tools.directory.parent / "lib").glob("libmlir_c_runner_utils.*")
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as module:
        module.write(lowered)
        module.flush()
        command = [
            tools.directory / "mlir-runner",
            module.name,
            "-e",
            ENTRY_POINT,
            "--entry-point-result=void",
            *(f"--shared-libs={path}" for path in (library, *sorted(runner_utils))),
        ]
        call_tool(command, stdin=stdin, stdout=stdout, timeout=TIME_LIMIT)


@cache
def function_type(module: str, function: str) -> FunctionType:
    """What the function takes and returns. Raises `ValueError` if there is none."""
    return _function_type(module, function)


def is_memref(type: Attribute) -> TypeIs[MemRefType[Attribute]]:
    """Whether values of the type are ranked memrefs; if not, they are scalars."""
    return isinstance(type, MemRefType)


def _memref_of(type: Attribute) -> MemRefType[Attribute]:
    """The type; a scalar travels as a memref of rank zero."""
    return type if is_memref(type) else MemRefType(type, ())


def _read_array(stdout: IO[bytes], type: Attribute) -> Array:
    memref = _memref_of(type)
    dtype = dtype_of(memref.element_type)
    shape = np.frombuffer(stdout.read(8 * memref.get_num_dims()), np.int64)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    return np.frombuffer(stdout.read(size), dtype).reshape(shape)


def _read_recording(stdout: IO[bytes], type: FunctionType) -> Recording:
    results = [_read_array(stdout, t) for t in type.outputs.data]
    arguments = [_read_array(stdout, t) for t in type.inputs.data if is_memref(t)]
    counts = np.frombuffer(stdout.read(8 * len(Counts._fields)), np.int64)
    return Recording(results, arguments, Counts(*map(int, counts)))


def _declarations(types: Sequence[FunctionType]) -> Iterator[str]:
    """Lines that declare the functions of allocator.c that drivers call."""
    for name in ("begin", "end", "report"):
        yield f"func.func private @recording_{name}()"
    elements = {
        str(_memref_of(t).element_type)
        for type in types
        for t in (*type.inputs.data, *type.outputs.data)
    }
    for element in sorted(elements):
        yield f"func.func private @read_{element}(memref<*x{element}>)"
        yield f"func.func private @write_{element}(memref<*x{element}>)"


def _driver(
    name: str, function: str, type: FunctionType, inputs: Sequence[Array]
) -> Iterator[str]:
    """Lines of a function that is the caller: it reads, calls, writes, and frees."""
    argument_types, result_types = type.inputs.data, type.outputs.data
    arguments = [f"%arg{i}" for i in range(len(argument_types))]
    results = [f"%res{i}" for i in range(len(result_types))]
    yield f"func.func @{name}() {{"
    for value, t, array in zip(arguments, argument_types, inputs, strict=True):
        yield from _read_argument(value, t, array.shape)
    yield "func.call @recording_begin() : () -> ()"
    call = f"func.call @{function}({', '.join(arguments)}) : {type}"
    yield f"{', '.join(results)} = {call}" if results else call
    yield "func.call @recording_end() : () -> ()"
    for value, t in zip(results, result_types, strict=True):
        yield from _write(value, t)
    for value, t in zip(arguments, argument_types, strict=True):
        if is_memref(t):
            yield from _write(value, t)
    for value, t in zip(results, result_types, strict=True):
        if is_memref(t):
            yield f"memref.dealloc {value} : {t}"
    yield "func.call @recording_report() : () -> ()"
    yield "func.return"
    yield "}"


def _read_argument(name: str, type: Attribute, shape: tuple[int, ...]) -> Iterator[str]:
    """Lines that define `name` as what comes next on the standard input."""
    buffer_type = MemRefType(_memref_of(type).element_type, shape)
    yield f"{name}_buffer = memref.alloc() : {buffer_type}"
    yield from _pass_to("read", f"{name}_buffer", buffer_type)
    if is_memref(type):
        yield f"{name} = memref.cast {name}_buffer : {buffer_type} to {type}"
    else:
        yield f"{name} = memref.load {name}_buffer[] : {buffer_type}"


def _write(name: str, type: Attribute) -> Iterator[str]:
    """Lines that write shape and elements of `name` to the standard output."""
    if is_memref(type):
        yield from _pass_to("write", name, type)
        return
    yield f"{name}_buffer = memref.alloc() : {_memref_of(type)}"
    yield f"memref.store {name}, {name}_buffer[] : {_memref_of(type)}"
    yield from _pass_to("write", f"{name}_buffer", _memref_of(type))


def _pass_to(verb: str, name: str, type: MemRefType[Attribute]) -> Iterator[str]:
    """Lines that call a function of allocator.c for the elements' type."""
    any_rank = f"memref<*x{type.element_type}>"
    yield f"{name}_{verb} = memref.cast {name} : {type} to {any_rank}"
    yield f"func.call @{verb}_{type.element_type}({name}_{verb}) : ({any_rank}) -> ()"


def costs_of(text: str) -> tuple[int, int, int]:
    """
    How many allocations are in a program in generic form, how many clones, and in how many
    places it decides when it runs whether to free.
    """
    allocs = clones = checks = 0
    for op in parse_module(text).walk():
        match op:
            case memref.AllocOp():
                allocs += 1
            case Operation(name="bufferization.clone"):
                clones += 1
            case memref.DeallocOp() if isinstance(op.parent_op(), scf.IfOp):
                checks += not _is_in_helper(op)
            case func.CallOp() if op.callee.string_value().startswith(HELPER):
                checks += 1
            case _:
                pass
    return allocs, clones, checks


def _is_in_helper(op: Operation) -> bool:
    while not isinstance(op, func.FuncOp):
        parent = op.parent_op()
        if parent is None:
            return False
        op = parent
    return op.sym_name.data.startswith(HELPER)


def table(tools: MlirTools) -> str:
    """The costs of each program with our pipeline and that of mlir-opt, in Markdown."""
    pipelines = {"ours": with_xdsl(), "mlir-opt": with_mlir_opt()}
    columns = ("allocations", "clones", "checks", "peak bytes")
    programs = read_programs()
    sides = {who: record_programs(tools, programs, p) for who, p in pipelines.items()}
    header = ["program", *(f"{column}, {who}" for column in columns for who in sides)]
    lines = [header, ["---"] + ["--:"] * (len(header) - 1)]
    for program in programs:
        costs = [_costs(outcomes[program.name]) for outcomes in sides.values()]
        by_column = [cost for column in zip(*costs, strict=True) for cost in column]
        lines.append([f"`{program.name}`", *by_column])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _costs(outcome: Outcome) -> list[str]:
    """The cells for one program and pipeline; nothing if it is refused."""
    if isinstance(outcome.text, Exception):
        return [""] * 4
    try:
        peak = str(max(r.counts.peak_bytes for r in outcome.get_recordings()))
    except PeerError:
        peak = ""
    return [*map(str, costs_of(outcome.text)), peak]


if __name__ == "__main__":
    found = find_mlir_tools()
    print(table(found) if found else why_no_mlir_tools())
