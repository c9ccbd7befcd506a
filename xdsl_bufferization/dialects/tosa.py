"""
xDSL's `tosa` dialect, with ops that it lacks, with one definition for all of them. They are
read in custom form, and printed in generic form.

Source: https://mlir.llvm.org/docs/Dialects/TOSA/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, cast

from xdsl.dialects import tosa
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, IntAttr, TensorType
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    OptPropertyDef,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.superset import Redefinition, derive, superset

_WITHOUT_PROPERTIES = """
    abs bitwise_and bitwise_not bitwise_or bitwise_xor cast ceil clz equal erf exp floor
    gather greater greater_equal identity intdiv log logical_and logical_left_shift
    logical_not logical_or logical_right_shift logical_xor negate pad pow reshape rsqrt
    scatter select sigmoid slice table tanh tile
""".split()
_CONVOLUTION = "pad", "stride", "dilation", "acc_type", "local_bound"
_WITH_PROPERTIES = {
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


@irdl_op_definition
class TosaOp(IRDLOperation):
    """An op that computes its results. The subclasses differ in their names and properties."""

    name = "tosa.op"

    inputs = var_operand_def()
    outputs = var_result_def()

    traits = traits_def(Pure())

    print = Operation.print

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        names = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        if not isinstance(type, FunctionType):
            parser.raise_error("function type expected", position, parser.pos)
        known = cls.get_irdl_definition().properties
        return cls.build(
            operands=(
                parser.resolve_operands(names or (), type.inputs.data, position),
            ),
            result_types=(type.outputs.data,),
            properties={k: attributes.pop(k) for k in known if k in attributes},
            attributes=attributes,
        )


_MISSING = [
    derive(
        TosaOp,
        f"tosa.{name}",
        properties={p: OptPropertyDef(AnyAttr()) for p in properties},
    )
    for name, properties in (
        *((name, ()) for name in _WITHOUT_PROPERTIES),
        *_WITH_PROPERTIES.items(),
    )
]


def _may_be_equal(size: int, other: int) -> bool:
    return size == other or DYNAMIC_INDEX in (size, other)


@irdl_op_definition
class MatMulOp(Redefinition, tosa.MatMulOp):
    """
    Products of pairs of matrices; xDSL's op, which has one pair.

    https://mlir.llvm.org/docs/Dialects/TOSA/#tosamatmul-mlirtosamatmulop
    """

    name = "tosa.matmul"

    a = operand_def(TensorType)
    b = operand_def(TensorType)
    a_zp = operand_def(TensorType)
    b_zp = operand_def(TensorType)
    output = result_def(TensorType)

    assembly_format = "operands attr-dict `:` functional-type(operands, results)"

    traits = traits_def(Pure())

    def verify_(self) -> None:
        shapes = [cast("TensorType", type).get_shape() for type in self.operand_types]
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


Tosa = superset(
    tosa.TOSA, replacing=[MatMulOp], adding=_MISSING, attributes=[ShapeType]
)
