"""
Ops of linalg without a body: softmax, ops that prepare Winograd convolutions, and packing.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/

Attributes of linalg that xDSL lacks: how numbers are converted, and what is computed.
"""

from __future__ import annotations

from enum import auto

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    ShapedType,
    i32,
    i64,
)
from xdsl.dialects.utils import DynamicIndexList
from xdsl.ir import OpTraits
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.dialects.shared.redefinition import (
    read_in_custom_form,
    refined,
)
from xdsl_bufferization.dialects.shared.syntax import (
    InAngleBrackets,
    inferred,
    words,
)
from xdsl_bufferization.host.releases import EnumAttribute, linalg_ops
from xdsl_bufferization.support.shaped_types import is_tensor_type


@refined()
class IndexOp(linalg_ops.IndexOp):
    """
    The position in a loop of the structured op around; xDSL's op, for all of those.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgindex-linalgindexop
    """

    traits = OpTraits(lambda: (Pure(),))

    def verify_(self) -> None:
        parent = self.parent_op()
        if parent is not None and not parent.name.startswith("linalg."):
            raise VerifyException(
                "'linalg.index' expects parent op 'linalg.generic' or another structured op"
            )


_TRANSFORM = (
    "`ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)` "
    "(`->` type($result)^)?"
)
"""The operands and the result."""


class _TransformOp(IRDLOperation):
    """An op with an input, an init, and properties before them."""

    input = operand_def()
    output = operand_def()
    result = opt_result_def()


@read_in_custom_form(f"attr-dict `dimension` `(` $dimension `)` {_TRANSFORM}")
@irdl_op_definition
class SoftmaxOp(_TransformOp):
    """
    The softmax of each row in one dimension.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgsoftmax-linalgsoftmaxop
    """

    name = "linalg.softmax"

    dimension = prop_def(IntegerAttr.constr(i64))

    def verify_(self) -> None:
        type, dimension = self.input.type, self.dimension.value.data
        if isinstance(type, ShapedType) and dimension not in range(type.get_num_dims()):
            raise VerifyException(
                f"'{self.name}' expects one of the input's dimensions, not {dimension}"
            )


_TILE_SIZES = "F_2_3", "F_4_3", "F_2_5"
"""The names of output tile sizes and kernel sizes, in the order of the enumeration."""

_winograd = read_in_custom_form(
    f"attr-dict `fmr` `(` custom<Size>($fmr) `)` {_TRANSFORM}",
    Size=words("size", _TILE_SIZES, i32),
)


class _WinogradOp(_TransformOp):
    """An op with an output tile size and a kernel size, as in `fmr(F_4_3)`."""

    fmr = prop_def(IntegerAttr.constr(i32))

    def verify_(self) -> None:
        number = self.fmr.value.data
        if number not in range(len(_TILE_SIZES)):
            raise VerifyException(
                f"'{self.name}' expects fmr to be one of "
                + ", ".join(f"{value} ({n})" for value, n in enumerate(_TILE_SIZES))
            )


@_winograd
@irdl_op_definition
class WinogradFilterTransformOp(_WinogradOp):
    """
    The filter of a Winograd convolution, transformed tile by tile.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgwinograd_filter_transform-linalgwinogradfiltertransformop
    """

    name = "linalg.winograd_filter_transform"


@_winograd
@irdl_op_definition
class WinogradInputTransformOp(_WinogradOp):
    """
    The input of a Winograd convolution, transformed tile by tile.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgwinograd_input_transform-linalgwinogradinputtransformop
    """

    name = "linalg.winograd_input_transform"


@_winograd
@irdl_op_definition
class WinogradOutputTransformOp(_WinogradOp):
    """
    The output of a Winograd convolution, transformed back tile by tile.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgwinograd_output_transform-linalgwinogradoutputtransformop
    """

    name = "linalg.winograd_output_transform"


SPECIAL_OPS = [
    SoftmaxOp,
    WinogradFilterTransformOp,
    WinogradInputTransformOp,
    WinogradOutputTransformOp,
]


_TILING = (
    "(`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos "
    "`inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles) "
    "`into` $dest attr-dict `:` type($source) `->` type($dest) "
    "custom<Result>(ref(type($dest)), type($result))"
)
_RESULT = inferred(lambda types: [*filter(is_tensor_type, types)])


class _PackingOp(IRDLOperation):
    """Operands and properties of both ops."""

    source = operand_def()
    dest = operand_def()
    inner_tiles = var_operand_def(IndexType())
    result = var_result_def()

    outer_dims_perm = opt_prop_def(DenseArrayBase.constr(i64))
    inner_dims_pos = prop_def(DenseArrayBase.constr(i64))
    static_inner_tiles = prop_def(DenseArrayBase.constr(i64))


@read_in_custom_form(
    "$source (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)? "
    + _TILING,
    DynamicIndexList=DynamicIndexList,
    Result=_RESULT,
)
@irdl_op_definition
class PackOp(_PackingOp):
    """
    Splits a tensor into tiles.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgpack-linalgpackop
    """

    name = "linalg.pack"

    source = operand_def()
    dest = operand_def()
    padding_value = opt_operand_def()
    inner_tiles = var_operand_def(IndexType())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@read_in_custom_form(
    f"$source {_TILING}", DynamicIndexList=DynamicIndexList, Result=_RESULT
)
@irdl_op_definition
class UnpackOp(_PackingOp):
    """
    Puts a tensor together from tiles.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgunpack-linalgunpackop
    """

    name = "linalg.unpack"


class TypeFn(StrEnum):
    """How integers are extended, and converted from and to floats."""

    CAST_SIGNED = auto()
    CAST_UNSIGNED = auto()


class ElementwiseKind(StrEnum):
    """Functions that `linalg.elementwise` computes."""

    EXP = auto()
    LOG = auto()
    ABS = auto()
    CEIL = auto()
    FLOOR = auto()
    NEGF = auto()
    RECIPROCAL = auto()
    ROUND = auto()
    SQRT = auto()
    RSQRT = auto()
    SQUARE = auto()
    TANH = auto()
    ERF = auto()
    ADD = auto()
    SUB = auto()
    MUL = auto()
    DIV = auto()
    DIV_UNSIGNED = auto()
    MAX_SIGNED = auto()
    MIN_SIGNED = auto()
    MAX_UNSIGNED = auto()
    MIN_UNSIGNED = auto()
    POWF = auto()
    SELECT = auto()


@irdl_attr_definition
class TypeFnAttr(InAngleBrackets, EnumAttribute[TypeFn]):
    """`#linalg.type_fn<cast_unsigned>`."""

    name = "linalg.type_fn"


@irdl_attr_definition
class ElementwiseKindAttr(InAngleBrackets, EnumAttribute[ElementwiseKind]):
    """`#linalg.elementwise_kind<add>`."""

    name = "linalg.elementwise_kind"
