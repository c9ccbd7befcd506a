"""
How linalg ops bufferize: in place into their inits.

All structured ops share one calling convention, so one model serves each of them by
name, whether or not xDSL defines the op.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
)
from xdsl.dialects.linalg import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Block, Operation
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    is_tensor,
)
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
        return cast(int, segments.get_values()[0])
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
        if not _all_parallel(op):
            return False
        maps = _indexing_maps(op)
        return (
            maps is not None
            and maps[a] == maps[b]
            and maps[a].num_dims == len(maps[a].results)
            and maps[a].inverse_permutation() is not None
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


def _indexing_maps(op: Operation) -> Sequence[AffineMap] | None:
    if isinstance(op, LinalgStructuredOperation):
        return [attr.data for attr in op.get_indexing_maps().data]
    maps = op.properties.get("indexing_maps") or op.attributes.get("indexing_maps")
    if isinstance(maps, ArrayAttr):
        return [m.data for m in maps.data if isinstance(m, AffineMapAttr)]
    return None


def _all_parallel(op: Operation) -> bool:
    iterators: Attribute | None
    if isinstance(op, LinalgStructuredOperation):
        iterators = op.get_iterator_types()
    else:
        iterators = op.properties.get("iterator_types")
    return isinstance(iterators, ArrayAttr) and all(
        isinstance(i, IteratorTypeAttr) and i.data is IteratorType.PARALLEL
        for i in iterators.data
    )


def register() -> None:
    """Register the model for the dialect's ops."""
    register_model("linalg.*", LinalgModel())
