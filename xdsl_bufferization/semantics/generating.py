"""Regions that say the elements of a tensor, each by its indices."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import Attribute, Region

from xdsl_bufferization.semantics.interpreter import ReferenceInterpreter
from xdsl_bufferization.semantics.values import Array, element_type
from xdsl_bufferization.support.names import op_name

_FROM_TENSORS = frozenset({"tensor.dim", "tensor.extract", "tensor.rank"})
"""What takes one tensor, also where all scalars are arrays."""


def elements_at(
    interpreter: ReferenceInterpreter,
    region: Region,
    indices: Array,
    dtype: np.dtype[Any],
) -> Array:
    """
    What the region yields for each of the indices: `indices` has one array for each
    argument of the region, and the result their shape.
    """
    result = np.empty(indices.shape[1:], dtype)
    if not result.size:
        return result
    if _serves_arrays(interpreter, region):
        (result[...],) = interpreter.run_region(region, *indices)
        return result
    for place in np.ndindex(*result.shape):
        arguments = [index[place] for index in indices]
        (result[place],) = interpreter.run_region(region, *arguments)
    return result


def _serves_arrays(interpreter: ReferenceInterpreter, region: Region) -> bool:
    """Whether the region may be run once, with arrays in place of all its scalars."""
    if len(region.blocks) != 1:
        return False
    block = region.blocks[0]
    for op in block.ops:
        if op is block.last_op:
            continue
        operands = op.operands[1 if op_name(op) in _FROM_TENSORS else 0 :]
        if not all(_is_scalar(value.type) for value in (*operands, *op.results)):
            return False
        if not interpreter.has_scalar_semantics(op):
            return False
    return True


def _is_scalar(type: Attribute) -> bool:
    return element_type(type) is type
