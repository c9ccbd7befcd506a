"""
The questions an op answers to be bufferized.

    %r = tensor.insert %f into %t[%i]    // operand %t: reads? yes; writes? yes; aliases? %r
    %x = tensor.extract %t[%i]           // operand %t: reads? yes; writes? no; aliases? none

    memref.store %f, %t[%i]              // `bufferize`, if %t is in place

The analysis asks the questions of the first group, whatever is decided; the rewrite asks those of
the second. An op without a model stays on tensors, and may do anything with its operands.

Source: MLIR's BufferizableOpInterface,
https://mlir.llvm.org/docs/Bufferization/#extending-one-shot-bufferize

`FunctionSummary` has the effects of a function, as its callers know them. `NOTHING_KNOWN` answers
what models ask about a program that is not analysed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.registry import OpInterface
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.support.attributes import argument_attribute
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.shaped_types import is_tensor, is_tensor_like

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
    from xdsl_bufferization.support.options import OneShotOptions


AnswerT = TypeVar("AnswerT")


class BufferRelation(Enum):
    """
    How the buffer of an operand relates to that of a value that aliases it.

    MLIR: `BufferRelation`.
    """

    EQUIVALENT = "equivalent"
    """They are the same memref, up to its type."""
    UNKNOWN = "unknown"
    """They may overlap; a slice, for instance."""


class AliasingValue(NamedTuple):
    """
    A value that shares the buffer of an operand, if that operand is in place.

    MLIR: `AliasingValue`.
    """

    value: SSAValue
    relation: BufferRelation = BufferRelation.EQUIVALENT
    definite: bool = True
    """False if the value shares the buffer in some executions only (`arith.select`)."""


class AliasingResults(NamedTuple):
    """Results of one op that share memory, whatever operands they alias."""

    results: Sequence[OpResult]
    relation: BufferRelation = BufferRelation.UNKNOWN


class AnalysisState(Protocol):
    """
    The questions of a model while the analysis is running.

    The answers that are given here are those without an analysis: nothing is known.
    MLIR: `AnalysisState`.
    """

    def is_value_read(self, value: SSAValue) -> bool:
        """
        Whether the contents of the tensor reach an op that reads memory.

        MLIR: `isValueRead`.
        """
        return True

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        """
        Whether both tensors are known to be the same memref.

        MLIR: `areEquivalentBufferizedValues`.
        """
        return a is b

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        """The effects of the called function on its arguments; `None` if they are not known."""
        return None

    def possible_origins(
        self, value: SSAValue, within: Operation
    ) -> frozenset[SSAValue]:
        """
        The tensors whose buffer `value` may share, whichever operands are in place.

        It is traced back through the regions of the op `within`, to arguments of their
        blocks, tensors from outside of the op, and tensors that no operand aliases.
        """
        return frozenset((value,))

    def memoize(self, key: Hashable, compute: Callable[[], AnswerT]) -> AnswerT:
        """
        Memoize what `compute` returns by the key, as long as the program stays as it is; for
        costly answers that depend on nothing but the program and `possible_origins`.
        """
        return compute()


class Decisions(AnalysisState, Protocol):
    """The questions of a model once it is decided which operands are in place."""

    def memory_of(self, value: SSAValue) -> frozenset[SSAValue]:
        """
        The tensors whose memory the buffer of `value` may be a part of, traced back as far
        as possible through operands that are in place.
        """
        ...

    def sources_of(self, value: SSAValue) -> Sequence[SSAValue]:
        """
        The tensors whose buffer `value` may share because of one op, as operands in place.
        """
        ...

    def is_allocation(self, value: SSAValue) -> bool:
        """
        Whether the tensor, one that `memory_of` has returned, is new memory each time that
        its op runs.
        """
        ...


class MemoryUse(NamedTuple):
    """The memory that `bufferize` allocates, copies and touches for an op."""

    allocated: Sequence[OpResult] = ()
    """The results that are new buffers, allocated before everything else."""
    copied: Sequence[int] = ()
    """The operands whose contents are copied."""
    touches: bool = True
    """Whether elements of operands or new buffers are read or written; views do neither."""
    part: Hashable = None
    """
    The part of its operand's buffer that a view is, or that a copy of operand 0 goes to:
    `WHOLE`, a `Reshape`, or a description of a slice. A copy to where the operand is already is
    not made.
    `None` for a view that no copy goes to.
    """
    relaid: Sequence[int] = ()
    """The operands that are copied to new buffers, of the layouts that the op asks for."""
    filled: Sequence[OpResult] = ()
    """The new buffers to which memory is copied that is no operand."""


class OperandUse(NamedTuple):
    """The use that an op makes of the buffer of one of its operands."""

    operand: int
    """The index of the operand."""
    reads: bool
    writes: bool
    aliases: Sequence[AliasingValue]


class ForwardedCopy(NamedTuple):
    """
    A copy of a tensor that a terminator forwards, made before the terminator.

    It is made in the buffer of `destination`, or in new memory if that is `None`. With
    `through_new_memory` it is made in new memory first and then in the destination, as
    other such copies still read what is there.
    """

    terminator: Operation
    operand: int
    """The index of the forwarded operand."""
    destination: SSAValue | None
    through_new_memory: bool = False


class BufferizableOpInterface(OpInterface):
    """
    The effects of an op on the buffers of its tensors, and its rewrite on buffers.

    For most ops `reads`, `writes`, `aliasing_values` and `bufferize` are all there is to
    say; each other question has a default answer that fits most ops. An operand is named
    by its index; only tensor operands and tensor results are asked about. Answers must
    depend on nothing but the arguments: models keep no state.

    MLIR: `BufferizableOpInterface`; the method of it that a question corresponds to is
    named with the question.
    """

    # The analysis asks: -------------------------------------------------------------

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        """
        Whether the op reads the buffer of the operand. By default it does.

        Forwarding the buffer, as a slice for instance, is no read.
        MLIR: `bufferizesToMemoryRead`.
        """
        return True

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        """
        Whether the op writes the buffer of the operand, if the operand is in place. By
        default it does not.

        MLIR: `bufferizesToMemoryWrite`.
        """
        return False

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        """
        The values that share the buffer of the operand, if the operand is in place. By
        default none.

        They are results of the op; or for a terminator, what it forwards the operand to:
        results of its parent, or block arguments.
        MLIR: `getAliasingValues`.
        """
        return ()

    def operand_uses(self, op: Operation, state: AnalysisState) -> Sequence[OperandUse]:
        """
        The answers to the three questions before for each operand that is a tensor, in their
        order. A model that finds them at once defines it to be faster.
        """
        return [
            OperandUse(
                index,
                self.reads(op, index, state),
                self.writes(op, index, state),
                self.aliasing_values(op, index, state),
            )
            for index, value in enumerate(op.operands)
            if is_tensor(value)
        ]

    def aliasing_results(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[AliasingResults]:
        """
        Groups of results that may share memory, whatever operands they alias. By default
        none: results are distinct unless an operand is shared.

        MLIR has no such question.
        """
        return ()

    def memrefs(self, op: Operation, operand: int) -> Sequence[OpResult]:
        """
        The results of the op that are memrefs of the operand's buffer, if the operand is in
        place. By default none. The tensor counts as read, and if the op writes it, as written
        where they are. MLIR has no such question.
        """
        return ()

    def must_be_in_place(self, op: Operation, operand: int) -> bool:
        """
        Whether a copy cannot take the place of the operand. By default it can.

        MLIR: `mustBufferizeInPlace`.
        """
        return False

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        """
        Whether the buffer of a result of the op, or of a block argument of one of its
        regions, may be written. By default that of a result may, that of a block argument
        may not.

        MLIR: `isWritable`.
        """
        return isinstance(value, OpResult)

    def allocates(self, op: Operation, result: OpResult) -> bool:
        """
        Whether the result is in a new buffer, which the op allocates. By default it is not.

        MLIR: `bufferizesToAllocation`.
        """
        return False

    def defines_contents(self, op: Operation, result: OpResult) -> bool | None:
        """
        Whether the op determines what the result contains, or only forwards contents.

        With `None`, the default, the analysis decides: the op does if no operand aliases
        the result, if an operand that does is written, or if the contents come from within
        the op's regions.
        MLIR: `resultBufferizesToMemoryWrite`.
        """
        return None

    def is_elementwise(self, op: Operation, a: int, b: int) -> bool:
        """
        Whether the op reads each element of the operands `a` and `b` before it writes
        the element at the same position of either, and never afterwards. By default that
        is not known.

        MLIR: `bufferizesToElementwiseAccess`.
        """
        return False

    def is_not_conflicting(
        self, op: Operation, read: tuple[Operation, int], write: tuple[Operation, int]
    ) -> bool:
        """
        Whether the write leaves what is read as it is, for a reason that only the model
        knows. By default that is not known.

        `read` and `write` are an op and the index of its operand; `op` is one of the two.
        MLIR: `isNotConflicting`.
        """
        return False

    def read_part(self, op: Operation, operand: int) -> Slice | None:
        """
        The slice of the operand that holds all elements that the op reads. `None`, the
        default, if that may be all of it.

        MLIR has no such question.
        """
        return None

    def written_part(self, op: Operation, operand: int) -> Slice | None:
        """
        The same for all elements that the op writes.
        """
        return None

    def is_repetitive(self, op: Operation, region: int) -> bool:
        """
        Whether the region may run more than once each time the op runs. By default it runs
        once at most.

        MLIR: `isRepetitiveRegion`.
        """
        return False

    def is_parallel(self, op: Operation, region: int) -> bool:
        """
        Whether executions of the region may overlap in time. By default they do not.

        MLIR: `isParallelRegion`.
        """
        return False

    def has_exclusive_regions(self, op: Operation) -> bool:
        """
        Whether at most one of the op's regions runs each time the op runs. By default
        several may.

        MLIR asks its RegionBranchOpInterface (`insideMutuallyExclusiveRegions`).
        """
        return False

    def takes_copies(self, op: Operation) -> bool:
        """
        Whether ops that make copies may be inserted in its regions. By default they may.
        """
        return True

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        """
        Raise `BufferizationError` if the op cannot be bufferized, whatever is decided. By
        default every op can.
        """

    def forwarded_copies(
        self, op: Operation, decisions: Decisions, options: OneShotOptions
    ) -> Sequence[ForwardedCopy]:
        """
        The copies that terminators in the op's regions need, of tensors that would be
        forwarded in the wrong buffer otherwise. By default none.

        Raises `BufferizationError` if the op cannot be rewritten as decided.
        MLIR: `resolveConflicts`, which inserts the copies itself.
        """
        return ()

    def memory_use(self, op: Operation, types: BufferTypes) -> MemoryUse | None:
        """
        The memory that `bufferize` will allocate, copy and touch, given that all operands are in
        place; `None`, the default, if it is what the other answers say: it touches its operands
        unless it is a terminator, and results are new buffers if the op `allocates` them.

        MLIR has no such question.
        """
        return None

    # The rewrite asks: --------------------------------------------------------------

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        """
        The memref type that the buffer of the value, a result or a block argument, will
        have. By default that of the operand that the value is equivalent to, or else the
        identity layout.

        MLIR: `getBufferType`.
        """
        return types.default_buffer_type(op, value)

    def inferred_results(
        self, op: Operation, types: BufferTypes
    ) -> Sequence[Attribute] | None:
        """
        The types of what a function returns, if they follow from its returns; `None` if they
        follow from its signature.
        """
        return None

    def infer_region_types(self, op: Operation, types: BufferTypes) -> None:
        """
        Make the buffer types of the values within the op's regions known. By default
        region by region, each in program order.

        A loop says here, with `types.set_buffer_type`, that arguments may be of a more
        general type than the inits. MLIR has no such question.
        """
        for region in op.regions:
            types.infer_types(region)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        """
        Rewrite the op on buffers: insert the new ops before it, and pass the buffers
        of its results to `bufferizer.replace`.

        By default, raises `BufferizationError`.
        MLIR: `bufferize`.
        """
        raise BufferizationError(op, "has no rewrite to buffers")


ModelOf: TypeAlias = Callable[[Operation], BufferizableOpInterface | None]
"""Gives the model of an op; `None` for an op that stays on tensors."""


ACCESS = "bufferization.access"
"""Attribute of an argument: what a function without a body does to the argument's buffer."""


