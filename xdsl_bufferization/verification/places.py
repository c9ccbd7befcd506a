"""
Parts of memory, as far as one can tell before the program runs.

A tensor is a *part* of the buffer of its *base*: the first tensor up from it that may be in
several buffers, or is in a new one. A base is in one of several *roots*, each of them memory
that is made at a *site* each time that control comes by.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.verification.loops import Loop
from xdsl_bufferization.verification.parts import Path, Relation, Step, aged, relation


class CopyOf(NamedTuple):
    """The copy that an op gets instead of its operand."""

    op: Operation
    operand: int


Site: TypeAlias = SSAValue | CopyOf
"""What memory is made for."""


class Root(NamedTuple):
    """Memory that is made at a site."""

    site: Site
    is_earlier: bool = False
    """Whether it is of an earlier iteration of a loop around the site."""


Roots: TypeAlias = frozenset[Root]


class Place(NamedTuple):
    """A part of the buffer of a base; without one, somewhere in the roots."""

    base: Site | None
    path: Path
    roots: Roots

    def then(self, *steps: Step | None) -> Place:
        """A part of this place."""
        return self._replace(path=(*self.path, *(s for s in steps if s is not None)))


def aged_place(place: Place, loop: Loop) -> Place:
    """The place, as it is to be seen from the next iteration of the loop."""
    roots = aged_roots(place.roots, loop)
    if place.base is None or is_inside(place.base, loop):
        return Place(None, (), roots)
    return Place(place.base, aged(place.path, loop), roots)


def aged_roots(roots: Roots, loop: Loop) -> Roots:
    """The memory, as it is to be seen from the next iteration of the loop."""
    if not any(is_inside(root.site, loop) for root in roots):
        return roots
    return frozenset(
        root._replace(is_earlier=root.is_earlier or is_inside(root.site, loop))
        for root in roots
    )


def is_inside(site: Site, loop: Loop) -> bool:
    """Whether the memory is other memory in each iteration of the loop."""
    return loop.contains(site.op) if isinstance(site, CopyOf) else loop.defines(site)


def is_part_of(a: Place, b: Place) -> bool:
    """Whether all of the first place is in the second."""
    return (
        a.base is not None
        and a.base == b.base
        and relation(a.path, b.path) in (Relation.SAME, Relation.INSIDE)
    )
