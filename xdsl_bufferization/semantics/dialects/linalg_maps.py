"""
The indexing maps of linalg's named ops.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, ShapedType
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineExpr, AffineMap

from xdsl_bufferization.semantics.errors import MissingSemanticsError
from xdsl_bufferization.support.attributes import attribute, integers
from xdsl_bufferization.support.names import op_name

_ELEMENTWISE = frozenset(
    """
    abs add ceil copy div div_unsigned elementwise erf exp fill fill_rng_2d floor log map
    max max_unsigned min min_unsigned mul negf powf reciprocal round rsqrt select sqrt
    square sub tanh
    """.split()
)
"""Ops whose operands have the shape of the output, or are scalars."""

_CONTRACTIONS: Mapping[str, str] = {
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
    "pooling_nchw": "nchwyx: nc(hy)(wx), yx, nchw",
    "pooling_ncw": "ncwx: nc(wx), x, ncw",
    "pooling_ndhwc": "ndhwczyx: n(dz)(hy)(wx)c, zyx, ndhwc",
    "pooling_nhwc": "nhwcyx: n(hy)(wx)c, yx, nhwc",
    "pooling_nwc": "nwcx: n(wx)c, x, nwc",
    "quantized_batch_matmul": "bmnk: bmk, bkn, , , bmn",
    "quantized_matmul": "mnk: mk, kn, , , mn",
    "vecmat": "nk: k, kn, n",
}
"""
For each op its loops, one letter each, and the indices of each operand. `(hy)` stands for
h * stride + y * dilation, with the op's strides and dilations in the order of the windows.
"""

_QUANTIZED = """
    conv_2d_nchw_fchw conv_2d_ngchw_gfchw conv_2d_nhwc_fhwc conv_2d_nhwc_hwcf
    conv_2d_nhwgc_gfhwc conv_3d_ndhwc_dhwcf depthwise_conv_2d_nhwc_hwc
    depthwise_conv_2d_nhwc_hwcm
""".split()
"""Ops with a variant for two zero points, whose name ends in `_q`."""

POOLINGS = frozenset(
    f"{name}_{kind}"
    for name in _CONTRACTIONS
    if name.startswith("pooling")
    for kind in ("max", "max_unsigned", "min", "min_unsigned", "sum")
)
NAMES = (
    _ELEMENTWISE
    | POOLINGS
    | {name for name in _CONTRACTIONS if not name.startswith("pooling")}
    | {f"{name}_q" for name in _QUANTIZED}
    | {"broadcast", "contract", "generic", "reduce", "transpose"}
)
"""All ops with indexing maps, without the prefix `linalg.`."""


def indexing_maps(op: Operation) -> Sequence[AffineMap]:
    """
    For each operand the map from points of the iteration space to the operand's elements.

    Raises `MissingSemanticsError` for an op without such maps.
    """
    match attribute(op, "indexing_maps"):
        case ArrayAttr() as array:
            maps = [map.data for map in array if isinstance(map, AffineMapAttr)]
        case _:
            maps = _named(op)
    if len(maps) != len(op.operands):
        raise MissingSemanticsError(
            f"has {len(op.operands)} operands, but indexing maps for {len(maps)}"
        )
    return maps


def _named(op: Operation) -> Sequence[AffineMap]:
    name = op_name(op).removeprefix("linalg.")
    match name:
        case "broadcast":
            return _broadcast(op)
        case "transpose":
            return _transpose(op)
        case "reduce":
            return _reduce(op)
        case _ if name in _ELEMENTWISE:
            return _elementwise(op)
        case _:
            return _contraction(op, name)


def _rank(type: Attribute) -> int:
    if not isinstance(type, ShapedType):
        return 0
    return type.get_num_dims()


def _projection(rank: int, dimensions: Sequence[int]) -> AffineMap:
    """The map from a space of that rank to the given dimensions."""
    if not {*dimensions} <= {*range(rank)}:
        raise MissingSemanticsError(f"has no {rank} dimensions {list(dimensions)}")
    return AffineMap(rank, 0, tuple(map(AffineExpr.dimension, dimensions)))


def _elementwise(op: Operation) -> Sequence[AffineMap]:
    rank = _rank(op.operands[-1].type)
    return [_projection(rank, range(_rank(type))) for type in op.operand_types]


def _broadcast(op: Operation) -> Sequence[AffineMap]:
    rank, added = _rank(op.operands[-1].type), integers(op, "dimensions")
    kept = [d for d in range(rank) if d not in added]
    return _projection(rank, kept), AffineMap.identity(rank)


def _transpose(op: Operation) -> Sequence[AffineMap]:
    permutation = integers(op, "permutation")
    rank = len(permutation)
    if sorted(permutation) != [*range(rank)]:
        raise MissingSemanticsError(f"{list(permutation)} is not a permutation")
    inverse = [permutation.index(d) for d in range(rank)]
    return _projection(rank, inverse), AffineMap.identity(rank)


def _reduce(op: Operation) -> Sequence[AffineMap]:
    inputs = len(op.operands) // 2
    rank, reduced = _rank(op.operands[0].type), integers(op, "dimensions")
    kept = [d for d in range(rank) if d not in reduced]
    return [AffineMap.identity(rank)] * inputs + [_projection(rank, kept)] * inputs


def _contraction(op: Operation, name: str) -> Sequence[AffineMap]:
    is_quantized = name.endswith("_q")
    key = re.sub("_q$|_(max|min|sum)(_unsigned)?$", "", name)
    if (text := _CONTRACTIONS.get(key)) is None:
        raise MissingSemanticsError("needs an attribute 'indexing_maps'")
    loops, operands = text.split(": ")
    texts = operands.split(", ")
    if is_quantized:
        texts[-1:-1] = ["", ""]
    windows = text.count("(")
    strides = integers(op, "strides") or (1,) * windows
    dilations = integers(op, "dilations") or (1,) * windows
    if not len(strides) == len(dilations) == windows:
        raise MissingSemanticsError(f"needs {windows} strides, and dilations")
    # Only the first operand has windows.
    factors = iter(zip(strides, dilations, strict=True))
    maps: list[AffineMap] = []
    for text in texts:
        results: list[AffineExpr] = []
        for index in re.findall(r"\(..\)|.", text.strip()):
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
