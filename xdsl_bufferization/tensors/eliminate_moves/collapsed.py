"""
Moves of what the result of another move is collapsed to: the collapse comes last.

    %t = linalg.broadcast ins(%x : tensor<4x8xf32>) outs(...) dimensions = [1]     // 4x2x8
    %c = tensor.collapse_shape %t [[0, 1], [2]] : tensor<4x2x8xf32> into tensor<8x8xf32>
    %r = linalg.broadcast ins(%c : tensor<8x8xf32>) outs(...) dimensions = [2]     // 8x8x3
    // becomes, and then reads %x
    %s = linalg.generic {maps = [(d0, d1, d2, d3) -> (d0, d1, d2), ...]} ins(%t)   // 4x2x8x3
    %r = tensor.collapse_shape %s [[0, 1], [2], [3]] : tensor<4x2x8x3xf32> into tensor<8x8x3xf32>

Two such moves enlarge an image in both directions. Invariant: the new move writes as many elements
as the one that it replaces, and reads them from a tensor that is no larger. Takes time in
proportion to the ranks for each collapse, and a walk over the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation
from xdsl.ir.affine import AffineExpr, AffineMap

from xdsl_bufferization.interfaces.move import move_of
from xdsl_bufferization.support.attributes import reassociation
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.shaped_types import (
    is_static_tensor,
    ranked_shape,
    ranked_tensor,
)
from xdsl_bufferization.tensors.eliminate_moves.elimination import erase_unused
from xdsl_bufferization.tensors.eliminate_moves.readers import (
    Reader,
    build_move,
    readers_of,
)
from xdsl_bufferization.tensors.eliminate_moves.views import collapse
from xdsl_bufferization.tensors.indexing_maps import order_of


def collapse_last(moves: Iterable[Operation]) -> Sequence[Operation]:
    """
    Let moves read what others have moved instead of what that is collapsed to, and collapse
    their results. Returns the moves, given those of a module in the order of the program.
    """
    visited: list[Operation] = []
    seen: set[Operation] = set()
    for op in moves:
        new = _collapse_last(op, seen)
        visited.append(new or op)
        seen.add(new or op)
    return visited


def _collapse_last(op: Operation, moves: set[Operation]) -> Operation | None:
    """The move that takes the place of the op; `None` if the op stays."""
    # Few moves read one, so that is asked first.
    former = op.operands[0].owner if len(op.operands) == 2 else None
    if not isinstance(former, tensor.CollapseShapeOp):
        return None
    move = move_of(op)
    if (
        move is None
        or move.map is None
        or move.source is not former.result
        or not isinstance(moved := former.src.owner, Operation)
        or moved not in moves
        or (before := move_of(moved)) is None
        or before.map is None
        or not all(v.has_one_use() for v in (former.src, former.result))
        # If all can, others read its source instead.
        or all(
            isinstance(reader, Reader) and reader.obstacle_to(move.map) is None
            for reader in readers_of(op.results[0]).values()
        )
    ):
        return None
    order = order_of(move.map.results)
    if order is None or not all(
        map(is_static_tensor, (*op.result_types, former.src.type))
    ):
        return None
    return _replace(op, order, former)


def _replace(
    op: Operation, order: Sequence[int], former: tensor.CollapseShapeOp
) -> Operation:
    """Collapse last, given the dimension of the result that each of the operand becomes."""
    (result,) = op.results
    type, sizes = ranked_tensor(result.type), ranked_shape(former.src)
    split: list[Sequence[int]] = [[size] for size in type.get_shape()]
    for dimension, group in zip(order, reassociation(former), strict=True):
        split[dimension] = [sizes[d] for d in group]
    ends = accumulate((len(group) for group in split), initial=0)
    groups = [range(first, end) for first, end in pairwise(ends)]
    builder = builder_for(op)
    shape = [size for group in split for size in group]
    init = builder.insert(tensor.EmptyOp((), TensorType(type.element_type, shape)))
    indices = [AffineExpr.dimension(d) for number in order for d in groups[number]]
    map = AffineMap(len(shape), 0, tuple(indices))
    body = op.regions[0].clone()
    moved = build_move(former.src, init.tensor, map, builder, body)
    collapsed = collapse(moved.results[0], groups, builder)
    collapsed.name_hint = result.name_hint
    result.replace_all_uses_with(collapsed)
    erase_unused(op)
    return moved
