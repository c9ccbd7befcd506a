"""
How linalg ops bufferize: in place into their inits.

All structured ops share one calling convention, so one model serves each of them by
name, whether or not xDSL defines the op.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Block, Operation

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    is_tensor,
)
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.registry import op_name, register_model
from xdsl_bufferization.models.other_interfaces import register_linalg
from xdsl_bufferization.transforms.bufferizer import Bufferizer

_NOT_DESTINATION_STYLE = frozenset(
    ("linalg.index", "linalg.pack", "linalg.unpack", "linalg.yield")
)
"""Ops of the dialect that the model does not fit."""


class LinalgModel(BufferizableOpInterface):
    """
    A structured op: writes its inits, each of which is one of its results.

    An operand is read if the op's body uses the element taken from it.
    """

    def fits(self, op: Operation) -> bool:
        return op_name(op) not in _NOT_DESTINATION_STYLE

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        body = _body(op)
        if body is None or len(body.args) != len(op.operands):
            return operand not in _inits(op) or op_name(op) != "linalg.softmax"
        return body.args[operand].first_use is not None

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand in _inits(op)

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        destination = DestinationStyleOpInterface.of(op)
        result = destination and destination.tied_result(op, operand)
        return () if result is None else (AliasingValue(result),)

    def is_elementwise(self, op: Operation, a: int, b: int) -> bool:
        if not isinstance(op, LinalgStructuredOperation) or not _is_parallel(op):
            return False
        map_a, map_b = (op.get_indexing_maps().data[i].data for i in (a, b))
        return (
            map_a == map_b
            and map_a.num_dims == len(map_a.results)
            and map_a.inverse_permutation() is not None
        )

    def is_repetitive(self, op: Operation, region: int) -> bool:
        return True

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        new_op = bufferizer.rebuild(op, bufferizer.operands(op), ())
        bufferizer.replace(
            op, [new_op.operands[i] for i in _inits(op) if is_tensor(op.operands[i])]
        )


def _inits(op: Operation) -> Sequence[int]:
    destination = DestinationStyleOpInterface.of(op)
    return () if destination is None else destination.inits(op)


def _body(op: Operation) -> Block | None:
    return op.regions[0].blocks.first if op.regions else None


def _is_parallel(op: LinalgStructuredOperation) -> bool:
    return all(
        iterator.data is IteratorType.PARALLEL for iterator in op.get_iterator_types()
    )


def register() -> None:
    """Register the model for the dialect's ops."""
    register_linalg()
    register_model("linalg.*", LinalgModel())
