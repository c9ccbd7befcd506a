"""
`vector.contract`.

Source: https://mlir.llvm.org/docs/Dialects/Vector/#vectorcontract-vectorcontractionop
"""

from __future__ import annotations

from typing import Self, cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, StringAttr
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.traits import Pure

from xdsl_bufferization.dialects.shared.syntax import add_attributes, parse_dictionary
from xdsl_bufferization.dialects.vector.attributes import (
    VectorIterator,
    VectorIteratorAttr,
)


@irdl_op_definition
class ContractionOp(IRDLOperation):
    """A sum, or another reduction, of products of elements of two vectors."""

    name = "vector.contract"

    lhs = operand_def()
    rhs = operand_def()
    acc = operand_def()
    result = result_def()
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr[VectorIteratorAttr])
    kind = prop_def(
        CombiningKindAttr, default_value=CombiningKindAttr(CombiningKindFlag.ADD)
    )

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        written = parse_dictionary(parser)
        iterators = written.get("iterator_types")
        if not isinstance(iterators, ArrayAttr):
            parser.raise_error("iterator types expected", position, parser.pos)
        written["iterator_types"] = ArrayAttr(
            VectorIteratorAttr(VectorIterator(iterator.data))
            if isinstance(iterator, StringAttr)
            else iterator
            for iterator in cast("ArrayAttr[Attribute]", iterators)
        )
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        add_attributes(parser, written, parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        lhs = parser.parse_type()
        parser.parse_punctuation(",")
        rhs = parser.parse_type()
        parser.parse_keyword("into")
        result = parser.parse_type()
        known = cls.get_irdl_definition().properties
        return cls.build(
            operands=parser.resolve_operands(operands, (lhs, rhs, result), position),
            result_types=(result,),
            properties={k: v for k, v in written.items() if k in known},
            attributes={k: v for k, v in written.items() if k not in known},
        )
