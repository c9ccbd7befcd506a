"""
ml_program: globals live as long as the interpreter.

Source: https://mlir.llvm.org/docs/Dialects/MLProgramOps/
"""

from __future__ import annotations

from xdsl.interpreter import PythonValues, register_impls
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.constants import constant_value
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import (
    Functions,
    ReferenceInterpreter,
    impl_named,
)
from xdsl_bufferization.semantics.symbols import symbol
from xdsl_bufferization.semantics.values import Value, dtype_of, element_type, shape_of
from xdsl_bufferization.support.attributes import attribute


@register_impls
class MlProgramFunctions(Functions):
    def __init__(self) -> None:
        self.contents: dict[Operation, Value] = {}
        """What the globals that were used so far hold."""

    @impl_named("ml_program.global_load", "ml_program.global_load_const")
    def global_load(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> PythonValues:
        variable = _global(op)
        if variable not in self.contents:
            self.contents[variable] = _initial(interpreter, variable)
        return (self.contents[variable],)

    @impl_named("ml_program.global_store")
    def global_store(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> PythonValues:
        variable = _global(op)
        if attribute(variable, "is_mutable") is None:
            raise UndefinedBehaviorError(
                "stores to a global that is not mutable", related=[("global", variable)]
            )
        (self.contents[variable],) = operands
        return ()


def _global(op: Operation) -> Operation:
    """The global that the op loads or stores."""
    # xDSL calls the property of global_load_const otherwise.
    name = attribute(op, "global") or attribute(op, "global_attr")
    return symbol(op, name, "global")


def _initial(interpreter: ReferenceInterpreter, variable: Operation) -> Value:
    type = _type(variable)
    value = attribute(variable, "value")
    if value is not None:
        return constant_value(value, type)
    dtype = dtype_of(element_type(type))
    if element_type(type) is type:
        return interpreter.memory.uninitialised((), dtype, variable)[()]
    return interpreter.memory.uninitialised(shape_of(type), dtype, variable)


def _type(variable: Operation) -> Attribute:
    type = attribute(variable, "type")
    if type is None:
        raise MissingSemanticsError("is no global with a type", variable)
    return type


FUNCTIONS = MlProgramFunctions
