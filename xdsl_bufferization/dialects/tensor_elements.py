"""
xDSL's ops on single elements of tensors, whose indices are verified.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.tensor_syntax import element_syntax


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
        rank = cast("TensorType[Attribute]", type).get_num_dims()
        if rank != number:
            raise VerifyException(
                f"'{name}' has {number} indices for a tensor of {rank} dimensions"
            )
