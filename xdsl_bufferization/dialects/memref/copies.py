"""
xDSL's `memref.copy`, for more memrefs, and erased where it does nothing.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/#memrefcopy-memrefcopyop
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import memref
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.constraints import (
    ANY_MEMREF,
    verify_element_types,
)
from xdsl_bufferization.dialects.shared.redefinition import (
    canonicalized_by,
    read_in_custom_form,
    refined,
)
from xdsl_bufferization.support.shaped_types import (
    are_shapes_compatible,
    memref_type,
    shape_of,
)
from xdsl_bufferization.support.xdsl_releases import erase_op


class CopyOfNothing(RewritePattern):
    """A copy of a memref to itself, or without elements, is erased."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.CopyOp, rewriter: PatternRewriter, /):
        sources, destinations = {*_casts(op.source)}, {*_casts(op.destination)}
        if not sources.isdisjoint(destinations) or any(
            _is_empty(value) for value in sources | destinations
        ):
            erase_op(rewriter, op)


def _casts(value: SSAValue) -> Iterator[SSAValue]:
    """The memref, and those that it is a cast of."""
    yield value
    while isinstance(value.owner, memref.CastOp):
        value = value.owner.source
        yield value


def _is_empty(value: SSAValue) -> bool:
    type = value.type
    return isinstance(type, ShapedType) and 0 in type.get_shape()


@read_in_custom_form(
    "$source `,` $destination attr-dict `:` type($source) `to` type($destination)"
)
@refined({"source": ANY_MEMREF, "destination": ANY_MEMREF})
class CopyOp(memref.CopyOp):
    """
    Copies the contents of one memref to another of the same shape; xDSL's op, for
    unranked memrefs and for sizes that are static on one side only, too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefcopy-memrefcopyop
    """

    traits = canonicalized_by(memref.CopyOp, lambda: (CopyOfNothing(),))

    def verify_(self) -> None:
        source = memref_type(self.source.type)
        destination = memref_type(self.destination.type)
        verify_element_types("source and destination", source, destination)
        if not are_shapes_compatible(shape_of(source), shape_of(destination)):
            raise VerifyException(
                f"source and destination differ in their shape: {source} and "
                f"{destination}"
            )
