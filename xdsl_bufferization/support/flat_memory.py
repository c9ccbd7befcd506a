"""Memrefs with a layout, as views of memory of one dimension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.dialects.builtin import DenseArrayBase, MemRefType, i64
from xdsl.ir import Attribute, SSAValue

from xdsl_bufferization.support.memref_types import strides_and_offset


def is_view_of_flat_memory(type: MemRefType[Attribute]) -> bool:
    """Whether a memref of the type is such a view: its sizes, strides and offset are known."""
    strides, offset = strides_and_offset(type)
    return type.has_static_shape() and None not in (offset, *strides)


def view_of_flat_memory(
    builder: Builder, memory: SSAValue, type: MemRefType[Attribute]
) -> SSAValue:
    """Insert the view of that type of the memory, which starts at the same address."""
    strides, offset = strides_and_offset(type)
    return builder.insert(
        memref.ReinterpretCastOp.build(
            operands=(memory, (), (), ()),
            result_types=(type,),
            properties={
                "static_offsets": DenseArrayBase.from_list(i64, [cast(int, offset)]),
                "static_sizes": DenseArrayBase.from_list(i64, type.get_shape()),
                "static_strides": DenseArrayBase.from_list(
                    i64, cast("Sequence[int]", strides)
                ),
            },
        )
    ).result