class FunctionSummary(NamedTuple):
    """
    The effects of a function on the buffers of its tensor arguments.

    Arguments and results are named by their index among all of the function's.
    """

    reads: Sequence[bool]
    """For each argument, whether the function reads its buffer."""
    writes: Sequence[bool]
    """For each argument, whether the function writes its buffer."""
    returns: Sequence[Sequence[int]]
    """For each argument, the results that may share its buffer."""
    equivalent: Sequence[int | None]
    """For each result, the argument whose buffer it is; `None` if it may be another."""
    writable: Sequence[bool]
    """For each result, whether the caller may write its buffer."""
    allocated: Sequence[bool]
    """For each result, whether it is always in memory that the call allocates."""
    shared: Sequence[Sequence[int]] = ()
    """Groups of results that may share memory with each other."""
    identical: Sequence[Sequence[int]] = ()
    """Those of the groups whose results are always one buffer."""
    donated: Mapping[int, int] = MappingProxyType({})
    """
    By result, the argument that is donated for it: unlike other results that are equivalent
    to an argument, callers are never given a copy, to be freed by them.
    """


SummaryOf: TypeAlias = Callable[[Operation], FunctionSummary | None]
"""Gives the summary of the function that a call op calls; `None` if it is not known."""


def declared_access(function: Operation, argument: int) -> str:
    """How a function without a body accesses the argument's buffer, as far as it declares."""
    declared = argument_attribute(function, argument, ACCESS)
    return declared.data if isinstance(declared, StringAttr) else "read-write"


