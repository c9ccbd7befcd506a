"""
xDSL's `memref.alloc` and `memref.alloca`, which are erased where nothing is read from them.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)

from xdsl_bufferization.dialects.shared.redefinition import canonicalized_by
from xdsl_bufferization.support.xdsl_releases import erase_op


class UnreadAllocation(RewritePattern):
    """
    An allocation is erased if it is only stored to, cast, reallocated and freed:

        %m = memref.alloc() : memref<4xf32>
        memref.store %f, %m[%i] : memref<4xf32>
        memref.dealloc %m : memref<4xf32>

    A store of the allocation itself to other memory keeps it, since it escapes there.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: memref.AllocOp | memref.AllocaOp, rewriter: PatternRewriter, /
    ):
        users = _users_if_unread(op.memref)
        if users is None:
            return
        for user in reversed(users):
            erase_op(rewriter, user)
        erase_op(rewriter, op)


def _users_if_unread(allocation: SSAValue) -> list[Operation] | None:
    """
    The ops that use the allocation or memrefs made from it, each after those that it depends
    on; `None` if one of them may read it, or let it escape.
    """
    users: dict[Operation, None] = {}
    worklist = [allocation]
    while worklist:
        value = worklist.pop()
        for use in value.uses:
            user = use.operation
            if user.name in ("memref.cast", "memref.realloc"):
                worklist.append(user.results[0])
            elif not isinstance(user, memref.DeallocOp) and not (
                isinstance(user, memref.StoreOp) and user.value is not value
            ):
                return None
            users[user] = None
    return [*users]


def _patterns() -> tuple[RewritePattern, ...]:
    return (UnreadAllocation(),)


class AllocOp(memref.AllocOp):
    """
    Memory on the heap; xDSL's op, which is erased with its stores where nothing reads it.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefalloc-memrefallocop
    """

    traits = canonicalized_by(memref.AllocOp, _patterns)


class AllocaOp(memref.AllocaOp):
    """
    Memory on the stack; xDSL's op, which is erased with its stores where nothing reads it.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefalloca-memrefallocaop
    """

    traits = canonicalized_by(memref.AllocaOp, _patterns)
