"""
Ops that can read elements where a move takes them from.

    %t = linalg.transpose ins(%a) outs(%empty) permutation = [1, 0]
    %r = linalg.generic {indexing_maps = [(d0, d1) -> (d0, d1), ...]} ins(%t) ...
    // becomes
    %r = linalg.generic {indexing_maps = [(d0, d1) -> (d1, d0), ...]} ins(%a) ...

The result of a fill, or of another op that sets all elements to one value, is that value in the
body of the reader. A move whose result is collapsed becomes a move of a collapsed source:

    %t = linalg.transpose ins(%a : tensor<2x8x24xf32>) ... permutation = [2, 0, 1]
    %c = tensor.collapse_shape %t [[0], [1, 2]] : tensor<24x2x8xf32> into tensor<24x16xf32>
    // becomes
    %b = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x8x24xf32> into tensor<16x24xf32>
    %c = linalg.transpose ins(%b) ... permutation = [1, 0]

Invariant: each loop of a reader is an index of some operand as it is, which tells how often it
runs; a group of collapsed dimensions of the result is a group of the source, next to each other and
in the same order. Cost: time in proportion to the operands of the reader, and the rank.

Ops that read a move's result, also through slices of it: the slices are taken of the source, with
offsets, sizes and strides in another order of dimensions.

    %t = linalg.transpose ins(%x : tensor<64x32xf32>) ... permutation = [1, 0]
    %s = tensor.extract_slice %t[%i, %j] [8, 16] [1, 1] : tensor<32x64xf32> to tensor<8x16xf32>
    // becomes, and %s is read with its dimensions in the other order
    %s = tensor.extract_slice %x[%j, %i] [16, 8] [1, 1] : tensor<64x32xf32> to tensor<16x8xf32>

Tiled loops read transposed matrices in this way. Invariant: each dimension of the source is one of
the result, and a slice has as many dimensions as its source; so the map of the move is also the map
of the slices. Takes time in proportion to the slices and their ranks.

Moves to tensors that parts are inserted into: the parts are inserted into the source instead.

    %t = linalg.transpose ins(%x : tensor<4x8xf32>) ... permutation = [1, 0]
    %s = tensor.insert_slice %row into %t[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into ...
    %r = linalg.transpose ins(%s : tensor<8x4xf32>) ... permutation = [1, 0]
    // becomes, and then %r is %s
    %c = tensor.collapse_shape %row [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
    %s = tensor.insert_slice %c into %x[0, %i] [4, 1] [1, 1] : tensor<4xf32> into ...

A scatter is lowered to that, with the insertion in a loop.

Invariant: each tensor between the move and its readers is used once, so they all are in one
buffer, which is the source's afterwards. The move permutes dimensions; parts keep the order of
their elements, so that no part is moved. Takes time in proportion to the ranks of the insertions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from xdsl.builder import Builder
from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    TensorType,
)
from xdsl.ir import Block, Operation, Region, SSAValue, Use
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.host.releases import linalg_attrs, linalg_ops
from xdsl_bufferization.interfaces.contents import move_of
from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.loop_like import LoopCarried, LoopLikeOpInterface
from xdsl_bufferization.interfaces.reify import Size
from xdsl_bufferization.models.shared.slices import static_slice
from xdsl_bufferization.support.attributes import (
    integers,
    reassociation,
    segment_sizes,
    slice_op,
)
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import block_of
from xdsl_bufferization.support.shaped_types import (
    is_rank_reduced,
    is_static_tensor,
    is_tensor,
    ranked_shape,
    ranked_tensor,
)
from xdsl_bufferization.tensors.eliminate_moves.memory import (
    SharedMemory,
    build_view,
    collapse,
    order_of,
)
from xdsl_bufferization.tensors.eliminate_moves.obstacles import (
    NoSuchMap,
    Obstacle,
    ReaderCallsLibrary,
    ReaderNotStructured,
    ReaderWrites,
)


class CollapsedMove(NamedTuple):
    """A move between collapsed tensors."""

    groups: Sequence[Sequence[int]]
    """The dimensions of the source that become one."""
    map: AffineMap
    """From the indices of the collapsed result to those of the collapsed source."""


def collapsed_move(
    map: AffineMap, groups: Sequence[Sequence[int]]
) -> CollapsedMove | None:
    """
    The move of the collapsed source, given the map of a move and the groups of dimensions that
    its result is collapsed to; `None` if there is none.
    """
    order = order_of(map.results)
    if order is None or len(order) != map.num_dims:
        return None
    in_source = [[order.index(dimension) for dimension in group] for group in groups]
    if any(
        not group or group != [*range(group[0], group[0] + len(group))]
        for group in in_source
    ):
        return None
    numbers = sorted(range(len(groups)), key=in_source.__getitem__)
    return CollapsedMove(
        [in_source[number] for number in numbers],
        AffineMap(len(groups), 0, tuple(AffineExpr.dimension(n) for n in numbers)),
    )


_T = TypeVar("_T")

_PRODUCTS = ("linalg.matmul", "linalg.batch_matmul", "linalg.contract")
"""The ops with two inputs and a property that says how they are indexed."""


class Reader(ABC):
    """An op on tensors, and those of its inputs that are the result of one move."""

    def __init__(self, op: Operation):
        self.op = op
        self.inputs: list[int] = []
        """The indices of the operands that are the result of the move, ascending."""

    @abstractmethod
    def obstacle_to(self, map: AffineMap) -> Obstacle | None:
        """Why it cannot read the source through the map of the move; `None` if it can."""

    @abstractmethod
    def read_through(
        self, source: SSAValue, map: AffineMap, builder: Builder
    ) -> Operation:
        """
        Read the source of the move instead, with a builder that inserts ops before this one;
        returns the op that does so.
        """


class Unable(Reader):
    """An op that may do more with the result than to read its elements, whatever the map."""

    def __init__(
        self, obstacle: ReaderCallsLibrary | ReaderNotStructured | ReaderWrites
    ):
        super().__init__(obstacle.reader)
        self._obstacle = obstacle

    def obstacle_to(self, map: AffineMap) -> Obstacle | None:
        return self._obstacle

    def read_through(
        self, source: SSAValue, map: AffineMap, builder: Builder
    ) -> Operation:
        raise AssertionError(self._obstacle)


def takes_any_map(op: Operation) -> bool:
    """Whether the op can read an operand by any map that leaves the sizes of its loops known."""
    return isinstance(op, linalg_ops.GenericOp)


def _is_bounded(maps: Sequence[AffineMap]) -> bool:
    """Whether each dimension of the maps is a result of one of them."""
    found = {
        i.position for m in maps for i in m.results if isinstance(i, AffineDimExpr)
    }
    return len(found) == maps[0].num_dims


class StructuredReader(Reader):
    """
    A `linalg.generic`; or a matrix product with a name, which may have its operands transposed:

        linalg.matmul indexing_maps = [(d0, d1, d2) -> (d2, d0), ...] ins(%a, %b) outs(%c)

    Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgmatmul-linalgmatmulop
    """

    def __init__(self, op: Operation, maps: ArrayAttr):
        super().__init__(op)
        self._maps = [map.data for map in maps if isinstance(map, AffineMapAttr)]

    def obstacle_to(self, map: AffineMap) -> Obstacle | None:
        can_read = (
            _is_bounded(self._maps_through(map))
            if takes_any_map(self.op)
            else self._can_be_transposed(map)
        )
        return None if can_read else NoSuchMap(self.op)

    def read_through(
        self, source: SSAValue, map: AffineMap, builder: Builder
    ) -> Operation:
        for index in self.inputs:
            self.op.operands[index] = source
        self._set_maps(self._maps_through(map))
        return self.op

    def can_take(self) -> bool:
        """Whether it can do without the inputs if all their elements are one value."""
        return takes_any_map(self.op) and _is_bounded(self._without_inputs(self._maps))

    def take(self, element: SSAValue) -> None:
        """Use the value that all elements of the inputs are, and drop the inputs."""
        op, body = self.op, self.op.regions[0].block
        num_inits = len(op.results)
        op.operands = self._without_inputs(op.operands)
        for index in reversed(self.inputs):
            body.args[index].replace_all_uses_with(element)
            body.erase_arg(body.args[index])
        op.properties["operandSegmentSizes"] = segment_sizes(
            len(op.operands) - num_inits, num_inits
        )
        self._set_maps(self._without_inputs(self._maps))

    def _can_be_transposed(self, map: AffineMap) -> bool:
        is_batch_first = map.results[:1] == (AffineDimExpr(0),)
        return (is_batch_first or op_name(self.op) != "linalg.batch_matmul") and all(
            len(through.results) == len(own.results)
            and {*through.results} == {*own.results}
            for through, own in zip(self._maps_through(map), self._maps, strict=True)
        )

    def _maps_through(self, map: AffineMap) -> Sequence[AffineMap]:
        return [
            map.compose(own) if index in self.inputs else own
            for index, own in enumerate(self._maps)
        ]

    def _without_inputs(self, values: Iterable[_T]) -> list[_T]:
        return [v for index, v in enumerate(values) if index not in self.inputs]

    def _set_maps(self, maps: Iterable[AffineMap]) -> None:
        self.op.properties["indexing_maps"] = ArrayAttr(map(AffineMapAttr, maps))


class CollapseReader(Reader):
    """
    A `tensor.collapse_shape`: it becomes one of the source, and a move of that, which is to be read
    through in turn.
    """

    def __init__(self, op: tensor.CollapseShapeOp):
        super().__init__(op)
        self._collapse = op
        self._groups = reassociation(op)

    def obstacle_to(self, map: AffineMap) -> Obstacle | None:
        moved = collapsed_move(map, self._groups)
        if moved is None:
            return NoSuchMap(self.op)
        readers = readers_of(self._collapse.result).values()
        if any(isinstance(reader, CollapseReader) for reader in readers):
            return NoSuchMap(self.op)
        return first_obstacle(readers, moved.map)

    def read_through(
        self, source: SSAValue, map: AffineMap, builder: Builder
    ) -> Operation:
        op, moved = self._collapse, collapsed_move(map, self._groups)
        assert moved is not None
        collapsed = collapse(source, moved.groups, builder)
        empty = builder.insert(tensor.EmptyOp((), op.result.type)).tensor
        return _replace(op, build_move(collapsed, empty, moved.map, builder))


class MoveReader(Reader):
    """A move with a name, such as `linalg.transpose`: it becomes a `linalg.generic`."""

    def __init__(self, op: Operation, map: AffineMap):
        super().__init__(op)
        self._map = map

    def obstacle_to(self, map: AffineMap) -> Obstacle | None:
        return None

    def read_through(
        self, source: SSAValue, map: AffineMap, builder: Builder
    ) -> Operation:
        op = self.op
        composed = map.compose(self._map)
        generic = _replace(op, build_move(source, op.operands[1], composed, builder))
        generic.attributes.update(op.attributes)
        return generic


def readers_of(result: SSAValue) -> Mapping[Operation, Reader]:
    """By op that uses the tensor: how it reads it."""
    readers: dict[Operation, Reader] = {}
    for use in sorted(result.uses, key=lambda use: use.index):
        op = use.operation
        style = DestinationStyleOpInterface.of(op)
        if style is not None and style.is_init(op, use.index):
            readers[op] = Unable(ReaderWrites(op))
        elif op not in readers:
            readers[op] = _reader(op)
        readers[op].inputs.append(use.index)
    return readers


def first_obstacle(readers: Iterable[Reader], map: AffineMap) -> Obstacle | None:
    """Why some of the readers cannot read through the map; `None` if all can."""
    return next(filter(None, (reader.obstacle_to(map) for reader in readers)), None)


def _reader(op: Operation) -> Reader:
    if isinstance(op, linalg_ops.GenericOp):
        if op.library_call is not None:
            return Unable(ReaderCallsLibrary(op))
        if all(map(is_tensor, op.outputs)):
            return StructuredReader(op, op.indexing_maps)
    elif isinstance(op, tensor.CollapseShapeOp):
        if all(map(is_static_tensor, (op.src.type, op.result.type))):
            return CollapseReader(op)
    elif op_name(op) in _PRODUCTS:
        maps = op.properties.get("indexing_maps")
        if isinstance(maps, ArrayAttr) and all(map(is_tensor, op.operands)):
            return StructuredReader(op, maps)
    elif (
        (move := move_of(op)) is not None
        and move.map is not None
        and (style := DestinationStyleOpInterface.of(op)) is not None
        and [*style.inits(op)] == [1]
        and len(op.operands) == 2
        and len(op.regions) == 1
    ):
        return MoveReader(op, move.map)
    return Unable(ReaderNotStructured(op))


def build_move(
    source: SSAValue,
    init: SSAValue,
    map: AffineMap,
    builder: Builder,
    body: Region | None = None,
) -> Operation:
    """Insert a `linalg.generic` that moves elements of the source."""
    type = ranked_tensor(init.type)
    if body is None:
        block = Block(arg_types=(type.element_type, type.element_type))
        block.add_op(linalg_ops.YieldOp(block.args[0]))
        body = Region(block)
    maps = AffineMapAttr(map), AffineMapAttr(AffineMap.identity(map.num_dims))
    iterators = [linalg_attrs.IteratorTypeAttr.parallel()] * map.num_dims
    return builder.insert(
        linalg_ops.GenericOp((source,), (init,), body, maps, iterators, (type,))
    )


def _replace(op: Operation, new: Operation) -> Operation:
    new.results[0].name_hint = op.results[0].name_hint
    op.results[0].replace_all_uses_with(new.results[0])
    return new


def permuted(values: Sequence[_T], order: Sequence[int]) -> list[_T]:
    """By dimension of a tensor, given those that they are in another one: the values there."""
    return [values[dimension] for dimension in order]


def permuted_slice(
    op: Operation, first_dynamic: int, order: Sequence[int]
) -> Sequence[Sequence[Size]]:
    """
    The offsets, sizes and strides of an op that has them as operands from `first_dynamic` on,
    given the dimensions of its container that they are for.
    """
    values = iter(op.operands[first_dynamic:])
    return [
        permuted(
            [next(values) if n == DYNAMIC_INDEX else n for n in numbers],
            order,
        )
        for numbers in static_slice(op)
    ]


class Read(NamedTuple):
    """The result of a move, or a slice of it, with the ops that use it and take no slice."""

    value: SSAValue
    readers: Sequence[Reader]


def reads_of(result: SSAValue, map: AffineMap) -> Sequence[Read]:
    """The result of a move with that map, and its slices, each after what it is a slice of."""
    can_be_sliced = order_of(map.results) is not None
    reads: list[Read] = []
    pending = [result]
    while pending:
        value = pending.pop()
        readers: list[Reader] = []
        for op, reader in readers_of(value).items():
            if can_be_sliced and _keeps_rank(op):
                pending.append(op.results[0])
            else:
                readers.append(reader)
        reads.append(Read(value, readers))
    return reads


def users_of(reads: Sequence[Read]) -> Sequence[Operation]:
    """All ops that use the tensors, slices included."""
    return [use.operation for read in reads for use in read.value.uses]


def slice_source(
    op: Operation, source: SSAValue, map: AffineMap, builder: Builder
) -> Operation:
    """
    The slice of the source whose elements the slice of a move's result has, put before that,
    given the map of the move.
    """
    order = order_of(map.results)
    assert order is not None
    element = ranked_tensor(source.type).element_type
    type = TensorType(element, permuted(ranked_shape(op.results[0]), order))
    new = slice_op(tensor.ExtractSliceOp, [source], type, *permuted_slice(op, 1, order))
    builder.insert(new)
    new.attributes.update(op.attributes)
    new.result.name_hint = op.results[0].name_hint
    return new


def _keeps_rank(op: Operation) -> bool:
    return isinstance(op, tensor.ExtractSliceOp) and (
        len(ranked_shape(op.source)) == len(ranked_shape(op.result))
    )


class Insertions(NamedTuple):
    """Insertions into the result of a move, also in loops that carry it."""

    uses: Sequence[Use]
    """The only use of each tensor: by an insertion, as an init, or by a yield; in this order."""
    order: Sequence[int]
    """By dimension of the source: that of the move's result."""
    tensors: Sequence[SSAValue]
    """The result of the move, and the tensor after each use."""


