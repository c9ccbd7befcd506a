"""
The buffers that the result of a conditional may be.

    %r = scf.if %c -> (memref<4xf32>) { scf.yield %a } else { scf.yield %b }      // %a or %b

The buffer that reshapes lead away from and back to.

    %e = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
    %c = memref.collapse_shape %e [[0, 1]] : memref<2x4xf32> into memref<8xf32>    // %m

Memrefs with several elements in one place, where a write of one changes the others.

    %v = memref.reinterpret_cast %m to offset: [0], sizes: [2, 2], strides: [%k, 1]  // %k may be 0

Tensors have no such elements, so nothing is computed in that memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.contents import Reshape, reshape
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchOpInterface,
    is_conditional,
)
from xdsl_bufferization.interfaces.reify import Size
from xdsl_bufferization.interfaces.view_like import viewed_by
from xdsl_bufferization.memrefs.sizes.computation import is_never_negative
from xdsl_bufferization.models.shared.loops import carried_from
from xdsl_bufferization.models.shared.slices import size_expression, slice_of
from xdsl_bufferization.support.attributes import reassociation
from xdsl_bufferization.support.limits import MAX_POSSIBLE_BUFFERS, MAX_RESHAPES
from xdsl_bufferization.support.memref_types import strides_and_offset
from xdsl_bufferization.support.regions import exits
from xdsl_bufferization.support.shaped_types import ranked_shape


def possible_buffers(buffer: SSAValue, bufferizer: Bufferizer) -> Sequence[SSAValue]:
    """
    The buffers that this one may be, traced back through conditionals whose regions have been
    rewritten and as by `reshaped_from`; beyond `MAX_POSSIBLE_BUFFERS`, what `reshaped_from` gives.
    """
    pending, found, seen = [buffer], list[SSAValue](), set[SSAValue]()
    while len(seen) <= MAX_POSSIBLE_BUFFERS:
        if not pending:
            return found
        traced = reshaped_from(pending.pop(), bufferizer)
        if traced in seen:
            continue
        seen.add(traced)
        yielded = [*yielded_for(traced)]
        if yielded:
            pending.extend(map(bufferizer.buffer, yielded))
        else:
            found.append(traced)
    MAX_POSSIBLE_BUFFERS.met()
    return [reshaped_from(buffer, bufferizer)]


def only_buffer(buffer: SSAValue, bufferizer: Bufferizer) -> SSAValue:
    """The one buffer that this one can be, or what `reshaped_from` gives if there are several."""
    found = possible_buffers(buffer, bufferizer)
    return found[0] if len(found) == 1 else reshaped_from(buffer, bufferizer)


def yielded_for(buffer: SSAValue) -> Iterator[SSAValue]:
    """The values that the regions of a conditional yield for its result."""
    op = buffer.owner
    if not isinstance(buffer, OpResult) or not isinstance(op, Operation):
        return
    model = RegionBranchOpInterface.of(op) if op.regions else None
    if model is None or not is_conditional(op, model):
        return
    for terminator in exits(op):
        for branch in model.branches(op, terminator):
            for index, target in enumerate(branch.targets, branch.first):
                if target is buffer:
                    yield terminator.operands[index]


def reshaped_from(buffer: SSAValue, bufferizer: Bufferizer) -> SSAValue:
    """
    The buffer before casts, loops that only carry it (`carried_from`), and reshapes that cancel
    each other out.
    """
    found = buffer = carried_from(buffer, bufferizer)
    pending: list[Reshape] = []
    for _ in range(2 * MAX_RESHAPES):
        op = buffer.owner
        if not isinstance(op, memref.ExpandShapeOp | memref.CollapseShapeOp):
            break
        step = reshape_of(op)
        if step is None:
            break
        if pending and pending[-1] == step.inverse:
            pending.pop()
        else:
            pending.append(step)
        buffer = carried_from(op.operands[0], bufferizer)
        if not pending:
            found = buffer
    else:
        MAX_RESHAPES.met()
    return found


def reshape_of(op: Operation) -> Reshape | None:
    """The reshape of an op that expands or collapses; `None` if its inverse is not certain."""
    return reshape(
        reassociation(op), ranked_shape(op.operands[0]), ranked_shape(op.results[0])
    )


def may_overlap_itself(value: SSAValue) -> bool:
    """
    Whether elements of the memref may be in one place, by types, or by ops that lay it out. A
    layout of unknown strides that no op of the function makes is taken to be without.
    """
    pending, seen = [value], {value}
    while pending:
        value = pending.pop()
        op, type = value.owner, value.type
        if isinstance(op, memref.ReinterpretCastOp):
            _, sizes, strides = slice_of(op, first_dynamic=1)
        elif isinstance(type, MemRefType):
            sizes, (strides, _) = type.get_shape(), strides_and_offset(type)
        else:
            sizes = strides = ()
        if _may_overlap(sizes, strides) or (
            isinstance(op, memref.SubviewOp) and _may_repeat_elements(op)
        ):
            return True
        if isinstance(value, OpResult):
            viewed = {value.op.operands[index] for index in viewed_by(value)}
            new = viewed.union(yielded_for(value)) - seen
            seen |= new
            pending += new
    return False


def _may_repeat_elements(op: Operation) -> bool:
    """Whether the slice that an op extracts may have a step of 0."""
    part = slice_of(op, first_dynamic=1)
    return any(
        size != 1 and (step == 0 or not isinstance(step, int))
        for size, step in zip(part.sizes, part.strides, strict=True)
    )


def _may_overlap(sizes: Iterable[Size], strides: Iterable[Size | None]) -> bool:
    """
    Whether a stride may be within what the dimensions of smaller strides span. A size that the type
    does not tell is taken to be 2, and strides that are no numbers to be in the usual order.
    """
    dimensions = [
        (
            size_expression(2 if size == DYNAMIC_INDEX else size),
            size_expression(stride),
        )
        for size, stride in zip(sizes, strides, strict=True)
        if size != 1 and stride is not None
    ]
    span = size_expression(1)
    for size, stride in sorted(
        reversed(dimensions),
        key=lambda dim: inf if dim[1].number is None else dim[1].number,
    ):
        if not is_never_negative(stride - span):
            return True
        span = size * stride
    return False
