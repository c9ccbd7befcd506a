"""
ub: a poisoned value is like the contents of uninitialised memory.

Source: https://mlir.llvm.org/docs/Dialects/UBOps/
"""

from __future__ import annotations

from xdsl.interpreter import PythonValues, ReturnedValues, register_impls
from xdsl.ir import Operation

from xdsl_bufferization.semantics.dialects.shared.elements import uninitialised
from xdsl_bufferization.semantics.errors import UndefinedBehaviorError
from xdsl_bufferization.semantics.interpreter import (
    Functions,
    ReferenceInterpreter,
    impl_named,
)


@register_impls
class UbFunctions(Functions):
    @impl_named("ub.poison")
    def poison(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> PythonValues:
        return (uninitialised(interpreter.memory, op, op.results[0].type),)

    @impl_named("ub.unreachable")
    def unreachable(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> ReturnedValues:
        raise UndefinedBehaviorError("is reached")


FUNCTIONS = UbFunctions
