"""
Where control goes from an op or a terminator, and which values it forwards.

Source: MLIR's RegionBranchOpInterface and BranchOpInterface,
https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.interfaces.registry import (
    BOOL,
    OpInterface,
    Questions,
    answers,
    ask,
    instance_of,
    sequence_of,
)
from xdsl_bufferization.support.attributes import integers


class RegionBranch(NamedTuple):
    """One path on which control may continue: into a region, or after the op."""

    first: int
    """The index of the first operand that is forwarded."""
    targets: Sequence[SSAValue]
    """
    The values that the operands from `first` on are forwarded to, in this order: arguments of
    the first block of a region, or results of the op.
    """


def _is_branch(branch: RegionBranch) -> bool:
    return instance_of(int, "").holds(branch.first) and sequence_of(SSAValue, "").holds(
        branch.targets
    )


class RegionBranchOpInterface(OpInterface):
    """
    An op that forwards values to its regions, and from them to its results.

    With the default answers the op runs each region any number of times, and forwards no
    memrefs.
    """

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        """
        Where control may go from `source`, and which operands of it are forwarded. By
        default none are.

        `source` is `op` itself, for where control goes when the op starts, or a terminator
        of one of its regions.
        MLIR: `getSuccessorRegions`, with `getEntrySuccessorOperands` and the terminators'
        `getSuccessorOperands`.
        """
        return ()

    def is_repetitive(self, op: Operation, region: int) -> bool:
        """
        Whether the region may run more than once each time the op runs. By default it may.

        MLIR: `isRepetitiveRegion`.
        """
        return True

    def is_parallel(self, op: Operation, region: int) -> bool:
        """
        Whether executions of the region may overlap in time. By default those of a
        repetitive region may.
        """
        return self.is_repetitive(op, region)

    questions: ClassVar[Questions] = answers(
        branches=sequence_of(
            RegionBranch, "RegionBranch, each of an index and values", _is_branch
        ),
        is_repetitive=BOOL,
        is_parallel=BOOL,
    )

    def with_results(
        self, op: Operation, operands: Sequence[SSAValue], types: Sequence[Attribute]
    ) -> Operation:
        """
        An op of the same kind, not inserted, with the operands, and results of the types,
        added after those that `op` has; the regions are moved to it.

        The caller adds arguments to the regions' blocks, and operands to their terminators.
        """
        properties = op.properties.copy()
        if operands and "operandSegmentSizes" in properties:
            segments = [*integers(op, "operandSegmentSizes")]
            segments[-1] += len(operands)
            properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, segments)
        return type(op).create(
            operands=(*op.operands, *operands),
            result_types=(*op.result_types, *types),
            properties=properties,
            attributes=op.attributes.copy(),
            successors=op.successors,
            regions=[op.detach_region(0) for _ in range(len(op.regions))],
            location=op.location,
        )


def is_loop(op: Operation) -> bool:
    """Whether the op has a region that is known to be repetitive."""
    model = RegionBranchOpInterface.of(op)
    return model is not None and any(
        model.is_repetitive(op, region) for region in range(len(op.regions))
    )


class BranchOpInterface(OpInterface):
    """A terminator that forwards operands to the blocks that it branches to."""

    @abstractmethod
    def forwarded(self, op: Operation, successor: int) -> range:
        """
        The indices of the operands that are forwarded to the arguments of the successor.

        MLIR: `getSuccessorOperands`.
        """

    questions: ClassVar[Questions] = answers(
        forwarded=instance_of(range, "a range of indices of operands")
    )

    @abstractmethod
    def forward(
        self, op: Operation, successor: int, block: Block, operands: Sequence[SSAValue]
    ) -> None:
        """Let the successor be the block, and forward the operands to it instead."""


def with_added_results(
    op: Operation, operands: Sequence[SSAValue], types: Sequence[Attribute]
) -> Operation:
    """
    The op with operands and results added, as `with_results` of its model says.

    Raises `BufferizationError` if the model makes a mistake.
    """
    model = RegionBranchOpInterface.of(op)
    count = len(op.results) + len(types)
    expected = instance_of(
        Operation,
        f"an op with {count} results",
        lambda new: len(new.results) == count,
    )
    return ask(model, "with_results", expected, op, operands, types)


def is_conditional(op: Operation, model: RegionBranchOpInterface) -> bool:
    """Whether each region of an op runs once at most."""
    return not any(model.is_repetitive(op, i) for i in range(len(op.regions)))
