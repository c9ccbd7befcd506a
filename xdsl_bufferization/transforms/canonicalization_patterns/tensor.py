"""Canonicalization of the `tensor` ops that xDSL lacks."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, TensorType
from xdsl.ir import Attribute
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from xdsl_bufferization.dialects.tensor import RankOp


class RankOfRanked(RewritePattern):
    """The rank that the type tells is a constant."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: RankOp, rewriter: PatternRewriter, /):
        if isinstance(op.tensor.type, TensorType):
            rank = cast(TensorType[Attribute], op.tensor.type).get_num_dims()
            rewriter.replace(op, arith.ConstantOp.from_int_and_width(rank, IndexType()))
