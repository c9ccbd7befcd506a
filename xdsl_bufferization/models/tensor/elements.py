"""
How tensor ops on single elements bufferize: to loads and stores.

    %x = tensor.extract %t[%i]           ->  %x = memref.load %t[%i]
    %r = tensor.insert %f into %t[%i]    ->  memref.store %f, %t[%i], and %r is in the buffer %t
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.models.shared.destinations import UpdateModel


class ExtractModel(BufferizableOpInterface):
    """`tensor.extract`: a load."""

    def read_part(self, op: Operation, operand: int) -> Slice:
        return _element(op.operands[1:])

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        source, *indices = bufferizer.operands(op)
        load = memref.LoadOp.create(
            operands=(source, *indices), result_types=op.result_types
        )
        bufferizer.replace(op, [bufferizer.insert(load)])


class InsertModel(UpdateModel):
    """`tensor.insert`: a store into the destination."""

    def written_part(self, op: Operation, operand: int) -> Slice:
        return _element(op.operands[2:])

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        operands = bufferizer.operands(op)
        bufferizer.insert(memref.StoreOp.create(operands=operands))
        bufferizer.replace(op, [operands[self.destination]])


def _element(indices: Sequence[SSAValue]) -> Slice:
    """The slice of the one element at the indices."""
    ones = (1,) * len(indices)
    return Slice(tuple(indices), ones, ones)
