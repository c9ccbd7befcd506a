"""How scf ops bufferize."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, i32
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from xdsl_bufferization.interfaces.buffer_effects import BufferEffectsOpInterface
from xdsl_bufferization.interfaces.bufferizable import (
    AliasingValue,
    AnalysisState,
    BufferizableOpInterface,
    MemoryUse,
)
from xdsl_bufferization.interfaces.bufferizer import Bufferizer, BufferTypes
from xdsl_bufferization.interfaces.loop_like import (
    InductionVariable,
    LoopCarried,
    LoopLikeOpInterface,
)
from xdsl_bufferization.interfaces.region_branch import RegionBranchOpInterface
from xdsl_bufferization.interfaces.registry import (
    always,
    answering,
    never,
    register_model,
)
from xdsl_bufferization.interfaces.subset import WHOLE
from xdsl_bufferization.models.shared.control_flow import (
    ParallelLoopRegion,
    WhileRegions,
)
from xdsl_bufferization.models.shared.destinations import ParallelRegionModel
from xdsl_bufferization.models.shared.loops import LoopForwarding
from xdsl_bufferization.models.shared.region_ops import (
    CarryingModel,
    ConditionalModel,
    LoopModel,
    YieldModel,
)
from xdsl_bufferization.support.attributes import integers
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.regions import index_of, terminator_of


class ForModel(LoopModel):
    """`scf.for`"""

    first_init = answering(3)

    def induction_variables(self, op: Operation) -> Sequence[InductionVariable]:
        return (InductionVariable(op.regions[0].block.args[0], *op.operands[:3]),)


class WhileModel(CarryingModel):
    """
    `scf.while`: the first region forwards tensors to the second one and to the results, the
    second one yields tensors to the first.
    """

    first_init = answering(0)

    def forwardings(self, op: Operation) -> Sequence[LoopForwarding]:
        before, after = (region.block for region in op.regions)
        return (
            LoopForwarding(before.args, terminator_of(before), first=1),
            LoopForwarding(after.args, terminator_of(after)),
        )


class ParallelModel(ParallelRegionModel, LoopLikeOpInterface):
    """`scf.parallel`: refused with tensors as results, as it has no inits for them."""

    def induction_variables(self, op: Operation) -> Sequence[InductionVariable]:
        arguments = op.regions[0].block.args
        rank = len(arguments)
        bounds = (op.operands[i * rank : (i + 1) * rank] for i in range(3))
        return [*map(InductionVariable, arguments, *bounds)]

    def verify_op(self, op: Operation, options: OneShotOptions) -> None:
        raise BufferizationError(
            op,
            "cannot have tensors as results: nothing tells in which buffer they are",
            hint="use scf.forall, whose results are written by "
            "tensor.parallel_insert_slice",
        )


class ForallModel(ParallelRegionModel, LoopLikeOpInterface):
    """`scf.forall`: all iterations write into the buffers of the shared outputs."""

    def induction_variables(self, op: Operation) -> Sequence[InductionVariable]:
        dynamic = iter(op.operands)
        bounds = [
            [next(dynamic) if n == DYNAMIC_INDEX else n for n in integers(op, name)]
            for name in ("staticLowerBound", "staticUpperBound", "staticStep")
        ]
        return [*map(InductionVariable, op.regions[0].block.args, *bounds)]

    def carried(self, op: Operation, operand: int) -> LoopCarried | None:
        position = operand - _first_output(op)
        if position < 0:
            return None
        arguments = op.regions[0].block.args
        shared = arguments[len(arguments) - len(op.results) + position]
        return LoopCarried(shared, None, op.results[position])

    # Elements that no iteration writes keep the output's contents.
    reads = always
    writes = always

    def aliasing_values(
        self, op: Operation, operand: int, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (AliasingValue(op.results[operand - _first_output(op)]),)

    is_writable = always

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> Attribute:
        position = index_of(value)
        if isinstance(value, BlockArgument):
            position -= len(op.regions[0].block.args) - len(op.results)
        return types.buffer_type(op.operands[_first_output(op) + position])

    memory_use = answering(MemoryUse(touches=False, part=WHOLE))

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        if not op.results:
            return
        first = _first_output(op)
        buffers = [bufferizer.buffer(output) for output in op.operands[first:]]
        arguments = op.regions[0].block.args[-len(buffers) :]
        segments = [*integers(op, "operandSegmentSizes")[:-1], 0]
        bufferizer.rebuild(
            op,
            op.operands[:first],
            (),
            {"operandSegmentSizes": DenseArrayBase.from_list(i32, segments)},
        )
        for argument, buffer in zip(arguments, buffers, strict=True):
            bufferizer.replace_argument_by(argument, buffer)
        bufferizer.replace(op, buffers)


class InParallelModel(BufferizableOpInterface):
    """`scf.forall.in_parallel`: its ops are moved before it, so nothing is left to do."""

    takes_copies = never
    is_repetitive = never

    def bufferize(self, op: Operation, bufferizer: Bufferizer) -> None:
        pass


def _first_output(op: Operation) -> int:
    return len(op.operands) - len(op.results)


def register() -> None:
    """Register the models for the dialect's ops."""
    for name, model in (
        ("condition", YieldModel()),
        ("execute_region", ConditionalModel()),
        ("for", ForModel()),
        ("forall", ForallModel()),
        ("forall.in_parallel", InParallelModel()),
        ("if", ConditionalModel()),
        ("index_switch", ConditionalModel()),
        ("parallel", ParallelModel()),
        ("while", WhileModel()),
        ("yield", YieldModel()),
    ):
        register_model(f"scf.{name}", model)
    register_model("scf.*", BufferEffectsOpInterface())
    register_model("scf.*", RegionBranchOpInterface())
    register_model("scf.forall", ParallelLoopRegion())
    register_model("scf.while", WhileRegions())
