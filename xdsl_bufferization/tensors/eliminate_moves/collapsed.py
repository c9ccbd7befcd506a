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
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.interfaces.move import move_of
from xdsl_bufferization.support.attributes import reassociation
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.shaped_types import ranked_shape, ranked_tensor
from xdsl_bufferization.support.xdsl_releases import linalg_attrs, linalg_ops
from xdsl_bufferization.tensors.eliminate_moves.readers import Reader, readers_of


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
    collapse = op.operands[0].owner if len(op.operands) == 2 else None
    if not isinstance(collapse, tensor.CollapseShapeOp):
        return None
    move = move_of(op)
    if (
        move is None
        or move.map is None
        or move.source is not collapse.result
        or not isinstance(moved := collapse.src.owner, Operation)
        or moved not in moves
        or (before := move_of(moved)) is None
        or before.map is None
        or not all(v.has_one_use() for v in (collapse.src, collapse.result))
        # If all can, others read its source instead.
        or all(
            isinstance(reader, Reader) and reader.obstacle_to(move.map) is None
            for reader in readers_of(op.results[0]).values()
        )
    ):
        return None
    groups = _groups(move.map, collapse)
    if groups is None or not _is_static(op, collapse):
        return None
    return _replace(op, move.map, collapse, groups)


def _is_static(op: Operation, collapse: tensor.CollapseShapeOp) -> bool:
    types = map(ranked_tensor, (*op.result_types, collapse.src.type))
    return all(type.has_static_shape() for type in types)


def _groups(
    map: AffineMap, collapse: tensor.CollapseShapeOp
) -> Sequence[Sequence[int]] | None:
    """
    By dimension of the move's result: the sizes that it is split into. `None` if it is not an
    index of the collapsed tensor as it is, or several are.
    """
    sizes = ranked_shape(collapse.src)
    split: dict[int, Sequence[int]] = {}
    for index, group in zip(map.results, reassociation(collapse), strict=True):
        if not isinstance(index, AffineDimExpr) or index.position in split:
            return None
        split[index.position] = [sizes[dimension] for dimension in group]
    return [split.get(dimension, ()) for dimension in range(map.num_dims)]


def _replace(
    op: Operation,
    map: AffineMap,
    collapse: tensor.CollapseShapeOp,
    groups: Sequence[Sequence[int]],
) -> Operation:
    (result,) = op.results
    type = ranked_tensor(result.type)
    split = [
        group or [size] for group, size in zip(groups, type.get_shape(), strict=True)
    ]
    firsts = [0, *accumulate(len(group) for group in split)]
    builder = builder_for(op, InsertPoint.before(op))
    shape = [size for group in split for size in group]
    init = builder.insert(tensor.EmptyOp((), TensorType(type.element_type, shape)))
    indices: list[AffineExpr] = [
        AffineDimExpr(firsts[index.position] + offset)
        for index in map.results
        if isinstance(index, AffineDimExpr)
        for offset in range(len(split[index.position]))
    ]
    rank = len(shape)
    generic = builder.insert(
        linalg_ops.GenericOp(
            (collapse.src,),
            (init.tensor,),
            op.regions[0].clone(),
            [
                AffineMapAttr(AffineMap(rank, 0, tuple(indices))),
                AffineMapAttr(AffineMap.identity(rank)),
            ],
            [linalg_attrs.IteratorTypeAttr.parallel()] * rank,
            (init.tensor.type,),
        )
    )
    collapsed = tensor.CollapseShapeOp.create(
        operands=generic.results,
        result_types=(type,),
        properties={
            "reassociation": ArrayAttr(
                ArrayAttr(IntegerAttr(d, i64) for d in range(first, last))
                for first, last in pairwise(firsts)
            )
        },
    )
    builder.insert(collapsed)
    collapsed.results[0].name_hint = result.name_hint
    result.replace_all_uses_with(collapsed.results[0])
    for former in [op, op.operands[1].owner, collapse]:
        if isinstance(former, Operation) and former.results[0].first_use is None:
            Rewriter.erase_op(former)
    return generic
