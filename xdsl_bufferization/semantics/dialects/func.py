"""
func. Source: https://mlir.llvm.org/docs/Dialects/Func/
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import FunctionType, StringAttr
from xdsl.interpreter import PythonValues
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.dialects.shared.attributes import symbol
from xdsl_bufferization.semantics.errors import ExecutionError, MissingSemanticsError
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named
from xdsl_bufferization.semantics.values import Value
from xdsl_bufferization.support.attributes import attribute, known_attribute
from xdsl_bufferization.support.names import op_name, printed_symbol


class FuncFunctions(DialectFunctions):
    terminators: ClassVar = ("func.return",)

    def __init__(self) -> None:
        self._named: dict[Operation, Operation] = {}
        """By op that names a function: the function, once it was looked up."""
        self._fitting: set[tuple[Operation, Operation]] = set()
        """Calls, each with a function that has the type which the call is made for."""

    @impl_named("func.call")
    def call(self, op: Operation, *operands: Value) -> PythonValues:
        return self._call(op, self._function(op, "callee"), operands)

    @impl_named("func.call_indirect")
    def call_indirect(
        self, op: Operation, function: Operation, *arguments: Value
    ) -> PythonValues:
        return self._call(op, function, arguments)

    @impl_named("func.constant")
    def constant(self, op: Operation) -> Operation:
        # The value of a function is the op that defines it.
        function = self._function(op, "value")
        _check_type(function, op.results[0].type)
        return function

    def _function(self, op: Operation, name: str) -> Operation:
        if op not in self._named:
            self._named[op] = symbol(op, attribute(op, name), "function")
        return self._named[op]

    def _call(
        self,
        op: Operation,
        function: Operation,
        arguments: PythonValues,
    ) -> PythonValues:
        if (op, function) not in self._fitting:
            passed = op.operand_types[len(op.operands) - len(arguments) :]
            _check_type(function, FunctionType.from_lists(passed, op.result_types))
            self._fitting.add((op, function))
        return self.interpreter.call(function, arguments)


def _check_type(function: Operation, wanted: Attribute) -> None:
    """Raises `ExecutionError` if the function is not of the wanted type."""
    type = attribute(function, "function_type")
    if type is None:
        raise MissingSemanticsError(f"'{op_name(function)}' is no function")
    if type != wanted:
        name = known_attribute(function, "sym_name", StringAttr).data
        raise ExecutionError(
            f"the type of {printed_symbol(name)} is '{type}', but it is taken for a "
            f"function of type '{wanted}'"
        )


FUNCTIONS = FuncFunctions