def insertions_into(
    source: SSAValue, map: AffineMap, moved: SSAValue
) -> Insertions | None:
    """
    The insertions into the result of a move that can be insertions into its source; `None` if
    there are none, or some cannot.
    """
    order = order_of(map.results)
    if (
        order is None
        or len(order) != map.num_dims
        or [*ranked_shape(source)] != permuted(ranked_shape(moved), order)
    ):
        return None
    uses: list[Use] = []
    loops: list[LoopCarried] = []
    """The loops around `value` that carry it, the innermost last."""
    tensors, value = [moved], moved
    while (use := value.get_unique_use()) is not None:
        op = use.operation
        if (carried := _carried(use)) is not None:
            loops.append(carried)
            value = carried.argument
        elif loops and loops[-1].yielded is value:
            value = loops.pop().result
        elif op.parent is block_of(value) and _can_insert(use, order):
            value = op.results[0]
        else:
            break
        uses.append(use)
        tensors.append(value)
    if loops or not any(_is_insertion(use.operation) for use in uses):
        return None
    return Insertions(uses, order, tensors)


def insert_before_move(
    source: SSAValue, insertions: Insertions, memory: SharedMemory
) -> SSAValue:
    """Insert into the source of a move instead of its result; returns the tensor after all."""
    value = source
    for use, former in zip(insertions.uses, insertions.tensors[1:], strict=True):
        op = use.operation
        if _is_insertion(op):
            value = _insert(op, value, insertions.order, memory.builder(op))
        else:
            op.operands[use.index] = value
            value = Rewriter.replace_value_with_new_type(former, source.type)
            memory.merge(source, value)
    return value


