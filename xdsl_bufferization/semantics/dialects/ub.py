"""
ub: a poisoned value is like the contents of uninitialised memory.

Source: https://mlir.llvm.org/docs/Dialects/UBOps/
"""

from __future__ import annotations

from typing import NoReturn

from xdsl.ir import Operation

from xdsl_bufferization.semantics.dialects.shared.elements import uninitialised
from xdsl_bufferization.semantics.errors import UndefinedBehaviorError
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named
from xdsl_bufferization.semantics.values import Value


class UbFunctions(DialectFunctions):
    @impl_named("ub.poison")
    def poison(self, op: Operation) -> Value:
        return uninitialised(self.memory, op, op.results[0].type)

    @impl_named("ub.unreachable")
    def unreachable(self, op: Operation) -> NoReturn:
        raise UndefinedBehaviorError("is reached")


FUNCTIONS = UbFunctions
