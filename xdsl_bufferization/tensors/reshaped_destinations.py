"""
Destinations of tensors that are reshaped before they are inserted: reshapes undone.

    %m = linalg.fill ins(%x : f32) outs(%e : tensor<2x4xf32>)       // %e, a tensor.empty, becomes
    %c = tensor.collapse_shape %m [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    %r = tensor.insert_slice %c into %t[0] [8] [1]                  // expand_shape of %t[0] [8] [1]

Invariant: on buffers, each of the reshapes is a view of the destination and no copy. A slice whose
dimensions are merged would be a copy, so a `tensor.expand_shape` is undone only if it adds
dimensions of size 1; and that a slice which has been split can be merged again is seen in the
type of its buffer only if all strides are known:

    %t : memref<?x8xf32, strided<[?, 1], offset: ?>>      // an argument with an unknown layout

Takes time in proportion to the ranks, and to `MAX_DESTINATION_STEPS` for the destination.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.dialects.bufferization import AllocTensorOp, ToTensorOp
from xdsl_bufferization.interfaces.contents import collapse_shape, expand_shape
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.subset import SubsetExtractionOpInterface
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.support.attributes import reassociation
from xdsl_bufferization.support.limits import MAX_DESTINATION_STEPS
from xdsl_bufferization.support.memref_types import strides_and_offset
from xdsl_bufferization.support.shaped_types import (
    are_shapes_compatible,
    is_memref_type,
    ranked_memref,
    ranked_shape,
    ranked_tensor,
)

Reshapes: TypeAlias = tuple[tensor.ExpandShapeOp | tensor.CollapseShapeOp, ...]
"""The reshapes of a tensor, from the insertion back to the tensor."""


def as_reshape(op: Operation) -> Reshapes:
    """The op if it is a reshape that can be undone; else nothing."""
    if isinstance(op, tensor.CollapseShapeOp):
        sizes = ranked_shape(op.src)
        are_known = all(
            DYNAMIC_INDEX not in [sizes[dimension] for dimension in group[1:]]
            for group in reassociation(op)
        )
        return (op,) if are_known or _adds_only_units(op) else ()
    if isinstance(op, tensor.ExpandShapeOp) and _adds_only_units(op):
        return (op,)
    return ()


def _adds_only_units(op: tensor.ExpandShapeOp | tensor.CollapseShapeOp) -> bool:
    """Whether all dimensions of each group, but one, are of size 1."""
    sizes = max(map(ranked_shape, (op.src, op.result)), key=len)
    return all(
        sum(sizes[dimension] != 1 for dimension in group) <= 1
        for group in reassociation(op)
    )


def are_views(
    reshapes: Reshapes,
    empty: SSAValue,
    container: SSAValue,
    analysis: OneShotAnalysis,
    *,
    are_arguments_known: bool,
) -> bool:
    """
    Whether the reshapes can be undone on a part of the container, and are views then, given
    whether the strides of arguments of functions are known.
    """
    return all(
        isinstance(op, tensor.ExpandShapeOp) or _dynamic_sizes(op, empty) is not None
        for op in reshapes
    ) and (
        all(map(_adds_only_units, reshapes))
        or _has_known_strides(
            container, analysis, are_arguments_known=are_arguments_known
        )
    )


def undo(
    reshapes: Reshapes,
    part: SSAValue,
    empty: SSAValue,
    builder: Builder,
) -> SSAValue | None:
    """
    The part of the destination in the shape that the empty tensor has, which is reshaped to
    be inserted; `None` if there are no ops for that, or the types do not fit.
    """
    value = part
    for op in reshapes:
        converted = _cast(value, op.results[0].type, builder)
        if converted is None:
            return None
        type, groups = ranked_tensor(op.src.type), reassociation(op)
        if isinstance(op, tensor.ExpandShapeOp):
            value = builder.insert(collapse_shape(converted, type, groups)).result
        elif (sizes := _dynamic_sizes(op, empty)) is not None:
            value = builder.insert(expand_shape(converted, type, groups, sizes)).result
        else:
            return None
    return _cast(value, empty.type, builder)


def _cast(value: SSAValue, type: Attribute, builder: Builder) -> SSAValue | None:
    """The tensor with another type; `None` if that does not fit."""
    if value.type == type:
        return value
    a, b = ranked_tensor(value.type), type
    if (
        not isinstance(b, TensorType)
        or a.element_type != b.element_type
        or a.encoding != b.encoding
        or not are_shapes_compatible(a.get_shape(), b.get_shape())
    ):
        return None
    return builder.insert(tensor.CastOp(value, b)).dest


def _dynamic_sizes(
    op: tensor.CollapseShapeOp, empty: SSAValue
) -> Sequence[SSAValue] | None:
    """The unknown sizes of what the op collapses, if that is of the empty tensor's type."""
    if DYNAMIC_INDEX not in ranked_shape(op.src):
        return ()
    op_of_empty = empty.owner
    if isinstance(op_of_empty, tensor.EmptyOp) and empty.type == op.src.type:
        return op_of_empty.operands
    return None


def _has_known_strides(
    value: SSAValue, analysis: OneShotAnalysis, *, are_arguments_known: bool
) -> bool:
    """
    Whether the strides of the tensor's buffer, or of a memref, are known from its type, given
    whether those of arguments of functions are.
    """
    for _ in MAX_DESTINATION_STEPS.steps():
        if DYNAMIC_INDEX in ranked_shape(value):
            return False
        if is_memref_type(value.type):
            strides, _ = strides_and_offset(ranked_memref(value.type))
            return None not in strides
        if isinstance(value.owner, tensor.EmptyOp | AllocTensorOp):
            return True
        source = _source(value, analysis)
        if source is None:
            return are_arguments_known and _is_argument(value)
        value = source
    return False


def _is_argument(value: SSAValue) -> bool:
    block = value.owner
    return isinstance(block, Block) and isinstance(block.parent_op(), func.FuncOp)


def _source(value: SSAValue, analysis: OneShotAnalysis) -> SSAValue | None:
    """
    The tensor, or memref, whose buffer that of the value is, or is a part of; of a loop's
    iteration argument the init.
    """
    op = value.owner
    if isinstance(op, Block):
        return _init(value, op)
    if isinstance(op, ToTensorOp | tensor.CastOp) or (
        SubsetExtractionOpInterface.of(op) is not None
    ):
        return op.operands[0]
    record = analysis.program.values.get(value)
    if record is None or len(record.sources) != 1:
        return None
    ((operand, _),) = record.sources
    # The operand may have become another one.
    return operand.owner.op.operands[operand.index]


def _init(argument: SSAValue, block: Block) -> SSAValue | None:
    """The value that an op with regions passes to the argument of a block at first."""
    op = block.parent_op()
    model = None if op is None else RegionBranchOpInterface.of(op)
    if op is None or model is None:
        return None
    for branch in model.branches(op, op):
        for index, target in enumerate(branch.targets, branch.first):
            if target is argument:
                return op.operands[index]
    return None
