"""Small programs on tensors, with their tensors and operands by name."""

from __future__ import annotations

from xdsl.ir import Operation

from tests.peer.runner import parse_module
from xdsl_bufferization.one_shot.decisions.one_shot_analysis import OneShotAnalysis
from xdsl_bufferization.one_shot.facts.origins import Origins
from xdsl_bufferization.one_shot.facts.program import TensorProgram
from xdsl_bufferization.one_shot.facts.records import TensorOperand, ValueInfo

ARGUMENTS = (
    "%t: tensor<8xf32>, %u: tensor<8xf32>, %c: i1, %f: f32, %i: index, %j: index"
)


class Program:
    """
    A function with the body, and arguments `%t` and `%u` of type `tensor<8xf32>`, `%c: i1`,
    `%f: f32`, and `%i` and `%j: index`.
    """

    def __init__(self, body: str):
        self.module = parse_module(
            f"func.func @f({ARGUMENTS}) {{\n{body}\nfunc.return\n}}"
        )
        self.tensors = TensorProgram([*self.module.ops])
        self.origins = Origins(self.tensors)

    def analysis(self) -> OneShotAnalysis:
        """One-Shot Analysis of the program."""
        return OneShotAnalysis(self.tensors)

    def value(self, name: str) -> ValueInfo:
        """The tensor that the text calls so."""
        (info,) = (v for k, v in self.tensors.values.items() if k.name_hint == name)
        return info

    def op(self, result: str) -> Operation:
        """The op with the result of that name, a tensor or not."""
        (op,) = (
            op
            for op in self.module.walk()
            if any(value.name_hint == result for value in op.results)
        )
        return op

    def operand(self, result: str, index: int) -> TensorOperand:
        """The tensor that is the operand, at the index, of the op with that result."""
        operand = self.tensors.operand(self.op(result), index)
        assert operand is not None
        return operand
