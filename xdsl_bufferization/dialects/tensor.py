"""
xDSL's `tensor` dialect, with ops that it lacks, rejects for some tensors, or reads without
attributes: one file, since each op is a few lines, and most of these are documentation.

Source: https://mlir.llvm.org/docs/Dialects/TensorOps/
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from types import MappingProxyType
from typing import TypeVar, cast

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnySignlessIntegerType,
    AnyTensorTypeConstr,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    UnrankedTensorType,
    UnregisteredOp,
    i64,
)
from xdsl.dialects.utils import (
    DynamicIndexList,
    verify_dynamic_index_list,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrConstraint,
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import CustomDirective
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.traits import Pure, RecursivelySpeculatable, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import (
    ANY_TENSOR,
    PureOp,
    canonicalization,
    refined,
    with_custom_form,
)
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.host.printing import has_attributes, print_in_generic_form_if
from xdsl_bufferization.host.releases import (
    VerificationContext,
    has_assembly_format,
    replace_op,
)
from xdsl_bufferization.interfaces.parallel_combining import ParallelCombiningOpTrait
from xdsl_bufferization.support.shaped_types import Tensor as AnyTensor
from xdsl_bufferization.support.shaped_types import (
    is_rank_reduced,
    ranked_shape,
    ranked_tensor,
)

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


@with_custom_form(
    "$src $reassociation `output_shape`"
    "custom<DynamicIndexList>($dynamic_output_shape, $static_output_shape)"
    "attr-dict `:` type($src) `into` type($result)",
    DynamicIndexList=DynamicIndexList,
)
class ExpandShapeOp(tensor.ExpandShapeOp):
    """
    The same elements in more dimensions; xDSL's op, for tensors of rank zero too.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorexpand_shape-tensorexpandshapeop
    """

    def verify_(self) -> None:
        source = ranked_tensor(self.src.type)
        if source.get_num_dims() or self.reassociation.data:
            super().verify_()
        elif any(size != 1 for size in self.result.type.get_shape()):
            raise VerifyException(
                f"a tensor of one element cannot be expanded to {self.result.type}"
            )


@irdl_op_definition
class GenerateOp(IRDLOperation):
    """
    A tensor whose elements are what the body yields for their indices.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorgenerate-tensorgenerateop
    """

    name = "tensor.generate"

    dynamic_extents = var_operand_def(IndexType())
    body = region_def("single_block")
    result = result_def(AnyTensorTypeConstr)

    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    assembly_format = "$dynamic_extents $body attr-dict `:` type($result)"

    def verify_(self) -> None:
        type = self.result.type
        unknown = type.get_shape().count(DYNAMIC_INDEX)
        if len(self.dynamic_extents) != unknown:
            raise VerifyException(
                f"needs {unknown} dynamic sizes for {type}, but has "
                f"{len(self.dynamic_extents)}"
            )
        block = self.body.block
        if any(argument.type != IndexType() for argument in block.args):
            raise VerifyException("the body's arguments must be of type index")
        if len(block.args) != type.get_num_dims():
            raise VerifyException(
                f"the body must have {type.get_num_dims()} arguments, one for each "
                f"dimension, but has {len(block.args)}"
            )
        yielded = block.last_op
        if not isinstance(yielded, tensor.YieldOp) or yielded.operand_types != (
            type.element_type,
        ):
            raise VerifyException(
                f"the body must end with a tensor.yield of one {type.element_type}"
            )


@irdl_op_definition
class ParallelInsertSliceOp(IRDLOperation):
    """
    Inserts a slice into an output of the `scf.forall` around it, at the end of an iteration.

    If several iterations insert the same element, it has the value from any of them.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorparallel_insert_slice-tensorparallelinsertsliceop
    """

    name = "tensor.parallel_insert_slice"

    source = operand_def(AnyTensorTypeConstr)
    dest = operand_def(AnyTensorTypeConstr)
    offsets = var_operand_def(IndexType())
    sizes = var_operand_def(IndexType())
    strides = var_operand_def(IndexType())
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(ParallelCombiningOpTrait())

    assembly_format = (
        f"$source `into` $dest ``{_LISTS}attr-dict `:` type($source) `into` type($dest)"
    )

    custom_directives = (DynamicIndexList,)

    def verify_(self) -> None:
        source = ranked_tensor(self.source.type)
        dest = ranked_tensor(self.dest.type)
        for role, static, dynamic in (
            ("offsets", self.static_offsets, self.offsets),
            ("sizes", self.static_sizes, self.sizes),
            ("strides", self.static_strides, self.strides),
        ):
            verify_dynamic_index_list(
                static.get_values(), dynamic, DYNAMIC_INDEX, f" in the {role}"
            )
            if len(static) != dest.get_num_dims():
                raise VerifyException(
                    f"needs one of the {role} for each dimension of {dest}"
                )
        inserted = TensorType(dest.element_type, self.static_sizes.get_values())
        if source.element_type != dest.element_type or not is_rank_reduced(
            source.get_shape(), inserted.get_shape()
        ):
            raise VerifyException(
                f"the source must be of type {inserted}, or that without some of its "
                f"unit dimensions, but is {source}"
            )
        self._verify_bounds(dest)
        self._verify_parent()

    def _verify_bounds(self, dest: TensorType[Attribute]) -> None:
        for dim, (offset, size, stride, known) in enumerate(
            zip(
                self.static_offsets.get_values(),
                self.static_sizes.get_values(),
                self.static_strides.get_values(),
                dest.get_shape(),
                strict=True,
            )
        ):
            if DYNAMIC_INDEX in (known, offset):
                continue
            last = offset
            if size > 0 and stride != DYNAMIC_INDEX:
                last += (size - 1) * stride
            # As in MLIR, an empty slice has to start within the tensor, too.
            if max(offset, last) >= known or min(offset, last) < 0:
                raise VerifyException(
                    f"the slice from {offset} to {last} is out of bounds in dimension "
                    f"{dim} of {dest}"
                )

    def _verify_parent(self) -> None:
        parent = self.parent_op()
        if parent is None:
            return
        loop = parent.parent_op()
        if isinstance(parent, UnregisteredOp) or isinstance(loop, UnregisteredOp):
            return
        # By name, so that programs without such loops do not import the scf dialect.
        if parent.name != "scf.forall.in_parallel":
            raise VerifyException("expects parent op 'scf.forall.in_parallel'")
        if loop is not None and self.dest.owner is not loop.regions[0].block:
            raise VerifyException(
                "must insert into an argument of the loop's body, one for an output"
            )


@irdl_op_definition
class RankOp(IRDLOperation):
    """
    The number of dimensions of a tensor.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorrank-tensorrankop
    """

    name = "tensor.rank"

    tensor = operand_def(ANY_TENSOR)
    result = result_def(IndexType())

    traits = traits_def(Pure(), canonicalization(lambda: (RankOfRanked(),)))

    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue | Operation):
        super().__init__(operands=(tensor,), result_types=(IndexType(),))


class RankOfRanked(RewritePattern):
    """The rank of a ranked tensor is a constant."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: RankOp, rewriter: PatternRewriter, /):
        if isinstance(op.tensor.type, TensorType):
            rank = op.tensor.type.get_num_dims()
            replace_op(
                rewriter, op, arith.ConstantOp.from_int_and_width(rank, IndexType())
            )


