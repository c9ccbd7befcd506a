"""
The functions of ml_program.

Source: https://mlir.llvm.org/docs/Dialects/MLProgramOps/
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    SymbolNameConstraint,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.traits import IsolatedFromAbove, IsTerminator, Pure, SymbolOpInterface

from xdsl_bufferization.dialects.func.syntax import RESERVED, parse_function
from xdsl_bufferization.dialects.shared.constraints import VISIBILITY


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


FUNCTIONS = [FuncOp, OutputOp, ReturnOp, SubgraphOp]
"""The classes of the ops."""
