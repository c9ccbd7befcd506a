"""
How linalg ops bufferize: in place into their inits.

All structured ops share one calling convention, so one model serves each of them by
name, whether or not xDSL defines the op.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Block, Operation

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    is_tensor,
)
from xdsl_bufferization.interfaces.external_models import register_linalg
from xdsl_bufferization.interfaces.registry import op_name, register_model
from xdsl_bufferization.transforms.bufferizer import Bufferizer

_NOT_DESTINATION_STYLE = frozenset(
    ("linalg.index", "linalg.pack", "linalg.unpack", "linalg.yield")
)
"""Ops of the dialect that the model does not fit."""


def num_inputs(op: Operation) -> int:
    """How many of the op's operands are inputs; the others are inits."""
    segments = op.properties.get("operandSegmentSizes") or op.attributes.get(
        "operandSegmentSizes"
    )
    if isinstance(segments, DenseArrayBase):
        return segments.get_values()[0]
    if op_name(op) == "linalg.reduce":
        return len(op.operands) // 2
    return len(op.operands) - 1


class LinalgModel(BufferizableOpInterface):
    """
    A structured op: writes its inits, each of which is one of its results.

    An operand is read if the op's body uses the element taken from it.
    """

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        body = _body(op)
        if body is None or len(body.args) != len(op.operands):
            return operand < num_inputs(op) or op_name(op) != "linalg.softmax"
        return body.args[operand].first_use is not None

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand >= num_inputs(op)

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        inputs = num_inputs(op)
        if operand < inputs:
            return ()
        # Inits that are no tensors have no result.
        result = sum(map(is_tensor, op.operands[inputs:operand]))
        return (AliasingValue(op.results[result]),)

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
        inits = new_op.operands[num_inputs(op) :]
        bufferizer.replace(
            op,
            [
                new
                for old, new in zip(op.operands[num_inputs(op) :], inits, strict=True)
                if is_tensor(old)
            ],
        )


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
