"""
xDSL's ops on single elements and on slices of tensors, with indices and element types verified.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.tensor.syntax import element_syntax, slice_syntax


@element_syntax
class ExtractOp(tensor.ExtractOp):
    """
    An element; xDSL's op, with the number of indices verified.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorextract-tensorextractop
    """

    def verify_(self) -> None:
        super().verify_()
        _verify_indices(self.name, self.tensor, len(self.indices))


@element_syntax
class InsertOp(tensor.InsertOp):
    """
    A tensor with another element; xDSL's op, with the number of indices verified.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorinsert-tensorinsertop
    """

    def verify_(self) -> None:
        super().verify_()
        _verify_indices(self.name, self.dest, len(self.indices))


def _verify_indices(name: str, value: SSAValue, number: int) -> None:
    """Raise `VerifyException` if a tensor of known rank has another number of dimensions."""
    if isinstance(type := value.type, TensorType):
        rank = type.get_num_dims()
        if rank != number:
            raise VerifyException(
                f"'{name}' has {number} indices for a tensor of {rank} dimensions"
            )


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
