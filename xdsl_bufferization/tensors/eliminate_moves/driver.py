"""
Tensor programs without ops that only move elements, as far as their results can be read where
they come from.

A *move* is an op such as `linalg.transpose`, or a `linalg.generic` whose body yields an input.
First, a move of what another move's result is collapsed to reads that result as it is, and is
collapsed instead. Then moves are visited in the order of the program, each once:

1. If all elements of a move are one value, its result is that value in the body of each
   `linalg.generic` that reads it.
2. A move that only adds or drops dimensions of size 1 becomes a view.
3. Of any other, all readers read the source, if they are `linalg.generic`s or moves.
4. Insertions into its result become insertions into its source, if all that follows can read that.

The memory of the source must not be overwritten, or needed for another result, before the last op
that reads it then (`elimination.py`). Takes time in proportion to the moves and their uses, after
two walks over the program; a program in which no tensor is moved is walked once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import arith, tensor
from xdsl.ir import Operation

from xdsl_bufferization.interfaces.contents import MoveOpInterface
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.support.regions import walk
from xdsl_bufferization.support.shaped_types import has_encoding
from xdsl_bufferization.tensors.eliminate_moves.obstacles import splat_of

if TYPE_CHECKING:
    from xdsl_bufferization.tensors.eliminate_moves.obstacles import LeftMoves


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
