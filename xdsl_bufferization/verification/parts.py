"""
Parts of a buffer: which are the same, and which have no element in common.

A part is described by the slices that lead to it. An offset is a linear function of one
value, `factor * value + constant`, so that `%i` and `%i + 4` can be compared, and `%i` with
what `%i` was in an earlier iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
)

from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.verification.loops import Loop

_MANY_STEPS = 16
"""How many ops of arithmetic an offset is followed through."""


class Linear(NamedTuple):
    """`factor * value + constant`; a number if there is no value."""

    value: SSAValue | None
    factor: int
    constant: int

    def minus(self, other: Linear) -> int | None:
        """The difference, if it is the same number whatever the value is."""
        if self.value is other.value and self.factor == other.factor:
            return self.constant - other.constant
        return None

    @property
    def number(self) -> int | None:
        """The number that it is, if no value has to be known."""
        return self.constant if self.value is None else None


def linear(number: SSAValue | int) -> Linear:
    """The number in terms of the first value that it can be traced back to."""
    if isinstance(number, int):
        return Linear(None, 0, number)
    result = Linear(number, 1, 0)
    for _ in range(_MANY_STEPS):
        if result.value is None or (step := _in_terms_of_operand(result.value)) is None:
            break
        value, factor, constant = step
        factor, constant = (
            result.factor * factor,
            result.factor * constant + result.constant,
        )
        result = Linear(value if factor else None, factor, constant)
    return result


def _in_terms_of_operand(value: SSAValue) -> Linear | None:
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as known):
            return Linear(None, 0, known.value.data)
        case arith.AddiOp(lhs=a, rhs=b):
            if (known := _constant(b)) is not None:
                return Linear(a, 1, known)
            return None if (known := _constant(a)) is None else Linear(b, 1, known)
        case arith.SubiOp(lhs=a, rhs=b):
            return None if (known := _constant(b)) is None else Linear(a, 1, -known)
        case arith.MuliOp(lhs=a, rhs=b):
            if (known := _constant(b)) is not None:
                return Linear(a, known, 0)
            return None if (known := _constant(a)) is None else Linear(b, known, 0)
        case affine.ApplyOp() as op:
            expression = op.map.data.results[0]
            if len(op.mapOperands) != 1 or not _is_linear(expression):
                return None
            # The one operand is a dimension or a symbol.
            at_0, at_1 = (expression.eval([x], [x]) for x in (0, 1))
            return Linear(op.mapOperands[0], at_1 - at_0, at_0)
        case _:
            return None


def _bound(number: SSAValue | int) -> int | None:
    """A number that it is not larger than."""
    known = linear(number).number
    if known is not None or isinstance(number, int):
        return known
    match number.owner:
        case affine.MinOp() as op:
            results = op.map.data.results
            bounds = [e.value for e in results if isinstance(e, AffineConstantExpr)]
        case arith.MinSIOp(lhs=a, rhs=b) | arith.MinUIOp(lhs=a, rhs=b):
            bounds = [n for n in (_constant(a), _constant(b)) if n is not None]
        case _:
            bounds = []
    return min(bounds, default=None)


def _constant(value: SSAValue) -> int | None:
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as known):
            return known.value.data
        case _:
            return None


def _is_linear(expression: AffineExpr) -> bool:
    return all(
        part.kind in (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul)
        for part in expression.dfs()
        if isinstance(part, AffineBinaryOpExpr)
    )


class Range(NamedTuple):
    """A slice in one dimension."""

    offset: Linear
    size: Linear
    stride: Linear
    longest: int | None
    """What the size is at most, if that is known."""

    @property
    def extent(self) -> int | None:
        """At most the distance from the first element to the one behind the last."""
        size, stride = self.longest, self.stride.number
        if size is None or stride is None or stride < 1:
            return None
        return (size - 1) * stride + 1


@dataclass(frozen=True)
class Part:
    """A slice of what it is a part of."""

    ranges: tuple[Range, ...]
    earlier: Loop | None = None
    """If this is the slice of an earlier iteration: of which loop."""


@dataclass(frozen=True)
class Reshaped:
    """All of it, in another shape, so that slices of it are other slices."""

    type: Attribute


class _Somewhere:
    """A part of which nothing is known."""


SOMEWHERE: Final = _Somewhere()
Step: TypeAlias = Part | Reshaped | _Somewhere
Path: TypeAlias = tuple[Step, ...]
"""Each a part of what the one before it is."""


def part(slice: Slice) -> Part:
    """The part that the slice takes."""
    return Part(
        tuple(
            Range(linear(offset), linear(size), linear(stride), _bound(size))
            for offset, size, stride in zip(*slice, strict=True)
        )
    )


class Relation(Enum):
    """How two parts of one buffer relate."""

    SAME = "same"
    INSIDE = "inside"
    """The first lies in the second."""
    OVERLAP = "overlap"
    """They may have elements in common."""
    DISJOINT = "disjoint"


def relation(a: Path, b: Path) -> Relation:
    """How the parts at the ends of two paths from one buffer relate."""
    a, b = _without_last_reshapes(a), _without_last_reshapes(b)
    for x, y in zip(a, b, strict=False):
        if isinstance(x, Part) and isinstance(y, Part):
            if _are_disjoint(x, y):
                return Relation.DISJOINT
            if x != y or x.earlier is not None:
                return Relation.OVERLAP
        elif x is SOMEWHERE or x != y:
            return Relation.OVERLAP
    if len(a) == len(b):
        return Relation.SAME
    return Relation.INSIDE if len(a) > len(b) else Relation.OVERLAP


def _without_last_reshapes(path: Path) -> Path:
    end = len(path)
    while end and isinstance(path[end - 1], Reshaped):
        end -= 1
    return path[:end]


def aged(path: Path, loop: Loop) -> Path:
    """The path as it is to be seen from the next iteration of the loop."""
    steps: list[Step] = []
    for step in path:
        if isinstance(step, Part) and any(
            number.value is not None and loop.defines(number.value)
            for range in step.ranges
            for number in (range.offset, range.size, range.stride)
        ):
            if step.earlier not in (None, loop):
                return (*steps, SOMEWHERE)
            step = replace(step, earlier=loop)
        steps.append(step)
    return tuple(steps)


def _are_disjoint(a: Part, b: Part) -> bool:
    if len(a.ranges) != len(b.ranges):
        return False
    if a.earlier is not None and b.earlier is not None:
        return False
    if a.earlier is not None:
        return _are_apart(a.ranges, b.ranges, a.earlier)
    if b.earlier is not None:
        return _are_apart(b.ranges, a.ranges, b.earlier)
    return any(map(_are_disjoint_ranges, a.ranges, b.ranges))


def _are_disjoint_ranges(a: Range, b: Range) -> bool:
    distance = b.offset.minus(a.offset)
    if distance is None:
        return False
    stride = a.stride.number
    if stride and stride == b.stride.number and distance % stride:
        # They interleave.
        return True
    return _is_behind(a, distance) or _is_behind(b, -distance)


def _is_behind(a: Range, distance: int) -> bool:
    """Whether what starts at that distance from the range has nothing of it."""
    extent = a.extent
    return extent is not None and distance >= extent


def _are_apart(earlier: Sequence[Range], later: Sequence[Range], loop: Loop) -> bool:
    """Whether the first, of any earlier iteration of the loop, is disjoint to the second."""
    for a, b in zip(earlier, later, strict=True):
        varying = [
            number
            for number in (*a[:3], *b[:3])
            if number.value is not None and loop.defines(number.value)
        ]
        if not varying:
            if _are_disjoint_ranges(a, b):
                return True
            continue
        distance = b.offset.minus(a.offset)
        if distance is None or b.offset.value is None:
            continue
        step = loop.step_of(b.offset.value)
        if step is None:
            continue
        if _grows_out_of(a, b, linear(step), distance, is_ordered=loop.is_ordered):
            return True
    return False


def _grows_out_of(
    a: Range, b: Range, step: Linear, distance: int, *, is_ordered: bool
) -> bool:
    """
    Whether the ranges are disjoint if the value in the second one's offset is larger by
    the step, or a multiple of it, and they would be that distance apart otherwise.
    """
    factor = b.offset.factor
    if (known := step.number) is not None:
        if known < 1:
            return False
        growth = factor * known
        behind = (
            _is_behind(a, growth + distance)
            if growth > 0
            else (_is_behind(b, -growth - distance))
        )
        if is_ordered or not behind:
            return behind
        return (
            _is_behind(b, abs(growth) - distance)
            if growth > 0
            else (_is_behind(a, abs(growth) + distance))
        )
    # A step as long as the slice, whatever that is.
    return (
        factor == 1
        and distance == 0
        and a.stride.number == b.stride.number == 1
        and a.size == b.size == step
    )
