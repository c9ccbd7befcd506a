"""
The questions an op answers to be bufferized.

Source: MLIR's BufferizableOpInterface,
https://mlir.llvm.org/docs/Bufferization/#extending-one-shot-bufferize
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol, TypeAlias

from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.registry import OpInterface
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.support.diagnostics import BufferizationError

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
    from xdsl_bufferization.support.options import OneShotOptions


class BufferRelation(Enum):
    """How the buffer of an operand and the buffer of a value that aliases it relate."""

    EQUIVALENT = "equivalent"
    """They are the very same memref, up to its type."""
    UNKNOWN = "unknown"
    """They may overlap; a slice, for instance."""


@dataclass(frozen=True, slots=True)
class AliasingValue:
    """A value that shares the buffer of an operand, if that operand is in place."""

    value: SSAValue
    relation: BufferRelation = BufferRelation.EQUIVALENT
    definite: bool = True
    """False if only some executions make the value share the buffer (`arith.select`)."""


@dataclass(frozen=True, slots=True)
class AliasingResults:
    """Results of one op that share memory, whatever operands they alias."""

    results: Sequence[OpResult]
    relation: BufferRelation = BufferRelation.UNKNOWN


@dataclass(frozen=True, slots=True)
class FunctionSummary:
    """What a function does to the buffers of its tensor arguments."""

    reads: Sequence[bool]
    """Whether it reads the argument, for each argument."""
    writes: Sequence[bool]
    """Whether it writes the argument's buffer."""
    returns: Sequence[Sequence[int]]
    """The results that may share the argument's buffer."""
    equivalent: Sequence[int | None]
    """The argument whose very buffer the result is, for each result."""
    writable: Sequence[bool]
    """Whether the caller may write the result's buffer, for each result."""
    shared: Sequence[Sequence[int]] = ()
    """Groups of results that may share memory with each other."""
    identical: Sequence[Sequence[int]] = ()
    """Those of the groups whose results are always one buffer."""


class AnalysisState(Protocol):
    """What a model may ask of the running analysis."""

    def is_value_read(self, value: SSAValue) -> bool:
        """Whether the contents of the tensor reach an op that reads memory."""
        ...

    def is_equivalent(self, a: SSAValue, b: SSAValue) -> bool:
        """Whether both tensors are known to live in the very same memref."""
        ...

    def summary_of(self, call: Operation) -> FunctionSummary | None:
        """What the called function does to its arguments, if that is known."""
        ...

    def possible_origins(
        self, value: SSAValue, within: Operation
    ) -> frozenset[SSAValue]:
        """
        The values whose buffer `value` may share, traced back through all ops within the
        regions of `within`, as if every operand were in place: arguments of its blocks,
        tensors defined in front of it, and those that no operand aliases.
        """
        ...


class Decisions(AnalysisState, Protocol):
    """What a model may ask once it is decided what is in place."""

    def memory_of(self, value: SSAValue) -> frozenset[SSAValue]:
        """
        The tensors whose memory the buffer of `value` may be part of, as far back as it
        can be traced.
        """
        ...

    def is_allocation(self, value: SSAValue) -> bool:
        """
        Whether the tensor, one that `memory_of` tells, is new memory each time that its
        op runs.
        """
        ...


@dataclass(frozen=True, slots=True)
class ForwardedCopy:
    """
    A copy of a tensor that a terminator hands over.

    It goes to the buffer of `destination`, or to new memory if that is `None`; with
    `through_new_memory` to the one by way of the other, as other such copies still read
    what is in the destination.
    """

    terminator: Operation
    operand: int
    destination: SSAValue | None
    through_new_memory: bool = False


