"""
The `vector` dialect of LLVM 22: xDSL's, with the ops that it lacks. Here are ops with attributes or
regions of their own: `vector.contract`, `vector.mask` and `vector.print`.

Source: https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import auto
from typing import Self

from xdsl.dialects import vector
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, StringAttr
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.dialects.shared.redefinition import (
    PureOp,
    Redefinition,
    by_fields,
    read_in_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import (
    InAngleBrackets,
    add_attributes,
    parse_block,
    parse_dictionary,
    parse_names,
    parse_result_types,
)
from xdsl_bufferization.dialects.vector.ops import OPS
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.host.releases import EnumAttribute


class Punctuation(StrEnum):
    """Punctuation that `vector.print` prints at the end."""

    NO_PUNCTUATION = auto()
    NEWLINE = auto()
    COMMA = auto()
    OPEN = auto()
    CLOSE = auto()


class VectorIterator(StrEnum):
    """The loops of `vector.contract`."""

    PARALLEL = auto()
    REDUCTION = auto()


@irdl_attr_definition
class PunctuationAttr(InAngleBrackets, EnumAttribute[Punctuation]):
    """`#vector.punctuation<newline>`."""

    name = "vector.punctuation"


@irdl_attr_definition
class VectorIteratorAttr(InAngleBrackets, EnumAttribute[VectorIterator]):
    """`#vector.iterator_type<parallel>`."""

    name = "vector.iterator_type"


@irdl_op_definition
class ContractionOp(PureOp):
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
            for iterator in iterators
        )
        operands = parse_names(parser)
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


@irdl_op_definition
class YieldOp(IRDLOperation):
    """
    The terminator of a region of the dialect, with its results.

    https://mlir.llvm.org/docs/Dialects/Vector/#vectoryield-vectoryieldop
    """

    name = "vector.yield"

    operands_ = var_operand_def()

    traits = traits_def(Pure(), IsTerminator())

    assembly_format = "attr-dict ($operands_^ `:` type($operands_))?"


@irdl_op_definition
class MaskOp(IRDLOperation):
    """An op that a mask restricts to some elements; it is the only one in the region."""

    name = "vector.mask"

    mask = operand_def()
    passthru = opt_operand_def()
    results_ = var_result_def()
    mask_region = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        mask = parser.parse_unresolved_operand()
        passthru = None
        if parser.parse_optional_punctuation(","):
            passthru = parser.parse_unresolved_operand()
        region = parse_block(parser)
        end = region.block.last_op
        if not isinstance(end, YieldOp):
            values = () if end is None else end.results
            region.block.add_op(YieldOp.build(operands=(values,)))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        types = parse_result_types(parser)
        rest: Sequence[SSAValue] = ()
        if passthru is not None:
            if len(types) != 1:
                parser.raise_error("a vector.mask with a passthru has one result")
            rest = [parser.resolve_operand(passthru, types[0])]
        return cls.build(
            operands=(parser.resolve_operand(mask, type), rest),
            result_types=(types,),
            attributes=attributes,
            regions=(region,),
        )


_NEWLINE = PunctuationAttr(Punctuation.NEWLINE)


@read_in_custom_form(
    "($source^ `:` type($source))? (`str` $stringLiteral^)? "
    "(`punctuation` $punctuation^)? attr-dict"
)
@irdl_op_definition
class PrintOp(Redefinition, vector.PrintOp):
    """
    Prints a value, a text or punctuation; xDSL's op prints values only. It is read in custom
    form, too, and printed in generic form.
    """

    name = "vector.print"

    source = opt_operand_def()
    punctuation = prop_def(PunctuationAttr, default_value=_NEWLINE)
    string_literal = opt_prop_def(StringAttr, prop_name="stringLiteral")

    def __init__(
        self, source: SSAValue | None = None, punctuation: PunctuationAttr = _NEWLINE
    ):
        IRDLOperation.__init__(
            self, operands=(source,), properties={"punctuation": punctuation}
        )

    verify_ = by_fields


EXTENSION = Extension(
    [*OPS, ContractionOp, MaskOp, PrintOp, YieldOp],
    attributes=[PunctuationAttr, VectorIteratorAttr],
)
