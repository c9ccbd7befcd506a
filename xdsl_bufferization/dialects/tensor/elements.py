"""
Single elements and slices of tensors: xDSL's ops, with indices and element types verified, and
those that it lacks.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/

The custom form of ops on elements and slices of tensors, for releases of xDSL without it: they
read no custom form of slices, and no attributes in the custom form of ops on elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DenseArrayBase, TensorType, UnitAttr, i64
from xdsl.dialects.utils import DynamicIndexList
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrConstraint,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.irdl.declarative_assembly_format import CustomDirective
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.constraints import ANY_TENSOR
from xdsl_bufferization.dialects.shared.redefinition import (
    PureOp,
    refined,
    with_custom_form,
)
from xdsl_bufferization.host.releases import has_assembly_format
from xdsl_bufferization.support.shaped_types import ranked_tensor

_OpT = TypeVar("_OpT", bound=type[IRDLOperation])
_ELEMENT = VarConstraint("ELEMENT", AnyAttr())
_TENSOR = VarConstraint("TENSOR", TensorType.constr(_ELEMENT))
_LISTS = "".join(
    f"custom<DynamicIndexList>(${name}, $static_{name})"
    for name in ("offsets", "sizes", "strides")
)


def with_later_format(
    assembly_format: str,
    *,
    types: Mapping[str, AttrConstraint] = MappingProxyType({}),
    **directives: type[CustomDirective],
) -> Callable[[_OpT], _OpT]:
    """
    Decorator of an op that has this format in later releases, with operands and the result of
    types from which others can be inferred.
    """

    def decorate(op: _OpT) -> _OpT:
        if has_assembly_format(op):
            return op
        return with_custom_form(assembly_format, **directives)(refined(types)(op))

    return decorate


extract_syntax = with_later_format(
    "$tensor `[` $indices `]` attr-dict `:` type($tensor)",
    types={"tensor": _TENSOR, "result": _ELEMENT},
)
insert_syntax = with_later_format(
    "$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)",
    types={"scalar": _ELEMENT, "dest": _TENSOR, "result": _TENSOR},
)
extract_slice_syntax = with_later_format(
    f"$source ``{_LISTS}attr-dict `:` type($source) `to` type($result)",
    DynamicIndexList=DynamicIndexList,
)
insert_slice_syntax = with_later_format(
    f"$source `into` $dest ``{_LISTS}attr-dict `:` type($source) `into` type($dest)",
    types={"dest": _TENSOR, "result": _TENSOR},
    DynamicIndexList=DynamicIndexList,
)


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
