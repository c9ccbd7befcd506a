"""Ops on signals, which are tensors, or memrefs once they are bufferized."""

from collections.abc import Sequence

from xdsl.dialects.builtin import AnyFloatConstr, IndexType, MemRefType, TensorType
from xdsl.ir import Dialect, Operation
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_result_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator

from xdsl_bufferization.interfaces.bufferizable import AnalysisState
from xdsl_bufferization.models.shared.destinations import DestinationStyleModel

TENSOR = BaseAttr(TensorType)
MEMREF = BaseAttr(MemRefType)


class ScaleModel(DestinationStyleModel):
    """Overwrites `init` without reading it; `input` may be the same buffer."""

    def inits(self, op: Operation) -> Sequence[int]:
        return (2,)

    def reads(self, op: Operation, operand: int, state: AnalysisState) -> bool:
        return operand != 2

    def is_elementwise(self, op: Operation, a: int, b: int) -> bool:
        return True


@irdl_op_definition
class ScaleOp(IRDLOperation):
    """Each sample of `input` times `factor`, written into `init`."""

    name = "dsp.scale"
    input = operand_def(TENSOR | MEMREF)
    factor = operand_def(AnyFloatConstr)
    init = operand_def(TENSOR | MEMREF)
    result = opt_result_def(TENSOR)
    traits = traits_def(ScaleModel())


@irdl_op_definition
class WindowOp(IRDLOperation):
    """A Hann window of `size` samples: a new tensor, or written into `out`."""

    name = "dsp.window"
    size = operand_def(IndexType)
    out = opt_operand_def(MEMREF)
    result = opt_result_def(TENSOR)


@irdl_op_definition
class RepeatOp(IRDLOperation):
    """
    Executes `body` `times` times; each iteration starts with what the last one yielded. A
    first block argument of type `index` is the number of the iteration, from 0 on.
    """

    name = "dsp.repeat"
    times = operand_def(IndexType)
    inits = var_operand_def(TENSOR | MEMREF)
    results_ = var_result_def(TENSOR | MEMREF)
    body = region_def("single_block")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends an iteration of `dsp.repeat`."""

    name = "dsp.yield"
    values = var_operand_def(TENSOR | MEMREF)
    traits = traits_def(IsTerminator())


Dsp = Dialect("dsp", [ScaleOp, WindowOp, RepeatOp, YieldOp])
