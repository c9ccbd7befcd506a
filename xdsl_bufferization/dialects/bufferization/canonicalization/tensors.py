"""
Canonicalization of `bufferization.alloc_tensor` and
`bufferization.materialize_in_destination`.

A pattern about an op of this dialect and a user of it, which is an op of another dialect, is
a pattern of the former op.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith, bufferization, memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from xdsl_bufferization.dialects.bufferization.tensor_ops import (
    AllocTensorOp,
    MaterializeInDestinationOp,
)
from xdsl_bufferization.host.releases import erase_op, memref_dim, replace_op
from xdsl_bufferization.support.attributes import constant_integer
from xdsl_bufferization.support.shaped_types import is_memref_type, ranked_shape


class AllocTensorStaticSizes(RewritePattern):
    """
    A dynamic size that is a constant becomes part of the type:

        alloc_tensor(%c4) : tensor<?xf32>  ->  alloc_tensor() : tensor<4xf32>, and a cast
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.AllocTensorOp, rewriter: PatternRewriter, /
    ):
        type = op.tensor.type
        if op.copy is not None or not isinstance(type, TensorType):
            return
        dynamic = iter(op.dynamic_sizes)
        shape: list[int] = []
        sizes: list[SSAValue] = []
        for size in type.get_shape():
            if size == DYNAMIC_INDEX:
                value = next(dynamic)
                constant = constant_integer(value)
                # A negative size is an error at run time, not a type.
                if constant is not None and constant >= 0:
                    size = constant
                else:
                    sizes.append(value)
            shape.append(size)
        if len(sizes) == len(op.dynamic_sizes):
            return
        alloc = _with_type(
            op, TensorType(type.element_type, shape, type.encoding), sizes
        )
        replace_op(rewriter, op, (alloc, tensor.CastOp(alloc.tensor, type)))


class CastOfAllocTensor(RewritePattern):
    """
    A cast to a type with more static sizes, if it is the only use, becomes part of the
    allocation:

        cast (alloc_tensor(%n) : tensor<?xf32>) : tensor<4xf32>  ->  alloc_tensor()
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.AllocTensorOp, rewriter: PatternRewriter, /
    ):
        use = op.tensor.get_user_of_unique_use()
        if op.copy is not None or not isinstance(use, tensor.CastOp):
            return
        type, target = op.tensor.type, use.dest.type
        if not isinstance(type, TensorType) or not isinstance(target, TensorType):
            return
        dynamic = iter(op.dynamic_sizes)
        sizes: list[SSAValue] = []
        for size, wanted in zip(type.get_shape(), target.get_shape(), strict=True):
            if size == DYNAMIC_INDEX:
                value = next(dynamic)
                if wanted == DYNAMIC_INDEX:
                    sizes.append(value)
            elif wanted == DYNAMIC_INDEX:
                return
        replace_op(rewriter, use, _with_type(op, target, sizes))
        erase_op(rewriter, op)


class DimOfAllocTensor(RewritePattern):
    """The sizes of the new tensor are the operands, or the sizes of the copied tensor."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.AllocTensorOp, rewriter: PatternRewriter, /
    ):
        for use in tuple(op.tensor.uses):
            dim = use.operation
            if not isinstance(dim, tensor.DimOp):
                continue
            if op.copy is not None:
                replace_op(rewriter, dim, tensor.DimOp(op.copy, dim.index))
                continue
            index = constant_integer(dim.index)
            shape = ranked_shape(op.tensor)
            if index is None or not 0 <= index < len(shape):
                continue
            if shape[index] == DYNAMIC_INDEX:
                dynamic = op.dynamic_sizes[shape[:index].count(DYNAMIC_INDEX)]
                replace_op(rewriter, dim, (), (dynamic,))
            else:
                size = arith.ConstantOp.from_int_and_width(shape[index], IndexType())
                replace_op(rewriter, dim, size)


def _with_type(
    op: bufferization.AllocTensorOp, type: TensorType[Attribute], sizes: list[SSAValue]
) -> AllocTensorOp:
    space = op.properties.get("memory_space")
    new = AllocTensorOp(type, sizes, size_hint=op.size_hint, memory_space=space)
    new.attributes |= op.attributes
    return new


class CastIntoMaterializeInDestination(RewritePattern):
    """
    Casts of the operands to less static types are left out; the result is cast instead.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.MaterializeInDestinationOp, rewriter: PatternRewriter, /
    ):
        source, dest = _more_static_source(op.source), _more_static_source(op.dest)
        if source is None and dest is None:
            return
        new = MaterializeInDestinationOp(
            source or op.source,
            dest or op.dest,
            restrict=op.restrict is not None,
            writable=op.writable is not None,
        )
        new.attributes |= op.attributes
        if op.result is None or new.result is None or dest is None:
            replace_op(rewriter, op, new)
            return
        type = cast(TensorType[Attribute], op.result.type)
        replace_op(rewriter, op, (new, tensor.CastOp(new.result, type)))


class DimOfResult(RewritePattern):
    """
    The result is as large as the operand, or as the destination:

        tensor.dim (bufferization.to_tensor %m), %i  ->  memref.dim %m, %i
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: bufferization.ToBufferOp
        | bufferization.ToTensorOp
        | bufferization.MaterializeInDestinationOp,
        rewriter: PatternRewriter,
        /,
    ):
        like = op.operands[-1]
        make = memref_dim if is_memref_type(like.type) else tensor.DimOp
        for use in [use for result in op.results for use in result.uses]:
            if isinstance(dim := use.operation, tensor.DimOp | memref.DimOp):
                replace_op(rewriter, dim, make(like, dim.index))


def _more_static_source(value: SSAValue) -> SSAValue | None:
    """
    The operand of the `tensor.cast` that defines the value, if its type is at least as
    static; `None` if it is not, or there is no cast.
    """
    if not isinstance(value.owner, tensor.CastOp):
        return None
    source, target = value.owner.source.type, value.owner.dest.type
    if not isinstance(source, TensorType) or not isinstance(target, TensorType):
        return None
    is_more_static = all(
        size in (known, DYNAMIC_INDEX)
        for known, size in zip(source.get_shape(), target.get_shape(), strict=True)
    )
    return value.owner.source if is_more_static else None


ALLOC_TENSOR = AllocTensorStaticSizes(), CastOfAllocTensor(), DimOfAllocTensor()
MATERIALIZE = CastIntoMaterializeInDestination(), DimOfResult()
