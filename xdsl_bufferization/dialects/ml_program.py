"""
xDSL's `ml_program` dialect, with the loads and stores of globals that it lacks, and with the
syntax of mlir-opt.

Source: https://mlir.llvm.org/docs/Dialects/MLProgramOps/
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects import ml_program
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import (
    ParsingState,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    SymbolOpInterface,
)

from xdsl_bufferization.dialects.func import RESERVED, parse_function
from xdsl_bufferization.dialects.shared.redefinition import (
    VISIBILITY,
    PureOp,
    Redefinition,
    by_fields,
    read_in_custom_form,
)
from xdsl_bufferization.dialects.shared.syntax import UnprintedDirective
from xdsl_bufferization.host.extensions import Extension
from xdsl_bufferization.host.printing import has_attributes, print_in_generic_form_if


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """A token, which orders loads and stores in a graph."""

    name = "ml_program.token"


@irdl_attr_definition
class ExternAttr(ParametrizedAttribute):
    """A value that is defined elsewhere."""

    name = "ml_program.extern"

    type: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        parser.parse_punctuation(":")
        return [parser.parse_type()]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(" : ")
        printer.print_attribute(self.type)


@irdl_op_definition
class GlobalOp(Redefinition, ml_program.GlobalOp):
    """
    A variable with a name; xDSL's op, without losing attributes.

    https://mlir.llvm.org/docs/Dialects/MLProgramOps/#ml_programglobal-ml_programglobalop
    """

    name = "ml_program.global"

    sym_name = prop_def(SymbolNameConstraint())
    type = prop_def(TypeAttribute)
    is_mutable = opt_prop_def(UnitAttr)
    value = opt_prop_def()
    sym_visibility = prop_def(VISIBILITY)

    verify_ = by_fields

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.sym_visibility.data} ")
        if self.is_mutable is not None:
            printer.print_string("mutable ")
        printer.print_symbol_name(self.sym_name.data)
        if self.value is not None:
            with printer.in_parens():
                printer.print_attribute(self.value)
        printer.print_string(" : ")
        printer.print_attribute(self.type)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        # xDSL has the attributes in front.
        attributes = parser.parse_optional_attr_dict()
        properties: dict[str, Attribute] = {
            "sym_visibility": parser.parse_visibility_keyword()
        }
        if parser.parse_optional_keyword("mutable"):
            properties["is_mutable"] = UnitAttr()
        properties["sym_name"] = parser.parse_symbol_name()
        if parser.parse_optional_punctuation("("):
            properties["value"] = parser.parse_attribute()
            parser.parse_punctuation(")")
        parser.parse_punctuation(":")
        properties["type"] = parser.parse_type()
        attributes |= parser.parse_optional_attr_dict()
        return cls.build(properties=properties, attributes=attributes)


@irdl_op_definition
class GlobalLoadConstantOp(Redefinition, ml_program.GlobalLoadConstantOp):
    """
    The value of a global that never changes; xDSL's op has another name for the property.

    https://mlir.llvm.org/docs/Dialects/MLProgramOps/#ml_programglobal_load_const-ml_programgloballoadconstop
    """

    name = "ml_program.global_load_const"

    global_attr = prop_def(SymbolRefAttr, prop_name="global")
    result = result_def()

    def __init__(self, global_attr: Attribute, result_type: Attribute | None):
        IRDLOperation.__init__(
            self, properties={"global": global_attr}, result_types=(result_type,)
        )

    assembly_format = "$global `:` type($result) attr-dict"

    verify_ = by_fields


@irdl_op_definition
class GlobalLoadOp(IRDLOperation):
    """
    The value of a global.

    https://mlir.llvm.org/docs/Dialects/MLProgramOps/#ml_programglobal_load-ml_programgloballoadop
    """

    name = "ml_program.global_load"

    global_attr = prop_def(SymbolRefAttr, prop_name="global")
    result = result_def()

    traits = traits_def(MemoryReadEffect())

    assembly_format = "$global `:` type($result) attr-dict"


@irdl_op_definition
class GlobalStoreOp(IRDLOperation):
    """
    A store of a value to a global.

    https://mlir.llvm.org/docs/Dialects/MLProgramOps/#ml_programglobal_store-ml_programglobalstoreop
    """

    name = "ml_program.global_store"

    value = operand_def()
    global_attr = prop_def(SymbolRefAttr, prop_name="global")

    traits = traits_def(MemoryWriteEffect())

    assembly_format = "$global `=` $value `:` type($value) attr-dict"


@irdl_op_definition
class TokenOp(PureOp):
    """
    A new token, which orders ops of a graph.

    https://mlir.llvm.org/docs/Dialects/MLProgramOps/#ml_programtoken-ml_programtokenop
    """

    name = "ml_program.token"

    token = result_def(TokenType)

    assembly_format = "attr-dict"


@irdl_custom_directive
class ConsumedTokens(UnprintedDirective):
    """`%a, %b`, or `()`."""

    tokens: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_punctuation("("):
            parser.parse_punctuation(")")
            self.tokens.set(state, ())
        else:
            self.tokens.parse(parser, state)


_ORDERING = "`ordering` `(` custom<ConsumedTokens>($consume_tokens) `->` type($produce_token) `)`"


@read_in_custom_form(
    f"$global {_ORDERING} `:` type($result) attr-dict", ConsumedTokens=ConsumedTokens
)
@irdl_op_definition
class GlobalLoadGraphOp(IRDLOperation):
    """
    The value of a global, loaded after the ops that made the tokens.

    https://mlir.llvm.org/docs/Dialects/MLProgramOps/#ml_programglobal_load_graph-ml_programgloballoadgraphop
    """

    name = "ml_program.global_load_graph"

    consume_tokens = var_operand_def(TokenType)
    global_attr = prop_def(SymbolRefAttr, prop_name="global")
    result = result_def()
    produce_token = result_def(TokenType)


@read_in_custom_form(
    f"$global `=` $value {_ORDERING} `:` type($value) attr-dict",
    ConsumedTokens=ConsumedTokens,
)
@irdl_op_definition
class GlobalStoreGraphOp(IRDLOperation):
    """
    A store of a value to a global, after the ops that made the tokens.

    https://mlir.llvm.org/docs/Dialects/MLProgramOps/#ml_programglobal_store_graph-ml_programglobalstoregraphop
    """

    name = "ml_program.global_store_graph"

    value = operand_def()
    consume_tokens = var_operand_def(TokenType)
    global_attr = prop_def(SymbolRefAttr, prop_name="global")
    produce_token = result_def(TokenType)


print_in_generic_form_if(has_attributes, [GlobalOp.name])


class _FunctionOp(IRDLOperation):
    """A function with a name."""

    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    sym_visibility = opt_prop_def(VISIBILITY)
    body = region_def()

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties, attributes, region = parse_function(parser, RESERVED)
        return cls.build(
            properties=properties, attributes=attributes, regions=(region,)
        )


@irdl_op_definition
class FuncOp(_FunctionOp):
    """
    A function of blocks.

    https://mlir.llvm.org/docs/Dialects/MLProgramOps/#ml_programfunc-ml_programfuncop
    """

    name = "ml_program.func"


@irdl_op_definition
class SubgraphOp(_FunctionOp):
    """
    A function whose ops are a graph.

    https://mlir.llvm.org/docs/Dialects/MLProgramOps/#ml_programsubgraph-ml_programsubgraphop
    """

    name = "ml_program.subgraph"


class _TerminatorOp(IRDLOperation):
    """The results of a function."""

    values = var_operand_def()

    assembly_format = "attr-dict ($values^ `:` type($values))?"

    traits = traits_def(IsTerminator(), Pure())


@irdl_op_definition
class OutputOp(_TerminatorOp):
    """
    The terminator of `ml_program.subgraph`, with its results.

    https://mlir.llvm.org/docs/Dialects/MLProgramOps/#ml_programoutput-ml_programoutputop
    """

    name = "ml_program.output"


@irdl_op_definition
class ReturnOp(_TerminatorOp):
    """
    The terminator of `ml_program.func`, with its results.

    https://mlir.llvm.org/docs/Dialects/MLProgramOps/#ml_programreturn-ml_programreturnop
    """

    name = "ml_program.return"


EXTENSION = Extension(
    [
        FuncOp,
        GlobalLoadConstantOp,
        GlobalLoadGraphOp,
        GlobalLoadOp,
        GlobalOp,
        GlobalStoreGraphOp,
        GlobalStoreOp,
        OutputOp,
        ReturnOp,
        SubgraphOp,
        TokenOp,
    ],
    attributes=[ExternAttr, TokenType],
)
