"""
What ops have in common that write their results into buffers, given or new ones. Models
for other dialects' ops are subclasses of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

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
from xdsl_bufferization.interfaces.reify import Size
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.shaped_types import is_tensor


class DestinationStyleModel(
    BufferizableOpInterface, DestinationStyleOpInterface, BufferEffectsOpInterface
):
    """
    An op that overwrites its *inits*, each of which is one of its results.

    A subclass says which operands are inits. On buffers the op is the same, with buffers
    as operands and without the results that were tensors; it reads the others, and neither
    allocates nor frees memory.
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


class NewBufferModel(BufferizableOpInterface, BufferEffectsOpInterface):
    """
    An op that computes each of its results, which are tensors, into a new buffer.

    A subclass says of which sizes, if types do not know them. On buffers the op has the
    new buffers as further operands at the end, and no results; it neither allocates nor
    frees memory itself.
    """

    def sizes(self, op: Operation, result: OpResult) -> Sequence[Size]:
        """The size of each dimension; only those matter that the type does not know."""
        return cast(TensorType[Attribute], result.type).get_shape()

    def allocates(self, op: Operation, result: OpResult) -> bool:
        return True

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        for result in op.results:
            if not isinstance(result.type, TensorType) or (
                len(self._dynamic_sizes(op, result))
                != cast(TensorType[Attribute], result.type)
                .get_shape()
                .count(DYNAMIC_INDEX)
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

    def _dynamic_sizes(self, op: Operation, result: OpResult) -> Sequence[SSAValue]:
        """The sizes that are values, where the type does not know them."""
        shape = cast(TensorType[Attribute], result.type).get_shape()
        sizes = self.sizes(op, result)
        if len(sizes) != len(shape):
            return ()
        return [
            size
            for size, known in zip(sizes, shape, strict=True)
            if known == DYNAMIC_INDEX and isinstance(size, SSAValue)
        ]
