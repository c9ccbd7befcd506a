"""
A plugin of somebody else's that adds an op to `tensor` and one to `bufferization`, in the way of
docs/extending.md, and redefines `tensor.dim`.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import tensor
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Dialect, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def
from xdsl.parser import Parser
from xdsl.universe import XDSL_UNIVERSE, Universe


@irdl_op_definition
class ReverseOp(IRDLOperation):
    name = "tensor.reverse"

    source = operand_def(TensorType)
    result = result_def(TensorType)

    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"


@irdl_op_definition
class PinOp(IRDLOperation):
    name = "bufferization.pin"

    memref = operand_def(MemRefType)

    assembly_format = "$memref attr-dict `:` type($memref)"


class ExtractOp(tensor.ExtractOp):
    """An op that both packages redefine."""

    @classmethod
    def parse(cls, parser: Parser) -> Operation:
        op = super().parse(parser)
        assert op is not None
        return op


def _with(
    factory: Callable[[], Dialect], *ops: type[Operation]
) -> Callable[[], Dialect]:
    def extended() -> Dialect:
        dialect = factory()
        operations = {op.name: op for op in (*dialect.operations, *ops)}
        return Dialect(dialect.name, [*operations.values()], [*dialect.attributes])

    return extended


_dialects = XDSL_UNIVERSE.all_dialects
_dialects["tensor"] = _with(_dialects["tensor"], ReverseOp, ExtractOp)
_dialects["bufferization"] = _with(_dialects["bufferization"], PinOp)

UNIVERSE = Universe()
