"""
`tensor.reshape`, which xDSL defines for ranked tensors of static sizes.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorreshape-tensorreshapeop
"""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    AnySignlessIntegerType,
    IndexType,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import Redefinition
from xdsl_bufferization.support.shaped_types import Tensor as AnyTensor
from xdsl_bufferization.support.xdsl_releases import VerificationContext

_TENSOR = base(TensorType[Attribute])


@irdl_op_definition
class ReshapeOp(Redefinition, tensor.ReshapeOp):
    """
    The same elements in another shape, whose sizes are the elements of `shape`; xDSL's op,
    for dynamic sizes and unranked tensors too.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorreshape-tensorreshapeop
    """

    name = "tensor.reshape"

    source = operand_def()
    shape = operand_def(TensorType[AnySignlessIntegerType | IndexType])
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        shape: SSAValue | Operation,
        result_type: Attribute,
    ):
        IRDLOperation.__init__(
            self, operands=(source, shape), result_types=(result_type,)
        )

    def verify_(self) -> None:
        for value in (self.source, self.result):
            if not isinstance(value.type, UnrankedTensorType):
                _TENSOR.verify(value.type, VerificationContext())
        source = cast(AnyTensor, self.source.type)
        result = cast(AnyTensor, self.result.type)
        if source.element_type != result.element_type:
            raise VerifyException(
                "element types of source and result tensor types should be the same: "
                f"{source} and {result}"
            )
        lengths = cast(TensorType[Attribute], self.shape.type).get_shape()
        if len(lengths) != 1:
            raise VerifyException("shape tensor must have a rank one")
        if not isinstance(result, TensorType):
            return
        if (
            isinstance(source, TensorType)
            and source.has_static_shape()
            and result.has_static_shape()
            and prod(source.get_shape()) != prod(result.get_shape())
        ):
            raise VerifyException(
                "source and result tensor should have the same number of elements: "
                f"{source} and {result}"
            )
        if lengths[0] != result.get_num_dims():
            raise VerifyException(
                "length of shape operand differs from the result's tensor rank"
            )
