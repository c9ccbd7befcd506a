"""The loops of structured ops: from their indexing maps, or from the layouts in their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.interfaces.destination_style import DestinationStyleOpInterface
from xdsl_bufferization.interfaces.loop_nest import LoopNest, LoopNestOpInterface
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.xdsl_releases import (
    linalg_abstract_ops,
    maps_and_reductions,
)

_CONVOLUTION = re.compile(
    r"linalg\.(?P<depthwise>depthwise_)?conv_\dd_(?P<input>[a-z]+)_(?P<filter>[a-z]+)(?P<q>_q)?"
)
_POOLING = re.compile(r"linalg\.pooling_(?P<input>[a-z]+)_(sum|max|min)(_unsigned)?")
_SPATIAL = frozenset("dhw")


class StructuredLoops(LoopNestOpInterface):
    """A structured op, unless its body asks in which iteration it is."""

    def loop_nest(self, op: Operation) -> LoopNest | None:
        by_name = _nest_by_name(op_name(op))
        if by_name is not None:
            return by_name
        style = DestinationStyleOpInterface.of(op)
        if (
            style is None
            or not isinstance(op, linalg_abstract_ops.LinalgStructuredOperation)
            or any(op_name(inner) == "linalg.index" for inner in op.walk())
        ):
            return None
        found = maps_and_reductions(op)
        if found is None or len(found[0]) != len(op.operands):
            return None
        maps, reductions = found
        return _nest_by_maps(maps, reductions)


def _nest_by_maps(maps: Sequence[AffineMap], reductions: Sequence[int]) -> LoopNest:
    composite = {
        dimension
        for map in maps
        for result in map.results
        if not isinstance(result, AffineDimExpr)
        for dimension in result.used_dims()
    }
    loops = range(maps[0].num_dims) if maps else range(0)
    operands = [
        [r.position if isinstance(r, AffineDimExpr) else None for r in map.results]
        for map in maps
    ]
    return LoopNest(operands, frozenset(loops) - composite, reductions)


@cache
def _nest_by_name(name: str) -> LoopNest | None:
    """
    The loops of a convolution or a pooling, whose name has the layouts of its operands.

    Two loops index a spatial dimension of the input together: that of the output and that of the
    filter or window. Parts of either need overlapping parts of the input, so neither is tileable.
    """
    if found := _POOLING.fullmatch(name):
        layout = found["input"]
        window = [letter.upper() for letter in layout if letter in _SPATIAL]
        return _nest(_indices(layout), window, [*layout], window)
    if found := _CONVOLUTION.fullmatch(name):
        layout, filter = found["input"], found["filter"]
        if found["depthwise"]:
            output = [*layout, *("m" if "m" in filter else "")]
        else:
            output = ["f" if letter == "c" else letter for letter in layout]
        of_filter = [
            letter.upper() if letter in _SPATIAL else letter for letter in filter
        ]
        sums = [letter for letter in of_filter if letter not in output]
        zero_points = 2 if found["q"] else 0
        return _nest(_indices(layout), of_filter, output, sums, zero_points)
    return None


def _indices(layout: str) -> list[str | None]:
    """The loops of an input's dimensions; a spatial one has none of its own."""
    return [None if letter in _SPATIAL else letter for letter in layout]


def _nest(
    input: Sequence[str | None],
    filter: Sequence[str],
    output: Sequence[str],
    sums: Sequence[str],
    scalars: int = 0,
) -> LoopNest:
    """
    The nest of an op whose input, filter and output have these loops, and the sums, in their
    order, with so many scalars before the output.
    """
    letters = [*output, *sums]
    numbers = {letter: number for number, letter in enumerate(letters)}
    inputs: list[list[int | None]] = [
        [None if letter is None else numbers[letter] for letter in indices]
        for indices in (input, filter)
    ]
    inputs += [[] for _ in range(scalars)]
    return LoopNest(
        [*inputs, [numbers[letter] for letter in output]],
        frozenset(
            numbers[letter] for letter in letters if letter.lower() not in _SPATIAL
        ),
        [numbers[letter] for letter in sums],
    )
