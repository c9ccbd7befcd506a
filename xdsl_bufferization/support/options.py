"""
The options of bufferization and deallocation, each declared once.

The passes inherit these classes; the documentation is made of the fields: their names, types,
defaults, and the docstrings after them.

Options that One-Shot Bufferize had in earlier releases of MLIR, and what they are today.

Source: MLIR's documentation of bufferization and its tests, of LLVM 14 to 17.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, NamedTuple, TypeAlias


class LayoutMapOption(StrEnum):
    """Which layout a memref gets where none follows from the program."""

    INFER = "infer-layout-map"
    """The layout of the buffer where it is known, fully dynamic elsewhere."""
    IDENTITY = "identity-layout-map"
    """No layout: contiguous, row-major."""
    FULLY_DYNAMIC = "fully-dynamic-layout-map"
    """Dynamic offset and strides."""


class ArgumentAccess(StrEnum):
    """Accesses of functions to the memory of their arguments."""

    WRITABLE = "writable"
    """Write it, as in mlir-opt, unless an argument has `bufferization.writable = false`."""
    READ_ONLY = "read-only"
    """Leave it as it is, as in JAX and IREE, unless the argument is donated."""


class ArenaOption(StrEnum):
    """Whether buffers of known size are parts of one allocation, the arena, and whose it is."""

    OFF = "off"
    """Each buffer is an allocation of its own."""
    ALLOCATED = "allocated"
    """Public functions allocate an arena, private ones get theirs from their callers."""
    ARGUMENT = "argument"
    """Public functions get their arena from their callers, too."""
    STATIC = "static"
    """As `allocated`; programs with other allocations, but for results, are refused."""


class ResultsOption(StrEnum):
    """How functions return memrefs."""

    RETURNED = "returned"
    """As results; callers free what is new."""
    ARGUMENTS = "arguments"
    """In memory of their callers, in arguments after the others."""


class AnalysisHeuristic(StrEnum):
    """
    The order in which the analysis decides: the earlier an operand is decided, the more
    likely it is in place.
    """

    BOTTOM_UP = "bottom-up"
    """From the last op to the first."""
    TOP_DOWN = "top-down"
    """From the first op to the last."""
    BOTTOM_UP_FROM_TERMINATORS = "bottom-up-from-terminators"
    """First the ops that compute operands of terminators, from there backwards."""
    FUZZER = "fuzzer"
    """In random order."""


class NewMemory(StrEnum):
    """Whether loops may return memory that they allocate."""

    NEVER = "never"
    IF_NEEDED = "if needed"
    """Only a loop that otherwise would be refused."""
    ALWAYS = "always"


@dataclass(frozen=True)
class Number:
    """In the type of an option: the numbers that it takes."""

    meaning: str
    """A description of the number, for error messages."""
    holds: Callable[[int], bool]
    """Whether the number is taken."""


@dataclass(frozen=True)
class Flag:
    """In the type of an option with choices: the one that it is if no value is given."""

    choice: StrEnum


Seed: TypeAlias = Annotated[int, Number("not negative", lambda n: n >= 0)]
NotNegative: TypeAlias = Annotated[int, Number("not negative", lambda n: n >= 0)]
Arena: TypeAlias = Annotated[ArenaOption, Flag(ArenaOption.ALLOCATED)]
Alignment: TypeAlias = Annotated[
    int, Number("0 or a power of two, in bytes", lambda n: n >= 0 and n & (n - 1) == 0)
]


@dataclass(frozen=True, kw_only=True)
class BoundaryOptions:
    """Options that decisions depend on, and so the check of decisions, too."""

    bufferize_function_boundaries: bool = False
    """Bufferize the arguments and results of functions, calls and returns."""
    allow_return_allocs_from_loops: bool = False
    """Let loops yield new buffers, instead of copying to an existing one."""


@dataclass(frozen=True, kw_only=True)
class CopyInsertionOptions(BoundaryOptions):
    """Options of the insertion of copies."""

    must_infer_memory_space: bool = False
    """
    Refuse a program that does not determine the memory space of a buffer, instead of
    taking the default one.
    """


@dataclass(frozen=True, kw_only=True)
class OneShotOptions(CopyInsertionOptions):
    """
    The options of One-Shot Bufferize; names, meaning and defaults are mlir-opt's.

    https://mlir.llvm.org/docs/Passes/#-one-shot-bufferize
    """

    function_boundary_type_conversion: LayoutMapOption = LayoutMapOption.INFER
    """The layout of the arguments and results of functions."""
    allow_unknown_ops: bool = False
    """Leave ops that cannot be bufferized on tensors, instead of refusing the program."""
    unknown_type_conversion: Literal[
        LayoutMapOption.IDENTITY, LayoutMapOption.FULLY_DYNAMIC
    ] = LayoutMapOption.FULLY_DYNAMIC
    """The layout of the buffer of a tensor that an unknown op defines."""
    copy_before_write: bool = False
    """Skip the analysis, and copy a buffer before every write to it."""
    buffer_alignment: Alignment = 64
    """The alignment of new buffers, in bytes; 0 leaves it out."""
    check_parallel_regions: bool = True
    """Give each iteration of a parallel region its own memory for what it writes."""
    analysis_heuristic: AnalysisHeuristic = AnalysisHeuristic.BOTTOM_UP
    """The order in which the analysis decides."""
    analysis_fuzzer_seed: Seed = 0
    """The seed of the random order of the heuristic `fuzzer`."""
    dialect_filter: tuple[str, ...] = ()
    """If any are given, bufferize the ops of these dialects only."""
    no_analysis_func_filter: tuple[str, ...] = ()
    """The functions in which a buffer is copied before every write to it."""
    use_encoding_for_memory_space: bool = False
    """Take the encoding of a tensor as the memory space of its buffer."""
    must_be_in_place: bool = False
    """Refuse a program in which an operand needs a copy (not in mlir-opt)."""

    @property
    def new_memory_from_loops(self) -> NewMemory:
        """Whether loops may return memory that they allocate."""
        allowed = self.allow_return_allocs_from_loops
        return NewMemory.ALWAYS if allowed else NewMemory.NEVER

    def lets_take_part(self, op_name: str) -> bool:
        """Whether `dialect_filter` lets ops of that name be bufferized."""
        return not self.dialect_filter or op_name.split(".")[0] in self.dialect_filter


@dataclass(frozen=True, kw_only=True)
class BufferizeOptions(OneShotOptions):
    """The same for `bufferize`, which refuses no loop that may return new memory."""

    @property
    def new_memory_from_loops(self) -> NewMemory:
        allowed = self.allow_return_allocs_from_loops
        return NewMemory.ALWAYS if allowed else NewMemory.IF_NEEDED


@dataclass(frozen=True, kw_only=True)
class DeallocationOptions:
    """Options of deallocation."""

    touches_only: tuple[str, ...] = ()
    """
    Unknown ops (`mydialect.op`, or `mydialect.*`) that neither allocate nor free memory.
    """


@dataclass(frozen=True, kw_only=True)
class OwnershipOptions(DeallocationOptions):
    """Options of ownership-based deallocation."""

    private_function_dynamic_ownership: bool = False
    """
    Let private functions return an `i1` with each memref, which says whether the caller owns
    it, instead of a clone of what it would not own.
    """


Today: TypeAlias = Mapping[str, str | bool]
"""Today's options with their values; empty if the pass always does that today."""


