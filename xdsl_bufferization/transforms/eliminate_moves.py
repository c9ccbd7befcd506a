"""
The pass `eliminate-moves`; the rewrite is in `tensors/eliminate_moves`, which is loaded only for
programs that move elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_bufferization.host.commands import reduced_gc
from xdsl_bufferization.interfaces.contents import MoveOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.support.pass_options import BufferizationPass
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import has_encoding
from xdsl_bufferization.tensors.eliminate_moves.obstacles import splat_of

if TYPE_CHECKING:
    from xdsl_bufferization.tensors.eliminate_moves.obstacles import LeftMoves


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


def eliminate_moves(module: Operation, left: LeftMoves | None = None) -> bool:
    """
    Let ops read elements where they come from instead of where a move has put them, and erase
    the moves whose results nothing uses any more. Returns whether the module has changed. Why
    moves are left is added to `left`.
    """
    if left is not None:
        left.has_run = True
    moves = [op for op in walk([module]) if _is_visited(op, left)]
    if not moves:
        return False
    # Most short programs move nothing.
    from xdsl_bufferization.tensors.eliminate_moves.elimination import (
        Elimination,
        collapse_last,
    )
    from xdsl_bufferization.tensors.eliminate_moves.obstacles import LeftMoves

    collapsed = collapse_last(moves)
    elimination = Elimination(module, LeftMoves() if left is None else left)
    return elimination.run(collapsed) or collapsed != moves


def _is_visited(op: Operation, left: LeftMoves | None) -> bool:
    """Whether the op is a move that may be eliminated; if one may not, adds that to `left`."""
    if (model := MoveOpInterface.of(op)) is None:
        return isinstance(op, arith.ConstantOp) and splat_of(op) is not None
    style = DestinationStyleOpInterface.of(op)
    if style is None or (move := model.move(op)) is None:
        return False
    # Encodings and other inits may say in which memory the elements have to be.
    values = move.source, op.results[0]
    encoded = [value for value in values if has_encoding(value.type)]
    inits = [op.operands[index] for index in style.inits(op)]
    others = [init for init in inits if not isinstance(init.owner, tensor.EmptyOp)]
    if left is not None and (encoded or others):
        from xdsl_bufferization.tensors.eliminate_moves.obstacles import (
            Encoded,
            HasDestination,
        )

        left[op] = Encoded(encoded[0]) if encoded else HasDestination(others[0])
    return not encoded and not others
