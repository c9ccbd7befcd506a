"""
builtin. Source: https://mlir.llvm.org/docs/Dialects/Builtin/
"""

from __future__ import annotations

from xdsl.ir import Attribute, Operation

from xdsl_bufferization.semantics.errors import MissingSemanticsError
from xdsl_bufferization.semantics.interpreter import DialectFunctions, impl_named
from xdsl_bufferization.semantics.values import Value, dtype_of, element_type
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


FUNCTIONS = BuiltinFunctions
