"""
The copies that the decisions ask for, made part of the tensor program.

    %r = tensor.insert %f into %t[%i]    // out of place

    %0 = bufferization.alloc_tensor() copy(%t)
    %r = tensor.insert %f into %0[%i]    // in place

Afterwards every operand may be in place, and the rewrite need not look at decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from xdsl.builder import Builder
from xdsl.dialects import tensor
from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.bufferization import (
    AllocTensorOp,
    MaterializeInDestinationOp,
)
from xdsl_bufferization.interfaces.bufferizable import ForwardedCopy
from xdsl_bufferization.interfaces.contents import cast_source
from xdsl_bufferization.interfaces.reify import (
    ReifyRankedShapedTypeOpInterface,
    Size,
    sizes_of,
)
from xdsl_bufferization.one_shot.decisions.analysis import BufferizationAnalysis
from xdsl_bufferization.one_shot.facts.records import OpInfo, TensorOperand
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.regions import defining_op
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.support.tensor_like import TensorLikeType, can_be_copied


def check_copies(
    analyses: Iterable[BufferizationAnalysis], copies: Iterable[ForwardedCopy]
) -> None:
    """Raises `BufferizationError` if a copy is needed that cannot be made."""
    copied = [
        (operand.owner.op, operand.index)
        for analysis in analyses
        for operand in analysis.program.operands()
        if operand.owner.model is not None and not analysis.is_in_place(operand)
    ]
    copied += [(copy.terminator, copy.operand) for copy in copies]
    for op, index in copied:
        type = op.operands[index].type
        if not can_be_copied(type):
            raise BufferizationError(
                op,
                f"needs a copy of operand #{index}, and nothing tells how {type} is copied",
                hint=f"let {type.name} define build_copy",
            )


def insert_tensor_copies(
    analysis: BufferizationAnalysis,
    memory_space_of: Callable[[SSAValue], Attribute | None] = lambda _: None,
    clones: Mapping[Operation, Operation] | None = None,
) -> Mapping[Operation, TensorOperand]:
    """
    Give each out-of-place operand a `bufferization.alloc_tensor` of its own, in the
    memory space of the tensor; returns the new ops, each with the operand it is for.

    The contents are copied only if they matter. If an op only forwards its operand to one
    result, the result is copied instead of the operand: a slice is smaller.

    With `clones`, these ops get the copies in place of those that were analysed; a clone
    may be missing of an op that has been erased.
    """
    inserted: dict[Operation, TensorOperand] = {}
    for operand in analysis.program.operands():
        # Ops that stay on tensors get their copies when they are bufferized.
        if operand.owner.model is None or analysis.is_in_place(operand):
            continue
        analysed, place = operand.owner.op, where_copies_may_be(operand.owner)
        op = analysed
        if clones is not None:
            if analysed not in clones:
                continue
            op, place = clones[analysed], clones[place]
        copy_contents = not analysis.can_omit_copy(operand)
        if (forwarded := forwarded_to(operand)) is not None:
            space = None if copy_contents else memory_space_of(forwarded)
            builder = builder_for(op, InsertPoint.after(op))
            result = op.results[forwarded.index]
            uses = [*result.uses]
            copy = _alloc_tensor(builder, result, copy_contents, space)
            for use in uses:
                use.operation.operands[use.index] = copy
        else:
            # The operand may be a copy already, of the tensor that it was.
            former = analysed.operands[operand.index]
            space = None if copy_contents else memory_space_of(former)
            builder = builder_for(op, InsertPoint.before(place))
            copy = _alloc_tensor(
                builder, op.operands[operand.index], copy_contents, space
            )
            op.operands[operand.index] = copy
        inserted[_alloc_tensor_of(copy)] = operand
    return inserted


def where_copies_may_be(info: OpInfo) -> Operation:
    """The op before which copies may be inserted: itself, or one around."""
    op, parent = info.op, info.region.parent
    while parent is not None:
        if parent.model is not None and not parent.model.takes_copies(parent.op):
            op = parent.op
        parent = parent.region.parent
    return op


def by_terminator(
    copies: Iterable[ForwardedCopy],
) -> Mapping[Operation, Sequence[ForwardedCopy]]:
    """The copies by the terminator that forwards what is copied."""
    found: dict[Operation, list[ForwardedCopy]] = {}
    for copy in copies:
        found.setdefault(copy.terminator, []).append(copy)
    return found


def insert_forwarded_copies(
    copies: Iterable[ForwardedCopy],
) -> Mapping[Operation, ForwardedCopy]:
    """
    Insert the copies of forwarded tensors; returns the new ops, each with its copy.
    """
    inserted: dict[Operation, ForwardedCopy] = {}
    for terminator, group in by_terminator(copies).items():
        builder = builder_for(terminator, InsertPoint.before(terminator))
        operands = terminator.operands
        # All copies to new memory precede those that overwrite a destination.
        for copy in group:
            if copy.through_new_memory or copy.destination is None:
                new = _alloc_tensor(builder, operands[copy.operand], copy_contents=True)
                operands[copy.operand] = new
                inserted[_alloc_tensor_of(new)] = copy
        for copy in group:
            if copy.destination is not None:
                materialized = MaterializeInDestinationOp(
                    operands[copy.operand], copy.destination
                )
                builder.insert(materialized)
                (operands[copy.operand],) = materialized.results
                inserted[materialized] = copy
    return inserted


def _alloc_tensor_of(copy: SSAValue) -> Operation:
    """The op that makes the copy; the value is its result, or a cast of it."""
    source = cast_source(copy)
    return defining_op(copy if source is None else source)


def forwarded_to(operand: TensorOperand) -> OpResult | None:
    """
    The one result that the operand is forwarded to, if the op does nothing else, nor writes
    another operand, which may be the same memory.
    """
    if len(operand.aliases) != 1 or any(o.writes for o in operand.owner.operands):
        return None
    value = operand.aliases[0].value
    if (
        not isinstance(value, OpResult)
        or value.op is not operand.owner.op
        or isinstance(value.type, UnrankedTensorType)
        or _source_count(operand, value) != 1
    ):
        return None
    return value


def _source_count(operand: TensorOperand, result: OpResult) -> int:
    """How many operands of the op the result may share its buffer with."""
    return sum(
        any(alias.value is result for alias in other.aliases)
        for other in operand.owner.operands
    )


def _alloc_tensor(
    builder: Builder,
    value: SSAValue,
    copy_contents: bool,
    memory_space: Attribute | None = None,
) -> SSAValue:
    """
    Insert an op that allocates a tensor like the value, or a copy of it; in the memory
    space if it is no copy.
    """
    if isinstance(value.type, TensorLikeType):
        return value.type.build_copy(builder, value)
    if _is_unranked(value) and (source := cast_source(value)) is not None:
        # A tensor without rank cannot be copied, but what it was cast from can.
        copy = _alloc_tensor(builder, source, copy_contents, memory_space)
        cast_op = tensor.CastOp.create(operands=(copy,), result_types=(value.type,))
        return builder.insert(cast_op).results[0]
    if copy_contents:
        return builder.insert(AllocTensorOp(value.type, copy=value)).tensor
    if _is_unranked(value):
        raise BufferizationError(
            builder.insertion_point.insert_before,
            "needs a buffer of its own for a tensor of unknown rank",
        )
    sizes = [size for size in _sizes(builder, value) if isinstance(size, SSAValue)]
    new = AllocTensorOp(value.type, sizes, memory_space=memory_space)
    return builder.insert(new).tensor


def _sizes(builder: Builder, value: SSAValue) -> Sequence[Size]:
    """
    The sizes of the ranked tensor, without a use of it if the op that allocates it is given
    them. Then nothing is left to allocate here but the new tensor:

        %e = tensor.empty(%n) : tensor<?xf32>
        %new = bufferization.alloc_tensor(%n) : tensor<?xf32>  // in place of %e
    """
    owner = value.owner
    if isinstance(owner, Operation) and not any(map(is_tensor, owner.operands)):
        reify = ReifyRankedShapedTypeOpInterface.of(owner)
        if reify is not None and isinstance(value, OpResult):
            shaped = [result for result in owner.results if is_tensor(result)]
            return reify.reify(owner, builder)[shaped.index(value)]
    return sizes_of(value, builder)


def _is_unranked(value: SSAValue) -> bool:
    return isinstance(value.type, UnrankedTensorType)
