"""
The dialect of an imaginary accelerator: one op, which multiplies matrices in its own memory.

The same op works on tensors and on buffers. The model among its traits tells bufferization what
it has to know: that the op adds the product to its last operand, which is its result then.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType, StringAttr, TensorType
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_result_def,
    traits_def,
)

from xdsl_bufferization import DestinationStyleModel

L1 = StringAttr("L1")
"""The memory space of the accelerator."""

MATRIX = TensorType.constr() | MemRefType.constr()


class GemmModel(DestinationStyleModel):
    """What `npu.gemm` does to buffers."""

    def inits(self, op: Operation) -> Sequence[int]:
        return (2,)


@irdl_op_definition
class GemmOp(IRDLOperation):
    """`out += lhs * rhs`; on tensors, the result is the new value of `out`."""

    name = "npu.gemm"

    lhs = operand_def(MATRIX)
    rhs = operand_def(MATRIX)
    out = operand_def(MATRIX)
    result = opt_result_def(TensorType)

    traits = traits_def(GemmModel())

    assembly_format = (
        "$lhs `,` $rhs `->` $out attr-dict `:` "
        "type($lhs) `,` type($rhs) `->` type($out) (`=` type($result)^)?"
    )

    def __init__(self, lhs: SSAValue, rhs: SSAValue, out: SSAValue, result: Attribute):
        super().__init__(operands=(lhs, rhs, out), result_types=((result,),))


NPU = Dialect("npu", [GemmOp])
