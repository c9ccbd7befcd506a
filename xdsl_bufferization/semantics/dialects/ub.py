"""
ub: a poisoned value is like the contents of uninitialised memory.

Source: https://mlir.llvm.org/docs/Dialects/UBOps/
"""

from __future__ import annotations

from xdsl.interpreter import PythonValues, ReturnedValues
from xdsl.ir import Operation

from xdsl_bufferization.semantics.dialects.shared.elements import uninitialised
from xdsl_bufferization.semantics.errors import UndefinedBehaviorError
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named


class UbFunctions(DialectFunctions):
    @impl_named("ub.poison")
    def poison(self, op: Operation, operands: PythonValues) -> PythonValues:
        return (uninitialised(self.memory, op, op.results[0].type),)

    @impl_named("ub.unreachable")
    def unreachable(self, op: Operation, operands: PythonValues) -> ReturnedValues:
        raise UndefinedBehaviorError("is reached")


FUNCTIONS = UbFunctions
