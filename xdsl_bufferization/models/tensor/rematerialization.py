"""What it takes to compute the tensors again that ops of the dialect make of scalars."""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.interfaces.rematerialization import (
    RematerializationOpInterface,
)
from xdsl_bufferization.support.data_layout import DataLayout, bytes_of_contents
from xdsl_bufferization.support.limits import MAX_OPS_PER_ELEMENT
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.shaped_types import ranked_shape


class EmptyRematerialization(RematerializationOpInterface):
    """`tensor.empty`: another tensor without contents."""

    def bytes_read(self, op: Operation) -> int:
        return 0

    def bytes_written(self, op: Operation) -> int:
        return 0


class ScalarsRematerialization(RematerializationOpInterface):
    """`tensor.from_elements`, `tensor.splat`: scalars are stored."""

    def bytes_read(self, op: Operation) -> int:
        return 0


class GenerateRematerialization(RematerializationOpInterface):
    """`tensor.generate`, if its body is a few ops of arith and loads of elements."""

    def bytes_read(self, op: Operation) -> int | None:
        if bytes_of_contents(op.results[0]) is None:
            return None
        read = 0
        body = [*op.regions[0].block.ops][:-1]
        if len(body) > MAX_OPS_PER_ELEMENT:
            MAX_OPS_PER_ELEMENT.met()
            return None
        for nested in body:
            if isinstance(nested, tensor.ExtractOp):
                source = cast("TensorType[Attribute]", nested.tensor.type)
                stride = DataLayout.of(op).stride_in_bytes(source.element_type)
                if stride is None:
                    return None
                read += stride
            elif not op_name(nested).startswith("arith."):
                return None
        return read * prod(ranked_shape(op.results[0]))
