"""
xDSL's `func` dialect, with references to functions, and with the syntax of functions and
calls as mlir-opt has it.

Source: https://mlir.llvm.org/docs/Dialects/Func/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.dialects.utils.format import print_func_op_like
from xdsl.ir import Attribute, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    OptPropertyDef,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shared.redefinition import (
    VISIBILITY,
    PureOp,
    read_in_custom_form,
    refined,
)
from xdsl_bufferization.dialects.shared.syntax import inferred
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.host.printing import print_in_generic_form_if
from xdsl_bufferization.support.attributes import is_declaration_with_attributes

RESERVED = (
    "sym_name",
    "function_type",
    "sym_visibility",
    "arg_attrs",
    "res_attrs",
)
"""Attributes that are written elsewhere than in the dictionary of attributes."""

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
    Everything after the name of an op that is a function: its properties, its attributes,
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


def _print_function(
    printer: Printer, function: func.FuncOp, attributes: dict[str, Attribute]
) -> None:
    """Prints everything after the name of the op."""
    if function.sym_visibility is not None:
        printer.print_string(f" {function.sym_visibility.data}")
    if not function.body.blocks and (
        _has_some(function.arg_attrs) or _has_some(function.res_attrs)
    ):
        _print_declaration(function, printer, attributes)
        return
    print_func_op_like(
        printer,
        function.sym_name,
        function.function_type,
        function.body,
        attributes,
        arg_attrs=function.arg_attrs,
        res_attrs=function.res_attrs,
        reserved_attr_names=RESERVED,
    )


def _has_some(dictionaries: ArrayAttr[DictionaryAttr] | None) -> bool:
    return dictionaries is not None and any(d.data for d in dictionaries)


def _print_declaration(
    function: func.FuncOp, printer: Printer, attributes: dict[str, Attribute]
) -> None:
    """Prints what is after `func.func private`."""
    type = function.function_type
    printer.print_string(" ")
    printer.print_symbol_name(function.sym_name.data)
    _print_typed(printer, type.inputs.data, function.arg_attrs)
    printer.print_string(" -> ")
    if len(type.outputs) == 1 and not _has_some(function.res_attrs):
        printer.print_attribute(type.outputs.data[0])
    else:
        _print_typed(printer, type.outputs.data, function.res_attrs)
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


_NO_INLINE = "no_inline"
_FLAG = {_NO_INLINE: OptPropertyDef(base(UnitAttr))}


def _written_attributes(op: Operation) -> dict[str, Attribute]:
    """The attributes of the op, and `no_inline`, which is printed like one."""
    flags = {k: v for k, v in op.properties.items() if k == _NO_INLINE}
    return {**flags, **op.attributes}


class _MayStayOutOfLine(Operation):
    """An op with the property that xDSL's op lacks."""

    @property
    def no_inline(self) -> UnitAttr | None:
        """Whether calls are not to be replaced by the body."""
        return cast("UnitAttr | None", self.properties.get(_NO_INLINE))


@refined(properties={**_FLAG, "sym_visibility": OptPropertyDef(VISIBILITY)})
class FuncOp(_MayStayOutOfLine, func.FuncOp):
    """
    A function; xDSL's op, which keeps the attributes of arguments and results without a body.

    https://mlir.llvm.org/docs/Dialects/Func/#funcfunc-funcfuncop
    """

    def verify_(self) -> None:
        entry = self.body.first_block
        if entry is not None and [*entry.arg_types] != [*self.function_type.inputs]:
            raise VerifyException(
                "Expected entry block arguments to have the same types as the function "
                "input types"
            )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties, attributes, region = parse_function(parser, RESERVED[:3])
        return cls.create(
            properties=properties, attributes=attributes, regions=[region]
        )

    def print(self, printer: Printer) -> None:
        _print_function(printer, self, _written_attributes(self))


@refined(properties=_FLAG)
class CallOp(_MayStayOutOfLine, func.CallOp):
    """
    A call of a function; xDSL's op, with `no_inline`.

    https://mlir.llvm.org/docs/Dialects/Func/#funccall-funccallop
    """

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.callee)
        with printer.in_parens():
            printer.print_list(self.arguments, printer.print_ssa_value)
        printer.print_op_attributes(_written_attributes(self))
        printer.print_string(" : ")
        printer.print_operation_type(self)


def _signature(types: Sequence[Attribute]) -> FunctionType:
    """The type of the only operand."""
    (type,) = types
    if not isinstance(type, FunctionType):
        raise VerifyException(f"{type} is no function type")
    return type


@irdl_op_definition
class ConstantOp(PureOp):
    """
    A reference to a function.

    https://mlir.llvm.org/docs/Dialects/Func/#funcconstant-funcconstantop
    """

    name = "func.constant"

    value = prop_def(SymbolRefAttr)
    result = result_def(FunctionType)

    assembly_format = "attr-dict $value `:` type($result)"


@read_in_custom_form(
    "$callee `(` $callee_operands `)` attr-dict `:` type($callee) "
    "custom<Inputs>(ref(type($callee)), type($callee_operands)) "
    "custom<Outputs>(ref(type($callee)), type($results_))",
    Inputs=inferred(lambda types: _signature(types).inputs.data),
    Outputs=inferred(lambda types: _signature(types).outputs.data),
)
@irdl_op_definition
class CallIndirectOp(IRDLOperation):
    """
    A call of a function that is a value.

    https://mlir.llvm.org/docs/Dialects/Func/#funccall_indirect-funccallindirectop
    """

    name = "func.call_indirect"

    callee = operand_def(FunctionType)
    callee_operands = var_operand_def()
    results_ = var_result_def()


print_in_generic_form_if(is_declaration_with_attributes, [FuncOp.name])


EXTENSION = Extension([CallIndirectOp, CallOp, ConstantOp, FuncOp])
