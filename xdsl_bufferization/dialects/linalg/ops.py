"""
Ops of `linalg` with a syntax of their own, also some that xDSL lacks: structured ops whose bodies
are written, softmax, Winograd transforms, packing; and `linalg.index`.

Source: https://mlir.llvm.org/docs/Dialects/Linalg/
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import auto
from typing import Any, ClassVar, Self

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    ShapedType,
    StringAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.dialects.utils import DynamicIndexList
from xdsl.ir import Attribute, Block, Operation, OpTraits, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.dialects.shared.redefinition import (
    Redefinition,
    read_in_custom_form,
    refined,
)
from xdsl_bufferization.dialects.shared.syntax import (
    InAngleBrackets,
    add_attributes,
    inferred,
    parse_dictionary,
    parse_integers,
    parse_operands,
    parse_result_types,
    print_attributes,
    print_body,
    print_integers,
    print_operands,
    words,
)
from xdsl_bufferization.host.printing import has_attributes, print_in_generic_form_if
from xdsl_bufferization.host.releases import EnumAttribute, linalg_attrs, linalg_ops
from xdsl_bufferization.support.attributes import integers
from xdsl_bufferization.support.shaped_types import (
    element_type,
    is_tensor,
    is_tensor_type,
    ranked_shape,
)


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


_TRAIT = "doc", "indexing_maps", "iterator_types", "library_call"
"""The properties of `linalg.generic`, which are written among its attributes."""


class _MoveOp(Operation):
    """`ins(%a : type) outs(%b : type) keyword = [...] {...}`, an op that moves elements."""

    keyword: ClassVar[str]

    def print(self, printer: Printer) -> None:
        print_operands(printer, "ins", self.operands[:1], ":")
        print_operands(printer, "outs", self.operands[1:], ":")
        print_integers(printer, self.keyword, integers(self, self.keyword))
        print_attributes(printer, self)

    @classmethod
    def parse(cls: Any, parser: Parser) -> Any:
        position = parser.pos
        operands = *parse_operands(parser, "ins"), *parse_operands(parser, "outs")
        if len(operands) != 2:
            parser.raise_error(
                "one input and one output expected", position, parser.pos
            )
        numbers = parse_integers(parser, cls.keyword)
        op = cls(*operands, DenseArrayBase.from_list(i64, numbers))
        op.attributes |= parser.parse_optional_attr_dict()
        return op


def print_reduce(op: Operation, printer: Printer) -> None:
    half = len(op.operands) // 2
    print_operands(printer, "ins", op.operands[:half], ":")
    print_operands(printer, "outs", op.operands[half:], ":")
    print_integers(printer, "dimensions", integers(op, "dimensions"))
    print_attributes(printer, op)
    printer.print_string("\n")
    print_body(printer, op)


def _iterator_types(parser: Parser, written: Attribute | None) -> ArrayAttr[Any]:
    if not isinstance(written, ArrayAttr):
        parser.raise_error("Expected iterator_types for linalg.generic")
    types: list[Attribute] = []
    for type in written:
        if isinstance(type, StringAttr):
            names = {str(name) for name in linalg_attrs.IteratorType}
            if type.data not in names:
                parser.raise_error(f"Unknown iterator type {type}")
            type = linalg_attrs.IteratorTypeAttr(linalg_attrs.IteratorType(type.data))
        types.append(type)
    return ArrayAttr(types)


def _parse_trait(parser: Parser) -> dict[str, Attribute]:
    """`{indexing_maps = ..., ...}`, or an alias of such a dictionary, and maybe `{...}`."""
    position = parser.pos
    attributes = parse_dictionary(parser)
    if not isinstance(attributes.get("indexing_maps"), ArrayAttr):
        parser.raise_error(
            "Expected indexing_maps for linalg.generic", position, parser.pos
        )
    attributes["iterator_types"] = _iterator_types(
        parser, attributes.get("iterator_types")
    )
    add_attributes(parser, attributes, parser.parse_optional_attr_dict())
    return attributes


class TransposeOp(_MoveOp, linalg_ops.TransposeOp):
    """
    A permutation of dimensions; xDSL's op, with attributes.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgtranspose-linalgtransposeop
    """

    keyword = "permutation"


class BroadcastOp(_MoveOp, linalg_ops.BroadcastOp):
    """
    Copies along new dimensions; xDSL's op, with attributes.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgbroadcast-linalgbroadcastop
    """

    keyword = "dimensions"


class GenericOp(linalg_ops.GenericOp):
    """
    A loop nest; xDSL's op, with the attributes before its indexing maps.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalggeneric-linalggenericop
    """

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = _parse_trait(parser)
        inputs, outputs = parse_operands(parser, "ins"), parse_operands(parser, "outs")
        if parser.parse_optional_keyword("attrs"):
            parser.parse_punctuation("=")
            add_attributes(parser, attributes, parser.parse_optional_attr_dict())
        body = parser.parse_region()
        properties: dict[str, Attribute] = {
            name: attributes.pop(name) for name in _TRAIT if name in attributes
        }
        return cls.build(
            operands=(inputs, outputs),
            result_types=(parse_result_types(parser),),
            properties=properties,
            attributes=attributes,
            regions=(body,),
        )


print_in_generic_form_if(lambda op: len(op.results) > 1, [GenericOp.name])
print_in_generic_form_if(
    has_attributes, [TransposeOp.name, BroadcastOp.name, linalg_ops.ReduceOp.name]
)


_Payload = tuple[type[Operation], dict[str, Attribute]]


def _parse_payload(parser: Parser) -> _Payload | None:
    """`{ arith.addf {...} }`: the body's only op."""
    if parser.parse_optional_punctuation("{") is None:
        return None
    position = parser.pos
    name = parser.parse_identifier()
    op = parser.ctx.get_optional_op(name)
    if op is None:
        parser.raise_error(f"unregistered operation {name}!", position, parser.pos)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation("}")
    return op, attributes


