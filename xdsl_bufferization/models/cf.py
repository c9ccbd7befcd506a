"""How cf ops bufferize: they forward buffers to the arguments of blocks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.interfaces.buffer_effects import BufferEffectsOpInterface
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.region_branch import BranchOpInterface
from xdsl_bufferization.interfaces.registry import never, register_model
from xdsl_bufferization.interfaces.sizes import ConditionOpInterface
from xdsl_bufferization.support.attributes import integers
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import is_tensor


class BranchModel(BufferizableOpInterface, BranchOpInterface):
    """
    A branch: it forwards operands, and neither reads nor writes them. After its own operands come
    those forwarded to each successor, in order.
    """

    def target(self, op: Operation, operand: int) -> tuple[Block, int] | None:
        """The block, and the index of its argument, that the operand is forwarded to."""
        counts = _forwarded(op)
        index = operand - (len(op.operands) - sum(counts))
        for block, count in zip(op.successors, counts, strict=True):
            if 0 <= index < count:
                return block, index
            index -= count
        return None

    reads = never

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        if (target := self.target(op, operand)) is None:
            return ()
        block, index = target
        return (AliasingValue(block.args[index], definite=False),)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        for block in op.successors:
            bufferizer.replace_tensor_arguments(block)
        operands = [
            bufferizer.buffer_of_type(value, bufferizer.argument_type(*target))
            if is_tensor(value) and (target := self.target(op, index))
            else value
            for index, value in enumerate(op.operands)
        ]
        bufferizer.rebuild(op, operands, ())
        bufferizer.replace(op)

    def forwarded(self, op: Operation, successor: int) -> range:
        counts = _forwarded(op)
        first = len(op.operands) - sum(counts[successor:])
        return range(first, first + counts[successor])

    def forward(
        self, op: Operation, successor: int, block: Block, operands: Sequence[SSAValue]
    ) -> None:
        old = self.forwarded(op, successor)
        counts = [*_forwarded(op)]
        counts[successor] = len(operands)
        op.operands = (
            *op.operands[: old.start],
            *operands,
            *op.operands[old.stop :],
        )
        op.successors = [
            block if i == successor else old for i, old in enumerate(op.successors)
        ]
        if op_name(op) == "cf.br":
            return
        own = integers(op, "operandSegmentSizes")[0]
        if op_name(op) == "cf.switch":
            _set_sizes(op, "case_operand_segments", counts[1:])
            counts = [counts[0], sum(counts[1:])]
        _set_sizes(op, "operandSegmentSizes", [own, *counts])


def _forwarded(op: Operation) -> Sequence[int]:
    """How many of the op's last operands it forwards to each of its successors."""
    if op_name(op) == "cf.br":
        return (len(op.operands),)
    segments = integers(op, "operandSegmentSizes")
    if op_name(op) == "cf.switch":
        return (segments[1], *integers(op, "case_operand_segments"))
    return segments[1:]


def _set_sizes(op: Operation, name: str, sizes: Sequence[int]) -> None:
    holder = op.properties if name in op.properties else op.attributes
    holder[name] = DenseArrayBase.from_list(i32, sizes)


class Assertion(ConditionOpInterface):
    """`cf.assert`: the program ends unless its operand is true."""

    def conditions(self, op: Operation) -> Sequence[SSAValue]:
        return op.operands


def register() -> None:
    """Register the models for the dialect's ops."""
    for name in ("br", "cond_br", "switch"):
        register_model(f"cf.{name}", BranchModel())
    register_model("cf.assert", Assertion())
    register_model("cf.*", BufferEffectsOpInterface())
