"""
ml_program: a global lives as long as the interpreter.

Source: https://mlir.llvm.org/docs/Dialects/MLProgramOps/
"""

from __future__ import annotations

from xdsl.ir import Operation

from xdsl_bufferization.semantics.dialects.shared.attributes import (
    constant_value,
    symbol,
)
from xdsl_bufferization.semantics.dialects.shared.elements import uninitialised
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named
from xdsl_bufferization.semantics.values import Value
from xdsl_bufferization.support.attributes import attribute


class MlProgramFunctions(DialectFunctions):
    def __init__(self) -> None:
        self.contents: dict[Operation, Value] = {}
        """The contents of the globals that were used so far."""

    @impl_named("ml_program.global_load", "ml_program.global_load_const")
    def global_load(self, op: Operation) -> Value:
        variable = _global(op)
        if variable not in self.contents:
            type = attribute(variable, "type")
            if type is None:
                raise MissingSemanticsError("is no global with a type", variable)
            value = attribute(variable, "value")
            self.contents[variable] = (
                uninitialised(self.memory, variable, type)
                if value is None
                else constant_value(value, type)
            )
        return self.contents[variable]

    @impl_named("ml_program.global_store")
    def global_store(self, op: Operation, value: Value) -> None:
        variable = _global(op)
        if attribute(variable, "is_mutable") is None:
            raise UndefinedBehaviorError(
                "stores to a global that is not mutable", related=[("global", variable)]
            )
        self.contents[variable] = value


def _global(op: Operation) -> Operation:
    """The global that the op loads or stores."""
    # xDSL has another name for the property of global_load_const.
    name = attribute(op, "global") or attribute(op, "global_attr")
    return symbol(op, name, "global")


FUNCTIONS = MlProgramFunctions
