"""
Ops distributed over the pieces of what they read, so that the pieces are not put together.

    %r = ...                                  // %x, rotated by one: two insertions, two copies
    %s = linalg.add ins(%r, %y) outs(%t)

becomes one op for each piece, which reads `%x` where its elements are:

    %u = tensor.extract_slice %x[7] [1] [1]
    %v = tensor.extract_slice %y[0] [1] [1]
    %w = tensor.extract_slice %t[0] [1] [1]
    %a = linalg.add ins(%u, %v) outs(%w)
    %b = tensor.insert_slice %a into %t[0] [1] [1]
    ...                                       // the same for the elements 1 to 7, into %b

Nothing is computed twice. If several operands have pieces, the tiles are what is in one piece
of each; there are no more than `MAX_PIECES`.

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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.builder import Builder
from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.host.releases import linalg_ops
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.contents import InsertionsOpInterface
from xdsl_bufferization.interfaces.destination_style import (
    DestinationStyleOpInterface,
    on_other_operands,
)
from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.interfaces.tiling import Box, TilingInterface
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.support.limits import MAX_PIECES
from xdsl_bufferization.support.shaped_types import (
    is_static_tensor,
    is_tensor,
    ranked_shape,
    ranked_tensor,
)
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind
from xdsl_bufferization.tensors.eliminate_copies.copied_operands import remove_unused
from xdsl_bufferization.tensors.eliminate_copies.inits import ReusedInput
from xdsl_bufferization.tensors.eliminate_copies.insertions import is_copied
from xdsl_bufferization.tensors.eliminate_copies.rewriting import Rewriting


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


def distribute(rewriting: Rewriting, reused: Iterable[ReusedInput]) -> None:
    """
    Distribute the ops that read what copies put together, or slices of that. An op does not write
    what it has `reused`, if it reads that piece by piece.
    """
    analysis = rewriting.analysis
    inits = {input.op: input for input in reused}
    for info in analysis.program.ops:
        # An op that has been removed has no operands, or is in no function.
        edit = Edit(EditKind.DISTRIBUTE, info.op)
        if (
            any(_put_together_by(v) is not None for v in info.op.operands)
            and rewriting.admits(edit)
            and _is_tileable(info.op)
        ):
            distribution = _Distribution(info.op, analysis)
            if distribution.tiles:
                init = inits.get(info.op)
                if init is not None and distribution.reads_in_pieces(init.init):
                    init.undo(rewriting)
                new = distribution.replace_op(rewriting.changes)
                rewriting.edits.add(edit, new)


def _put_together_by(value: SSAValue) -> Operation | None:
    """The op that has inserted something into the tensor, or into one that it is a slice of."""
    while isinstance(value, OpResult):
        extraction = SubsetExtractionOpInterface.of(value.op)
        if extraction is None:
            interfaces = SubsetInsertionOpInterface, InsertionsOpInterface
            return value.op if any(i.of(value.op) for i in interfaces) else None
        value = extraction.container(value.op)
    return None


def _is_tileable(op: Operation) -> bool:
    model = TilingInterface.of(op)
    return (
        model is not None
        and model.is_tileable(op)
        and bool(op.results)
        and all(is_static_tensor(v.type) for v in op.operands if is_tensor(v))
        and all(map(is_static_tensor, op.result_types))
        and all(
            _needs_box(model, op, i) for i, v in enumerate(op.operands) if is_tensor(v)
        )
    )


def _needs_box(model: TilingInterface, op: Operation, operand: int) -> bool:
    """Whether each tile needs a box of the operand."""
    whole = Box.whole(ranked_shape(op.results[0]))
    return model.part_of_operand(op, operand, whole) is not None


class _Tile(NamedTuple):
    """Elements of the results, and by operand that has pieces the one that they come from."""

    box: Box
    pieces: Mapping[int, Piece]

    def divided(self, operand: int, pieces: Sequence[Piece]) -> Iterator[_Tile]:
        """The tile, divided so that each has elements of one of the operand's pieces."""
        for piece in pieces:
            common = self.box.common(piece.box)
            if common is not None:
                yield _Tile(common, {**self.pieces, operand: piece})


