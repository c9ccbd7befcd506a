"""How the ops bufferize that have no model among their traits."""

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.loop_like import InductionVariable
from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.models.shared.destinations import NewBufferModel
from xdsl_bufferization.models.shared.region_ops import LoopModel, YieldModel


class WindowModel(NewBufferModel):
    """The number of samples is the operand."""

    def sizes(self, op: Operation, result: OpResult) -> Sequence[SSAValue]:
        return op.operands


class RepeatModel(LoopModel):
    """All operands but the number of iterations are inits; the last block arguments are carried."""

    def first_init(self, op: Operation) -> int:
        return 1

    def first_argument(self, op: Operation) -> int:
        arguments = op.regions[0].block.args
        return 1 if arguments and isinstance(arguments[0].type, IndexType) else 0

    def induction_variables(self, op: Operation) -> Sequence[InductionVariable] | None:
        numbers = op.regions[0].block.args[: self.first_argument(op)]
        times = op.operands[0]
        return [InductionVariable(n, 0, times, 1) for n in numbers] or None


def register() -> None:
    """Called when an op of the dialect is bufferized for the first time."""
    register_model("dsp.window", WindowModel())
    register_model("dsp.repeat", RepeatModel())
    register_model("dsp.yield", YieldModel())
