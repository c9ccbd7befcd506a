"""The pass `eliminate-moves`; the rewrite is in `tensors/`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.tensors.eliminate_moves.driver import eliminate_moves


@dataclass(frozen=True)
class EliminateMovesPass(BufferizationPass):
    """
    Change a program on tensors so that fewer ops only move elements: transpose or broadcast
    them, add dimensions of size 1, or fill a tensor with one value.

    Each `linalg.generic` that reads the result of such an op reads its source, through an
    indexing map of its own. An op that is a view otherwise becomes a `tensor.expand_shape` or
    `tensor.collapse_shape`. All that only where nothing else needs the result, and nothing
    overwrites the source before.
    """

    name = "eliminate-moves"

    @reduced_gc()
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        eliminate_moves(op)
