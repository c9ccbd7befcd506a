"""How the ops bufferize that have no model among their traits."""

from collections.abc import Sequence

from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.registry import register_model
from xdsl_bufferization.models.shared.destinations import NewBufferModel
from xdsl_bufferization.models.shared.region_ops import LoopModel, YieldModel


class WindowModel(NewBufferModel):
    """The number of samples is the operand."""

    def sizes(self, op: Operation, result: OpResult) -> Sequence[SSAValue]:
        return op.operands


class RepeatModel(LoopModel):
    """All operands but the number of iterations are inits; all block arguments are carried."""

    def first_init(self, op: Operation) -> int:
        return 1

    def first_argument(self, op: Operation) -> int:
        return 0


def register() -> None:
    """Called when an op of the dialect is bufferized for the first time."""
    register_model("dsp.window", WindowModel())
    register_model("dsp.repeat", RepeatModel())
    register_model("dsp.yield", YieldModel())
