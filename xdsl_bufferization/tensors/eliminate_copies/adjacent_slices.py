"""
Adjacent slices of one tensor, inserted as one piece.

    %1 = tensor.insert_slice %a into %0[0, 0] [2, 8] [1, 1]    // %a is %y[0, 0] [2, 8] [1, 1]
    %2 = tensor.insert_slice %b into %1[2, 0] [2, 8] [1, 1]    // %b is %y[2, 0] [2, 8] [1, 1]

    %2 = tensor.insert_slice %y into %0[0, 0] [4, 8] [1, 1]    // instead, if %y has 4 rows

Then `%y` may be computed in its destination, where other ops read `%a` and `%b`. If `%y` has more
rows, one copy is left of two.

Invariant: the last result has the same contents. Takes time in proportion to the insertions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import tensor
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.models.shared.slices import is_whole, slice_of
from xdsl_bufferization.one_shot.facts.linear import linear
from xdsl_bufferization.support.shaped_types import resized
from xdsl_bufferization.support.xdsl_releases import slice_op
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits


def joined(
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
