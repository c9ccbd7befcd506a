"""
xDSL's `tosa` dialect, with ops that it lacks, with one definition for all of them. They are
read in custom form, and printed in generic form.

Source: https://mlir.llvm.org/docs/Dialects/TOSA/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import tosa
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntAttr, TensorType
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    opt_prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import (
    PureOp,
    derive,
    read_in_custom_form,
    refined,
    with_custom_form,
)
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.support.shaped_types import ranked_shape

_SUMMARIES = {
    "abs": "The absolute value of each element.",
    "argmax": "The indices of the largest elements along an axis.",
    "arithmetic_right_shift": "Each element shifted to the right, keeping its sign.",
    "bitwise_and": "The bitwise conjunction of each pair of elements.",
    "bitwise_not": "The bitwise complement of each element.",
    "bitwise_or": "The bitwise disjunction of each pair of elements.",
    "bitwise_xor": "The bitwise exclusive disjunction of each pair of elements.",
    "cast": "Each element as one of another type.",
    "ceil": "Each element, rounded up to an integer.",
    "clz": "The number of leading zeros of each element.",
    "const_shape": "A constant shape.",
    "conv2d": "A convolution over two spatial dimensions.",
    "conv3d": "A convolution over three spatial dimensions.",
    "depthwise_conv2d": "A convolution over two spatial dimensions, channel by channel.",
    "equal": "Whether the elements of each pair are equal.",
    "erf": "The error function of each element.",
    "exp": "The exponential of each element.",
    "floor": "Each element, rounded down to an integer.",
    "gather": "The rows of a tensor at the given indices.",
    "greater": "Whether the first element of each pair is greater.",
    "greater_equal": "Whether the first element of each pair is greater or equal.",
    "identity": "The operands, unchanged.",
    "intdiv": "The quotient of each pair of integers, rounded to zero.",
    "log": "The natural logarithm of each element.",
    "logical_and": "The conjunction of each pair of truth values.",
    "logical_left_shift": "Each element shifted to the left, filled with zeros.",
    "logical_not": "The negation of each truth value.",
    "logical_or": "The disjunction of each pair of truth values.",
    "logical_right_shift": "Each element shifted to the right, filled with zeros.",
    "logical_xor": "The exclusive disjunction of each pair of truth values.",
    "maximum": "The greater element of each pair.",
    "minimum": "The smaller element of each pair.",
    "negate": "Each element with the opposite sign.",
    "pad": "A tensor with padding on each side.",
    "pow": "The first element of each pair to the power of the second.",
    "reshape": "The elements of a tensor in another shape.",
    "resize": "An image with other spatial sizes, interpolated.",
    "reverse": "A tensor with the order along an axis reversed.",
    "rsqrt": "The reciprocal square root of each element.",
    "scatter": "A tensor with the rows at the given indices replaced.",
    "select": "The elements of one tensor where a condition holds, of another elsewhere.",
    "sigmoid": "The logistic function of each element.",
    "slice": "A slice of a tensor.",
    "table": "Each element looked up in a table.",
    "tanh": "The hyperbolic tangent of each element.",
    "tile": "A tensor repeated along each dimension.",
    "transpose": "A tensor with its dimensions permuted.",
    "transpose_conv2d": "A transposed convolution over two spatial dimensions.",
}
"""The ops that xDSL lacks."""

_CONVOLUTION = "pad", "stride", "dilation", "acc_type", "local_bound"
_PROPERTIES = {
    "argmax": ("axis", "nan_mode"),
    "arithmetic_right_shift": ("round",),
    "const_shape": ("values",),
    "conv2d": _CONVOLUTION,
    "conv3d": _CONVOLUTION,
    "depthwise_conv2d": _CONVOLUTION,
    "maximum": ("nan_mode",),
    "minimum": ("nan_mode",),
    "resize": ("mode",),
    "reverse": ("axis",),
    "transpose": ("perms",),
    "transpose_conv2d": ("out_pad", "stride", "acc_type", "local_bound"),
}


@irdl_attr_definition
class ShapeType(ParametrizedAttribute, TypeAttribute):
    """`!tosa.shape<2>`: as many sizes."""

    name = "tosa.shape"

    rank: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return (IntAttr(parser.parse_integer(allow_boolean=False)),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_int(self.rank.data)


@read_in_custom_form("$inputs attr-dict `:` functional-type($inputs, $outputs)")
@irdl_op_definition
class TosaOp(PureOp):
    """An op that computes its results. The subclasses differ in their names and properties."""

    name = "tosa.op"

    inputs = var_operand_def()
    outputs = var_result_def()

    acc_type = opt_prop_def()
    axis = opt_prop_def()
    dilation = opt_prop_def()
    local_bound = opt_prop_def()
    mode = opt_prop_def()
    nan_mode = opt_prop_def()
    out_pad = opt_prop_def()
    pad = opt_prop_def()
    perms = opt_prop_def()
    round = opt_prop_def()
    stride = opt_prop_def()
    values = opt_prop_def()

    irdl_options = (ParsePropInAttrDict(),)


def _define(name: str, summary: str) -> type[Operation]:
    known = TosaOp.get_irdl_definition().properties
    properties = {key: known[key] for key in _PROPERTIES.get(name, ())}
    return derive(TosaOp, f"tosa.{name}", summary, properties=properties)


_MISSING = [_define(name, summary) for name, summary in _SUMMARIES.items()]

# For imports by name, and pickle.
globals().update((op.__name__, op) for op in _MISSING)


def _may_be_equal(size: int, other: int) -> bool:
    return size == other or DYNAMIC_INDEX in (size, other)


@with_custom_form("operands attr-dict `:` functional-type(operands, results)")
@refined(dict.fromkeys(("a", "b", "a_zp", "b_zp", "output"), base(TensorType)))
class MatMulOp(tosa.MatMulOp):
    """
    Products of pairs of matrices; xDSL's op, which has one pair.

    https://mlir.llvm.org/docs/Dialects/TOSA/#tosamatmul-mlirtosamatmulop
    """

    def verify_(self) -> None:
        shapes = [*map(ranked_shape, self.operands)]
        if any(len(shape) != 3 for shape in shapes[:2]):
            raise VerifyException("'tosa.matmul' Expected operand tensors of rank 3")
        (batch, _, columns), (other_batch, rows, _), *zero_points = shapes
        if not _may_be_equal(batch, other_batch):
            raise VerifyException(
                "'tosa.matmul' Expected leading dimensions of input tensors to be equal"
            )
        if not _may_be_equal(columns, rows):
            raise VerifyException(
                "'tosa.matmul' Incompatible shapes for performing matrix multiplication"
            )
        if any(len(shape) > 1 for shape in zero_points):
            raise VerifyException(
                "'tosa.matmul' Expected zero-point operands to be unranked or scalar tensors"
            )


EXTENSION = Extension([*_MISSING, MatMulOp], attributes=[ShapeType])
