"""
Insertions next to each other, in the order in which their sources are computed.

    %s = linalg.exp ins(%x) outs(%e)            // a skip connection, also read by the next op
    %d = linalg.matmul ... outs(...)            // the deeper layers
    %1 = tensor.insert_slice %d into %0[0] [8] [1]
    %2 = tensor.insert_slice %s into %1[8] [8] [1]      // %1 is computed too late for %s

`%s` can be computed in its part of `%0`, but not of `%1`, which needs `%d`. Since the two parts are
disjoint, `%s` is inserted into `%0`, and `%d` into the result.

Invariant: the last result of such insertions has the same contents; all sources, the destination
and what lies between are as they were. Takes `n log n` time, with up to `MAX_INSERTION_CHAIN`
comparisons of slices for each insertion.

Adjacent slices of one tensor, inserted as one piece.

    %1 = tensor.insert_slice %a into %0[0, 0] [2, 8] [1, 1]    // %a is %y[0, 0] [2, 8] [1, 1]
    %2 = tensor.insert_slice %b into %1[2, 0] [2, 8] [1, 1]    // %b is %y[2, 0] [2, 8] [1, 1]

    %2 = tensor.insert_slice %y into %0[0, 0] [4, 8] [1, 1]    // instead, if %y has 4 rows

Then `%y` may be computed in its destination, where other ops read `%a` and `%b`. If `%y` has more
rows, one copy is left of two.

Invariant: the last result has the same contents. Takes time in proportion to the insertions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from xdsl.dialects import tensor
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.contents import (
    RematerializationOpInterface,
)
from xdsl_bufferization.interfaces.subset import Slice, SubsetInsertionOpInterface
from xdsl_bufferization.models.shared.slices import is_whole, slice_of
from xdsl_bufferization.one_shot.facts.slices import When, linear, may_overlap
from xdsl_bufferization.support.attributes import slice_op
from xdsl_bufferization.support.limits import MAX_INSERTION_CHAIN
from xdsl_bufferization.support.regions import block_of, walk
from xdsl_bufferization.support.shaped_types import is_tensor, resized
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.effects import is_pure

Orders = Mapping[SSAValue, Sequence[Operation]]
"""By what was the last result of insertions: those that have taken their place, in order."""


def order_insertions(
    functions: Iterable[Operation], changes: Changes, edits: Edits
) -> Orders:
    """
    Order the insertions in the functions, of adjacent slices as one piece, as far as `edits`
    admits; returns those that have changed.
    """
    positions = {op: number for number, op in enumerate(walk(functions))}
    orders: dict[SSAValue, Sequence[Operation]] = {}
    for chain in [*_chains(positions)]:
        last = chain[-1].results[0]
        whole = _joined(chain, changes, edits)
        ordered = sorted(whole, key=lambda op: _computed_at(_source(op), positions))
        edit = Edit(EditKind.ORDER_INSERTIONS, whole[-1])
        if not edits.admits(edit):
            ordered = whole
        elif ordered != whole:
            edits.add(edit)
        if ordered != chain:
            _reorder(whole, ordered, changes)
            orders[last] = ordered
    return orders


def _computed_at(value: SSAValue, positions: Mapping[Operation, int]) -> int:
    """The position of the op that computes the tensor; that of a border may be any."""
    owner = value.owner
    if isinstance(owner, Block):
        return -1
    model = RematerializationOpInterface.of(owner)
    if model is not None and model.bytes_read(owner) == 0:
        return -1
    # What was joined is copied, which can wait.
    return positions.get(owner, len(positions))


def _reorder(
    chain: Sequence[Operation], ordered: Sequence[Operation], changes: Changes
) -> None:
    block, end = block_of(chain[-1]), chain[-1].next_op
    destination = chain[0].operands[_destination(chain[0])]
    last, new_last = chain[-1].results[0], ordered[-1].results[0]
    if new_last is not last:
        changes.replace_uses(last, new_last)
    for op in ordered:
        changes.move(op, block, end)
        changes.set_operand(op, _destination(op), destination)
        destination = op.results[0]


def _chains(ops: Iterable[Operation]) -> Iterator[Sequence[Operation]]:
    """Insertions that can be ordered together, given all ops in program order."""
    seen: set[Operation] = set()
    for op in ops:
        if (
            op in seen
            or (first := _slice(op)) is None
            # What is inserted is a part of the destination already, such as a border.
            or not op.operands[_destination(op)].has_one_use()
        ):
            continue
        chain, slices = [op], [first]
        while (following := _following(chain[-1])) is not None:
            if MAX_INSERTION_CHAIN.exceeded_by(len(chain) + 1):
                break
            part = _slice(following)
            if part is None or any(
                may_overlap(part, other, When.SAME_ITERATION) for other in slices
            ):
                break
            chain.append(following)
            slices.append(part)
        seen.update(chain)
        if len(chain) > 1:
            yield chain


def _following(op: Operation) -> Operation | None:
    """
    The op that alone uses the result, as its destination, if no op in between has to do with
    tensors.
    """
    use = op.results[0].get_user_of_unique_use()
    if use is None or use.parent is not op.parent or _slice(use) is None:
        return None
    if use.operands[_destination(use)] is not op.results[0]:
        return None
    between = op.next_op
    while between is not None and between is not use:
        if not is_pure(between) or any(
            map(is_tensor, (*between.operands, *between.results))
        ):
            return None
        between = between.next_op
    return use


def _slice(op: Operation) -> Slice | None:
    """The slice into which the op inserts a tensor; `None` if it does not."""
    model = SubsetInsertionOpInterface.of(op)
    if model is None or len(op.results) != 1:
        return None
    subset = model.subset(op)
    return subset if isinstance(subset, Slice) else None


def _source(op: Operation) -> SSAValue:
    model = SubsetInsertionOpInterface.expect(op)
    return op.operands[model.source_operand(op)]


def _destination(op: Operation) -> int:
    model = SubsetInsertionOpInterface.expect(op)
    return model.destination_operand(op)


def _joined(
    chain: Iterable[Operation], changes: Changes, edits: Edits
) -> Sequence[Operation]:
    """
    Insertions, each into the result of the one before it, after those with adjacent sources
    were joined, as far as `edits` admits.
    """
    found: list[Operation] = []
    for op in chain:
        edit = edits.origin(op) or Edit(EditKind.INSERT, op)
        if (
            found
            and edits.admits(edit)
            and (whole := _join(found[-1], op, changes)) is not None
        ):
            found[-1] = whole
            edits.add(edit, [*edits.new(edit), whole])
        else:
            found.append(op)
    return found


def _join(first: Operation, second: Operation, changes: Changes) -> Operation | None:
    """The one insertion that takes the place of two, if their sources are adjacent."""
    a, b = first.operands[0].owner, second.operands[0].owner
    if (
        not first.name == second.name == tensor.InsertSliceOp.name
        or not isinstance(a, Operation)
        or not isinstance(b, Operation)
        or not a.name == b.name == tensor.ExtractSliceOp.name
        or (whole := a.operands[0]) is not b.operands[0]
        or (part := _union(slice_of(a, 1), slice_of(b, 1))) is None
        or (place := _union(slice_of(first, 2), slice_of(second, 2))) is None
    ):
        return None
    type = resized(whole.type, part.sizes)
    if type != resized(whole.type, place.sizes):
        return None
    builder = changes.builder(second, InsertPoint.before(first))
    if not is_whole(part, whole):
        extraction = slice_op(tensor.ExtractSliceOp, [whole], type, *part)
        whole = builder.insert(extraction).result
    insertion = slice_op(
        tensor.InsertSliceOp, [whole, first.operands[1]], second.result_types[0], *place
    )
    result = builder.insert(insertion).result
    changes.replace_uses(second.results[0], result)
    # The slices stay: an op that is put back may use them.
    changes.remove(second)
    changes.remove(first)
    return insertion


def _union(a: Slice, b: Slice) -> Slice | None:
    """The slice of the elements of two, if the second starts where the first ends."""
    starts = enumerate(zip(a.offsets, b.offsets, strict=True))
    dims = [dim for dim, (start, end) in starts if start != end]
    if len(dims) != 1 or {*a.strides, *b.strides} != {1}:
        return None
    (dim,) = dims
    size, more = a.sizes[dim], b.sizes[dim]
    start, end = linear(a.offsets[dim]), linear(b.offsets[dim])
    if (
        not isinstance(size, int)
        or not isinstance(more, int)
        or start._replace(constant=start.constant + size) != end
        or (*b.sizes[:dim], size, *b.sizes[dim + 1 :]) != a.sizes
    ):
        return None
    return a._replace(sizes=(*a.sizes[:dim], size + more, *a.sizes[dim + 1 :]))
