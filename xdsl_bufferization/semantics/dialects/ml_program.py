"""
ml_program: a global lives as long as the interpreter.

Source: https://mlir.llvm.org/docs/Dialects/MLProgramOps/
"""

from __future__ import annotations

from xdsl.interpreter import PythonValues
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.dialects.shared.attributes import (
    constant_value,
    symbol,
)
from xdsl_bufferization.semantics.dialects.shared.elements import uninitialised
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import (
    DialectFunctions,
    ReferenceInterpreter,
    impl_named,
)
from xdsl_bufferization.semantics.values import Value
from xdsl_bufferization.support.attributes import attribute


class MlProgramFunctions(DialectFunctions):
    def __init__(self) -> None:
        self.contents: dict[Operation, Value] = {}
        """The contents of the globals that were used so far."""

    @impl_named("ml_program.global_load", "ml_program.global_load_const")
    def global_load(self, op: Operation, operands: PythonValues) -> PythonValues:
        variable = _global(op)
        if variable not in self.contents:
            self.contents[variable] = _initial(self.interpreter, variable)
        return (self.contents[variable],)

    @impl_named("ml_program.global_store")
    def global_store(self, op: Operation, operands: PythonValues) -> PythonValues:
        variable = _global(op)
        if attribute(variable, "is_mutable") is None:
            raise UndefinedBehaviorError(
                "stores to a global that is not mutable", related=[("global", variable)]
            )
        (self.contents[variable],) = operands
        return ()


def _global(op: Operation) -> Operation:
    """The global that the op loads or stores."""
    # xDSL has another name for the property of global_load_const.
    name = attribute(op, "global") or attribute(op, "global_attr")
    return symbol(op, name, "global")


def _initial(interpreter: ReferenceInterpreter, variable: Operation) -> Value:
    type = _type(variable)
    value = attribute(variable, "value")
    if value is not None:
        return constant_value(value, type)
    return uninitialised(interpreter.memory, variable, type)


def _type(variable: Operation) -> Attribute:
    type = attribute(variable, "type")
    if type is None:
        raise MissingSemanticsError("is no global with a type", variable)
    return type


FUNCTIONS = MlProgramFunctions
