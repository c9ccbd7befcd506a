"""
Canonicalization of the ops of the dialect; one file, since each pattern is a few lines.

A pattern about an op of this dialect and a user of it, which is an op of another dialect, is
a pattern of the former op.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects import arith, bufferization, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
    i1,
)
from xdsl.dialects.utils import split_dynamic_index_list
from xdsl.dialects.utils.dynamic_index_list import get_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.traits import MemoryEffectKind, has_effects, only_has_effect

from xdsl_bufferization.dialects.bufferization import CloneOp, DeallocOp
from xdsl_bufferization.dialects.bufferization.tensor_ops import (
    AllocTensorOp,
    MaterializeInDestinationOp,
    ToBufferOp,
    ToMemrefOp,
)
from xdsl_bufferization.dialects.memref import AllocOp, CopyOp
from xdsl_bufferization.host.effects import memory_effects
from xdsl_bufferization.host.releases import erase_op, memref_dim, replace_op
from xdsl_bufferization.interfaces.reify import Size, sizes_of
from xdsl_bufferization.support.attributes import constant_integer
from xdsl_bufferization.support.locations import copy_location
from xdsl_bufferization.support.memref_types import is_cast_guaranteed
from xdsl_bufferization.support.regions import defining_op
from xdsl_bufferization.support.shaped_types import (
    are_cast_compatible,
    is_memref_type,
    ranked_tensor,
)


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
        sizes = [*map(_known_size, _sizes(op, type))]
        shape, dynamic = split_dynamic_index_list(sizes, DYNAMIC_INDEX)
        if len(dynamic) == len(op.dynamic_sizes):
            return
        alloc = _with_type(
            op, TensorType(type.element_type, shape, type.encoding), dynamic
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
        wanted = [
            size
            for size, known in zip(_sizes(op, type), target.get_shape(), strict=True)
            if known == DYNAMIC_INDEX
        ]
        sizes = [size for size in wanted if isinstance(size, SSAValue)]
        if len(sizes) < len(wanted):
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
            sizes = _sizes(op, ranked_tensor(op.tensor.type))
            if index is None or not 0 <= index < len(sizes):
                continue
            if isinstance(size := sizes[index], SSAValue):
                replace_op(rewriter, dim, (), (size,))
            else:
                constant = arith.ConstantOp.from_int_and_width(size, IndexType())
                replace_op(rewriter, dim, constant)


def _sizes(
    op: bufferization.AllocTensorOp, type: TensorType[Attribute]
) -> Sequence[Size]:
    return get_dynamic_index_list(type.get_shape(), op.dynamic_sizes, DYNAMIC_INDEX)


def _known_size(size: Size) -> Size:
    # A negative size is an error at run time, not a type.
    number = size if isinstance(size, int) else constant_integer(size)
    return size if number is None or number < 0 else number


def _with_type(
    op: bufferization.AllocTensorOp,
    type: TensorType[Attribute],
    sizes: Sequence[SSAValue],
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


class ToTensorOfToBuffer(RewritePattern):
    """
    `to_tensor (to_buffer %tensor)` is the tensor, if no op between the two may write the
    buffer.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToTensorOp, rewriter: PatternRewriter, /
    ):
        buffer = op.memref.owner
        if (
            not isinstance(buffer, bufferization.ToBufferOp)
            or buffer.tensor.type != op.tensor.type
            or buffer.parent is not op.parent
        ):
            return
        between = op.prev_op
        while between is not None and between is not buffer:
            if memory_effects(between) != set():
                return
            between = between.prev_op
        replace_op(rewriter, op, (), (buffer.tensor,))


def _is_memref_of(
    op: bufferization.ToBufferOp, source: bufferization.ToTensorOp
) -> bool:
    """
    Whether `to_buffer (to_tensor %memref)` may be replaced by the memref.

    With `restrict` a bufferization is to come that takes the tensor for the only way to the
    memref. It may write a writable memref for another op on the tensor, and gives a
    `to_buffer` that writes a copy of one that is not writable.
    """
    if source.restrict is None:
        return True
    if source.writable is None:
        return op.read_only is not None
    return source.tensor.has_one_use()


class ToMemrefToToBuffer(RewritePattern):
    """`to_memref` becomes `to_buffer`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ToMemrefOp, rewriter: PatternRewriter, /):
        new = ToBufferOp(op.tensor, op.memref.type, op.read_only is not None)
        new.attributes |= op.attributes
        replace_op(rewriter, op, new)


class ToBufferOfToTensor(RewritePattern):
    """
    `to_buffer (to_tensor %memref)` is the memref. If the layouts or memory spaces differ, it
    becomes a cast if that is always valid, and a copy otherwise.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToBufferOp, rewriter: PatternRewriter, /
    ):
        to_tensor = op.tensor.owner
        if not isinstance(to_tensor, bufferization.ToTensorOp) or not _is_memref_of(
            op, to_tensor
        ):
            return
        source = to_tensor.memref
        type = op.memref.type
        if source.type == type:
            replace_op(rewriter, op, (), (source,))
            return
        if is_cast_guaranteed(source.type, type):
            replace_op(rewriter, op, memref.CastOp.get(source, type))
            return
        if not isinstance(type, MemRefType) or not _is_static_layout(type.layout):
            return
        sizes = [s for s in sizes_of(source, rewriter) if isinstance(s, SSAValue)]
        alloc = AllocOp(sizes, (), type)
        copy = CopyOp(source, alloc)
        replace_op(rewriter, op, (alloc, copy), (alloc.memref,))


