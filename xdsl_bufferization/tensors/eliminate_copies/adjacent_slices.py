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
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.utils import split_dynamic_index_list
from xdsl.ir import Operation, OpResult
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.subset import (
    Slice,
    SubsetExtractionOpInterface,
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.models.shared.slices import is_whole
from xdsl_bufferization.one_shot.facts.linear import linear
from xdsl_bufferization.support.shaped_types import ranked_tensor
from xdsl_bufferization.support.xdsl_releases import slice_op
from xdsl_bufferization.tensors.changes import Changes
from xdsl_bufferization.tensors.edits import Edit, EditKind, Edits
from xdsl_bufferization.tensors.eliminate_copies.rematerialization import remove_unused


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
    if not (first.name == second.name == tensor.InsertSliceOp.name):
        return None
    a, b = first.operands[0], second.operands[0]
    if not isinstance(a, OpResult) or not isinstance(b, OpResult):
        return None
    model = SubsetExtractionOpInterface.of(a.op)
    other = SubsetExtractionOpInterface.of(b.op)
    if model is None or other is None:
        return None
    whole = model.container(a.op)
    if whole is not other.container(b.op):
        return None
    part = _union(model.subset(a.op), other.subset(b.op))
    place = _union(*(_place(op) for op in (first, second)))
    if part is None or place is None:
        return None
    shape, _ = split_dynamic_index_list(part.sizes, DYNAMIC_INDEX)
    if shape != split_dynamic_index_list(place.sizes, DYNAMIC_INDEX)[0]:
        return None
    builder = changes.builder(second, InsertPoint.before(first))
    if not is_whole(part, whole):
        type = ranked_tensor(whole.type)
        part_type = TensorType(type.element_type, shape, type.encoding)
        extraction = slice_op(tensor.ExtractSliceOp, [whole], part_type, *part)
        whole = builder.insert(extraction).result
    insertion = slice_op(
        tensor.InsertSliceOp, [whole, first.operands[1]], second.result_types[0], *place
    )
    result = builder.insert(insertion).result
    changes.replace_uses(second.results[0], result)
    remove_unused(second.results[0], changes)
    return insertion


def _place(insertion: Operation) -> object:
    """The subset that is overwritten."""
    return SubsetInsertionOpInterface.expect(insertion).subset(insertion)


def _union(a: object, b: object) -> Slice | None:
    """The slice of the elements of two, if the second starts where the first ends."""
    if not isinstance(a, Slice) or not isinstance(b, Slice):
        return None
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
