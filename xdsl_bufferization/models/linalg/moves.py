"""
Linalg ops that only move elements, and the cost of computing the result of a structured op again.
"""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects.builtin import TensorType
from xdsl.ir import BlockArgument, Operation
from xdsl.ir.affine import AffineExpr, AffineMap

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.move import Move, MoveOpInterface
from xdsl_bufferization.interfaces.rematerialization import (
    RematerializationOpInterface,
)
from xdsl_bufferization.models.linalg.structured import (
    is_permutation,
    parallel_maps,
)
from xdsl_bufferization.support.attributes import integers
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import (
    is_memref_type,
    is_tensor,
    ranked_shape,
)
from xdsl_bufferization.support.xdsl_releases import (
    linalg_abstract_ops,
    maps_of_parallel_loops,
)


class StructuredMove(MoveOpInterface):
    """
    A structured op whose body only yields an input, or a value from outside: `linalg.fill`,
    `linalg.transpose`, or a `linalg.generic`. `linalg.copy` asks for a copy, so it is none.
    """

    def fits(self, op: Operation) -> bool:
        return (
            isinstance(op, linalg_abstract_ops.LinalgStructuredOperation)
            and op_name(op) != "linalg.copy"
        )

    def move(self, op: Operation) -> Move | None:
        if len(op.results) != 1 or not isinstance(op.results[0].type, TensorType):
            return None
        body = op.regions[0].block
        terminator = body.last_op
        if (
            terminator is None
            or terminator is not body.first_op
            or len(terminator.operands) != 1
        ):
            return None
        maps = parallel_maps(op)
        if maps is None:
            return None
        *inputs, output = (map.data for map in maps)
        (yielded,) = terminator.operands
        if not isinstance(yielded, BlockArgument) or yielded.block is not body:
            return Move(yielded, None) if is_permutation(output) else None
        if yielded.index >= len(inputs):
            return None
        source = op.operands[yielded.index]
        if is_memref_type(source.type):
            return None
        if not isinstance(source.type, TensorType):
            return Move(source, None) if is_permutation(output) else None
        map = _from_result(inputs[yielded.index], output)
        return None if map is None else Move(source, map)


class BroadcastMove(MoveOpInterface):
    """`linalg.broadcast`, which xDSL does not define as a structured op."""

    def move(self, op: Operation) -> Move | None:
        if len(op.results) != 1:
            return None
        rank = len(ranked_shape(op.results[0]))
        added = integers(op, "dimensions")
        kept = [AffineExpr.dimension(d) for d in range(rank) if d not in added]
        return Move(op.operands[0], AffineMap(rank, 0, (*kept,)))


@lru_cache(maxsize=1024)
def _from_result(input: AffineMap, output: AffineMap) -> AffineMap | None:
    """The map from indices of the output to those of the input, for all loops once."""
    if not is_permutation(output) or input.num_symbols:
        return None
    inverse = output.inverse_permutation()
    return None if inverse is None else input.compose(inverse)


class StructuredRematerialization(RematerializationOpInterface):
    """
    A structured op that only moves elements: `linalg.fill`, `linalg.transpose`, or a
    `linalg.generic` whose body only yields.
    """

    def fits(self, op: Operation) -> bool:
        return isinstance(op, linalg_abstract_ops.LinalgStructuredOperation)

    def bytes_read(self, op: Operation) -> int | None:
        return _bytes_of_inputs(op) if _only_moves_elements(op) else None


class BroadcastRematerialization(RematerializationOpInterface):
    """`linalg.broadcast`, which xDSL does not define as a structured op."""

    def bytes_read(self, op: Operation) -> int | None:
        return _bytes_of_inputs(op) if len(op.results) == 1 else None


def _bytes_of_inputs(op: Operation) -> int | None:
    style = DestinationStyleOpInterface.of(op)
    inits = () if style is None else style.inits(op)
    sizes = [
        bytes_of_contents(operand)
        for index, operand in enumerate(op.operands)
        if index not in inits and is_tensor(operand)
    ]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def _only_moves_elements(op: Operation) -> bool:
    """Whether each element of the result is one of an input, or a scalar."""
    if (
        not isinstance(op, linalg_abstract_ops.LinalgStructuredOperation)
        or len(op.results) != 1
        or not isinstance(op.results[0].type, TensorType)
        or maps_of_parallel_loops(op) is None
    ):
        return False
    body = op.regions[0].block
    return body.last_op is body.first_op and body.args[-1].first_use is None
