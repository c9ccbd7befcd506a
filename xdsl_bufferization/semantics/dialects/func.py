"""
func. Source: https://mlir.llvm.org/docs/Dialects/Func/
"""

from __future__ import annotations

from xdsl.interpreter import PythonValues, ReturnedValues, register_impls
from xdsl.ir import Operation

from xdsl_bufferization.semantics.dialects.shared.attributes import symbol
from xdsl_bufferization.semantics.interpreter import (
    Functions,
    ReferenceInterpreter,
    impl_named,
)
from xdsl_bufferization.support.attributes import attribute


@register_impls
class FuncFunctions(Functions):
    def __init__(self) -> None:
        self.callees: dict[Operation, Operation] = {}
        """By op that names a function: the function, once it was looked up."""

    @impl_named("func.call")
    def call(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> PythonValues:
        return interpreter.call(self._function(op, "callee"), operands)

    @impl_named("func.call_indirect")
    def call_indirect(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> PythonValues:
        return interpreter.call(operands[0], operands[1:])

    @impl_named("func.constant")
    def constant(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> PythonValues:
        # The value of a function is the op that defines it.
        return (self._function(op, "value"),)

    def _function(self, op: Operation, name: str) -> Operation:
        if op not in self.callees:
            self.callees[op] = symbol(op, attribute(op, name), "function")
        return self.callees[op]

    @impl_named("func.return")
    def return_(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> ReturnedValues:
        return ReturnedValues(operands)


FUNCTIONS = FuncFunctions
