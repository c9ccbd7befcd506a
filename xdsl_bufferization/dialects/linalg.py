"""
The `linalg` dialect: xDSL's, and the named structured ops that it lacks.

So programs with those ops parse, in their generic form, without the flag for unregistered
dialects. Each takes inputs, then inits, and has a body; nothing else is said about it.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.linalg import Linalg as XdslLinalg
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)

from xdsl_bufferization.dialects.superset import superset

_NAMES = """
    abs batch_matmul batch_matvec batch_mmt4d batch_reduce_matmul batch_vecmat ceil
    contract conv_1d conv_1d_ncw_fcw conv_1d_nwc_wcf conv_2d conv_2d_nchw_fchw_q
    conv_2d_ngchw_gfchw_q conv_2d_nhwc_fhwc_q conv_2d_nhwc_hwcf_q conv_2d_nhwgc_gfhwc_q
    conv_3d conv_3d_ncdhw_fcdhw conv_3d_ndhwc_dhwcf conv_3d_ndhwc_dhwcf_q
    depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wc depthwise_conv_1d_nwc_wcm
    depthwise_conv_2d_nchw_chw depthwise_conv_2d_nhwc_hwc depthwise_conv_2d_nhwc_hwc_q
    depthwise_conv_2d_nhwc_hwcm depthwise_conv_2d_nhwc_hwcm_q
    depthwise_conv_3d_ncdhw_cdhw depthwise_conv_3d_ndhwc_dhwc
    depthwise_conv_3d_ndhwc_dhwcm div div_unsigned dot elementwise erf fill_rng_2d floor
    matvec mmt4d negf pooling_nchw_sum pooling_ncw_max pooling_ncw_sum pooling_ndhwc_max
    pooling_ndhwc_min pooling_ndhwc_sum pooling_nhwc_max pooling_nhwc_max_unsigned
    pooling_nhwc_min pooling_nhwc_min_unsigned pooling_nhwc_sum pooling_nwc_max
    pooling_nwc_max_unsigned pooling_nwc_min pooling_nwc_min_unsigned pooling_nwc_sum powf
    quantized_batch_matmul reciprocal round rsqrt square tanh vecmat
"""


class NamedStructuredOp(IRDLOperation):
    """A named structured op that xDSL does not define."""

    inputs = var_operand_def()
    outputs = var_operand_def()
    res = var_result_def()
    body = region_def("single_block")

    indexing_maps = opt_prop_def(ArrayAttr[AffineMapAttr])
    strides = opt_prop_def(Attribute)
    dilations = opt_prop_def(Attribute)
    cast = opt_prop_def(Attribute)
    kind = opt_prop_def(Attribute)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)


def _define(name: str) -> type[NamedStructuredOp]:
    class_name = "".join(part.capitalize() for part in name.split("_")) + "Op"
    members = {"name": f"linalg.{name}", "__module__": __name__}
    return irdl_op_definition(type(class_name, (NamedStructuredOp,), members))


Linalg = superset(XdslLinalg, adding=[_define(name) for name in _NAMES.split()])
