"""
Memory locations: the buffer, and the part of it, that a tensor is in, as far as that is static.

The *base* of a tensor is the tensor that its buffer is traced back to: one that is in a new
buffer, or may be in several buffers. An access path leads from the base's buffer to the
part of it that the tensor is in. A base is in one of several *roots*; a root is all memory
that is allocated at one *site*.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.verification.access_paths import (
    AccessPath,
    Relation,
    Step,
    path_after_iteration,
    relation,
)
from xdsl_bufferization.verification.loops import Loop


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
