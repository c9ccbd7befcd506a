"""
The custom form of ops on elements and slices of tensors, for releases of xDSL without it: they
read no custom form of slices, and no attributes in the custom form of ops on elements.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from xdsl.dialects import tensor
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.utils import DynamicIndexList
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, OpDef, OperandDef, ResultDef, VarConstraint, base
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from xdsl_bufferization.dialects.shared.redefinition import with_custom_form
from xdsl_bufferization.dialects.shared.syntax import parse_indices
from xdsl_bufferization.support.xdsl_releases import has_assembly_format

ElementOp = TypeVar("ElementOp", bound="type[tensor.ExtractOp | tensor.InsertOp]")
SliceOp = TypeVar("SliceOp", bound="type[tensor.ExtractSliceOp | tensor.InsertSliceOp]")


def element_syntax(op: ElementOp) -> ElementOp:
    """`%x into %t[%i] {...} : type`, with `%x into` for an insertion."""
    if not has_assembly_format(op):
        setattr(op, "parse", classmethod(_parse_element_op))  # noqa: B010 # of another type
        setattr(op, "print", _print_element_op)  # noqa: B010
    return op


def slice_syntax(op: SliceOp) -> SliceOp:
    """
    `%t[0] [%n] [1] {...} : type to type`, or `%x into %t[0] [%n] [1] {...} : type into type`.
    """
    if has_assembly_format(op):
        return op
    definition = _with_slice_format(op)
    setattr(op, "get_irdl_definition", classmethod(lambda _: definition))  # noqa: B010
    return with_custom_form(definition.assembly_format or "", prints=True)(op)


def _with_slice_format(op: type[IRDLOperation]) -> OpDef:
    """The definition of the op, with the assembly format that it has since 0.70."""
    lists = "".join(
        f"custom<DynamicIndexList>(${name}, $static_{name})"
        for name in ("offsets", "sizes", "strides")
    )
    definition = replace(
        op.get_irdl_definition(),
        assembly_format=f"$source ``{lists}attr-dict `:` type($source) `to` type($result)",
        custom_directives={"DynamicIndexList": DynamicIndexList},
    )
    if not issubclass(op, tensor.InsertSliceOp):
        return definition
    # The result is of the type of the destination.
    type = VarConstraint("T", base(TensorType[Attribute]))
    operands = dict(definition.operands) | {"dest": OperandDef(type)}
    return replace(
        definition,
        operands=[*operands.items()],
        results=[("result", ResultDef(type))],
        assembly_format=f"$source `into` $dest ``{lists}"
        "attr-dict `:` type($source) `into` type($dest)",
    )


def _parse_tensors(parser: Parser, keyword: bool) -> list[UnresolvedOperand]:
    """The tensor, and before it what is inserted, if the op is an insertion."""
    first = parser.parse_unresolved_operand()
    if not keyword:
        return [first]
    parser.parse_keyword("into")
    return [first, parser.parse_unresolved_operand()]


def _parse_tensor_type(parser: Parser) -> TensorType[Attribute]:
    position = parser.pos
    type = parser.parse_type()
    if not isinstance(type, TensorType):
        parser.raise_error("tensor type expected", position, parser.pos)
    return type


def _parse_element_op(cls: type[Operation], parser: Parser) -> Operation:
    inserts = issubclass(cls, tensor.InsertOp)
    names = _parse_tensors(parser, inserts)
    indices = parse_indices(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = _parse_tensor_type(parser)
    element = type.element_type
    types = (element, type) if inserts else (type,)
    operands = map(parser.resolve_operand, names, types)
    return cls.create(
        operands=(*operands, *indices),
        result_types=(type if inserts else element,),
        attributes=attributes,
    )


def _print_element_op(
    self: tensor.ExtractOp | tensor.InsertOp, printer: Printer
) -> None:
    printer.print_string(" ")
    if isinstance(self, tensor.InsertOp):
        printer.print_ssa_value(self.scalar)
        printer.print_string(" into ")
    whole = self.dest if isinstance(self, tensor.InsertOp) else self.tensor
    printer.print_ssa_value(whole)
    with printer.in_square_brackets():
        printer.print_list(self.indices, printer.print_ssa_value)
    printer.print_op_attributes(self.attributes)
    printer.print_string(" : ")
    printer.print_attribute(whole.type)