class BufferizableOpInterface(OpInterface):
    """
    What an op does to the buffers of its tensors, and how it is rewritten on buffers.

    An op that works in destination-passing style answers `reads`, `writes`,
    `aliasing_values` and `bufferize`; the other questions have the answer that most ops
    give. Operands are named by their index; only tensor operands and tensor results are
    asked about. Models keep no state.
    """

    # The analysis asks: -------------------------------------------------------------

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        """Whether the op reads the buffer of the operand."""
        return True

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        """Whether the op writes the buffer of the operand, if that is in place."""
        return False

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        """
        The values that share the buffer of the operand, if that is in place.

        Mostly results of the op; for a terminator, results of its parent.
        """
        return ()

    def aliasing_results(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[AliasingResults]:
        """Groups of results that may share memory, whatever operands they alias."""
        return ()

    def must_be_in_place(self, op: Operation, operand: int) -> bool:
        """Whether the operand can not be replaced by a copy."""
        return False

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        """
        Whether the buffer of a result, or of a block argument of a region of the op,
        may be written.
        """
        return isinstance(value, OpResult)

    def allocates(self, op: Operation, result: OpResult) -> bool:
        """Whether the result lives in a buffer that the op allocates."""
        return False

    def defines_contents(self, op: Operation, result: OpResult) -> bool | None:
        """
        Whether the op determines what the result contains.

        `None` leaves it to the analysis: it does if no operand aliases the result, if
        one that does is written, or if the contents come from within the op's regions.
        """
        return None

    def is_elementwise(self, op: Operation, a: int, b: int) -> bool:
        """
        Whether the op reads each element of the operands `a` and `b` before it writes
        the element at the same position of either, and never afterwards.
        """
        return False

    def is_not_conflicting(
        self, op: Operation, read: tuple[Operation, int], write: tuple[Operation, int]
    ) -> bool:
        """
        Whether the op, being that of the read or of the write, knows that the two never
        touch the same memory in the wrong order.
        """
        return False

    def read_part(self, op: Operation, operand: int) -> Slice | None:
        """The slice of the operand that holds all that the op reads; `None` for all."""
        return None

    def written_part(self, op: Operation, operand: int) -> Slice | None:
        """The slice of the operand that holds all that the op writes; `None` for all."""
        return None

    def is_repetitive(self, op: Operation, region: int) -> bool:
        """Whether the region may run more than once each time the op runs."""
        return False

    def is_parallel(self, op: Operation, region: int) -> bool:
        """Whether several runs of the region may be under way at once."""
        return False

    def has_exclusive_regions(self, op: Operation) -> bool:
        """Whether at most one of the op's regions runs each time the op runs."""
        return False

    def takes_copies(self, op: Operation) -> bool:
        """Whether copies for the ops in the op's regions may be made in there."""
        return True

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        """Raise `BufferizationError` if the op can not be bufferized in any case."""

    def forwarded_copies(
        self, op: Operation, decisions: Decisions, options: OneShotOptions
    ) -> Sequence[ForwardedCopy]:
        """
        The copies that the terminators within the op need, of tensors that would
        otherwise be in the wrong buffer.

        Raises `BufferizationError` if the decisions make the op impossible to rewrite.
        """
        return ()

    # The rewrite asks: --------------------------------------------------------------

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        """
        The memref type that the value, a result or a block argument, will have.

        By default the type of the one operand the value is equivalent to, or else the
        identity layout.
        """
        return types.default_buffer_type(op, value)

    def infer_region_types(self, op: Operation, types: BufferTypes) -> None:
        """Make the buffer types of the values within the op's regions known."""
        for region in op.regions:
            types.infer_types(region)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        """
        Rewrite the op on buffers: insert the new ops in front of it, and hand the
        buffers of its results to `bufferizer.replace`.
        """
        raise BufferizationError(op, "has no rewrite to buffers")


ModelOf: TypeAlias = Callable[[Operation], BufferizableOpInterface | None]
"""Tells the model of an op; `None` for an op that stays on tensors."""

SummaryOf: TypeAlias = Callable[[Operation], FunctionSummary | None]
"""Tells the summary of the function that a call op calls; `None` if it is not known."""
