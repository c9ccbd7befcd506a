"""Sizes of memrefs in bytes."""

from __future__ import annotations

import math
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.support.data_layout import bytes_of_contents
from xdsl_bufferization.support.memref_types import strides_and_offset


def bytes_of_memory(value: SSAValue) -> int | None:
    """
    The bytes up to the last element, with the gaps of the layout before and between the
    elements; `None` if they are unknown.
    """
    contents = bytes_of_contents(value)
    if not contents:
        return contents
    memref = cast("MemRefType[Attribute]", value.type)
    strides, offset = strides_and_offset(memref)
    known = [stride for stride in strides if stride is not None]
    if offset is None or len(known) < len(strides):
        return None
    shape = memref.get_shape()
    elements = 1 + offset
    elements += sum((n - 1) * s for n, s in zip(shape, known, strict=True))
    return elements * (contents // math.prod(shape))
