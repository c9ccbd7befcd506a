"""Layouts of other dialects tell `plan-static-memory` how much memory they take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from xdsl.dialects.builtin import (
    AffineMapAttr,
    MemRefLayoutAttr,
    MemRefType,
    StridedLayoutAttr,
    i8,
)
from xdsl.ir import ParametrizedAttribute
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_attr_definition

from xdsl_bufferization.interfaces.memory_layout import MemoryLayout, extent_of


class _InNoOrder(MemRefLayoutAttr):
    def get_affine_map(self) -> AffineMap:
        raise NotImplementedError


@irdl_attr_definition
class PaddedLayout(_InNoOrder, MemoryLayout, ParametrizedAttribute):
    """Pads the last dimension to a multiple of eight, and tells so."""

    name = "padding.padded"

    def extent(self, shape: Sequence[int]) -> int | None:
        *outer, inner = shape
        return math.prod(outer) * -(-inner // 8) * 8


@irdl_attr_definition
class DoubledLayout(_InNoOrder, ParametrizedAttribute):
    """Someone else's layout."""

    name = "padding.doubled"


@dataclass
class Doubled(MemoryLayout):
    layout: DoubledLayout

    def extent(self, shape: Sequence[int]) -> int | None:
        return 2 * math.prod(shape)


MemoryLayout.register(DoubledLayout, Doubled)


def _map(text: str) -> AffineMapAttr:
    from xdsl.context import Context
    from xdsl.parser import Parser

    attribute = Parser(Context(), f"affine_map<{text}>").parse_attribute()
    assert isinstance(attribute, AffineMapAttr)
    return attribute


@pytest.mark.parametrize(
    ("shape", "layout", "extent"),
    [
        ((3, 5), PaddedLayout(), 24),
        ((3, 5), DoubledLayout(), 30),
        ((3, 5), StridedLayoutAttr([8, 1], 2), 23),
        ((3, 5), StridedLayoutAttr([-5, 1], 10), 15),
        ((3, 5), StridedLayoutAttr([-5, 1], 9), None),  # begins in front of the memory
        ((3, 5), StridedLayoutAttr([None, 1], 0), None),
        ((0, 5), StridedLayoutAttr([5, 1], 0), 0),
        ((3, 5), _map("(d0, d1) -> (d0 * 8 + d1 + 2)"), 23),
        ((3, 5), _map("(d0, d1) -> (d1, d0)"), 15),
        ((6, 8), _map("(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)"), 64),
        ((6,), _map("(d0) -> (d0 ceildiv 4)"), 3),
        ((2,), _map("(d0) -> ((d0 + 5) mod 4)"), 3),
        ((6,), _map("(d0)[s0] -> (d0 + s0)"), None),
        ((6,), _map("(d0) -> (d0 - 1)"), None),
    ],
)
def test_extent(
    shape: Sequence[int], layout: MemRefLayoutAttr, extent: int | None
) -> None:
    assert extent_of(MemRefType(i8, shape, layout)) == extent
