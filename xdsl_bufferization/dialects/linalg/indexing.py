"""
The named structured ops of linalg, and which elements of their operands the points of their loops
access.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/

How `linalg.pack` and `linalg.unpack` tile a tensor.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/#linalgpack-linalgpackop
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation
from xdsl.ir.affine import AffineExpr, AffineMap

from xdsl_bufferization.support.attributes import integers

ELEMENTWISE = """
    abs add ceil copy div div_unsigned elementwise erf exp fill fill_rng_2d floor log
    max min mul negf powf reciprocal round rsqrt select sqrt square sub tanh
""".split()
"""Ops whose operands have the shape of the output, or are scalars."""

_PLAIN: Mapping[str, str] = {
    "batch_matmul": "bmnk: bmk, bkn, bmn",
    "batch_matmul_transpose_a": "bmnk: bkm, bkn, bmn",
    "batch_matmul_transpose_b": "bmnk: bmk, bnk, bmn",
    "batch_matvec": "bmk: bmk, bk, bm",
    "batch_mmt4d": "bmnkpqr: bmkpr, bnkqr, bmnpq",
    "batch_reduce_matmul": "bmnk: bmk, bkn, mn",
    "batch_vecmat": "bnk: bk, bkn, bn",
    "conv_1d": "wx: (wx), x, w",
    "conv_1d_ncw_fcw": "nfwcx: nc(wx), fcx, nfw",
    "conv_1d_nwc_wcf": "nwfxc: n(wx)c, xcf, nwf",
    "conv_2d": "hwyx: (hy)(wx), yx, hw",
    "conv_2d_nchw_fchw": "nfhwcyx: nc(hy)(wx), fcyx, nfhw",
    "conv_2d_ngchw_fgchw": "ngfhwcyx: ngc(hy)(wx), fgcyx, ngfhw",
    "conv_2d_ngchw_gfchw": "ngfhwcyx: ngc(hy)(wx), gfcyx, ngfhw",
    "conv_2d_nhwc_fhwc": "nhwfyxc: n(hy)(wx)c, fyxc, nhwf",
    "conv_2d_nhwc_hwcf": "nhwfyxc: n(hy)(wx)c, yxcf, nhwf",
    "conv_2d_nhwgc_gfhwc": "nhwgfyxc: n(hy)(wx)gc, gfyxc, nhwgf",
    "conv_3d": "dhwzyx: (dz)(hy)(wx), zyx, dhw",
    "conv_3d_ncdhw_fcdhw": "nfdhwczyx: nc(dz)(hy)(wx), fczyx, nfdhw",
    "conv_3d_ndhwc_dhwcf": "ndhwfzyxc: n(dz)(hy)(wx)c, zyxcf, ndhwf",
    "depthwise_conv_1d_ncw_cw": "nwcx: nc(wx), cx, ncw",
    "depthwise_conv_1d_nwc_wc": "nwcx: n(wx)c, xc, nwc",
    "depthwise_conv_1d_nwc_wcm": "nwcmx: n(wx)c, xcm, nwcm",
    "depthwise_conv_2d_nchw_chw": "nhwcyx: nc(hy)(wx), cyx, nchw",
    "depthwise_conv_2d_nhwc_hwc": "nhwcyx: n(hy)(wx)c, yxc, nhwc",
    "depthwise_conv_2d_nhwc_hwcm": "nhwcmyx: n(hy)(wx)c, yxcm, nhwcm",
    "depthwise_conv_3d_ncdhw_cdhw": "ndhwzyxc: nc(dz)(hy)(wx), czyx, ncdhw",
    "depthwise_conv_3d_ndhwc_dhwc": "ndhwzyxc: n(dz)(hy)(wx)c, zyxc, ndhwc",
    "depthwise_conv_3d_ndhwc_dhwcm": "ndhwmzyxc: n(dz)(hy)(wx)c, zyxcm, ndhwcm",
    "dot": "k: k, k, ",
    "matmul": "mnk: mk, kn, mn",
    "matmul_transpose_a": "mnk: km, kn, mn",
    "matmul_transpose_b": "mnk: mk, nk, mn",
    "matvec": "mk: mk, k, m",
    "mmt4d": "mnkpqr: mkpr, nkqr, mnpq",
    "quantized_batch_matmul": "bmnk: bmk, bkn, , , bmn",
    "quantized_matmul": "mnk: mk, kn, , , mn",
    "vecmat": "nk: k, kn, n",
}
"""
The loops of each op, one letter each, and the indices of each operand. `(hy)` stands for
h * stride + y * dilation, with the op's strides and dilations in the order of the windows.
"""

_QUANTIZED = """
    conv_2d_nchw_fchw conv_2d_ngchw_gfchw conv_2d_nhwc_fhwc conv_2d_nhwc_hwcf
    conv_2d_nhwgc_gfhwc conv_3d_ndhwc_dhwcf depthwise_conv_2d_nhwc_hwc
    depthwise_conv_2d_nhwc_hwcm
