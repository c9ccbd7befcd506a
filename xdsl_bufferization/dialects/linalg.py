"""
The `linalg` dialect: xDSL's, and frequent named structured ops that it lacks.

With them, programs parse in their generic form without `--allow-unregistered-dialect`. Each op
has inputs, inits and a body; its definition says nothing else about it.

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

from xdsl_bufferization import repairs
from xdsl_bufferization.dialects.superset import superset

_NAMES = """
    abs batch_matmul batch_matvec batch_vecmat ceil conv_1d_ncw_fcw conv_1d_nwc_wcf
    depthwise_conv_2d_nchw_chw depthwise_conv_2d_nhwc_hwc div dot erf floor matvec negf
    pooling_nchw_sum pooling_nhwc_max pooling_nhwc_min pooling_nhwc_sum powf reciprocal
    round rsqrt square tanh vecmat
"""
"""
The ops of neural networks. Each definition costs every program with linalg ops half a
millisecond; the other ops of MLIR parse with `--allow-unregistered-dialect`, and bufferize
as well.
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


repairs.apply("linalg")

Linalg = superset(XdslLinalg, adding=[_define(name) for name in _NAMES.split()])
