"""
xDSL's ops on slices of tensors, whose element types are verified.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.tensor_syntax import slice_syntax


@slice_syntax
class ExtractSliceOp(tensor.ExtractSliceOp):
    """
    A slice of a tensor; xDSL's op, with the element types verified.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorextract_slice-tensorextractsliceop
    """

    def verify_(self) -> None:
        super().verify_()
        _verify_elements(self.name, self.source, self.result)


@slice_syntax
class InsertSliceOp(tensor.InsertSliceOp):
    """
    A tensor with another slice; xDSL's op, with the element types verified.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorinsert_slice-tensorinsertsliceop
    """

    def verify_(self) -> None:
        super().verify_()
        _verify_elements(self.name, self.dest, self.source)


def _verify_elements(name: str, whole: SSAValue, part: SSAValue) -> None:
    """Raise `VerifyException` if a slice has elements of another type than the tensor."""
    types = [
        cast("TensorType[Attribute]", value.type).element_type
        for value in (whole, part)
    ]
    if types[0] != types[1]:
        raise VerifyException(
            f"'{name}' has a slice of {types[1]} and a tensor of {types[0]}"
        )
