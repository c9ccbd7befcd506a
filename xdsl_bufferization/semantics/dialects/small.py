"""
Dialects of a few ops: builtin; ml_program, whose globals live as long as the interpreter; and ub,
where a poisoned value is like the contents of uninitialised memory.

Source: https://mlir.llvm.org/docs/Dialects/Builtin/,
https://mlir.llvm.org/docs/Dialects/MLProgramOps/, https://mlir.llvm.org/docs/Dialects/UBOps/
"""

from __future__ import annotations

from typing import NoReturn

from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.dialects.shared import (
    constant_value,
    symbol,
    uninitialised,
)
from xdsl_bufferization.semantics.errors import (
    MissingSemanticsError,
    UndefinedBehaviorError,
)
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named
from xdsl_bufferization.semantics.values import Value, dtype_of, element_type
from xdsl_bufferization.support.attributes import attribute
from xdsl_bufferization.support.shaped_types import is_memref_type


class BuiltinFunctions(DialectFunctions):
    @impl_named("builtin.unrealized_conversion_cast")
    def unrealized_conversion_cast(
        self, op: Operation, *operands: Value
    ) -> tuple[Value, ...]:
        before = [_kind(operand.type) for operand in op.operands]
        if before != [_kind(result.type) for result in op.results]:
            raise MissingSemanticsError("a value of another kind has no meaning here")
        return operands


def _kind(type: Attribute) -> object:
    """A key that is equal for types with the same run-time values."""
    element = element_type(type)
    if is_memref_type(type):
        return "memref", dtype_of(element)
    return element is type, dtype_of(element)


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


class UbFunctions(DialectFunctions):
    @impl_named("ub.poison")
    def poison(self, op: Operation) -> Value:
        return uninitialised(self.memory, op, op.results[0].type)

    @impl_named("ub.unreachable")
    def unreachable(self, op: Operation) -> NoReturn:
        raise UndefinedBehaviorError("is reached")


FUNCTIONS = {
    "builtin": BuiltinFunctions,
    "ml_program": MlProgramFunctions,
    "ub": UbFunctions,
}
