"""
Loops, with the steps of their induction variables, and access paths to parts of a buffer: which
parts are the same, and which are disjoint.

    %a = tensor.extract_slice %t[%i] [4] [1]     // %t, (slice %i, 4)
    %b = tensor.extract_slice %a[2] [2] [1]      // %t, (slice %i, 4), (slice 2, 2): inside %a
    %c = tensor.extract_slice %t[%k] [4] [1]     // %k = %i + 4: disjoint from both

An access path is a chain of slices and reshapes, each of the result of the one before. Offsets are
linear functions of one value, `factor * value + constant`, so that `%i` and `%i + 4` can be
compared, and `%i` with the `%i` of an earlier iteration.

Memory locations: the buffer, and the part of it, that a tensor is in, as far as that is static.

The *base* of a tensor is the tensor that its buffer is traced back to: one that is in a new
buffer, or may be in several buffers. An access path leads from the base's buffer to the
part of it that the tensor is in. A base is in one of several *roots*; a root is all memory
that is allocated at one *site*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.loop_like import (
    InductionVariable,
    induction_variables,
    runs_at_least_once,
)
from xdsl_bufferization.interfaces.sizes import LinearForm, linear, upper_bound_of
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.support.regions import (
    ancestors,
    block_loops,
    blocks_in_order,
    successors,
    terminator_of,
)


@dataclass(frozen=True)
class Loop:
    """The blocks of a loop, together with all ops nested in them."""

    op: Operation
    """The op whose regions are the body, or the branch back to the header."""
    blocks: frozenset[Block]

    def contains(self, op: Operation | None) -> bool:
        """Whether the op is in the loop."""
        return op is not None and any(a.parent in self.blocks for a in ancestors(op))

    def defines(self, value: SSAValue) -> bool:
        """Whether the value is defined in the loop, by each iteration."""
        owner = value.owner
        if isinstance(owner, Operation):
            return self.contains(owner)
        return owner in self.blocks or self.contains(owner.parent_op())


def always_yields(op: Operation) -> bool:
    """Whether the op is a loop whose results are what the last of its iterations yields."""
    return _runs_in_order(op) and runs_at_least_once(op)


def _runs_in_order(op: Operation) -> bool:
    model = BufferizableOpInterface.of(op)
    return model is not None and not model.is_parallel(op, 0)


def loop_of_regions(op: Operation) -> Loop:
    """The loop whose body consists of all regions of the op."""
    return Loop(op, frozenset(b for region in op.regions for b in region.blocks))


def loops_of_blocks(region: Region) -> Mapping[tuple[Block, Block], Loop]:
    """The loop that each edge back between the region's blocks closes."""
    loops = block_loops(region)
    position = {block: i for i, block in enumerate(blocks_in_order(region))}
    return {
        (source, header): Loop(terminator_of(source), loops[header].blocks)
        for source in position
        for header in successors(source)
        if position[header] <= position[source]
    }


class Range(NamedTuple):
    """A slice in one dimension."""

    offset: LinearForm
    size: LinearForm
    stride: LinearForm
    max_size: int | None
    """An upper bound of the size, if one is known."""

    @property
    def extent(self) -> int | None:
        """An upper bound of the distance from the first element to the end of the last."""
        size, stride = self.max_size, self.stride.number
        if size is None or stride is None or stride < 1:
            return None
        return (size - 1) * stride + 1


@dataclass(frozen=True)
class SliceStep:
    """A slice of what the path leads to so far."""

    ranges: tuple[Range, ...]
    earlier_in: Loop | None = None
    """
    The loop, if this is the slice of an earlier iteration of one; of loops that are nested
    the outermost. What inner loops define may be any number then.
    """


@dataclass(frozen=True)
class ReshapeStep:
    """All of it, in another shape, so that slices cannot be compared with those before."""

    type: Attribute


class _UnknownStep:
    """An unknown part."""


UNKNOWN_STEP: Final = _UnknownStep()
Step: TypeAlias = SliceStep | ReshapeStep | _UnknownStep
AccessPath: TypeAlias = tuple[Step, ...]
"""Each step leads to a part of what the steps before lead to."""


def slice_step(slice: Slice) -> SliceStep:
    """The step to the part that the slice covers."""
    return SliceStep(
        tuple(
            Range(linear(offset), linear(size), linear(stride), upper_bound_of(size))
            for offset, size, stride in zip(*slice, strict=True)
        )
    )


class Relation(Enum):
    """How two parts of one buffer relate."""

    SAME = "same"
    INSIDE = "inside"
    """The first is all within the second."""
    OVERLAP = "overlap"
    """They may have elements in common."""
    DISJOINT = "disjoint"


def relation(a: AccessPath, b: AccessPath) -> Relation:
    """How the parts at the ends of two paths from one buffer relate."""
    a, b = _without_last_reshapes(a), _without_last_reshapes(b)
    for x, y in zip(a, b, strict=False):
        if isinstance(x, SliceStep) and isinstance(y, SliceStep):
            if _are_disjoint(x, y):
                return Relation.DISJOINT
            if x != y or x.earlier_in is not None:
                return Relation.OVERLAP
        elif x is UNKNOWN_STEP or x != y:
            return Relation.OVERLAP
    if len(a) == len(b):
        return Relation.SAME
    return Relation.INSIDE if len(a) > len(b) else Relation.OVERLAP


def _without_last_reshapes(path: AccessPath) -> AccessPath:
    end = len(path)
    while end and isinstance(path[end - 1], ReshapeStep):
        end -= 1
    return path[:end]