def without_effects(function: func.FuncOp) -> FunctionSummary:
    """The summary that a recursive function starts with: its calls of itself do nothing."""
    inputs, outputs = function.function_type.inputs, function.function_type.outputs
    return FunctionSummary(
        reads=[False] * len(inputs),
        writes=[False] * len(inputs),
        returns=[[] for _ in inputs],
        equivalent=[None] * len(outputs),
        writable=[True] * len(outputs),
        allocated=[True] * len(outputs),
    )


def declared_summary(function: func.FuncOp) -> FunctionSummary:
    """
    The summary of a function without a body: it reads and writes each argument, unless the
    attribute `bufferization.access` of the argument says less, and may return any, or new
    memory, in each of its results.
    """
    inputs, outputs = function.function_type.inputs, function.function_type.outputs
    access = [declared_access(function, i) for i in range(len(inputs))]
    tensors = [i for i, type in enumerate(outputs) if is_tensor_like(type)]
    return without_effects(function)._replace(
        reads=["read" in declared for declared in access],
        writes=["write" in declared for declared in access],
        returns=[tensors if is_tensor_like(type) else [] for type in inputs],
        shared=[tensors] if len(tensors) > 1 else [],
        allocated=[False] * len(outputs),
    )


class _NothingKnown(AnalysisState):
    """Gives the answers that are given without an analysis."""


NOTHING_KNOWN: Final = _NothingKnown()
"""The state of a program that is not analysed."""


class MemoizingState(AnalysisState):
    """Knows nothing either, but what it has been told, of a program that does not change."""

    def __init__(self) -> None:
        self._answers: dict[Hashable, object] = {}

    def memoize(self, key: Hashable, compute: Callable[[], AnswerT]) -> AnswerT:
        if key not in self._answers:
            self._answers[key] = compute()
        return cast(AnswerT, self._answers[key])
