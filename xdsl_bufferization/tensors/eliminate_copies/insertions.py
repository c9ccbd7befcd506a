"""
Padding and concatenation whose operands are computed in the result, and insertions in an order in
which that is possible.

`insert_instead`: `tensor.pad` and `tensor.concat` copy their operands. As insertions into one
destination they allow `eliminate-empty-tensors` to compute an operand in its part of it.

    %r = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>

    %e = tensor.empty() : tensor<8xf32>              // instead
    %s = tensor.insert_slice %a into %e[0] [4] [1]
    %r = tensor.insert_slice %b into %s[4] [4] [1]

`order_insertions` puts insertions into the order in which their sources are computed:

    %s = linalg.exp ins(%x) outs(%e)            // a skip connection, also read by the next op
    %d = linalg.matmul ... outs(...)            // the deeper layers
    %1 = tensor.insert_slice %d into %0[0] [8] [1]
    %2 = tensor.insert_slice %s into %1[8] [8] [1]      // %1 is computed too late for %s

`%s` can be computed in its part of `%0`, but not of `%1`, which needs `%d`. Since the two parts are
disjoint, `%s` is inserted into `%0`, and `%d` into the result. Adjacent slices of one tensor become
one piece, which may be computed in its destination, where other ops read `%a` and `%b`:

    %1 = tensor.insert_slice %a into %0[0, 0] [2, 8] [1, 1]    // %a is %y[0, 0] [2, 8] [1, 1]
    %2 = tensor.insert_slice %b into %1[2, 0] [2, 8] [1, 1]    // %b is %y[2, 0] [2, 8] [1, 1]

    %2 = tensor.insert_slice %y into %0[0, 0] [4, 8] [1, 1]    // instead, if %y has 4 rows

`drop_overwritten` drops insertions that a later insertion overwrites, if nothing else uses them:

    %a = tensor.insert_slice %x into %t[1] [62] [1]
    %b = tensor.insert_slice %y into %a[1] [62] [1]    // into %t, then %a is not needed

Invariant: the last result has the same contents; all sources, the destination and what lies between
are as they were. Takes `n log n` time, with up to `MAX_INSERTION_CHAIN` comparisons of slices for
each insertion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from xdsl.dialects import tensor
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.contents import (
    InsertionsOpInterface,
    RematerializationOpInterface,
)
from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.models.shared.slices import is_whole, slice_of
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.slices import When, linear, may_overlap
from xdsl_bufferization.support.attributes import slice_op
from xdsl_bufferization.support.call_graph import outermost_function
from xdsl_bufferization.support.limits import MAX_INSERTION_CHAIN
from xdsl_bufferization.support.regions import block_of, defining_op, walk
from xdsl_bufferization.support.shaped_types import is_tensor, resized
from xdsl_bufferization.tensors.changes import Changes, Placement
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.eliminate_copies.copied_operands import remove_unused
from xdsl_bufferization.tensors.eliminate_copies.rewriting import Rewriting
from xdsl_bufferization.tensors.op_order import is_pure

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


class Insertions:
    """An op that has been replaced by insertions, and can be put back."""

    def __init__(self, removed: Placement, new: Sequence[Operation], result: SSAValue):
        self._removed = removed
        self._new = new
        self._result = result

    def undo_if_copied(self, rewriting: Rewriting) -> bool:
        """
        Put the op back if all of its operands are copied, into a tensor of its own; whether
        that has been done. `False` also if the analysis is not about the op.
        """
        empty = next(op for op in self._new if isinstance(op, tensor.EmptyOp))
        if empty.parent is None or self._is_part_used():
            # The destination is a part of another one, or a part of it a destination.
            return False
        insertions = [
            op
            for op in self._new
            if op.parent is not None
            and (model := SubsetInsertionOpInterface.of(op)) is not None
            and op.operands[model.source_operand(op)].owner not in self._new
        ]
        if not insertions or not all(
            is_copied(rewriting.analysis, op) for op in insertions
        ):
            return False
        changes, last, op = rewriting.changes, self._result, self._removed.op
        changes.put_back(self._removed, block_of(last), defining_op(last).next_op)
        changes.replace_uses(last, op.results[0])
        remove_unused(last, changes)
        rewriting.edits.drop(_edit(op))
        return True

    def follow(self, orders: Orders) -> None:
        """Take notice that insertions have another order."""
        if (ordered := orders.get(self._result)) is not None:
            self._new = [*self._new, *ordered]
            self._result = ordered[-1].results[0]

    def _is_part_used(self) -> bool:
        """Whether others than a border are in a part of the result."""
        new = {*self._new}
        users = {
            use.operation
            for op in self._new
            for result in op.results
            if result is not self._result
            for use in result.uses
        } - new
        return any(
            SubsetExtractionOpInterface.of(user) is None
            or any(u.operation not in new for r in user.results for u in r.uses)
            for user in users
        )


def is_copied(analysis: OneShotAnalysis, op: Operation) -> bool:
    """
    Whether the op inserts a tensor that is elsewhere, as far as the analysis knows it, or puts
    together slices and arguments, which cannot be computed there.
    """
    if InsertionsOpInterface.of(op) is not None:
        return all(_is_elsewhere(value) for value in op.operands if is_tensor(value))
    model = SubsetInsertionOpInterface.of(op)
    if model is None or not op.results:
        return False
    source = analysis.program.operand(op, model.source_operand(op))
    destination = analysis.program.operand(op, model.destination_operand(op))
    return (
        source is not None
        and destination is not None
        and not (
            analysis.is_in_place(source)
            and analysis.are_aliases(source.value, destination.value)
        )
    )


def _is_elsewhere(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) or (
        isinstance(value, OpResult)
        and SubsetExtractionOpInterface.of(value.op) is not None
    )


def ops_to_replace(functions: Iterable[Operation]) -> Sequence[Operation]:
    """The ops that copy operands into their result, in program order."""
    return [op for op in walk(functions) if InsertionsOpInterface.of(op) is not None]


def insert_instead(
    ops: Iterable[Operation], changes: Changes, edits: Edits
) -> Sequence[Insertions]:
    """Replace ops by insertions, if there are such and `edits` admits it."""
    return [
        insertions
        for op in ops
        if edits.admits(_edit(op))
        and (insertions := _replace(op, changes, edits)) is not None
    ]


def _edit(op: Operation) -> Edit:
    return Edit(EditKind.INSERT, op)


def _replace(op: Operation, changes: Changes, edits: Edits) -> Insertions | None:
    model = InsertionsOpInterface.of(op)
    if model is None or outermost_function(op) is None:
        # It has been removed, by itself or with an op around it that nothing uses any more.
        return None
    new: list[Operation] = []
    builder = changes.builder(op, new=new)
    result = model.build_insertions(op, builder)
    if result is None:
        return None
    former = op.results[0]
    changes.replace_uses(former, result)
    result.name_hint = former.name_hint
    edits.add(_edit(op), new)
    return Insertions(changes.remove(op), new, result)


def drop_overwritten(functions: Iterable[Operation], changes: Changes) -> None:
    """Let insertions in the functions overwrite what was there before those that they undo."""
    for op in [*walk(functions)]:
        model = SubsetInsertionOpInterface.of(op)
        if model is None or op.parent is None:
            continue
        later, index = model.subset(op), model.destination_operand(op)
        while isinstance(later, Slice):
            inner = op.operands[index]
            if not isinstance(inner, OpResult) or not inner.has_one_use():
                break
            inserting = SubsetInsertionOpInterface.of(inner.op)
            if inserting is None or inserting.subset(inner.op) != later:
                break
            changes.set_operand(op, index, inserting.container(inner.op))
            remove_unused(inner, changes)
