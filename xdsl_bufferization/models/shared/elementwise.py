"""Computing a buffer element by element, in a `linalg.generic`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Region, SSAValue
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.support.shaped_types import ranked_shape
from xdsl_bufferization.support.xdsl_releases import linalg_attrs, linalg_ops


def elementwise(
    inputs: Sequence[SSAValue], output: SSAValue, body: Region, bufferizer: Bufferizer
) -> None:
    """
    Insert a `linalg.generic` that overwrites each element of the buffer `output` with what
    `body` yields, given the elements at the same position of `inputs`, buffers of the same
    shape, and of `output`.
    """
    rank = len(ranked_shape(output))
    identity = AffineMapAttr(AffineMap.identity(rank))
    bufferizer.insert(
        linalg_ops.GenericOp(
            inputs,
            (output,),
            body,
            (identity,) * (len(inputs) + 1),
            (linalg_attrs.IteratorTypeAttr.parallel(),) * rank,
        )
    )
