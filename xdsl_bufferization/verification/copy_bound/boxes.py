"""
Contents beside a tensor in its container, and whether two containers can coincide.

    %a = tensor.insert_slice %s into %t[0] [4] [1] : ... tensor<8xf32>   // beside %s: [4, 8) of %t
    %b = tensor.insert_slice %s into %u[0] [4] [1] : ... tensor<8xf32>   // beside %s: [4, 8) of %u

With %s in one place, [4, 8) would hold %t's and %u's elements. Boxes are compared in pairs, no more
than `MAX_BOX_PAIRS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from xdsl.ir import SSAValue

from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.support.boxes import Box
from xdsl_bufferization.support.limits import MAX_BOX_PAIRS
from xdsl_bufferization.support.shaped_types import ranked_shape
from xdsl_bufferization.verification.copy_bound.links import Link, LinkKind
from xdsl_bufferization.verification.copy_bound.places import has_contents_of_its_own
from xdsl_bufferization.verification.copy_bound.program import Program
from xdsl_bufferization.verification.copy_bound.sizes import size_of


class _Content(NamedTuple):
    """The contents of a box."""

    box: Box
    tensor: SSAValue | None
    """`None` if it is cheap, such as padding."""
    is_rest: bool
    """Whether it is only where no other content is."""


def cannot_coincide(a: Link, b: Link, program: Program) -> bool:
    """
    Whether two links of one tensor exclude each other: both results in the tensor's buffer would
    need different contents in the same elements.
    """
    own_a, own_b = box_of(a.part), box_of(b.part)
    if own_a is None or own_b is None or len(own_a.sizes) != len(own_b.sizes):
        return False
    distances = [x - y for x, y in zip(own_a.offsets, own_b.offsets, strict=True)]
    others = [*_beside(b, program)]
    for tries, content in enumerate(_beside(a, program)):
        if MAX_BOX_PAIRS.exceeded_by(tries * len(others)):
            return False
        for other in others:
            elements = content.box.common_elements(other.box.moved(distances))
            if content.is_rest and other.is_rest:
                elements -= prod(own_a.sizes)
            if _differ(content, other, elements, program):
                return True
    return False


def _differ(a: _Content, b: _Content, elements: int, program: Program) -> bool:
    """Whether contents with so many elements in common differ in one of these."""
    if a.tensor is b.tensor or elements <= 0:
        return False
    doubtful = 0
    for tensor in (a.tensor, b.tensor):
        if tensor is None:
            continue
        size = size_of(tensor)
        if not size or not has_contents_of_its_own(tensor, program.links):
            return False
        valuable = program.contents.valuable(tensor)
        doubtful += (size - valuable) * prod(ranked_shape(tensor)) // size
    return elements > doubtful


def _beside(link: Link, program: Program) -> Iterator[_Content]:
    """The contents of the link's result outside its operand."""
    if not link.operand.op.results or not size_of(link.result):
        return
    shape = ranked_shape(link.result)
    whole = Box.whole(shape)
    links = program.links.to_result[link.result]
    for other in links:
        root, path = program.places.of(other.operand.value)
        if other is link or path:
            continue
        if other.kind is LinkKind.UPDATE:
            yield _Content(whole, root, is_rest=True)
        elif (box := box_of(other.part)) is not None:
            yield _Content(box, root, is_rest=False)
    if len(links) == 1 and program.contents.defines_rest(link):
        yield _Content(whole, None, is_rest=True)


def box_of(part: Slice | None) -> Box | None:
    """The box that a slice without gaps is; `None` if it is not known."""
    if part is None:
        return None
    offsets = [n for n in part.offsets if isinstance(n, int)]
    sizes = [n for n in part.sizes if isinstance(n, int)]
    if not len(offsets) == len(sizes) == len(part.sizes):
        return None
    if any(stride != 1 for stride in part.strides):
        return None
    return Box(tuple(offsets), tuple(sizes))