def _is_static_layout(layout: Attribute) -> bool:
    """Whether memory of that layout can be allocated: no stride or offset is dynamic."""
    return isinstance(layout, NoneAttr) or (
        isinstance(layout, StridedLayoutAttr)
        and layout.get_offset() is not None
        and None not in layout.get_strides()
    )


class ToBufferOfCast(RewritePattern):
    """to_buffer (tensor.cast %tensor)  ->  memref.cast (to_buffer %tensor)"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToBufferOp, rewriter: PatternRewriter, /
    ):
        if not isinstance(op.tensor.owner, tensor.CastOp):
            return
        source, target = op.tensor.owner.source, op.memref.type
        if not isinstance(source.type, TensorType):
            return
        source_type = source.type
        type = MemRefType(
            source_type.element_type,
            source_type.shape,
            target.layout if isinstance(target, MemRefType) else NoneAttr(),
            target.memory_space,
        )
        if type != target and not are_cast_compatible(type, target):
            return
        buffer = ToBufferOp(source, type, op.read_only is not None)
        replace_op(rewriter, op, (buffer, memref.CastOp.get(buffer.memref, target)))


class LoadOfToBuffer(RewritePattern):
    """
    Loads from the buffer become extracts from the tensor, if the buffer is only read.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.ToBufferOp, rewriter: PatternRewriter, /
    ):
        uses = tuple(op.memref.uses)
        if op.read_only is None and not all(
            isinstance(use.operation, memref.LoadOp) for use in uses
        ):
            return
        for use in uses:
            if isinstance(load := use.operation, memref.LoadOp):
                extract = tensor.ExtractOp(op.tensor, load.indices, load.res.type)
                replace_op(rewriter, load, extract)


TO_TENSOR = ToTensorOfToBuffer(), DimOfResult()
TO_BUFFER = (
    ToMemrefToToBuffer(),
    ToBufferOfToTensor(),
    ToBufferOfCast(),
    DimOfResult(),
    LoadOfToBuffer(),
)


class UnusedClone(RewritePattern):
    """A clone without uses is erased."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.CloneOp, rewriter: PatternRewriter, /
    ):
        if op.output.first_use is None:
            erase_op(rewriter, op)


class CloneOfCast(RewritePattern):
    """clone (memref.cast %memref)  ->  clone %memref, with the same result type"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.CloneOp, rewriter: PatternRewriter, /
    ):
        if not isinstance(op.input.owner, memref.CastOp):
            return
        source = op.input.owner.source
        before, type = source.type, op.output.type
        # A memref of unknown rank cannot be copied.
        if isinstance(before, UnrankedMemRefType):
            return
        if before == type or are_cast_compatible(before, type):
            new = CloneOp(source, type)
            new.attributes |= op.attributes
            copy_location(op, new)
            replace_op(rewriter, op, new)


class RedundantClone(RewritePattern):
    """
    A clone becomes its source if either of the two, but not both, is freed in the same
    block; that deallocation is erased. The source may be freed as a memref that it is another
    shape of.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.CloneOp, rewriter: PatternRewriter, /
    ):
        of_clone = _deallocations(op.output)
        of_source = [d for whole in _wholes(op.input) for d in _deallocations(whole)]
        if len(of_clone) > 1 or len(of_source) > 1:
            return
        if of_clone and of_source and of_clone[0].parent is of_source[0].parent:
            # Which of them is freed last is unknown.
            return
        redundant = next(
            (d for d in of_clone + of_source if d.parent is op.parent), None
        )
        if redundant is None:
            return
        # What is freed in between might be an alias of the source.
        between = op.next_op
        while between is not redundant:
            if (
                between is None
                or isinstance(between, DeallocOp)
                or has_effects(between, MemoryEffectKind.FREE)
            ):
                return
            between = between.next_op
        same = op.input.type == op.output.type
        if not same and not is_cast_guaranteed(op.input.type, op.output.type):
            return
        erase_op(rewriter, redundant)
        if same:
            replace_op(rewriter, op, (), (op.input,))
        else:
            replace_op(rewriter, op, memref.CastOp.get(op.input, op.output.type))


_RESHAPES = frozenset(
    ("memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.reshape")
)
"""Views of all of a memref."""


def _wholes(value: SSAValue) -> Iterator[SSAValue]:
    """The memref, and those that it has all elements of in another shape."""
    yield value
    while isinstance(value.owner, Operation) and value.owner.name in _RESHAPES:
        value = value.owner.operands[0]
        yield value


def _deallocations(value: SSAValue) -> list[Operation]:
    return [
        use.operation
        for use in value.uses
        if isinstance(use.operation, memref.DeallocOp)
    ]


class DeallocDuplicateMemrefs(RewritePattern):
    """A memref given several times is freed if one of its conditions holds."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter, /):
        conditions: dict[SSAValue, SSAValue] = {}
        for buffer, condition in zip(op.memrefs, op.conditions, strict=True):
            known = conditions.setdefault(buffer, condition)
            if known is not condition:
                conditions[buffer] = _either(known, condition, rewriter)
        if len(conditions) < len(op.memrefs):
            _replace(op, list(conditions), list(conditions.values()), rewriter)


