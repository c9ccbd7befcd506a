"""
`memref.realloc` as a comparison of sizes, an allocation and a copy.

Source: the pass `expand-realloc` of https://mlir.llvm.org/docs/Passes/#memref-dialect-passes
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    ModuleOp,
)
from xdsl.dialects.utils.dynamic_index_list import get_dynamic_index_list
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects.memref.allocations import AllocOp
from xdsl_bufferization.dialects.memref.copies import CopyOp
from xdsl_bufferization.dialects.memref.ops import ReallocOp
from xdsl_bufferization.interfaces.reify import Size, sizes_of
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.memref_types import subview_type
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.shaped_types import ranked_shape
from xdsl_bufferization.support.walk import walk
from xdsl_bufferization.support.xdsl_releases import replace_op


@dataclass(frozen=True)
class ExpandReallocPass(BufferizationPass):
    """
    Expand each `memref.realloc`: if the buffer has to grow, allocate a larger one and copy
    the contents; otherwise use a part of the old one.

    https://mlir.llvm.org/docs/Passes/#-expand-realloc
    """

    name = "expand-realloc"

    emit_deallocs: bool = True
    """
    Free the old buffer when there is a new one. Otherwise that is left to a pass that frees
    buffers.
    """

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expand_reallocs(op, lambda _: self.emit_deallocs)


def expand_reallocs(
    module: ModuleOp, emits_dealloc: Callable[[Operation], bool]
) -> None:
    """Expand each `memref.realloc`; `emits_dealloc` says which of them free the old buffer."""
    pattern = _ExpandRealloc(emits_dealloc)
    for realloc in [o for o in walk(module.ops) if isinstance(o, ReallocOp)]:
        pattern.match_and_rewrite(realloc, PatternRewriter(realloc))


@dataclass
class _ExpandRealloc(RewritePattern):
    emits_dealloc: Callable[[Operation], bool]

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReallocOp, rewriter: PatternRewriter) -> None:
        builder = builder_for(op, InsertPoint.before(op))
        (old,) = sizes_of(op.source, builder)
        dynamic = [] if op.dynamic_result_size is None else [op.dynamic_result_size]
        (new,) = get_dynamic_index_list(
            op.result.type.get_shape(), dynamic, DYNAMIC_INDEX
        )
        if (is_larger := _is_less(old, new)) is not None:
            build = self._build_larger if is_larger else self._build_part
            replace_op(rewriter, op, (), [build(builder, op, old, new)])
            return
        sizes = _index(builder, old), _index(builder, new)
        grows = builder.insert(arith.CmpiOp(*sizes, "ult")).result
        larger, part = Block(), Block()
        for block, build in ((larger, self._build_larger), (part, self._build_part)):
            builder.insertion_point = InsertPoint.at_end(block)
            builder.insert(scf.YieldOp(build(builder, op, old, new)))
        types = [op.result.type]
        replace_op(rewriter, op, scf.IfOp(grows, types, Region(larger), Region(part)))

    def _build_larger(
        self, builder: Builder, op: ReallocOp, old: Size, new: Size
    ) -> SSAValue:
        """A new buffer that begins with the contents of the old one."""
        type = op.result.type
        dynamic = [new] if isinstance(new, SSAValue) else []
        buffer = builder.insert(AllocOp(dynamic, [], type, op.alignment)).memref
        shape = ranked_shape(op.source)
        beginning = memref.SubviewOp.get(
            buffer, [0], [old], [1], subview_type(type, [0], shape, [1], shape)
        )
        builder.insert(CopyOp(op.source, builder.insert(beginning).result))
        if self.emits_dealloc(op):
            builder.insert(memref.DeallocOp.get(op.source))
        return buffer

    @staticmethod
    def _build_part(builder: Builder, op: ReallocOp, old: Size, new: Size) -> SSAValue:
        """The old buffer, as one of the new size."""
        part = memref.ReinterpretCastOp.from_dynamic(
            op.source, [0], [new], [1], op.result.type
        )
        return builder.insert(part).result


def _is_less(a: Size, b: Size) -> bool | None:
    """Whether the one size is less than the other; `None` if that is not known."""
    if b == 0:
        return False
    return None if isinstance(a, SSAValue) or isinstance(b, SSAValue) else a < b


def _index(builder: Builder, size: Size) -> SSAValue:
    if isinstance(size, SSAValue):
        return size
    return builder.insert(arith.ConstantOp(IntegerAttr(size, IndexType()))).result