class Gone(NamedTuple):
    """An option whose effect the pass no longer has."""

    instead: str
    """The replacement."""


class Renamed(NamedTuple):
    """The option has another name today, and the same values."""

    name: str


Former: TypeAlias = Renamed | Mapping[bool, Today | Gone]
"""The replacement of a former option; for a flag, the replacement of each value."""

ONE_SHOT_BUFFERIZE: Mapping[str, Former] = {
    "allow-return-memref": Renamed("allow-return-allocs-from-loops"),
    "allow-return-allocs": Renamed("allow-return-allocs-from-loops"),
    "function-signature-type-conversion": Renamed("function-boundary-type-conversion"),
    "fully-dynamic-layout-maps": {
        True: {
            "function-boundary-type-conversion": "infer-layout-map",
            "unknown-type-conversion": "fully-dynamic-layout-map",
        },
        False: {
            "function-boundary-type-conversion": "identity-layout-map",
            "unknown-type-conversion": "identity-layout-map",
        },
    },
    "create-deallocs": {
        True: Gone("run the pass buffer-deallocation-pipeline afterwards"),
        False: {},
    },
    "promote-buffer-results-to-out-params": {
        True: Gone("run the pass buffer-results-to-out-params afterwards"),
        False: {},
    },
    "use-alloca": {
        True: Gone("run the pass promote-buffers-to-stack afterwards"),
        False: {},
    },
    "init-tensor-elimination": {
        True: Gone("run the pass eliminate-empty-tensors before"),
        False: {},
    },
    "always-aliasing-with-dest": {
        True: {},
        False: Gone(
            "results of destination-style ops always are in their destination; give "
            "the op another destination"
        ),
    },
}
"""The former options of `one-shot-bufferize`, and of its predecessor, by name."""
