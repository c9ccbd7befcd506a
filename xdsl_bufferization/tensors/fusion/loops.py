"""
Structured ops on tensors as loops: which element of each operand an iteration has.

    linalg.generic {indexing_maps = [(d0, d1) -> (d1, d0), (d0, d1) -> (d0, d1)],
                    iterator_types = ["parallel", "parallel"]} ins(%a) outs(%b)
    // iteration (i, j) reads %a[j, i] and writes element [i, j] of the result

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import Attribute, Block, Operation, OpResult
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.models.linalg.structured import is_permutation
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import has_encoding, is_memref_type
from xdsl_bufferization.support.xdsl_releases import (
    linalg_abstract_ops,
    linalg_attrs,
    linalg_ops,
    maps_of_parallel_loops,
)
from xdsl_bufferization.tensors.effects import is_pure


class Loops(NamedTuple):
    """A structured op; see the module's docstring."""

    op: Operation
    maps: Sequence[AffineMap]
    """By operand: from the loops to the indices of the element."""
    iterators: Sequence[Attribute]
    """By loop: its iterator type."""
    num_inputs: int
    """The operands before the inits, one for each result."""

    @property
    def body(self) -> Block:
        """The computation of an iteration, on the elements of the operands."""
        return self.op.regions[0].block

    @property
    def is_parallel(self) -> bool:
        """Whether all loops are parallel."""
        parallel = linalg_attrs.IteratorTypeAttr.parallel()
        return all(kind == parallel for kind in self.iterators)

    def map_of_result(self, result: OpResult) -> AffineMap:
        """From the loops to the indices of the element of the result."""
        return self.maps[self.num_inputs + result.index]


def loops_of(op: Operation) -> Loops | None:
    """The loops of a structured op on ranked tensors; `None` for other ops."""
    style = DestinationStyleOpInterface.of(op)
    if (
        style is None
        or not op.results
        or not isinstance(op, linalg_abstract_ops.LinalgStructuredOperation)
        # A copy is asked for.
        or op_name(op) == "linalg.copy"
        or any(
            is_memref_type(value.type) or has_encoding(value.type)
            for value in (*op.operands, *op.results)
        )
    ):
        return None
    num_inputs = len(op.operands) - len(style.inits(op))
    if len(op.operands) - num_inputs != len(op.results):
        return None
    if isinstance(op, linalg_ops.GenericOp):
        # A library expects the operands as they are.
        if op.library_call is not None:
            return None
        maps, iterators = op.indexing_maps, [*op.iterator_types]
    else:
        maps = maps_of_parallel_loops(op)
        if maps is None:
            return None
        parallel = linalg_attrs.IteratorTypeAttr.parallel()
        iterators = [parallel] * maps.data[0].data.num_dims
    found = [map.data for map in maps]
    if len(found) != len(op.operands) or any(map.num_symbols for map in found):
        return None
    return Loops(op, found, iterators, num_inputs)


def is_elementwise(loops: Loops) -> bool:
    """
    Whether another op can compute each element of the results where it needs it: the loops are
    parallel, the body has no side effects, and it reads an init only where it writes it.
    """
    return (
        loops.is_parallel
        and all(
            is_pure(op) and not op.regions
            for op in loops.body.ops
            if op is not loops.body.last_op
        )
        and all(
            argument.first_use is None or is_permutation(map)
            for argument, map in zip(
                loops.body.args[loops.num_inputs :],
                loops.maps[loops.num_inputs :],
                strict=True,
            )
        )
    )