@with_custom_form("`(` $dynamic_sizes `)` attr-dict `:` type($tensor)")
class EmptyOp(tensor.EmptyOp):
    """A tensor with any contents; xDSL's op, with attributes."""


print_in_generic_form_if(has_attributes, [EmptyOp.name])


@refined()
class PadOp(tensor.PadOp):
    """
    A tensor with elements added around it; xDSL's op, also where the result says more of its
    sizes than follows from the sizes of the source and the padding.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorpad-tensorpadop
    """

    def verify_(self) -> None:
        source = ranked_shape(self.source)
        lows, highs = self.static_low.get_values(), self.static_high.get_values()
        result = self.result.type.get_shape()
        if len(lows) != len(highs):
            raise VerifyException(
                f"pad sizes low ({len(lows)}) and high ({len(highs)}) must have an equal "
                "number of dimensions"
            )
        if len(lows) != len(source):
            raise VerifyException(
                f"number of pad sizes ({len(lows)}) must equal number of dimensions in "
                f"source tensor ({len(source)})"
            )
        if len(result) != len(source):
            raise VerifyException("source and result must have the same rank")
        arguments = len(self.region.block.args)
        if arguments != len(source):
            raise VerifyException(
                "region must have an arg for each dimension of the source tensor "
                f"({len(source)}) but region has ({arguments})"
            )
        for dimension, (size, low, high, wanted) in enumerate(
            zip(source, lows, highs, result, strict=True)
        ):
            known = DYNAMIC_INDEX not in (size, low, high)
            if known and wanted != size + low + high:
                raise VerifyException(
                    f"dimension {dimension} of the result must be {size + low + high}, "
                    "by the sizes of source and padding"
                )


_ANY_RANKED = base(TensorType[Attribute])


@with_custom_form(
    "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
)
@refined(
    {
        "source": AnyAttr(),
        "shape": base(TensorType[AnySignlessIntegerType | IndexType]),
        "result": AnyAttr(),
    }
)
class ReshapeOp(tensor.ReshapeOp):
    """
    The same elements in another shape, whose sizes are the elements of `shape`; xDSL's op,
    for dynamic sizes and unranked tensors too.

    https://mlir.llvm.org/docs/Dialects/TensorOps/#tensorreshape-tensorreshapeop
    """

    def verify_(self) -> None:
        for value in (self.source, self.result):
            if not isinstance(value.type, UnrankedTensorType):
                _ANY_RANKED.verify(value.type, VerificationContext())
        source = cast(AnyTensor, self.source.type)
        result = cast(AnyTensor, self.result.type)
        if source.element_type != result.element_type:
            raise VerifyException(
                "element types of source and result tensor types should be the same: "
                f"{source} and {result}"
            )
        lengths = ranked_shape(self.shape)
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


EXTENSION = Extension(
    [
        BitcastOp,
        EmptyOp,
        ExpandShapeOp,
        ExtractOp,
        ExtractSliceOp,
        GatherOp,
        GenerateOp,
        InsertOp,
        InsertSliceOp,
        PadOp,
        ParallelInsertSliceOp,
        RankOp,
        ReshapeOp,
        ScatterOp,
    ]
)
