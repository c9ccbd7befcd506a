"""Functions without a body: the attributes of their arguments and results; `no_inline`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    StringAttr,
    UnitAttr,
    i32,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.dialects.utils.format import (
    print_func_op_like,
)
from xdsl.ir import Attribute, Region
from xdsl.irdl import OptPropertyDef, base
from xdsl.parser import Parser
from xdsl.printer import Printer

RESERVED = (
    "sym_name",
    "function_type",
    "sym_visibility",
    "arg_attrs",
    "res_attrs",
)
"""What is written elsewhere than in the dictionary of attributes."""

_Typed = tuple[Attribute, dict[str, Attribute]]
"""The type and the attributes of an argument or a result."""


def _parse_argument(parser: Parser) -> tuple[Parser.Argument | None, _Typed]:
    """`%a: type {...} loc(...)`, or without a name."""
    argument = parser.parse_optional_argument()
    type = parser.parse_optional_type() if argument is None else argument.type
    if type is None:
        parser.raise_error("Expected argument or type")
    attributes = parser.parse_optional_dictionary_attr_dict()
    location = parser.parse_optional_location()
    if location is not None:
        position = parser.pos
        parser.parse_optional_dictionary_attr_dict()
        if parser.pos != position:
            parser.raise_error("Expected function argument attributes before location.")
    if argument is not None:
        argument.location = location
    return argument, (type, attributes)


def _parse_results(parser: Parser) -> list[_Typed]:
    """`-> type`, `-> (type {...}, ...)`, or nothing."""

    def result() -> _Typed:
        type = parser.parse_type()
        return type, parser.parse_optional_dictionary_attr_dict()

    if parser.parse_optional_punctuation("->") is None:
        return []
    results = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, result)
    return [(parser.parse_type(), {})] if results is None else results


def parse_function(
    parser: Parser, reserved: Sequence[str]
) -> tuple[dict[str, Attribute], dict[str, Attribute], Region]:
    """
    Everything behind the name of an op that is a function: its properties, its attributes,
    which have none of the `reserved` names, and its body.
    """
    visibility = parser.parse_optional_visibility_keyword()
    properties: dict[str, Attribute] = {"sym_name": parser.parse_symbol_name()}
    position = parser.pos
    parsed = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: _parse_argument(parser)
    )
    arguments = [argument for argument, _ in parsed if argument is not None]
    if arguments and len(arguments) != len(parsed):
        parser.raise_error(
            "Expected all arguments to be named or all arguments to be unnamed.",
            position,
            parser.pos,
        )
    inputs, results = [typed for _, typed in parsed], _parse_results(parser)
    extra = parser.parse_optional_attr_dict_with_keyword(reserved)
    region = parser.parse_optional_region(arguments or None)
    properties["function_type"] = FunctionType.from_lists(
        [type for type, _ in inputs], [type for type, _ in results]
    )
    if visibility is not None:
        properties["sym_visibility"] = visibility
    for name, values in ("arg_attrs", inputs), ("res_attrs", results):
        if any(attributes for _, attributes in values):
            dictionaries = (DictionaryAttr(attributes) for _, attributes in values)
            properties[name] = ArrayAttr(dictionaries)
    attributes = {} if extra is None else {**extra.data}
    return properties, attributes, Region() if region is None else region


def _parse(cls: type[FuncOp], parser: Parser) -> FuncOp:
    properties, attributes, region = parse_function(parser, RESERVED[:3])
    return cls.create(properties=properties, attributes=attributes, regions=[region])


class Function(Protocol):
    """An op that is a function."""

    @property
    def sym_name(self) -> StringAttr: ...
    @property
    def function_type(self) -> FunctionType: ...
    @property
    def arg_attrs(self) -> ArrayAttr[DictionaryAttr] | None: ...
    @property
    def res_attrs(self) -> ArrayAttr[DictionaryAttr] | None: ...
    @property
    def sym_visibility(self) -> StringAttr | None: ...
    @property
    def body(self) -> Region: ...


def print_function(
    printer: Printer, func: Function, attributes: dict[str, Attribute]
) -> None:
    """Prints everything behind the name of an op that is a function."""
    if func.sym_visibility is not None:
        printer.print_string(f" {func.sym_visibility.data}")
    if not func.body.blocks and (
        _has_some(func.arg_attrs) or _has_some(func.res_attrs)
    ):
        _print_declaration(func, printer, attributes)
        return
    print_func_op_like(
        printer,
        func.sym_name,
        func.function_type,
        func.body,
        attributes,
        arg_attrs=func.arg_attrs,
        res_attrs=func.res_attrs,
        reserved_attr_names=RESERVED,
    )


def _print(self: FuncOp, printer: Printer) -> None:
    attributes = self.attributes
    if "no_inline" in self.properties:
        attributes = {"no_inline": UnitAttr(), **attributes}
    print_function(printer, self, attributes)


_print_plain_call = CallOp.print


def _print_call(self: CallOp, printer: Printer) -> None:
    if "no_inline" not in self.properties:
        _print_plain_call(self, printer)
        return
    printer.print_string(" ")
    printer.print_attribute(self.callee)
    with printer.in_parens():
        printer.print_list(self.arguments, printer.print_ssa_value)
    printer.print_op_attributes({"no_inline": UnitAttr(), **self.attributes})
    printer.print_string(" : ")
    printer.print_operation_type(self)


def _has_some(dictionaries: ArrayAttr[DictionaryAttr] | None) -> bool:
    return dictionaries is not None and any(d.data for d in dictionaries)


def _print_declaration(
    func: Function, printer: Printer, attributes: dict[str, Attribute]
) -> None:
    """Prints what is behind `func.func private`."""
    type = func.function_type
    printer.print_string(" ")
    printer.print_symbol_name(func.sym_name.data)
    _print_typed(printer, type.inputs.data, func.arg_attrs)
    printer.print_string(" -> ")
    if len(type.outputs) == 1 and not _has_some(func.res_attrs):
        printer.print_attribute(type.outputs.data[0])
    else:
        _print_typed(printer, type.outputs.data, func.res_attrs)
    printer.print_op_attributes(
        attributes, reserved_attr_names=RESERVED, print_keyword=True
    )


def _print_typed(
    printer: Printer,
    types: Sequence[Attribute],
    attributes: ArrayAttr[DictionaryAttr] | None,
) -> None:
    """Prints `(type {...}, ...)`."""

    def print_one(place: int) -> None:
        printer.print_attribute(types[place])
        if attributes is not None:
            printer.print_op_attributes({**attributes.data[place].data})

    with printer.in_parens():
        printer.print_list(range(len(types)), print_one)


def is_broken() -> bool:
    func = FuncOp("f", FunctionType.from_lists([i32], []), Region(), "private")
    func.properties["arg_attrs"] = ArrayAttr([DictionaryAttr({"a": UnitAttr()})])
    return "{a}" not in str(func)


def mend() -> None:
    setattr(FuncOp, "parse", classmethod(_parse))  # noqa: B010 # of another type
    FuncOp.print = _print
    CallOp.print = _print_call
    for op in (FuncOp, CallOp):
        op.get_irdl_definition().properties.setdefault(
            "no_inline", OptPropertyDef(base(UnitAttr))
        )
