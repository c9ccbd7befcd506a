"""
Removes copies, and the memory that is not needed without them.

Source: the pass `copy-removal` that MLIR had until LLVM 12
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.former.copies.copy_removal import remove_copies
from xdsl_bufferization.support.pass_options import BufferizationPass


@dataclass(frozen=True)
class CopyRemovalPass(BufferizationPass):
    """
    Remove each copy whose source and target can be one buffer, and the allocation and
    deallocation of the other one. Either the target is allocated for the copy, and becomes the
    source; or the source is allocated for the contents that are copied then, and becomes the
    target.

    The pass may run before or after memory is freed. It takes any op with
    `CopyOpInterface`: `memref.copy`, `linalg.copy`, `bufferization.clone`.
    """

    name = "copy-removal"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        remove_copies(op)
