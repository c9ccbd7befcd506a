"""Casts between integers and indices, of tensors and vectors, too."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    IndexType,
    IntegerType,
    ShapedType,
    TensorType,
    UnrankedTensorType,
    VectorType,
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

_NUMBERS = (
    base(IntegerType)
    | base(IndexType)
    | base(TensorType[Attribute])
    | base(UnrankedTensorType[Attribute])
    | base(VectorType[Attribute])
)


_SHAPED = TensorType, UnrankedTensorType, VectorType


@irdl_op_definition
class IndexCastOp(Redefinition, arith.IndexCastOp):
    """
    Integers as indices, or indices as integers, extended with the sign; xDSL's op, for
    tensors and vectors of them, too.

    https://mlir.llvm.org/docs/Dialects/ArithOps/#arithindex_cast-arithindexcastop
    """

    name = "arith.index_cast"

    input = operand_def(_NUMBERS)
    result = result_def(_NUMBERS)

    traits = traits_def(Pure())

    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    def __init__(self, input_arg: SSAValue | Operation, target_type: Attribute):
        IRDLOperation.__init__(self, operands=[input_arg], result_types=[target_type])

    def verify_(self) -> None:
        _verify_index_cast(self)


@irdl_op_definition
class IndexCastUIOp(IRDLOperation):
    """
    Integers as indices, or indices as integers, extended with zeros; xDSL lacks it.

    https://mlir.llvm.org/docs/Dialects/ArithOps/#arithindex_castui-arithindexcastuiop
    """

    name = "arith.index_castui"

    input = operand_def(_NUMBERS)
    result = result_def(_NUMBERS)

    traits = traits_def(Pure())

    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    def verify_(self) -> None:
        _verify_index_cast(self)


def _verify_index_cast(op: IndexCastOp | IndexCastUIOp) -> None:
    source, target = op.input.type, op.result.type
    are_indices = [
        isinstance(number_type(type), IndexType) for type in (source, target)
    ]
    if sum(are_indices) != 1 or not have_same_shape(source, target):
        raise VerifyException(
            f"'{op.name}' op operand type '{source}' and result type '{target}' are "
            "cast incompatible"
        )


def number_type(type: Attribute) -> Attribute:
    """The type of a number, or of the elements."""
    if isinstance(type, TensorType | UnrankedTensorType | VectorType):
        return cast("TensorType[Attribute]", type).element_type
    return type


def have_same_shape(a: Attribute, b: Attribute) -> bool:
    """Whether both are numbers, or have as many elements in each dimension."""
    kinds = [
        next((kind for kind in _SHAPED if isinstance(type, kind)), None)
        for type in (a, b)
    ]
    return kinds[0] is kinds[1] and (
        not (isinstance(a, ShapedType) and isinstance(b, ShapedType))
        or a.get_shape() == b.get_shape()
    )
