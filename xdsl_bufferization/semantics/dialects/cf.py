"""
cf. Source: https://mlir.llvm.org/docs/Dialects/ControlFlowDialect/
"""

from __future__ import annotations

from xdsl.interpreter import Successor
from xdsl.ir import Operation

from xdsl_bufferization.semantics.errors import ExecutionError
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named
from xdsl_bufferization.semantics.values import Value, segments, wrap
from xdsl_bufferization.support.attributes import integers


class CfFunctions(DialectFunctions):
    @impl_named("cf.assert")
    def assert_(self, op: Operation, holds: Value) -> None:
        if not holds:
            raise ExecutionError("the assertion does not hold")

    @impl_named("cf.br")
    def branch(self, op: Operation, *operands: Value) -> Successor:
        return Successor(op.successors[0], operands)

    @impl_named("cf.cond_br")
    def conditional_branch(self, op: Operation, *operands: Value) -> Successor:
        (condition,), then, otherwise = segments(op, operands)
        taken, arguments = (0, then) if condition else (1, otherwise)
        return Successor(op.successors[taken], tuple(arguments))

    @impl_named("cf.switch")
    def switch(self, op: Operation, *operands: Value) -> Successor:
        (flag,), default, cases = segments(op, operands)
        start = 0
        for block, value, size in zip(
            op.successors[1:],
            integers(op, "case_values"),
            integers(op, "case_operand_segments"),
            strict=True,
        ):
            if wrap(op.operands[0].type, value) == flag:
                return Successor(block, tuple(cases[start : start + size]))
            start += size
        return Successor(op.successors[0], tuple(default))


FUNCTIONS = CfFunctions
