"""
Tensors put together from slices of others, read where their elements come from.

    %e = tensor.empty() : tensor<8xf32>
    %p = tensor.extract_slice %x[7] [1] [1]
    %q = tensor.extract_slice %x[0] [7] [1]
    %i = tensor.insert_slice %p into %e[0] [1] [1]
    %r = tensor.insert_slice %q into %i[1] [7] [1]   // %r is %x, rotated by one

The *pieces* of `%r` are its element 0, which is element 7 of `%x`, and its elements 1 to 7,
which are elements 0 to 6 of `%x`. Invariant: the pieces of a tensor do not overlap, and
together they are all of it.

Finding them takes time in proportion to their number, and to the number of slices between the
tensor and where its elements come from; there are no more than `MAX_PIECES`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.insertions import InsertionsOpInterface
from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.support.boxes import Box
from xdsl_bufferization.support.limits import MAX_PIECES
from xdsl_bufferization.support.shaped_types import is_tensor, ranked_shape


class Piece(NamedTuple):
    """Some elements of a tensor, and the part of another tensor that they come from."""

    box: Box
    source: SSAValue
    """The other tensor, or the scalar that all of these elements are."""
    part: Box
    """The same elements in the source."""


def pieces_of(
    value: SSAValue, is_read_through: Callable[[Operation], bool]
) -> Sequence[Piece] | None:
    """
    The pieces of a tensor of static shape, by ascending offsets; `None` if there are too many.
    The operands of an insertion are asked for only if it is to be `is_read_through`.
    """
    whole = Box.whole(ranked_shape(value))
    pieces: list[Piece] = []
    pending = [Piece(whole, value, whole)]
    while pending:
        piece = pending.pop()
        parts = _parts(piece, is_read_through)
        if parts is None:
            pieces.append(piece)
        else:
            pending += parts
        if MAX_PIECES.exceeded_by(len(pieces) + len(pending)):
            return None
    return sorted(pieces, key=lambda piece: piece.box)


def _parts(
    piece: Piece, is_read_through: Callable[[Operation], bool]
) -> Sequence[Piece] | None:
    """The piece, by the operands of the op of its source; `None` if these are not known."""
    if not isinstance(piece.source, OpResult) or not is_tensor(piece.source):
        return None
    op = piece.source.op
    if (extraction := SubsetExtractionOpInterface.of(op)) is not None:
        container = extraction.container(op)
        box = _box(extraction.subset(op), piece.source, container)
        if box is None:
            return None
        return (piece._replace(source=container, part=piece.part.moved(box.offsets)),)
    if not is_read_through(op):
        return None
    if (insertions := InsertionsOpInterface.of(op)) is not None:
        boxes = insertions.parts(op)
        if boxes is None:
            return None
        tensors = filter(is_tensor, op.operands)
        found = [
            inserted
            for operand, box in zip(tensors, boxes, strict=True)
            for inserted in _inserted(piece, operand, box)
        ]
        if (padding := insertions.padding(op)) is not None:
            (box,) = boxes
            found += _around(piece, padding, box)
        return found
    insertion = SubsetInsertionOpInterface.of(op)
    if insertion is None:
        return None
    inserted, container = (
        op.operands[insertion.source_operand(op)],
        insertion.container(op),
    )
    box = _box(insertion.subset(op), inserted, container)
    if box is None:
        return None
    return [*_inserted(piece, inserted, box), *_around(piece, container, box)]


def _inserted(piece: Piece, inserted: SSAValue, box: Box) -> Sequence[Piece]:
    """The part of the piece in a tensor that has been inserted in the box."""
    common = piece.part.common(box)
    if common is None:
        return ()
    return (Piece(_in(piece, common), inserted, common.moved_back(box.offsets)),)


def _around(piece: Piece, container: SSAValue, box: Box) -> Sequence[Piece]:
    """The parts of the piece in the tensor around the box of an insertion."""
    return [
        Piece(_in(piece, rest), container, rest) for rest in piece.part.without(box)
    ]


def _in(piece: Piece, part: Box) -> Box:
    """The elements of the piece that come from this part of its source."""
    return part.moved_back(piece.part.offsets).moved(piece.box.offsets)


def _box(subset: object, part: SSAValue, container: SSAValue) -> Box | None:
    """The subset as a box, if it is one of known bounds, in the rank of the container."""
    if not isinstance(subset, Slice) or any(stride != 1 for stride in subset.strides):
        return None
    offsets = tuple(o for o in subset.offsets if isinstance(o, int))
    sizes = tuple(s for s in subset.sizes if isinstance(s, int))
    shape = ranked_shape(container)
    if len(offsets) != len(shape) or sizes != ranked_shape(part) or -1 in shape:
        return None
    return Box(offsets, sizes)
