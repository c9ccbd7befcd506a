"""What it takes to compute the result of a structured op again."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.rematerialization import (
    RematerializationOpInterface,
)
from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.support.xdsl_releases import (
    linalg_abstract_ops,
    maps_of_parallel_loops,
)


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
    body = cast(Operation, op).regions[0].block
    return body.last_op is body.first_op and body.args[-1].first_use is None
