"""
func. Source: https://mlir.llvm.org/docs/Dialects/Func/
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.interpreter import PythonValues, ReturnedValues, register_impls
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

from xdsl_bufferization.semantics.errors import MissingSemanticsError
from xdsl_bufferization.semantics.interpreter import (
    Functions,
    ReferenceInterpreter,
    impl_named,
)
from xdsl_bufferization.semantics.values import attribute


@register_impls
class FuncFunctions(Functions):
    @impl_named("func.call")
    def call(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> PythonValues:
        name = cast("SymbolRefAttr", attribute(op, "callee"))
        callee = SymbolTable.lookup_symbol(op, name)
        if callee is None:
            raise MissingSemanticsError(f"there is no function {name}")
        return interpreter.call(callee, operands)

    @impl_named("func.return")
    def return_(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> ReturnedValues:
        return ReturnedValues(operands)


FUNCTIONS = FuncFunctions
