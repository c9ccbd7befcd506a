"""`linalg.map` and `linalg.reduce`, whose bodies may be written as one op."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, cast

from xdsl.dialects.builtin import DenseArrayBase, MemRefType, TensorType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_op_definition,
    prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.linalg.structured_ops import print_reduce
from xdsl_bufferization.dialects.shared.redefinition import Redefinition
from xdsl_bufferization.dialects.shared.structured_syntax import (
    parse_integers,
    parse_operands,
)
from xdsl_bufferization.support.shaped_types import is_tensor
from xdsl_bufferization.support.xdsl_releases import linalg_ops


def _element_type(value: SSAValue) -> Attribute:
    type = value.type
    if isinstance(type, TensorType | MemRefType):
        return cast("TensorType[Attribute]", type).element_type
    return type


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


def _body_of(
    parser: Parser,
    payload: _Payload,
    types: Sequence[Attribute],
    operands: Sequence[int],
) -> Region:
    """The region in which one op computes the result from some of the arguments."""
    op, attributes = payload
    if not issubclass(op, IRDLOperation):
        parser.raise_error(f"{op.name} cannot be a body")
    if len(types) <= max(operands, default=0):
        parser.raise_error(f"{op.name} needs more operands")
    block = Block(arg_types=types)
    known = op.get_irdl_definition().properties
    values = [block.args[i] for i in operands]
    made = op.build(
        operands=values,
        result_types=[types[-1]],
        properties={k: v for k, v in attributes.items() if k in known},
        attributes={k: v for k, v in attributes.items() if k not in known},
    )
    block.add_ops([made, linalg_ops.YieldOp(made.results[0])])
    return Region(block)


def _parse_region(parser: Parser) -> Region:
    """`(%in: f32, %init: f32) {...}`."""
    arguments = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_argument
    )
    return parser.parse_region(arguments)


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
            if _element_type(source) != _element_type(target):
                raise VerifyException(
                    "Reduction element types must be equal, but input is "
                    f"{_element_type(source)} and init is {_element_type(target)}"
                )
            shapes = [cast("TensorType", v.type).get_shape() for v in (source, target)]
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
        if payload is None:
            region = _parse_region(parser)
        else:
            types = [*map(_element_type, (*inputs, *inits))]
            # MLIR has the init as the first operand of the op.
            region = _body_of(parser, payload, types, (1, 0))
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
        if payload is None:
            region = _parse_region(parser)
        else:
            if len(inits) != 1:
                parser.raise_error(f"{cls.name} has one init")
            types = [*map(_element_type, (*inputs, *inits))]
            region = _body_of(parser, payload, types, range(len(inputs)))
        return cls.build(
            operands=((*inputs, *inits),),
            result_types=(_tensor_types(inits),),
            attributes=cast("dict[str, Any]", attributes),
            regions=(region,),
        )
