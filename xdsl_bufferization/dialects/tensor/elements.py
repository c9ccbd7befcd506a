"""
Single elements and slices of tensors: xDSL's ops, with indices and element types verified, and
those that it lacks.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

from __future__ import annotations

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DenseArrayBase, TensorType, UnitAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.constraints import ANY_TENSOR
from xdsl_bufferization.dialects.shared.redefinition import PureOp
from xdsl_bufferization.dialects.tensor.syntax import (
    extract_slice_syntax,
    extract_syntax,
    insert_slice_syntax,
    insert_syntax,
)
from xdsl_bufferization.support.shaped_types import ranked_tensor


@extract_syntax
class ExtractOp(tensor.ExtractOp):
    """
    An element; xDSL's op, with the number of indices verified.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorextract-tensorextractop
    """

    def verify_(self) -> None:
        super().verify_()
        _verify_indices(self.name, self.tensor, len(self.indices))


@insert_syntax
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


@extract_slice_syntax
class ExtractSliceOp(tensor.ExtractSliceOp):
    """
    A slice of a tensor; xDSL's op, with the element types verified.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorextract_slice-tensorextractsliceop
    """

    def verify_(self) -> None:
        super().verify_()
        _verify_elements(self.name, self.source, self.result)


@insert_slice_syntax
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
    types = [ranked_tensor(value.type).element_type for value in (whole, part)]
    if types[0] != types[1]:
        raise VerifyException(
            f"'{name}' has a slice of {types[1]} and a tensor of {types[0]}"
        )


@irdl_op_definition
class BitcastOp(PureOp):
    """
    A tensor with its elements' bits read as another type.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorbitcast-tensorbitcastop
    """

    name = "tensor.bitcast"

    source = operand_def(ANY_TENSOR)
    dest = result_def(ANY_TENSOR)

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"


@irdl_op_definition
class GatherOp(PureOp):
    """
    The slices of a tensor at a tensor of indices.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorgather-tensorgatherop
    """

    name = "tensor.gather"

    source = operand_def(TensorType)
    indices = operand_def(TensorType)
    gather_dims = prop_def(DenseArrayBase.constr(i64))
    unique = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    assembly_format = (
        "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` "
        "(`unique` $unique^)? attr-dict `:` functional-type(operands, results)"
    )


@irdl_op_definition
class ScatterOp(PureOp):
    """
    The tensor `dest` with the slices at a tensor of indices replaced.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorscatter-tensorscatterop
    """

    name = "tensor.scatter"

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    indices = operand_def(TensorType)
    scatter_dims = prop_def(DenseArrayBase.constr(i64))
    unique = opt_prop_def(UnitAttr)
    result = result_def(TensorType)

    assembly_format = (
        "$source `into` $dest `[` $indices `]` `scatter_dims` `(` "
        "$scatter_dims `)` (`unique` $unique^)? attr-dict `:` "
        "functional-type(operands, results)"
    )


INDEXING_OPS = [BitcastOp, GatherOp, ScatterOp]