""".split()
"""Ops with a variant for two zero points, whose name ends in `_q`."""

_POOLINGS: Mapping[str, str] = {
    "nchw max sum": "nchwyx: nc(hy)(wx), yx, nchw",
    "ncw max sum": "ncwx: nc(wx), x, ncw",
    "ndhwc max min sum": "ndhwczyx: n(dz)(hy)(wx)c, zyx, ndhwc",
    "nhwc max max_unsigned min min_unsigned sum": "nhwcyx: n(hy)(wx)c, yx, nhwc",
    "nwc max max_unsigned min min_unsigned sum": "nwcx: n(wx)c, x, nwc",
}
"""By layout of the operands, and kinds of pooling."""

LOOPS: Mapping[str, str] = {
    **_PLAIN,
    **{f"{name}_q": ", , , ".join(_PLAIN[name].rsplit(", ", 1)) for name in _QUANTIZED},
    **{
        f"pooling_{layout}_{kind}": row
        for (layout, *kinds), row in ((k.split(), row) for k, row in _POOLINGS.items())
        for kind in kinds
    },
}
"""Loops and indices of all ops whose loops do not depend on the rank of their operands."""


def maps_of(
    text: str, strides: Sequence[int] = (), dilations: Sequence[int] = ()
) -> Sequence[AffineMap]:
    """The indexing maps of a row of `LOOPS`, with a stride and a dilation for each window."""
    loops, operands = text.split(": ")
    # Only the first operand has windows.
    factors = iter(zip(strides, dilations, strict=True))
    maps: list[AffineMap] = []
    for indices in operands.split(", "):
        results: list[AffineExpr] = []
        for index in re.findall(r"\(..\)|.", indices.strip()):
            dimensions = [
                AffineExpr.dimension(loops.index(loop)) for loop in index.strip("()")
            ]
            if len(dimensions) == 1:
                results += dimensions
            else:
                stride, dilation = next(factors)
                results.append(dimensions[0] * stride + dimensions[1] * dilation)
        maps.append(AffineMap(len(loops), 0, tuple(results)))
    return maps


class Tiling(NamedTuple):
    """
    Which dimensions of the packed tensor belong to each dimension of the unpacked one.

    The packed tensor first has one dimension for each dimension of the unpacked tensor, in
    some order, which counts tiles; then the dimensions of a tile.
    """

    outer: Sequence[int]
    """For each unpacked dimension the packed one that counts its tiles, or elements."""
    inner: Sequence[int | None]
    """For each unpacked dimension the one of the tile, if it is tiled."""

    @staticmethod
    def of(op: Operation, rank: int) -> Tiling | None:
        """How the op tiles a tensor of the rank; `None` if its attributes do not fit that."""
        positions = integers(op, "inner_dims_pos")
        order = integers(op, "outer_dims_perm") or range(rank)
        if sorted(order) != [*range(rank)] or not set(positions) <= {*range(rank)}:
            return None
        return Tiling(
            [order.index(dim) for dim in range(rank)],
            [
                rank + positions.index(dim) if dim in positions else None
                for dim in range(rank)
            ],
        )

    @property
    def groups(self) -> Sequence[Sequence[int]]:
        """For each unpacked dimension its packed ones."""
        return [
            (outer,) if inner is None else (outer, inner)
            for outer, inner in zip(self.outer, self.inner, strict=True)
        ]

    def fills(self, unpacked: Sequence[int], packed: Sequence[int]) -> bool:
        """Whether, by the shapes, each unpacked dimension consists of whole tiles."""
        for size, group in zip(unpacked, self.groups, strict=True):
            product = 1
            for dim in group:
                if packed[dim] == DYNAMIC_INDEX:
                    return False
                product *= packed[dim]
            if size != product:
                return False
        return True
