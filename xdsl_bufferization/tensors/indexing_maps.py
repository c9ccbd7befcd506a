"""
Indexing maps of structured ops, composed: an op that reads what another op has put elsewhere, or
computed, reads where that comes from.

    %t = linalg.generic {indexing_maps = [(i, j) -> (j, i), (i, j) -> (i, j)]} ins(%a) outs(...)
    %r = linalg.generic {indexing_maps = [(d0, d1) -> (d1, d0), ...]} ins(%t) ...
    // reads %a at (d0, d1)

Invariant: each loop of an op is an index of some operand as it is, which tells how often it runs.
Cost: time in proportion to the results of the maps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap


def dimensions_in(map: AffineMap) -> Iterator[int]:
    """The loops that are results of the map as they are."""
    for result in map.results:
        if isinstance(result, AffineDimExpr):
            yield result.position


def order_of(results: Sequence[AffineExpr]) -> Sequence[int] | None:
    """The loop that each result of a map is; `None` if one is none, or two are one."""
    order = [index.position for index in results if isinstance(index, AffineDimExpr)]
    return order if len({*order}) == len(order) == len(results) else None


def is_bounded(maps: Sequence[AffineMap]) -> bool:
    """Whether each dimension of the maps is a result of one of them."""
    return len({d for map in maps for d in dimensions_in(map)}) == maps[0].num_dims


def loops_at(written: AffineMap, read: AffineMap) -> AffineMap | None:
    """
    From the loops of a reader to those of the op that has computed the element which it reads,
    given the map by which each of them has the tensor; `None` if that op writes an element other
    than once.
    """
    if written.num_symbols or written.num_dims != len(written.results):
        return None
    inverse = written.inverse_permutation()
    return None if inverse is None else inverse.compose(read)
