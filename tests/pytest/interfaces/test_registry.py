"""Ops of other people's dialects take part, whichever way they answer."""

from collections.abc import Sequence

import pytest
from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.tensor import Tensor
from xdsl.ir import Dialect, Operation
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser

from xdsl_bufferization import OneShotOptions, one_shot_bufferize
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer
from xdsl_bufferization.interfaces.registry import register_model


class TouchModel(BufferizableOpInterface):
    """Writes its operand, which is its result."""

    def writes(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return True

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(op.results[0]),)

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        buffer = bufferizer.buffer(op.operands[0])
        bufferizer.rebuild(op, [buffer], [buffer.type])
        bufferizer.replace(op, [buffer])


@irdl_op_definition
class TouchOp(IRDLOperation):
    """An op that implements the interface itself."""

    name = "mine.touch"
    input = operand_def()
    output = result_def()
    traits = traits_def(TouchModel())


@irdl_op_definition
class TheirsOp(IRDLOperation):
    """An op of somebody who knows nothing of bufferization."""

    name = "theirs.touch"
    input = operand_def()
    output = result_def()


PROGRAM = """
func.func @f(%t: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {{
  %0 = "{op}"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %{read}[%i] : tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, f32
}}
"""


def parse(op: str, read: str) -> tuple[Context, ModuleOp]:
    ctx = Context(allow_unregistered=True)
    for dialect in (Arith, Builtin, func.Func, memref.MemRef, Tensor):
        ctx.load_dialect(dialect)
    ctx.load_dialect(Dialect("mine", [TouchOp]))
    ctx.load_dialect(Dialect("theirs", [TheirsOp]))
    return ctx, Parser(ctx, PROGRAM.format(op=op, read=read)).parse_module()


def copies(op: str, read: str) -> int:
    ctx, module = parse(op, read)
    one_shot_bufferize(ctx, module, OneShotOptions(bufferize_function_boundaries=True))
    module.verify()
    return sum(isinstance(op, memref.CopyOp) for op in module.walk())


@pytest.fixture(autouse=True)
def _models() -> None:
    register_model(TheirsOp, TouchModel())
    register_model("nobodys.touch", TouchModel())
    register_model("family.*", TouchModel())


@pytest.mark.parametrize(
    "op", ["mine.touch", "theirs.touch", "nobodys.touch", "family.touch"]
)
def test_op_takes_part(op: str):
    """By trait, by class, by name where no dialect defines the op, by its dialect."""
    assert copies(op, read="0") == 0
    assert copies(op, read="t") == 1
