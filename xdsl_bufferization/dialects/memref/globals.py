"""
`memref.global`, which xDSL reads in generic form only.

Source: https://mlir.llvm.org/docs/Dialects/MemRef/#memrefglobal-memrefglobalop
"""

from __future__ import annotations

from typing import Any, Self, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import OptPropertyDef, base
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.constraints import VISIBILITY
from xdsl_bufferization.dialects.shared.redefinition import refined
from xdsl_bufferization.support.printing import print_with_defaults


@refined(
    properties={
        "sym_visibility": OptPropertyDef(VISIBILITY),
        "initial_value": OptPropertyDef(
            base(UnitAttr) | base(DenseIntOrFPElementsAttr) | base(DenseResourceAttr)
        ),
    }
)
class GlobalOp(memref.GlobalOp):
    """
    Memory with a name; xDSL's op, for memory that is visible elsewhere or defined there, too.

    https://mlir.llvm.org/docs/Dialects/MemRef/#memrefglobal-memrefglobalop
    """

    def verify_(self) -> None:
        if self.alignment is None:
            return
        alignment = self.alignment.value.data
        if alignment < 1 or alignment & (alignment - 1):
            raise VerifyException(
                f"Alignment attribute {alignment} is not a power of 2"
            )

    @staticmethod
    def get(
        sym_name: StringAttr,
        sym_type: Attribute,
        initial_value: Attribute,
        sym_visibility: StringAttr | None = None,
        constant: UnitAttr | None = None,
        alignment: int | IntegerAttr[IntegerType] | None = None,
    ) -> GlobalOp:
        """
        The op of this class, private unless the visibility says otherwise; xDSL's op
        cannot have all initial values.
        """
        if isinstance(alignment, int):
            alignment = IntegerAttr(alignment, i64)
        return GlobalOp.build(
            properties={
                "sym_name": sym_name,
                "type": sym_type,
                "initial_value": initial_value,
                "sym_visibility": sym_visibility or StringAttr("private"),
                "constant": constant,
                "alignment": alignment,
            }
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        visibility = parser.parse_optional_str_literal()
        if visibility is not None:
            properties["sym_visibility"] = StringAttr(visibility)
        if parser.parse_optional_keyword("constant"):
            properties["constant"] = UnitAttr()
        properties["sym_name"] = parser.parse_symbol_name()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        if not isinstance(type, MemRefType):
            parser.raise_error(f"{type} is no memref")
        properties["type"] = type
        if parser.parse_optional_punctuation("="):
            properties["initial_value"] = _parse_initial_value(parser, type)
        attributes = parser.parse_optional_attr_dict()
        if "alignment" in attributes:
            properties["alignment"] = attributes.pop("alignment")
        return cls.build(properties=properties, attributes=attributes)


print_with_defaults({"sym_visibility": StringAttr("public")}, [GlobalOp.name])


def _parse_initial_value(parser: Parser, type: MemRefType[Attribute]) -> Attribute:
    """`uninitialized`, or a literal of the type of the memref."""
    tensor = cast(Any, TensorType(type.element_type, type.shape))
    if parser.parse_optional_keyword("uninitialized"):
        return UnitAttr()
    if parser.parse_optional_keyword("dense"):
        return parser.parse_dense_int_or_fp_elements_attr(tensor)
    parser.parse_keyword("dense_resource")
    with parser.in_angle_brackets():
        return DenseResourceAttr.from_params(parser.parse_identifier(), tensor)
