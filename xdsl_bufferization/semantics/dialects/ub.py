"""
ub: a poisoned value is as unknown as what uninitialised memory holds.

Source: https://mlir.llvm.org/docs/Dialects/UBOps/
"""

from __future__ import annotations

from xdsl.interpreter import PythonValues, ReturnedValues, register_impls
from xdsl.ir import Operation

from xdsl_bufferization.semantics.errors import UndefinedBehaviorError
from xdsl_bufferization.semantics.interpreter import (
    Functions,
    ReferenceInterpreter,
    impl_named,
)
from xdsl_bufferization.semantics.values import (
    dtype_of,
    element_type,
    shape_of,
)


@register_impls
class UbFunctions(Functions):
    @impl_named("ub.poison")
    def poison(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> PythonValues:
        type = op.results[0].type
        dtype = dtype_of(element_type(type))
        if element_type(type) is type:
            return (interpreter.memory.uninitialised((), dtype, op)[()],)
        return (interpreter.memory.uninitialised(shape_of(type), dtype, op),)

    @impl_named("ub.unreachable")
    def unreachable(
        self, interpreter: ReferenceInterpreter, op: Operation, operands: PythonValues
    ) -> ReturnedValues:
        raise UndefinedBehaviorError("is reached")


FUNCTIONS = UbFunctions