def _carried(use: Use) -> LoopCarried | None:
    model = LoopLikeOpInterface.of(use.operation)
    return None if model is None else model.carried(use.operation, use.index)


def _is_insertion(op: Operation) -> bool:
    return isinstance(op, tensor.InsertOp | tensor.InsertSliceOp)


def _can_insert(use: Use, order: Sequence[int]) -> bool:
    """Whether the use is an insertion into the tensor that keeps the order of the part."""
    op = use.operation
    if isinstance(op, tensor.InsertOp):
        return op.operands[use.index] is op.dest
    if not isinstance(op, tensor.InsertSliceOp) or use.index != 1:
        return False
    sizes = integers(op, "static_sizes")
    return (
        DYNAMIC_INDEX not in sizes
        and len(sizes) == len(order)
        and _without_units(permuted(range(len(sizes)), order), sizes)
        == _without_units(range(len(sizes)), sizes)
    )


def _without_units(dimensions: Sequence[int], sizes: Sequence[int]) -> Sequence[int]:
    return [dimension for dimension in dimensions if sizes[dimension] != 1]


def _insert(
    op: Operation, value: SSAValue, order: Sequence[int], builder: Builder
) -> SSAValue:
    """
    Put an insertion into the value, with its dimensions in that order, in the place of the op,
    after reshapes of the part. Returns the result.
    """
    if isinstance(op, tensor.InsertSliceOp):
        new = _slice_inserted(op, value, order, builder)
    else:
        scalar, _, *indices = op.operands
        new = tensor.InsertOp.create(
            operands=(scalar, value, *permuted(indices, order)),
            result_types=(value.type,),
        )
    builder.insert(new)
    new.attributes.update(op.attributes)
    new.results[0].name_hint = op.results[0].name_hint
    op.results[0].replace_all_uses_with(new.results[0])
    Rewriter.erase_op(op)
    return new.results[0]


def _slice_inserted(
    op: tensor.InsertSliceOp, value: SSAValue, order: Sequence[int], builder: Builder
) -> Operation:
    offsets, sizes, strides = permuted_slice(op, 2, order)
    part, shape = op.source, ranked_shape(op.source)
    if not is_rank_reduced(shape, [size for size in sizes if isinstance(size, int)]):
        element = ranked_tensor(part.type).element_type
        kept = [size for size in shape if size != 1]
        part = build_view(part, TensorType(element, kept), builder)
    return slice_op(
        tensor.InsertSliceOp, [part, value], value.type, offsets, sizes, strides
    )