def path_after_iteration(path: AccessPath, loop: Loop) -> AccessPath:
    """The path, as seen from the next iteration of the loop."""
    steps: list[Step] = []
    for step in path:
        if isinstance(step, SliceStep) and _varies(step.ranges, loop):
            outer = step.earlier_in
            if outer is None or loop.contains(outer.op):
                outer = loop
            elif outer is not loop and not outer.contains(loop.op):
                return (*steps, UNKNOWN_STEP)
            step = replace(step, earlier_in=outer)
        steps.append(step)
    return tuple(steps)


def _are_disjoint(a: SliceStep, b: SliceStep) -> bool:
    if len(a.ranges) != len(b.ranges):
        return False
    if a.earlier_in is not None and b.earlier_in is not None:
        return False
    if a.earlier_in is not None:
        return _are_disjoint_across_iterations(a.ranges, b.ranges, a.earlier_in)
    if b.earlier_in is not None:
        return _are_disjoint_across_iterations(b.ranges, a.ranges, b.earlier_in)
    return any(map(_are_disjoint_ranges, a.ranges, b.ranges))


def _are_disjoint_ranges(a: Range, b: Range) -> bool:
    distance = b.offset.minus(a.offset)
    if distance is None:
        return False
    stride = a.stride.number
    if stride and stride == b.stride.number and distance % stride:
        # Their elements interleave.
        return True
    return _starts_after(a, distance) or _starts_after(b, -distance)


def _starts_after(a: Range, distance: int) -> bool:
    """Whether what starts at that distance from the range's start is after its end."""
    extent = a.extent
    return extent is not None and distance >= extent


def _are_disjoint_across_iterations(
    earlier: Sequence[Range], later: Sequence[Range], loop: Loop
) -> bool:
    """Whether a slice is disjoint from one of any earlier iteration of the loop."""
    dimensions = [*zip(earlier, later, strict=True)]
    if any(
        _are_disjoint_ranges(*pair) for pair in dimensions if not _varies(pair, loop)
    ):
        return True
    # In an earlier iteration one of the variables has another value, whichever it is.
    variables = induction_variables(loop.op)
    return variables is not None and all(
        any(_are_disjoint_after_steps(a, b, v, loop) for a, b in dimensions)
        for v in variables
    )


def _varies(ranges: Iterable[Range], loop: Loop) -> bool:
    """Whether the ranges may be other ones in each iteration."""
    return any(
        number.base is not None and loop.defines(number.base)
        for range in ranges
        for number in range[:3]
    )


def _are_disjoint_after_steps(
    a: Range, b: Range, variable: InductionVariable, loop: Loop
) -> bool:
    """
    Whether the ranges are disjoint when the induction variable has grown by any positive
    multiple of its step between the first and the second; if iterations have no order, also
    between the second and the first.
    """
    distance, factor = b.offset.minus(a.offset), b.offset.factor
    if distance is None or b.offset.base is not variable.value or variable.step is None:
        return False
    step = linear(variable.step)
    if (known := step.number) is not None:

        def are_apart(growth: int) -> bool:
            """Whether the ranges are, once the offset has grown by so much or more."""
            if growth > 0:
                return _starts_after(a, growth + distance)
            return _starts_after(b, -growth - distance)

        return (
            known > 0
            and are_apart(factor * known)
            and (_runs_in_order(loop.op) or are_apart(-factor * known))
        )
    # Tiles: the step is the size of the slice, whatever that is.
    return (
        factor == 1
        and distance == 0
        and a.stride.number == b.stride.number == 1
        and a.size == b.size == step
    )


class CopyOf(NamedTuple):
    """The copy that an op gets for an operand that is out of place."""

    op: Operation
    operand: int


Site: TypeAlias = SSAValue | CopyOf
"""The tensor, or the copy, that memory is allocated for."""


class Root(NamedTuple):
    """The memory that is allocated at a site."""

    site: Site
    from_earlier_iteration: bool = False
    """Whether an earlier iteration of a loop around the site allocated it."""


Roots: TypeAlias = frozenset[Root]


class MemoryLocation(NamedTuple):
    """A part of the buffer of a base; without a base, an unknown part of one of the roots."""

    base: Site | None
    path: AccessPath
    roots: Roots

    def part(self, *steps: Step | None) -> MemoryLocation:
        """A part of this location; `None` stands for all of it."""
        return self._replace(path=(*self.path, *(s for s in steps if s is not None)))


def location_after_iteration(location: MemoryLocation, loop: Loop) -> MemoryLocation:
    """The location, as seen from the next iteration of the loop."""
    roots = roots_after_iteration(location.roots, loop)
    if location.base is None or is_allocated_in(location.base, loop):
        return MemoryLocation(None, (), roots)
    return MemoryLocation(
        location.base, path_after_iteration(location.path, loop), roots
    )


def changes_in(location: MemoryLocation, loop: Loop) -> bool:
    """Whether the location may be another one in each iteration of the loop."""
    return location != location_after_iteration(location, loop)


def roots_after_iteration(roots: Roots, loop: Loop) -> Roots:
    """The roots, as seen from the next iteration of the loop."""
    if not any(is_allocated_in(root.site, loop) for root in roots):
        return roots
    return frozenset(
        root._replace(
            from_earlier_iteration=root.from_earlier_iteration
            or is_allocated_in(root.site, loop)
        )
        for root in roots
    )


def is_allocated_in(site: Site, loop: Loop) -> bool:
    """Whether the allocation is inside the loop."""
    return loop.contains(site.op) if isinstance(site, CopyOf) else loop.defines(site)


def is_within(a: MemoryLocation, b: MemoryLocation) -> bool:
    """Whether the first location is all within the second."""
    return (
        a.base is not None
        and a.base == b.base
        and relation(a.path, b.path) in (Relation.SAME, Relation.INSIDE)
    )
