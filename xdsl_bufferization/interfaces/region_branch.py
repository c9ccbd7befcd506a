"""
How control, and the values handed over with it, gets from op to op.

Source: MLIR's RegionBranchOpInterface and BranchOpInterface,
https://mlir.llvm.org/docs/Interfaces/
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.interfaces.registry import OpInterface
from xdsl_bufferization.support.attributes import integers
from xdsl_bufferization.support.walk import blocks_in_order


class RegionBranch(NamedTuple):
    """One way for control to go on, into a region or behind the op."""

    first: int
    """The index of the first operand that is handed over."""
    targets: Sequence[SSAValue]
    """
    What the operands from `first` on become, in this order: arguments of a region's first
    block, or results of the op.
    """


class RegionBranchOpInterface(OpInterface):
    """
    An op that runs its regions, and hands values to them and from them to its results.

    Registered as it is, it says that the op runs each region any number of times, and that
    it hands no memrefs over; what its regions allocate lives until the end of the region.
    """

    def branches(self, op: Operation, source: Operation) -> Sequence[RegionBranch]:
        """
        Where control may go, and with which operands of `source`: that is `op` itself, when
        it starts, or an op that ends one of its regions.
        """
        return ()

    def is_repetitive(self, op: Operation, region: int) -> bool:
        """Whether the region may run more than once each time the op does."""
        return True

    def is_parallel(self, op: Operation, region: int) -> bool:
        """
        Whether runs of the region may happen at the same time; unless the model says
        otherwise, if there may be more than one.
        """
        return self.is_repetitive(op, region)

    def with_results(
        self, op: Operation, operands: Sequence[SSAValue], types: Sequence[Attribute]
    ) -> Operation:
        """
        An op of the same kind, not inserted, with operands and results added behind those
        that it has; the regions move over to it.

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


class BranchOpInterface(OpInterface):
    """A terminator that hands operands to the blocks that it branches to."""

    @abstractmethod
    def forwarded(self, op: Operation, successor: int) -> range:
        """The operands that are handed to the arguments of the successor's block."""

    @abstractmethod
    def forward(
        self, op: Operation, successor: int, block: Block, operands: Sequence[SSAValue]
    ) -> None:
        """Branch to that block with those operands instead."""


def exits(op: Operation) -> Iterator[Operation]:
    """The ops that end regions of `op`, in blocks that can be reached."""
    for region in op.regions:
        for block in blocks_in_order(region):
            if (last := block.last_op) is not None and not last.successors:
                yield last
