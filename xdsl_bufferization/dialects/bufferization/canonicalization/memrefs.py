"""Canonicalization of `bufferization.clone` and `bufferization.dealloc`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import arith, bufferization, memref
from xdsl.dialects.builtin import IntegerAttr, UnrankedMemRefType, i1
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.traits import MemoryEffectKind, has_effects, only_has_effect

from xdsl_bufferization.dialects.bufferization.memref_ops import CloneOp, DeallocOp
from xdsl_bufferization.host.releases import erase_op, replace_op
from xdsl_bufferization.support.attributes import constant_integer
from xdsl_bufferization.support.locations import copy_location
from xdsl_bufferization.support.memref_types import is_cast_guaranteed
from xdsl_bufferization.support.regions import defining_op
from xdsl_bufferization.support.shaped_types import are_cast_compatible


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