class _Distribution:
    """An op, and the tiles in which it can be computed; none if nothing is gained by that."""

    def __init__(self, op: Operation, analysis: OneShotAnalysis):
        self._op = op
        self._analysis = analysis
        self._model: TilingInterface = TilingInterface.expect(op)
        self._inits: Sequence[int] = DestinationStyleOpInterface.expect(op).inits(op)
        self.tiles: Sequence[_Tile] = self._tiles()

    def _tiles(self) -> Sequence[_Tile]:
        tiles = [_Tile(Box.whole(ranked_shape(self._op.results[0])), {})]
        for index, value in enumerate(self._op.operands):
            if self._has_pieces(index, value):
                pieces = pieces_of(value, self._is_copied) or ()
                divided = [t for tile in tiles for t in tile.divided(index, pieces)]
                if 0 < len(divided) <= MAX_PIECES:
                    tiles = divided
        return tiles if tiles[0].pieces else ()

    def _has_pieces(self, index: int, value: SSAValue) -> bool:
        """Whether the operand is needed element by element, and copies put it together."""
        model = BufferizableOpInterface.of(self._op)
        op = _put_together_by(value)
        return (
            op is not None
            and self._is_copied(op)
            and index not in self._inits
            and model is not None
            and model.is_elementwise(self._op, self._inits[0], index)
        )

    def _is_copied(self, op: Operation) -> bool:
        return is_copied(self._analysis, op)

    def reads_in_pieces(self, init: int) -> bool:
        """Whether the init has pieces as an input, or a piece may be in its memory."""
        values, operands = self._analysis.program.values, self._op.operands
        own = values.get(operands[init])
        sources = {
            piece.source for tile in self.tiles for piece in tile.pieces.values()
        }
        return own is None or any(
            value is own.value
            or (
                (source := values.get(value)) is not None
                and self._analysis.are_aliases(source, own)
            )
            for value in (*sources, *(operands[i] for i in self.tiles[0].pieces))
        )

    def replace_op(self, changes: Changes) -> Sequence[Operation]:
        """Compute the results tile by tile instead; the new ops."""
        op = self._op
        new: list[Operation] = []
        builder = changes.builder(op, new=new)
        operands = [*op.operands]
        for tile in self.tiles:
            for init, result in zip(
                self._inits, self._compute(tile, operands, builder), strict=True
            ):
                operands[init] = result
        for init, result in zip(self._inits, op.results, strict=True):
            operands[init].name_hint = result.name_hint
            changes.replace_uses(result, operands[init])
        put_together = [op.operands[index] for index in self.tiles[0].pieces]
        changes.remove(op)
        for value in put_together:
            remove_unused(value, changes)
        return new

    def _compute(
        self, tile: _Tile, operands: Sequence[SSAValue], builder: Builder
    ) -> Sequence[SSAValue]:
        """The inits with the tile, given the operands with the tiles before it."""
        parts = [
            self._part(tile, index, value, builder)
            for index, value in enumerate(operands)
        ]
        on_tile = builder.insert(on_other_operands(self._op, parts))
        return [
            builder.insert(
                tensor.InsertSliceOp.from_static_parameters(
                    part, operands[init], tile.box.offsets, tile.box.sizes
                )
            ).result
            for part, init in zip(on_tile.results, self._inits, strict=True)
        ]

    def _part(
        self, tile: _Tile, index: int, value: SSAValue, builder: Builder
    ) -> SSAValue:
        """The part of an operand that the op needs for the tile."""
        if not is_tensor(value):
            return value
        piece = tile.pieces.get(index)
        if piece is not None:
            value = piece.source
            part = tile.box.moved_back(piece.box.offsets).moved(piece.part.offsets)
        else:
            part = self._model.part_of_operand(self._op, index, tile.box)
            assert part is not None
        if not is_tensor(value):
            type = TensorType(value.type, part.sizes)
            empty = builder.insert(tensor.EmptyOp((), type)).tensor
            fill = linalg_ops.FillOp((value,), (empty,), (type,))
            return builder.insert(fill).results[0]
        if part == Box.whole(ranked_shape(value)):
            return value
        if isinstance(value.owner, tensor.EmptyOp):
            # `eliminate-empty-tensors` puts a slice in its place: of what `value` is in then.
            type = TensorType(ranked_tensor(value.type).element_type, part.sizes)
            return builder.insert(tensor.EmptyOp((), type)).tensor
        slice = tensor.ExtractSliceOp.from_static_parameters(
            value, part.offsets, part.sizes
        )
        return builder.insert(slice).result
