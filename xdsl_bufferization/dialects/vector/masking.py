"""
`vector.mask`, and the op at its end.

Source: https://mlir.llvm.org/docs/Dialects/Vector/#vectormask-vectormaskop
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.ir import Block, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect

from xdsl_bufferization.dialects.shared.structured_syntax import parse_result_types


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
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
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
