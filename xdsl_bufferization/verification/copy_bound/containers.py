"""
Copies of tensors that are put into others.

    %p = tensor.pad %x low[1] high[1]                 // %x is an argument: no room around it

A copy is forced if the memory of the tensor is given, and has no room around it, as that of a
function's argument, or has other elements there and must not be written:

    %a = tensor.extract_slice %x[0] [4] [2]           // %x begins with its elements 0, 1, and not
    %b = tensor.extract_slice %x[1] [4] [2]           // with the elements 0, 2 that %c begins with
    %c = tensor.concat dim(0) %a, %b

A tensor that is computed here is computed where it is put.
"""

from __future__ import annotations

from collections import defaultdict

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.regions import block_of, terminator_of
from xdsl_bufferization.support.shaped_types import ranked_shape
from xdsl_bufferization.verification.access_paths import (
    AccessPath,
    SliceStep,
    slice_step,
)
from xdsl_bufferization.verification.copy_bound.forced import (
    CopiesByRoot,
    ForcedCopy,
    Program,
    of_disjoint_parts,
)
from xdsl_bufferization.verification.copy_bound.links import Link, LinkKind
from xdsl_bufferization.verification.copy_bound.places import (
    Places,
    is_constant,
    is_given,
    is_writable,
)
from xdsl_bufferization.verification.copy_bound.repetitions import executions
from xdsl_bufferization.verification.copy_bound.sizes import size_of


def forced_by_containers(program: Program) -> CopiesByRoot:
    """The copies that are forced by tensors being put into others."""
    largest: dict[SSAValue, dict[AccessPath, ForcedCopy]] = defaultdict(dict)
    for link in program.links.all():
        operand = link.operand
        if link.kind is not LinkKind.PART:
            continue
        root, part = program.places.of(operand.value)
        size = program.contents.moved(link)
        known = largest[root].get(part)
        if size and (known is None or size > known.size):
            reason = _reason_against(program, root, link)
            if reason is not None:
                operands = operand, *program.places.views(operand.value)
                # Once for all that is around the op within the block of the root.
                times = executions(terminator_of(block_of(root)))
                largest[root][part] = ForcedCopy(operands, size, times, reason)
    return {
        root: of_disjoint_parts({part: [copy] for part, copy in by_part.items()})
        for root, by_part in largest.items()
    }


def _reason_against(program: Program, root: SSAValue, link: Link) -> str | None:
    """Why the result cannot be around its part, in the memory of the root."""
    op = op_name(link.operand.op)
    if not is_given(root) or (is_constant(root) and not _is_varied(program, link)):
        return None
    if _has_known_end(root) and 0 < size_of(root) < size_of(link.result):
        whose = "a constant" if is_constant(root) else "the caller's memory"
        return f"{op} needs room around its operand, and {whose} has none"
    if not is_writable(root) and _is_varied(program, link):
        return f"{op} puts something beside it, in memory that must not be written"
    return None


def _is_varied(program: Program, link: Link) -> bool:
    """Whether something else is in the result, too, that is no constant."""
    places = program.places
    own = places.of(link.operand.value).root
    return bool(link.operand.op.results) and any(
        (
            (root := places.of(other.operand.value).root) is not own
            or _is_elsewhere(link, other, places)
        )
        and program.contents.moved(other)
        and not is_constant(root)
        for other in program.links.to_result[link.result]
    )


def _is_elsewhere(link: Link, other: Link, places: Places) -> bool:
    """
    Whether the other operand, a slice of the same tensor as that of the link, is not where the
    result would have it if the link's operand stayed in its place. The tensor is row-major: no
    bufferization can rely on callers that pass another layout.
    """
    root, path = places.of(link.operand.value)
    steps = *path, *places.of(other.operand.value).path
    shape = ranked_shape(root)
    if (
        link.part is None
        or other.part is None
        or other.kind is not LinkKind.PART
        or not len(path) == len(steps) - 1 == 1
        or len(shape) != len(link.part.sizes)
        or DYNAMIC_INDEX in shape[1:]
    ):
        return False
    ranges, next_ranges = (s.ranges for s in steps if isinstance(s, SliceStep))
    places_in_result = zip(
        slice_step(link.part).ranges, slice_step(other.part).ranges, strict=True
    )
    distance, stride = 0, 1
    for dim, (place, next_place) in reversed([*enumerate(places_in_result)]):
        own, size = ranges[dim], ranges[dim].size.number
        moved = next_ranges[dim].offset.minus(own.offset)
        apart = next_place.offset.minus(place.offset)
        step, step_in_result = own.stride.number, place.stride.number
        # A single row may be followed by one at any distance.
        if (
            step is None
            or moved is None
            or apart is None
            or step_in_result != 1
            or size is None
            or place.size.number != size
            or (apart and size == 1)
        ):
            return False
        distance += stride * (apart * step - moved)
        stride *= shape[dim]
    return bool(distance)


def _has_known_end(root: SSAValue) -> bool:
    """Whether the memory of the tensor is known to end where the tensor does."""
    owner = root.owner
    if isinstance(owner, Operation) and not is_constant(root):
        return all(isinstance(value, BlockArgument) for value in owner.operands)
    return True
