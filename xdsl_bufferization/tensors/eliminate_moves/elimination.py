"""
Visits moves, and lets ops read elements where these take them from.

The source of a move can stand for its result if bufferization then neither copies more nor keeps
more memory alive:

    %t = linalg.transpose ins(%a) ...
    %b = linalg.exp ins(%a) outs(%a)      // overwrites %a
    %r = linalg.generic ins(%t, %b) ...   // has to read %t: for %a, the line above would copy

Each query takes logarithmic time, and time in proportion to the nesting of regions.

Of a move, a collapse and a move, the collapse comes last:

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

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, pairwise

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.interfaces.contents import MoveOpInterface, move_of
from xdsl_bufferization.support.attributes import reassociation
from xdsl_bufferization.support.locations import builder_for
from xdsl_bufferization.support.regions import ancestor_in, defining_op
from xdsl_bufferization.support.shaped_types import (
    is_static_tensor,
    ranked_shape,
    ranked_tensor,
)
from xdsl_bufferization.tensors.eliminate_moves.memory import (
    Group,
    SharedMemory,
    build_view,
    collapse,
    is_view,
    order_of,
)
from xdsl_bufferization.tensors.eliminate_moves.obstacles import (
    LeftMoves,
    LivesLonger,
    MayShareAlready,
    NoSuchMap,
    Obstacle,
    OneMoveEach,
    Overwritten,
    ResultWritten,
    UsedAsMemref,
    UsedInOtherBlock,
    splat_of,
)
from xdsl_bufferization.tensors.eliminate_moves.readers import (
    CollapseReader,
    Read,
    Reader,
    StructuredReader,
    build_move,
    first_obstacle,
    insert_before_move,
    insertions_into,
    readers_of,
    reads_of,
    slice_source,
    users_of,
)
from xdsl_bufferization.tensors.op_order import is_pure


class Elimination:
    """Changes a module, whose groups of tensors are kept up to date."""

    def __init__(self, module: Operation, left: LeftMoves):
        self._module = module
        self._left = left
        self._generics: dict[Operation, Operation] = {}
        """By move that has become a `linalg.generic`: that."""
        self._pending: list[Operation] = []
        """Moves to be visited next."""

    @cached_property
    def _memory(self) -> SharedMemory:
        # Programs with constants alone do not wait for it. They change no use of other tensors.
        return SharedMemory(self._module)

    def run(self, moves: Iterable[Operation]) -> bool:
        """Visit the moves, in the order of the program; whether anything has changed."""
        has_changed = False
        for visited in moves:
            self._pending.append(self._generics.get(visited, visited))
            while self._pending:
                op = self._pending.pop()
                if op.results[0].first_use is not None:
                    has_changed |= self._visit(op)
                    erase_unused(op)
        return has_changed

    def _visit(self, op: Operation) -> bool:
        if isinstance(op, arith.ConstantOp):
            return _take_constant(op)
        move = move_of(op)
        assert move is not None
        if move.map is None:
            return _take(op.results[0], move.source, if_all_can=True)
        obstacle = self._visit_move(op, move.source, move.map)
        if obstacle is not None:
            self._left[op] = obstacle
        return obstacle is None

    def _visit_move(
        self, op: Operation, source: SSAValue, map: AffineMap
    ) -> Obstacle | None:
        """Make the move a view, or read through it; returns why neither is possible."""
        source_type = ranked_tensor(source.type)
        type = ranked_tensor(op.results[0].type)
        if not is_view(source_type, map, type):
            obstacle = self._read_through(op, source, map)
            is_done = obstacle is None or self._insert_before(op, source, map)
            return None if is_done else obstacle
        moved = self._memory.of(op.results[0])
        users = [use.op for use in moved.uses[-1:]]
        obstacle = obstacle_to_sharing(self._memory, op, source, users, moved)
        if obstacle is None:
            self._become_view(op, source)
        elif self._read_through(op, source, map) is None:
            return None
        return obstacle

    def _become_view(self, op: Operation, source: SSAValue) -> None:
        (result,) = op.results
        builder = self._memory.builder(op)
        view = build_view(source, ranked_tensor(result.type), builder)
        if view is not source:
            view.name_hint = result.name_hint
        self._memory.merge(source, result)
        result.replace_all_uses_with(view)

    def _read_through(
        self, op: Operation, source: SSAValue, map: AffineMap
    ) -> Obstacle | None:
        """
        Let all ops that read the result of the move read its source, if all of them can;
        otherwise returns why not.
        """
        reads = reads_of(op.results[0], map)
        obstacle = _obstacle_of_readers(reads, map) or obstacle_to_sharing(
            self._memory, op, source, users_of(reads)
        )
        if obstacle is None:
            self._replace_all(reads, source, map)
        return obstacle

    def _replace_all(
        self, reads: Sequence[Read], source: SSAValue, map: AffineMap
    ) -> None:
        """Let the readers read the source, or slices of it."""
        sources = {reads[0].value: source}
        slices = [defining_op(read.value) for read in reads[1:]]
        for read in reads:
            if read.value not in sources:
                former = defining_op(read.value)
                whole = sources[former.operands[0]]
                new = slice_source(former, whole, map, self._memory.builder(former))
                sources[read.value] = new.results[0]
            for reader in read.readers:
                self._replace(reader, sources[read.value], map)
        for former in reversed(slices):
            erase_unused(former)

    def _insert_before(self, op: Operation, source: SSAValue, map: AffineMap) -> bool:
        """
        Let insertions into the result of the move be insertions into its source, if all that
        reads the tensor after them can read it through the map; whether they are.
        """
        insertions = insertions_into(source, map, op.results[0])
        if insertions is None:
            return False
        memory, tensors = self._memory, insertions.tensors
        reads = reads_of(tensors[-1], map)
        if (
            _obstacle_of_readers(reads, map) is not None
            or not memory.is_alone(tensors)
            or obstacle_to_sharing(
                memory, op, source, users_of(reads), memory.of(tensors[0])
            )
            is not None
        ):
            return False
        block = memory.of(source).block
        last = insert_before_move(source, insertions, memory)
        # In place, it is in one buffer also where a loop carries it.
        memory.of(source).block = block
        self._replace_all(reads_of(last, map), last, map)
        return True

    def _replace(self, reader: Reader, source: SSAValue, map: AffineMap) -> None:
        new = reader.read_through(source, map, self._memory.builder(reader.op))
        if new is reader.op:
            self._memory.add_use(source, new)
            return
        self._generics[reader.op] = new
        self._memory.merge(reader.op.results[0], new.results[0])
        erase_unused(reader.op)
        if isinstance(reader, CollapseReader):
            self._pending.append(new)


def _obstacle_of_readers(reads: Sequence[Read], map: AffineMap) -> Obstacle | None:
    """Why some op that uses the tensors cannot read them through the map; `None` if all can."""
    readers = [reader for read in reads for reader in read.readers]
    if (obstacle := first_obstacle(readers, map)) is not None:
        return obstacle
    # The maps of an op that reads two of the tensors would have to change at once.
    for op, times in Counter(reader.op for reader in readers).items():
        if times > 1:
            return NoSuchMap(op)
    # A reader that remains a move may only take the place of this one alone: that of a slice may
    # be in a loop.
    if len(readers) + len(reads) > 2:
        for reader in readers:
            if isinstance(reader, CollapseReader):
                return OneMoveEach(reader.op)
    return None


def _take_constant(op: arith.ConstantOp) -> bool:
    if not _able_to_take(op.result) or (number := splat_of(op)) is None:
        return False
    builder = builder_for(op)
    element = builder.insert(arith.ConstantOp(number)).result
    # A constant takes no time, whether it is used or not.
    return _take(op.result, element, if_all_can=False)


def _take(result: SSAValue, element: SSAValue, *, if_all_can: bool) -> bool:
    """
    Let the ops that can take the element, which all elements of the result are, do so; with
    `if_all_can` only if nothing else uses the result. Returns whether any does.
    """
    able = _able_to_take(result)
    if if_all_can and len(able) < len({use.operation for use in result.uses}):
        return False
    for reader in able:
        reader.take(element)
    return bool(able)


def _able_to_take(result: SSAValue) -> Sequence[StructuredReader]:
    return [
        reader
        for reader in readers_of(result).values()
        if isinstance(reader, StructuredReader) and reader.can_take()
    ]


def erase_unused(op: Operation) -> None:
    """Erase the op, and those that only it used, if nothing uses its results."""
    pending = [op]
    while pending:
        op = pending.pop()
        if (
            op.parent is None
            or any(result.first_use is not None for result in op.results)
            or not (MoveOpInterface.of(op) is not None or is_pure(op))
        ):
            continue
        owners = {o.owner: None for o in op.operands}
        Rewriter.erase_op(op)
        pending.extend(owner for owner in owners if isinstance(owner, Operation))


def obstacle_to_sharing(
    memory: SharedMemory,
    op: Operation,
    source: SSAValue,
    users: Iterable[Operation],
    moved: Group | None = None,
) -> Obstacle | None:
    """
    The reason why some user of the move's result cannot read the source in its place; `None` if
    all can. If what is `moved` is to be in the buffer of the source, it may also be written there.
    """
    group = memory.of(source)
    last = _end_of_uses(memory, op, users)
    if isinstance(last, UsedInOtherBlock):
        return last
    if group is moved:
        return MayShareAlready()
    if group.is_foreign or (moved is not None and moved.is_foreign):
        return UsedAsMemref()
    position = memory.position(op)
    if moved is not None and moved.writes:
        # A write of the source as well.
        if not _is_dead_after(group, op, position):
            return ResultWritten(moved.writes[0].op)
    elif (writer := group.written_between(position, last)) is not None:
        return Overwritten(writer)
    return _more_memory(memory, op, source, last)


def _is_dead_after(group: Group, op: Operation, position: int) -> bool:
    """Whether the memory may be written once the op has read it."""
    return (
        not group.is_read_only
        and not group.is_used_after(position)
        and (group.passed_on is None or group.passed_on.position > position)
        # Memory from outside of a loop would have other contents in the next iteration.
        and group.block is op.parent
    )


def _end_of_uses(
    memory: SharedMemory, op: Operation, users: Iterable[Operation]
) -> int | UsedInOtherBlock:
    """
    The last position in the ops of the block of `op` that are users, or have them in their
    regions; a user that is elsewhere, if there is one.
    """
    end = memory.position(op)
    region = op.parent_region()
    for user in users:
        ancestor = None if region is None else ancestor_in(region, user)
        if ancestor is None or ancestor.parent is not op.parent:
            return UsedInOtherBlock(user)
        end = max(end, memory.end(ancestor))
    return end


def _more_memory(
    memory: SharedMemory, op: Operation, source: SSAValue, last: int
) -> LivesLonger | None:
    """
    The memory that the buffer of the source may take up to the last position, besides that of the
    result of the move; `None` if it takes no more, or is alive there anyway.
    """
    group, (result,) = memory.of(source), op.results
    if group.is_kept or group.is_used_after(last - 1):
        return None
    size = memory.bytes_of(result)
    if group.size is not None and size is not None:
        return LivesLonger(group.size - size) if group.size > size else None
    move, shape = move_of(op), ranked_shape(source)
    takes_no_more = (
        not group.has_parts
        and move is not None
        and move.map is not None
        # Each element of the source is in the result.
        and order_of(
            [i for i, n in zip(move.map.results, shape, strict=True) if n != 1]
        )
        is not None
    )
    return None if takes_no_more else LivesLonger(None)


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
        or first_obstacle(readers_of(op.results[0]).values(), move.map) is None
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