def _either(first: SSAValue, second: SSAValue, rewriter: PatternRewriter) -> SSAValue:
    """Whether one of the conditions holds."""
    for one, other in ((first, second), (second, first)):
        constant = constant_integer(one)
        if constant is not None:
            return one if constant else other
    return rewriter.insert(arith.OrIOp(first, second)).result


class DeallocDuplicateRetained(RewritePattern):
    """A memref that is retained several times is retained once."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter, /):
        retained = list(dict.fromkeys(op.retained))
        if len(retained) == len(op.retained):
            return
        new = DeallocOp(op.memrefs, op.conditions, retained)
        new.attributes |= op.attributes
        owned = dict(zip(retained, new.updated_conditions, strict=True))
        replace_op(rewriter, op, new, [owned[buffer] for buffer in op.retained])


class DeallocNothing(RewritePattern):
    """Without memrefs to free, no retained memref is owned."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter, /):
        if op.memrefs:
            return
        if not op.retained:
            erase_op(rewriter, op)
            return
        false = arith.ConstantOp(IntegerAttr(0, i1))
        replace_op(rewriter, op, false, (false.result,) * len(op.retained))


class DeallocNever(RewritePattern):
    """A memref whose condition is always false is left out."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter, /):
        _keep(op, [constant_integer(c) != 0 for c in op.conditions], rewriter)


class DeallocOfUnused(RewritePattern):
    """An allocation whose only use is to be freed is erased."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter, /):
        unused = [
            buffer.has_one_use()
            and isinstance(buffer.owner, Operation)
            and len(buffer.owner.results) == 1
            and _only_allocates(buffer.owner)
            for buffer in op.memrefs
        ]
        allocations = [
            b for b, no_use in zip(op.memrefs, unused, strict=True) if no_use
        ]
        _keep(op, [not no_use for no_use in unused], rewriter)
        for buffer in allocations:
            erase_op(rewriter, defining_op(buffer))


class DeallocOfBaseOfAllocation(RewritePattern):
    """Instead of the base buffer of an allocated memref, that memref is freed."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DeallocOp, rewriter: PatternRewriter, /):
        memrefs = [_allocated(buffer) or buffer for buffer in op.memrefs]
        if memrefs != list(op.memrefs):
            _replace(op, memrefs, op.conditions, rewriter)


def _allocated(buffer: SSAValue) -> SSAValue | None:
    metadata = buffer.owner
    if (
        isinstance(metadata, memref.ExtractStridedMetaDataOp)
        and buffer is metadata.base_buffer
        and isinstance(allocation := metadata.source.owner, Operation)
        and _only_allocates(allocation)
    ):
        return metadata.source
    return None


def _only_allocates(op: Operation) -> bool:
    # `only_has_effect` is true of an op without effects, too.
    return has_effects(op, MemoryEffectKind.ALLOC) and only_has_effect(
        op, MemoryEffectKind.ALLOC
    )


def _keep(op: DeallocOp, keep: Sequence[bool], rewriter: PatternRewriter) -> None:
    if not all(keep):
        memrefs = [m for m, kept in zip(op.memrefs, keep, strict=True) if kept]
        conditions = [c for c, kept in zip(op.conditions, keep, strict=True) if kept]
        _replace(op, memrefs, conditions, rewriter)


def _replace(
    op: DeallocOp,
    memrefs: Sequence[SSAValue],
    conditions: Sequence[SSAValue],
    rewriter: PatternRewriter,
) -> None:
    new = DeallocOp(memrefs, conditions, op.retained)
    new.attributes |= op.attributes
    replace_op(rewriter, op, new)


CLONE = UnusedClone(), CloneOfCast(), RedundantClone()
DEALLOC = (
    DeallocNever(),
    DeallocDuplicateMemrefs(),
    DeallocDuplicateRetained(),
    DeallocOfBaseOfAllocation(),
    DeallocOfUnused(),
    DeallocNothing(),
)
