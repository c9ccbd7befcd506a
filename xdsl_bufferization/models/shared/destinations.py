"""
Models for ops that write their results into buffers: those of operands, or new ones.

    %r = "dsp.scale"(%in, %f, %init)    // DestinationStyleModel: %r is in the buffer of %init
    %s = tensor.insert %f into %r[%i]   // UpdateModel: %s is in the buffer of %r
    %w = "dsp.window"(%n)               // NewBufferModel: %w is in a new buffer

Models for other dialects' ops are subclasses of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.builder import Builder
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.buffer_effects import (
    BufferEffect,
    BufferEffectsOpInterface,
)
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.registry import (
    Questions,
    always,
    answering,
    answers,
    operand_index,
    sequence_of,
)
from xdsl_bufferization.interfaces.reify import (
    ReifyRankedShapedTypeOpInterface,
    Size,
    sizes_of,
)
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.failures import mistake
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.shaped_types import is_tensor, ranked_shape


class DestinationStyleModel(
    BufferizableOpInterface, DestinationStyleOpInterface, BufferEffectsOpInterface
):
    """
    An op that overwrites its *inits*; each of them becomes one of its results.

    A subclass says which operands are inits. On buffers the op is the same, with buffers
    as operands and without the results that were tensors. It reads its other operands, and
    neither allocates nor frees memory.
    """

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return self.is_init(op, operand)

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        result = self.tied_result(op, operand)
        return () if result is None else (AliasingValue(result),)

    def effect(self, op: Operation, operand: int) -> BufferEffect:
        return BufferEffect.TOUCH if self.is_init(op, operand) else BufferEffect.READ

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        operands = bufferizer.operands(op)
        inits = [operands[i] for i in self.inits(op) if is_tensor(op.operands[i])]
        others = op.results[len(inits) :]
        new_op = bufferizer.rebuild(op, operands, [other.type for other in others])
        bufferizer.replace(op, (*inits, *new_op.results))


class UpdateModel(BufferizableOpInterface):
    """An op that updates one tensor, its *destination*, which its one result is then."""

    destination: int = 1
    """The index of the operand that is updated."""

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand == self.destination

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(op.results[0]),) if operand == self.destination else ()

    def verify_answers(self, op: Operation) -> None:
        if not operand_index(op).holds(self.destination):
            raise mistake(
                op,
                f"{type(self).__name__}.destination is {self.destination!r}, but is to be "
                + operand_index(op).words,
            )
        super().verify_answers(op)


class ParallelRegionModel(BufferizableOpInterface):
    """An op that may run its regions several times, also at the same time."""

    is_repetitive = always
    is_parallel = always


class SecondOperandIsInit(DestinationStyleOpInterface):
    """The second operand is the only init."""

    inits = answering((1,))


class SizesOfInits(ReifyRankedShapedTypeOpInterface):
    """Each result has the sizes of the init to which it is tied."""

    def reify(self, op: Operation, builder: Builder) -> Sequence[Sequence[Size]]:
        style = DestinationStyleOpInterface.expect(op)
        return [
            sizes_of(op.operands[init], builder)
            for init in style.inits(op)
            if isinstance(op.operands[init].type, TensorType)
        ]


def _is_size(size: object) -> bool:
    return isinstance(size, int | SSAValue)


class NewBufferModel(BufferizableOpInterface, BufferEffectsOpInterface):
    """
    An op that computes each of its results, which are tensors, into a new buffer.

    A subclass gives the sizes of the buffers, where the types do not. On buffers the op has
    the new buffers as further operands at the end, and no results; it neither allocates nor
    frees memory itself.
    """

    def sizes(self, op: Operation, result: OpResult) -> Sequence[Size]:
        """The size of each dimension; only those that are dynamic in the type matter."""
        return ranked_shape(result)

    def allocates(self, op: Operation, result: OpResult) -> bool:
        return True

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        for result in op.results:
            if not isinstance(result.type, TensorType) or (
                len(self._dynamic_sizes(op, result))
                != ranked_shape(result).count(DYNAMIC_INDEX)
            ):
                raise BufferizationError(
                    op,
                    f"needs a new buffer for result #{result.index}, but its model does "
                    "not tell all sizes",
                    hint="return one size for each dimension from the model's `sizes`",
                )

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        buffers = [
            bufferizer.alloc(
                bufferizer.buffer_type(result), self._dynamic_sizes(op, result)
            )
            for result in op.results
        ]
        bufferizer.rebuild(op, (*bufferizer.operands(op), *buffers), ())
        bufferizer.replace(op, buffers)

    questions: ClassVar[Questions] = answers(
        sizes=sequence_of(object, "sizes, each a number or a value", _is_size)
    )

    def _dynamic_sizes(self, op: Operation, result: OpResult) -> Sequence[SSAValue]:
        """The sizes that are dynamic in the type; none if they do not fit it."""
        shape = ranked_shape(result)
        sizes = self.sizes(op, result)
        if len(sizes) != len(shape):
            return ()
        return [
            size
            for size, known in zip(sizes, shape, strict=True)
            if known == DYNAMIC_INDEX and isinstance(size, SSAValue)
        ]
