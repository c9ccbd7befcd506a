"""How cf ops bufferize: what they hand to blocks is the buffer of the blocks' argument."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType
from xdsl.ir import Block, Operation

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    is_tensor,
)
from xdsl_bufferization.interfaces.registry import op_name, register_model
from xdsl_bufferization.transforms.bufferizer import Bufferizer


class BranchModel(BufferizableOpInterface):
    """
    A branch: only passes its operands on, so it reads and writes none.

    Other dialects' branches say in `targets` what goes where.
    """

    def targets(self, op: Operation) -> Sequence[tuple[Block, int] | None]:
        """For each operand the block, and its argument, that it is handed to."""
        counts = _forwarded(op)
        own = len(op.operands) - sum(counts)
        return [None] * own + [
            (block, index)
            for block, count in zip(op.successors, counts, strict=True)
            for index in range(count)
        ]

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return False

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        if (target := self.targets(op)[operand]) is None:
            return ()
        block, index = target
        return (AliasingValue(block.args[index], definite=False),)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        for block in op.successors:
            bufferizer.replace_tensor_arguments(block)
        operands = [
            bufferizer.cast(bufferizer.buffer(value), bufferizer.argument_type(*target))
            if target is not None and is_tensor(value)
            else value
            for value, target in zip(op.operands, self.targets(op), strict=True)
        ]
        bufferizer.rebuild(op, operands, ())
        bufferizer.replace(op)


def _forwarded(op: Operation) -> Sequence[int]:
    """How many operands, of the last ones, the op hands to each of its successors."""
    if op_name(op) == "cf.br":
        return (len(op.operands),)
    segments = _integers(op, "operandSegmentSizes")
    if op_name(op) == "cf.switch":
        return (segments[1], *_integers(op, "case_operand_segments"))
    return segments[1:]


def _integers(op: Operation, name: str) -> Sequence[int]:
    array = op.properties.get(name) or op.attributes[name]
    return cast(DenseArrayBase[IntegerType], array).get_values()


def register() -> None:
    """Register the models for the dialect's ops."""
    for name in ("br", "cond_br", "switch"):
        register_model(f"cf.{name}", BranchModel())
