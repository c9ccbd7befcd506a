"""
The custom form of ops on elements and slices of tensors, for releases of xDSL without it: they
read no custom form of slices, and no attributes in the custom form of ops on elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects import tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    TensorType,
    i64,
)
from xdsl.dialects.utils.dynamic_index_list import (
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from xdsl_bufferization.dialects.shared.syntax import parse_indices
from xdsl_bufferization.support.xdsl_releases import has_assembly_format

ElementOp = TypeVar("ElementOp", bound="type[tensor.ExtractOp | tensor.InsertOp]")
SliceOp = TypeVar("SliceOp", bound="type[tensor.ExtractSliceOp | tensor.InsertSliceOp]")

_LISTS = "offsets", "sizes", "strides"


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
    if not has_assembly_format(op):
        setattr(op, "parse", classmethod(_parse_slice_op))  # noqa: B010 # of another type
        setattr(op, "print", _print_slice_op)  # noqa: B010
    return op


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


def _parse_slice_op(cls: type[IRDLOperation], parser: Parser) -> Operation:
    inserts = issubclass(cls, tensor.InsertSliceOp)
    names = _parse_tensors(parser, inserts)
    dynamic: list[Sequence[UnresolvedOperand]] = []
    static: dict[str, Attribute] = {}
    for name in _LISTS:
        values, numbers = parse_dynamic_index_list_without_types(parser, DYNAMIC_INDEX)
        dynamic.append(values)
        static[f"static_{name}"] = DenseArrayBase.from_list(i64, numbers)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    types = [_parse_tensor_type(parser)]
    parser.parse_keyword("into" if inserts else "to")
    types.append(_parse_tensor_type(parser))
    return cls.build(
        operands=(
            *map(parser.resolve_operand, names, types),
            *(
                [parser.resolve_operand(name, IndexType()) for name in values]
                for values in dynamic
            ),
        ),
        result_types=(types[-1],),
        properties=static,
        attributes=attributes,
    )


def _print_slice_op(
    self: tensor.ExtractSliceOp | tensor.InsertSliceOp, printer: Printer
) -> None:
    inserts = isinstance(self, tensor.InsertSliceOp)
    printer.print_string(" ")
    printer.print_ssa_value(self.source)
    if inserts:
        printer.print_string(" into ")
        printer.print_ssa_value(self.dest)
    separator = ""
    for static, dynamic in (
        (self.static_offsets, self.offsets),
        (self.static_sizes, self.sizes),
        (self.static_strides, self.strides),
    ):
        printer.print_string(separator)
        print_dynamic_index_list(printer, DYNAMIC_INDEX, dynamic, static.get_values())
        separator = " "
    printer.print_op_attributes(self.attributes)
    printer.print_string(" : ")
    printer.print_attribute(self.source.type)
    printer.print_string(" into " if inserts else " to ")
    printer.print_attribute(self.result.type)
