"""
Ops of linalg without a body: softmax, ops that prepare Winograd convolutions, and packing.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    ShapedType,
    i32,
    i64,
)
from xdsl.dialects.utils import parse_dynamic_index_list_without_types
from xdsl.ir import Attribute, OpTraits, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import Redefinition
from xdsl_bufferization.dialects.shared.syntax import (
    parse_integers,
    parse_operands,
    parse_optional_integers,
    parse_result_types,
)
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.support.xdsl_releases import linalg_ops


@irdl_op_definition
class IndexOp(Redefinition, linalg_ops.IndexOp):
    """
    The position in a loop of the structured op around; xDSL's op, for all of those.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgindex-linalgindexop
    """

    name = "linalg.index"

    dim = prop_def(IntegerAttr.constr(i64))
    result = result_def(IndexType())

    assembly_format = "$dim attr-dict `:` type($result)"

    def verify_(self) -> None:
        parent = self.parent_op()
        if parent is not None and not parent.name.startswith("linalg."):
            raise VerifyException(
                "'linalg.index' expects parent op 'linalg.generic' or another structured op"
            )


# IRDL adds the traits of xDSL's op, which has to be in a `linalg.generic`.
IndexOp.traits = OpTraits(lambda: (Pure(),))
IndexOp.get_irdl_definition().traits = IndexOp.traits


class _TransformOp(IRDLOperation):
    """An op with an input, an init, and properties before them."""

    input = operand_def()
    output = operand_def()
    result = var_result_def()

    @classmethod
    def parse_parameter(cls, parser: Parser) -> dict[str, Attribute]:
        """The properties."""
        raise NotImplementedError

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        properties = cls.parse_parameter(parser)
        attributes |= parser.parse_optional_attr_dict()
        position = parser.pos
        inputs, outputs = parse_operands(parser, "ins"), parse_operands(parser, "outs")
        if len(inputs) != 1 or len(outputs) != 1:
            parser.raise_error(
                "one input and one output expected", position, parser.pos
            )
        return cls.build(
            operands=(inputs[0], outputs[0]),
            result_types=(parse_result_types(parser),),
            properties=properties,
            attributes=attributes,
        )


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

    @classmethod
    def parse_parameter(cls, parser: Parser) -> dict[str, Attribute]:
        parser.parse_keyword("dimension")
        with parser.in_parens():
            return {"dimension": IntegerAttr(parser.parse_integer(), i64)}


_TILE_SIZES = {"F_2_3": 0, "F_4_3": 1, "F_2_5": 2}
"""The names of output tile sizes and kernel sizes, with the numbers of the enumeration."""


class _WinogradOp(_TransformOp):
    """An op with an output tile size and a kernel size, as in `fmr(F_4_3)`."""

    fmr = prop_def(IntegerAttr.constr(i32))

    def verify_(self) -> None:
        number = self.fmr.value.data
        if number not in _TILE_SIZES.values():
            raise VerifyException(
                f"'{self.name}' expects fmr to be one of "
                + ", ".join(f"{value} ({name})" for name, value in _TILE_SIZES.items())
            )

    @classmethod
    def parse_parameter(cls, parser: Parser) -> dict[str, Attribute]:
        parser.parse_keyword("fmr")
        with parser.in_parens():
            position = parser.pos
            name = parser.parse_identifier()
            if name not in _TILE_SIZES:
                parser.raise_error(f"unknown size {name}", position, parser.pos)
        return {"fmr": IntegerAttr(_TILE_SIZES[name], i32)}


@irdl_op_definition
class WinogradFilterTransformOp(_WinogradOp):
    """
    The filter of a Winograd convolution, transformed tile by tile.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgwinograd_filter_transform-linalgwinogradfiltertransformop
    """

    name = "linalg.winograd_filter_transform"


@irdl_op_definition
class WinogradInputTransformOp(_WinogradOp):
    """
    The input of a Winograd convolution, transformed tile by tile.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgwinograd_input_transform-linalgwinogradinputtransformop
    """

    name = "linalg.winograd_input_transform"


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


class _PackingOp(IRDLOperation):
    """Operands and properties of both ops."""

    source = operand_def()
    dest = operand_def()
    inner_tiles = var_operand_def(IndexType())
    result = var_result_def()

    outer_dims_perm = opt_prop_def(DenseArrayBase.constr(i64))
    inner_dims_pos = prop_def(DenseArrayBase.constr(i64))
    static_inner_tiles = prop_def(DenseArrayBase.constr(i64))

    @classmethod
    def parse_padding(cls, parser: Parser) -> Sequence[SSAValue]:
        """The padding, if there is any."""
        return ()

    @classmethod
    def make_operands(
        cls,
        source: SSAValue,
        dest: SSAValue,
        padding: Sequence[SSAValue],
        tiles: Sequence[SSAValue],
    ) -> Sequence[Any]:
        """The operands, in the order of the definition."""
        return (source, dest, tiles)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        source = parser.parse_unresolved_operand()
        padding = cls.parse_padding(parser)
        properties: dict[str, Attribute] = {}
        order = parse_optional_integers(parser, "outer_dims_perm")
        if order is not None:
            properties["outer_dims_perm"] = DenseArrayBase.from_list(i64, order)
        positions = parse_integers(parser, "inner_dims_pos")
        properties["inner_dims_pos"] = DenseArrayBase.from_list(i64, positions)
        parser.parse_keyword("inner_tiles")
        parser.parse_punctuation("=")
        dynamic, static = parse_dynamic_index_list_without_types(parser, DYNAMIC_INDEX)
        properties["static_inner_tiles"] = DenseArrayBase.from_list(i64, static)
        tiles = [parser.resolve_operand(tile, IndexType()) for tile in dynamic]
        parser.parse_keyword("into")
        dest = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.resolve_operand(source, parser.parse_type())
        parser.parse_punctuation("->")
        dest = parser.resolve_operand(dest, parser.parse_type())
        return cls.build(
            operands=cls.make_operands(source, dest, padding, tiles),
            result_types=([dest.type] if is_tensor(dest) else [],),
            properties=properties,
            attributes=attributes,
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

    @classmethod
    def parse_padding(cls, parser: Parser) -> Sequence[SSAValue]:
        if parser.parse_optional_keyword("padding_value") is None:
            return ()
        with parser.in_parens():
            value = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            return (parser.resolve_operand(value, parser.parse_type()),)

    @classmethod
    def make_operands(
        cls,
        source: SSAValue,
        dest: SSAValue,
        padding: Sequence[SSAValue],
        tiles: Sequence[SSAValue],
    ) -> Sequence[Any]:
        return (source, dest, padding, tiles)


@irdl_op_definition
class UnpackOp(_PackingOp):
    """
    Puts a tensor together from tiles.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgunpack-linalgunpackop
    """

    name = "linalg.unpack"