def _parse_body(
    parser: Parser,
    payload: _Payload | None,
    values: Sequence[SSAValue],
    operands: Sequence[int],
) -> Region:
    """
    `(%in: f32, %init: f32) {...}`; or, for a payload, the region in which that op computes the
    result from some of the arguments.
    """
    if payload is None:
        arguments = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_argument
        )
        return parser.parse_region(arguments)
    op, attributes = payload
    if not issubclass(op, IRDLOperation):
        parser.raise_error(f"{op.name} cannot be a body")
    if len(values) <= max(operands, default=0):
        parser.raise_error(f"{op.name} needs more operands")
    block = Block(arg_types=[element_type(value.type) for value in values])
    known = op.get_irdl_definition().properties
    made = op.build(
        operands=[block.args[i] for i in operands],
        result_types=[block.args[-1].type],
        properties={k: v for k, v in attributes.items() if k in known},
        attributes={k: v for k, v in attributes.items() if k not in known},
    )
    block.add_ops([made, linalg_ops.YieldOp(made.results[0])])
    return Region(block)


def _tensor_types(outputs: Sequence[SSAValue]) -> list[Attribute]:
    return [output.type for output in outputs if is_tensor(output)]


@irdl_op_definition
class ReduceOp(Redefinition, linalg_ops.ReduceOp):
    """
    A reduction of some dimensions; xDSL's op, for several inputs and inits, too.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgreduce-linalgreduceop
    """

    name = "linalg.reduce"

    input = var_operand_def(TensorType | MemRefType)
    init = var_operand_def(TensorType | MemRefType)
    result = var_result_def(TensorType)
    region = region_def("single_block")
    dimensions = prop_def(DenseArrayBase.constr(i64))

    irdl_options = (SameVariadicOperandSize(),)

    def __init__(
        self,
        input: Sequence[SSAValue],
        init: Sequence[SSAValue],
        dimensions: Attribute,
        region: Region,
    ):
        IRDLOperation.__init__(
            self,
            operands=(input, init),
            result_types=(_tensor_types(init),),
            properties={"dimensions": dimensions},
            regions=(region,),
        )

    def verify_(self) -> None:
        reduced = self.dimensions.get_values()
        for source, target in zip(self.input, self.init, strict=True):
            types = element_type(source.type), element_type(target.type)
            if types[0] != types[1]:
                raise VerifyException(
                    "Reduction element types must be equal, but input is "
                    f"{types[0]} and init is {types[1]}"
                )
            shapes = ranked_shape(source), ranked_shape(target)
            kept = [(i, s) for i, s in enumerate(shapes[0]) if i not in reduced]
            if len(kept) != len(shapes[1]):
                raise VerifyException(
                    "Output rank must equal input rank minus number of dimensions being "
                    "reduced over"
                )
            for place, (dimension, size) in enumerate(kept):
                if size != shapes[1][place]:
                    raise VerifyException(
                        f"Non-reduced input dimension {dimension} must equal output "
                        f"dimension {place}"
                    )

    print = print_reduce

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        payload = _parse_payload(parser)
        inputs, inits = parse_operands(parser, "ins"), parse_operands(parser, "outs")
        dimensions = parse_integers(parser, "dimensions")
        attributes = parser.parse_optional_attr_dict()
        # MLIR has the init as the first operand of the payload.
        region = _parse_body(parser, payload, (*inputs, *inits), (1, 0))
        op = cls(inputs, inits, DenseArrayBase.from_list(i64, dimensions), region)
        op.attributes |= attributes
        return op


@irdl_op_definition
class MapOp(IRDLOperation):
    """
    An element-wise computation.

    https://mlir.llvm.org/docs/Dialects/Linalg/#linalgmap-linalgmapop
    """

    name = "linalg.map"

    operands_ = var_operand_def()
    result = var_result_def(TensorType)
    mapper = region_def("single_block")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        payload = _parse_payload(parser)
        inputs, inits = parse_operands(parser, "ins"), parse_operands(parser, "outs")
        attributes = parser.parse_optional_attr_dict()
        if payload is not None and len(inits) != 1:
            parser.raise_error(f"{cls.name} has one init")
        values = (*inputs, *inits)
        region = _parse_body(parser, payload, values, range(len(inputs)))
        return cls.build(
            operands=(values,),
            result_types=(_tensor_types(inits),),
            attributes=attributes,
            regions=(region,),
        )
