"""
`memref.realloc` as a comparison of sizes, an allocation and a copy.

Source: the pass `expand-realloc` of https://mlir.llvm.org/docs/Passes/#memref-dialect-passes
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ModuleOp,
    UnitAttr,
)
from xdsl.dialects.utils.dynamic_index_list import get_dynamic_index_list
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects.memref import AllocOp, CopyOp, ReallocOp
from xdsl_bufferization.interfaces.dialect_attributes import MANUAL_DEALLOCATION
from xdsl_bufferization.interfaces.reify import Size, as_value, sizes_of
from xdsl_bufferization.memrefs.deallocation.lowering import reallocs_of_program
from xdsl_bufferization.support.call_graph import functions_in
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.memref_types import subview_type
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import ranked_shape

OperationT = TypeVar("OperationT", bound=Operation)


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
    buffers, unless the program frees the new one itself.
    """

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        reallocs = [o for o in walk(op.ops) if isinstance(o, ReallocOp)]
        of_program = dict(reallocs_of_program(functions_in(op))) if reallocs else {}
        for realloc in reallocs:
            expansion = _Expansion(
                self.emit_deallocs or realloc in of_program,
                of_program.get(realloc, False),
            )
            Rewriter.replace_op(realloc, (), [expansion.build(realloc)])


@dataclass
class _Expansion:
    emits_dealloc: bool
    is_manual: bool
    """Whether `bufferization.manual_deallocation` leaves the memory to the program."""

    def build(self, op: ReallocOp) -> SSAValue:
        """The larger buffer, or a part of the old one."""
        builder = builder_for(op)
        (old,) = sizes_of(op.source, builder)
        dynamic = [] if op.dynamic_result_size is None else [op.dynamic_result_size]
        (new,) = get_dynamic_index_list(
            op.result.type.get_shape(), dynamic, DYNAMIC_INDEX
        )
        if (is_larger := _is_less(old, new)) is not None:
            build = self._build_larger if is_larger else self._build_part
            return build(builder, op, old, new)
        sizes = as_value(old, builder), as_value(new, builder)
        grows = builder.insert(arith.CmpiOp(*sizes, "ult")).result
        larger, part = Block(), Block()
        for block, build in ((larger, self._build_larger), (part, self._build_part)):
            builder.insertion_point = InsertPoint.at_end(block)
            builder.insert(scf.YieldOp(build(builder, op, old, new)))
        builder.insertion_point = InsertPoint.before(op)
        choice = scf.IfOp(grows, [op.result.type], Region(larger), Region(part))
        return builder.insert(choice).results[0]

    def _build_larger(
        self, builder: Builder, op: ReallocOp, old: Size, new: Size
    ) -> SSAValue:
        """A new buffer that begins with the contents of the old one."""
        type = op.result.type
        dynamic = [new] if isinstance(new, SSAValue) else []
        buffer = self._build(builder, AllocOp(dynamic, [], type, op.alignment)).memref
        shape = ranked_shape(op.source)
        beginning = memref.SubviewOp.get(
            buffer, [0], [old], [1], subview_type(type, [0], shape, [1], shape)
        )
        builder.insert(CopyOp(op.source, builder.insert(beginning).result))
        if self.emits_dealloc:
            self._build(builder, memref.DeallocOp.get(op.source))
        return buffer

    def _build(self, builder: Builder, op: OperationT) -> OperationT:
        if self.is_manual:
            op.attributes[MANUAL_DEALLOCATION] = UnitAttr()
        return builder.insert(op)

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
